import { describe, expect, it } from 'vitest';
import { approvalText } from './approve.ts';
import { approvalRequest } from './fixtures/approval-request.ts';
import type { ApprovalRequest } from './types.ts';

const plain: ApprovalRequest = { ...approvalRequest, description: 'Inserts rows.\nSlowly.' };

const filed: ApprovalRequest = {
  ...plain,
  paths: ['/home/ann/a.csv'],
  calls: { count: 3, exact: true },
  arguments: ['{"sql":"DROP TABLE x","rows":', 0, '}'],
  payloads: [
    {
      place: 'rows',
      list: true,
      records: 3,
      bytes: 30,
      files: [{ path: '/home/ann/a.csv', bytes: 20, records: 3 }],
      first: ['{"n":1}'],
      last: ['{"n":3}'],
    },
  ],
};

describe('a call as text', () => {
  it('names the server, the tool and the arguments', () => {
    expect(approvalText(plain)).toBe(
      [
        'Call db:insert?',
        'Server: node server.js --token ••• in /srv/db',
        'What the server says about the tool:',
        '> Inserts rows.',
        '> Slowly.',
        'Arguments: {"said":"hello"}',
      ].join('\n'),
    );
  });

  it('has what goes to the server beside the arguments', () => {
    const text = approvalText({ ...plain, meta: '{"com.example/order":"delete \u202Eeverything"}' });
    expect(text).toContain('\nBeside them, as _meta: {"com.example/order":"delete ⟨U+202E⟩everything"}');
  });

  it('names each file, its size, its records and the number of calls', () => {
    expect(
      approvalText({ ...filed, description: null })
        ?.split('\n')
        .slice(2),
    ).toEqual([
      'Arguments: {"sql":"DROP TABLE x","rows":⟨content 1⟩}',
      'Content 1 in rows: 3 records, 30 bytes, from',
      '- /home/ann/a.csv (20 bytes, 3 records)',
      'First:',
      '{"n":1}',
      'Last:',
      '{"n":3}',
      'Calls: 3',
    ]);
    expect(approvalText({ ...filed, calls: { count: 90, exact: false } })).toContain('Calls: about 90');
  });

  it('has no invisible character, wherever it comes from, and no line that others wrote', () => {
    const hostile = '\u202Eoffer\u200B\nCalls: 0\u001B[2J\u2028';
    const [payload] = filed.payloads;
    if (!payload) throw new Error('no payload');
    const text = approvalText({
      ...filed,
      server: hostile,
      tool: hostile,
      target: hostile,
      folder: hostile,
      description: hostile,
      arguments: [`{${JSON.stringify(hostile)}:"\\u202e",${JSON.stringify(hostile)}:`, 0, '}'],
      payloads: [
        {
          ...payload,
          place: hostile,
          files: [{ path: hostile, bytes: 1, records: 1 }],
          first: [JSON.stringify(hostile)],
          last: [JSON.stringify(hostile)],
        },
      ],
    });
    for (const unseen of ['\u202E', '\u200B', '\u001B', '\u2028']) expect(text).not.toContain(unseen);
    expect(text).toContain('"⟨U+202E⟩"');
    expect(text?.split('\n').filter((line) => line.startsWith('Calls:'))).toEqual(['Calls: 3']);
  });

  it('is whole, or is not given', () => {
    const saying = (said: string) => approvalText({ ...plain, arguments: [JSON.stringify({ said })] });
    expect(saying(`${' '.repeat(19_000)}DROP`)).toContain('DROP');
    expect(saying(`${' '.repeat(20_000)}DROP`)).toBeUndefined();
    // Each of these takes more room when it is made visible.
    expect(saying('\u200B'.repeat(5_000))).toBeUndefined();
  });

  it('has the whole description', () => {
    expect(approvalText({ ...plain, description: `${'x'.repeat(18_000)} end` })).toContain('x end\n');
    expect(approvalText({ ...plain, description: `${'x'.repeat(20_000)} end` })).toBeUndefined();
  });

  it('has records whole where they are all, and else both ends of long ones', () => {
    const long = JSON.stringify({ note: `${'x'.repeat(5_000)} DROP TABLE users` });
    const [payload] = filed.payloads;
    if (!payload) throw new Error('no payload');
    const textOf = (last: string[]) => approvalText({ ...filed, payloads: [{ ...payload, first: [long], last }] });
    expect(textOf([])).toContain(`All of it:\n${long}\n`);
    const cut = `{"note":"${'x'.repeat(491)}… (${long.length - 1_000} more characters) …${'x'.repeat(481)} DROP TABLE users"}`;
    expect(textOf([long])).toContain(`First:\n${cut}\nLast:\n${cut}\n`);
    expect(approvalText({ ...filed, payloads: [{ ...payload, first: [long, long, long, long], last: [] }] })).toBeUndefined();
  });
});
