/** One engine: the bytes that reach a tool are the bytes that `convert` prints, and `preview` tells of them. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, runCli, type Workspace } from './support/cli.ts';
import { fixtureUpstream, openSession, type Session } from './support/session.ts';

interface Sample {
  name: string;
  input: string | Uint8Array;
  request?: Record<string, unknown>;
  args?: string[];
}

const samples: Sample[] = [
  { name: 'big.json', input: '{"id": 12345678901234567890123, "n": 1.10,\n "s": "a\\u00e9\\/b", "__proto__": [1e400]}' },
  { name: 'lines.jsonl', input: '{"a":9007199254740993}\n\n{"b":"x\\ny"}\r\n' },
  { name: 'table.csv', input: 'zip,n,ok,note\n00501,1.5,true,"a ""b""\nc"\n10115,2,false,\n' },
  { name: 'table.tsv', input: 'a\tb\n1\tZoë\n' },
  { name: 'latin.csv', input: Buffer.from('n;p\ncaf\xe9;1,5\n', 'latin1') },
  { name: 'doc.yaml', input: 'a: &x {k: 1}\nb: *x\nc: 12345678901234567890\n' },
  { name: 'doc.xml', input: '<a x="1"><b>1</b><b>2</b></a>' },
  { name: 'text.txt', input: 'line one\nline "two"\t\u2028\u0001' },
  { name: 'table.csv.gz', input: gzipSync('a,b\n1,2\n') },
  { name: 'bytes.bin', input: Uint8Array.of(0, 1, 254, 255), request: { as: 'base64' }, args: ['--as', 'base64'] },
  { name: 'pixel.png', input: Uint8Array.of(0x89, 0x50), request: { as: 'data_uri' }, args: ['--as', 'data_uri'] },
  { name: 'strings.csv', input: 'a,b\n1,\n', request: { types: 'string' }, args: ['--types', 'string'] },
  {
    name: 'some.csv',
    input: 'a,b\n1,x\n2,y\n3,z\n',
    request: { transform: { where: [{ column: 'a', op: '>', value: 1 }], rename: { b: 'c' }, limit: 1 } },
    args: ['--transform', '{"where":[{"column":"a","op":">","value":1}],"rename":{"b":"c"},"limit":1}'],
  },
  {
    name: 'summed.csv',
    input: 'a\n1\n2\n',
    request: { transform: { expression: '{"sum": $sum(a)}' } },
    args: ['--transform', '{"expression":"{\\"sum\\": $sum(a)}"}'],
  },
  {
    name: 'long.csv',
    input: `id,text\n${Array.from({ length: 60_000 }, (_, i) => `${i},"row number ${i}, with some text"\n`).join('')}`,
  },
];

describe('the bytes that arrive are the bytes that convert prints', () => {
  let workspace: Workspace;
  let session: Session;
  let record: string;
  beforeAll(async () => {
    workspace = await openWorkspace();
    record = workspace.at('calls.ndjson');
    session = await openSession(workspace, {
      folders: [{ path: workspace.at('files') }],
      upstreams: { raw: fixtureUpstream('raw-recorder.mjs', { args: [record] }) },
    });
  });
  afterAll(async () => {
    await session?.close();
    await workspace.remove();
  });

  const recorded = async () => (await readFile(record, 'utf8').catch(() => '')).split('\n').slice(0, -1);

  it.each(samples)('$name', async ({ name, input, request, args = [] }) => {
    const path = await workspace.file(`files/${name}`, input);
    const printed = await runCli(['convert', path, ...args]);
    expect(printed.code).toBe(0);
    const before = (await recorded()).length;
    const answer = await session.send({ server: 'raw', tool_name: 'record', path, data_key: 'here', ...request });
    expect(answer.isError, answer.text).toBe(false);
    const [line, ...more] = (await recorded()).slice(before);
    expect(more).toEqual([]);
    expect(line).toContain(`"arguments":{"here":${printed.stdout.toString('utf8')}}`);
  });

  it('preview tells what convert prints', async () => {
    const path = await workspace.file('files/told.csv', 'zip;n\n00501;1\n10115;\n');
    const printed = (await runCli(['convert', path])).stdout.toString('utf8');
    const told = JSON.parse((await runCli(['preview', path, '--json'])).stdout.toString('utf8'));
    expect(told).toMatchObject({
      format: 'csv',
      encoding: 'utf-8',
      delimiter: ';',
      records: 2,
      outputBytes: printed.length,
      warnings: [],
    });
    expect(told.columns).toMatchObject([
      { name: 'zip', type: 'string', empty: 0 },
      { name: 'n', type: 'number', empty: 1 },
    ]);
    expect(`[${told.rows.join(',')}]`).toBe(printed);
    expect(told.tokens).toMatchObject({ method: 'measured' });
  });

  it('the preview of an agent is the preview of the terminal', async () => {
    const path = await workspace.file('files/both.csv', Buffer.from('a,b\ncaf\xe9,1\n', 'latin1'));
    const terminal = await runCli(['preview', path]);
    const agent = await session.call('preview_file', { path });
    expect(`${agent.text}\n`).toBe(terminal.stdout.toString('utf8'));
    expect(agent.text).toMatch(/windows-1252/);
    expect(agent.text).toMatch(/a: string/);
  });
});
