import { expect, it } from 'vitest';
import { approvalText } from './approve.ts';
import { approvalRequest } from './fixtures/approval-request.ts';
import { sentBeforeText } from './sent-before.ts';

const before = {
  path: '/data/b.csv',
  time: '2026-01-02T03:04:05.000Z',
  receipt: '11111111',
  client: 'agent',
  earlierPath: '/data/a.csv',
};

it('says when the content was sent, by which receipt, and from where', () => {
  expect(sentBeforeText(before)).toBe(
    "The content of '/data/b.csv' was sent to this tool before as '/data/a.csv': 2026-01-02T03:04:05.000Z, receipt 11111111.",
  );
  expect(sentBeforeText({ ...before, earlierPath: before.path })).not.toContain(' as ');
  expect(sentBeforeText({ ...before, receipt: null, earlierPath: null })).toBe(
    "The content of '/data/b.csv' was sent to this tool before: 2026-01-02T03:04:05.000Z, by another client.",
  );
});

it('is part of an approval that a client shows', () => {
  expect(approvalText({ ...approvalRequest, sentBefore: [before] })).toContain('receipt 11111111');
  expect(approvalText(approvalRequest)).not.toContain('sent to this tool before');
});
