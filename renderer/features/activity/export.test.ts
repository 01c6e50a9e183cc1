// @vitest-environment happy-dom

import Papa from 'papaparse';
import { afterEach, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../shared/model/call.ts';
import { setLanguage } from '../../i18n/texts.ts';
import { localIso } from '../../ui/format.ts';
import { csvOf } from './export.ts';

afterEach(() => setLanguage('en'));

const none = { count: 0, method: 'measured' } as const;
const entry: LedgerEntry = {
  id: 'call-1',
  time: '2026-11-20T12:00:00.000Z',
  client: 'claude-ai',
  kind: 'file_call',
  server: 'db',
  tool: '=cmd()',
  paths: ['/data/a.csv', '/data/b.csv'],
  inputBytes: 12,
  sentBytes: 0,
  records: 3,
  calls: 1,
  durationMs: 40,
  outcome: 'blocked',
  errorCode: 'FILE_OUTSIDE_FOLDERS',
  savings: { arguments: none, answer: none },
  storedPath: null,
};
const parsed = async () =>
  Papa.parse<Record<string, string>>((await csvOf([entry])).replace('\uFEFF', '').trimEnd(), { header: true });

it('is a table in plain words, with the time here, what nobody reads last, and no formulas', async () => {
  const { data, meta } = await parsed();
  expect(data).toMatchObject([
    {
      When: localIso(entry.time),
      Agent: 'Claude Desktop',
      Call: 'Send a file',
      Tool: "'=cmd()",
      Files: '/data/a.csv\n/data/b.csv',
      Outcome: 'Blocked by Filebridge',
      Reason: 'The file is in none of the folders that you allow.',
      'Size in bytes': '12',
    },
  ]);
  expect(meta.fields?.slice(-3)).toEqual(['Error code', "File's fingerprint (SHA-256)", 'Number of the call']);
  expect(new Date(data[0]?.When ?? '').toISOString()).toBe(entry.time);
});

it('speaks German, as spreadsheets in German read it', async () => {
  setLanguage('de');
  const { data, meta } = await parsed();
  expect(meta.delimiter).toBe(';');
  expect(data).toMatchObject([{ Ergebnis: 'Von Filebridge blockiert', Grund: expect.stringContaining('Ordner') }]);
});

it('has its letters marked as UTF-8', async () => {
  expect([...Buffer.from(await csvOf([entry]), 'utf8').subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
});
