/** The checkpoints of a scan: the same ones however long rows are, and however the text comes. */
import { expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { Chance } from '../fixtures/fuzz-fixture.ts';
import { RowScan } from './csv-row-scan.ts';
import { CsvRows } from './csv-rows.ts';

const PART = 64 * 1024;
const COMMA = 0x2c;

/** Rows of two cells, some longer than several parts or ending at the edge of one. */
function textBy(chance: Chance): string {
  const end = chance.of(['\n', '\r\n', '\r']);
  const size = 8 * PART + chance.below(20 * PART);
  let text = '';
  while (text.length < size) {
    const kind = chance.below(6);
    if (kind === 0) text += `"${chance.of(['k', 'k\n', '""']).repeat(chance.below(chance.once(3) ? 9 * PART : PART))}",1${end}`;
    else if (kind === 1) text += `${'q'.repeat(Math.max(1, PART - (text.length % PART) + chance.below(5) - 2))},${end}`;
    else if (kind === 2) text += end.repeat(chance.below(5));
    else for (let i = chance.below(3000); i > 0; i -= 1) text += `${i},"v${i}"${end}`;
  }
  return text;
}

/** Record, offset and line of the first record that starts in each part. */
function firstInParts(bytes: Uint8Array): string[] {
  const rows = new CsvRows(COMMA, 'CSV');
  rows.push(bytes);
  rows.end();
  const found: string[] = [];
  let last = -1;
  for (let record = 0; rows.next(); record += 1) {
    const part = Math.floor(rows.offset / PART);
    if (part !== last) found.push(`${record} ${rows.offset} ${rows.line}`);
    last = part;
  }
  return found;
}

function checkpointsOf(bytes: Uint8Array, chance: Chance): string[] {
  const checkpoints: string[] = [];
  const options = { delimiter: COMMA, decided: [undefined, undefined], extra: 'refused', keyBytes: 0 } as const;
  const start = { offset: 0, line: 1, afterCr: false };
  const scan = new RowScan(options, start, ({ record, offset, line }) => checkpoints.push(`${record} ${offset} ${line}`));
  const step = chance.of([2 * PART, PART, 10_000, 1 + chance.below(5 * PART)]);
  for (let at = 0; at < bytes.length; at += step) {
    const piece = bytes.subarray(at, at + step);
    for (let from = 0; from < piece.length; ) {
      from += scan.kernel.fill(piece, from);
      if (scan.kernel.isFull || chance.once(3)) expect(scan.run()).toBe(true);
    }
  }
  scan.kernel.endText();
  expect(scan.run()).toBe(true);
  scan.kernel.release();
  return checkpoints;
}

it('the first record in each part of the text is a checkpoint, and no other', () => {
  const chance = new Chance(11);
  for (let i = 0; i < runs(40); i += 1) {
    const bytes = new TextEncoder().encode(textBy(chance));
    expect(checkpointsOf(bytes, chance)).toEqual(firstInParts(bytes));
  }
});
