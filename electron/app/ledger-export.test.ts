import { expect, it } from 'vitest';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { ledgerExport } from './ledger-export.ts';

const none = { count: 0, method: 'measured' } as const;
const entry = (id: number): LedgerEntry => ({
  id: String(id),
  time: '2026-11-20T12:00:00.000Z',
  client: null,
  kind: 'call',
  server: 'db',
  tool: 'insert',
  paths: [],
  inputBytes: 0,
  sentBytes: 0,
  records: 0,
  calls: 1,
  durationMs: 1,
  outcome: 'ok',
  errorCode: null,
  savings: { arguments: none, answer: none },
  storedPath: null,
});

it('has every call once, though others come meanwhile', async () => {
  const calls = Array.from({ length: 12_000 }, (_, index) => entry(12_000 - index));
  const search = {
    async find(_filter: object, offset: number, limit: number) {
      const entries = calls.slice(offset, offset + limit);
      calls.unshift(entry(calls.length + 1));
      return { entries, total: calls.length };
    },
  };
  const { text } = await ledgerExport(search, {}, 'json', new Date('2026-11-20T12:00:00Z'));
  const ids = (JSON.parse(text) as LedgerEntry[]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(12_000);
});
