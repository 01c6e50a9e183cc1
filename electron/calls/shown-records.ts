/** The part of a payload that is shown before a call is allowed: its beginning and end, digit for digit. */
import type { RecordRange } from '../../shared/model/call.ts';
import type { Payload } from '../engine/core/payload.ts';

const SHOWN_RECORDS = 5;
/** A text, an object or a record up to this is shown whole. Bytes. */
const WHOLE_BYTES = 16 * 1024;
/** Length of the shown beginning and end of a longer record. Bytes. */
const END_BYTES = 4 * 1024;

export interface ShownEnds {
  first: string[];
  /** Empty where `first` is everything. */
  last: string[];
}

/** The first and last records of a list from `start` on, or the beginning and end of anything else. */
export async function shownEnds(payload: Payload, ranges: readonly RecordRange[], signal: AbortSignal): Promise<ShownEnds> {
  if (payload.kind !== 'array') return endsOfText(payload, signal);
  const total = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const shown = async (from: number, to: number) => {
    const records: string[] = [];
    for (const [first, count] of partsBetween(ranges, from, to))
      records.push(...(await shownRecords(payload, first, count, signal)));
    return records;
  };
  if (total <= 2 * SHOWN_RECORDS) return { first: await shown(0, total), last: [] };
  return { first: await shown(0, SHOWN_RECORDS), last: await shown(total - SHOWN_RECORDS, total) };
}

/** First record and count of each part of `ranges` that lies between the `from`th and the `to`th of their records. */
function partsBetween(ranges: readonly RecordRange[], from: number, to: number): [first: number, count: number][] {
  let before = 0;
  return ranges.flatMap(([first, last]): [number, number][] => {
    const skipped = Math.max(0, from - before);
    const end = Math.min(last - first + 1, to - before);
    before += last - first + 1;
    return end > skipped ? [[first + skipped, end - skipped]] : [];
  });
}

async function shownRecords(payload: Payload, start: number, count: number, signal: AbortSignal): Promise<string[]> {
  const shown: string[] = [];
  if (count === 0) return shown;
  for await (const { data, ends } of payload.elements({ signal, start })) {
    let from = 0;
    for (const end of ends) {
      shown.push(shownRecord(data.subarray(from, end)));
      if (shown.length === count) return shown;
      from = end + 1;
    }
  }
  return shown;
}

/** The dangerous part may be at the end of a long value, so the middle is left out. */
function shownRecord(json: Uint8Array): string {
  if (json.length <= WHOLE_BYTES) return textOf(json);
  const head = textOf(json.subarray(0, END_BYTES)).replace(/\uFFFD+$/, '');
  const tail = textOf(json.subarray(-END_BYTES)).replace(/^\uFFFD+/, '');
  return `${head}… ⟨${json.length - 2 * END_BYTES} bytes⟩ …${tail}`;
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

async function endsOfText(payload: Payload, signal: AbortSignal): Promise<ShownEnds> {
  const whole = payload.bytes <= WHOLE_BYTES;
  const headBytes = whole ? payload.bytes : END_BYTES;
  const tailFrom = payload.bytes - END_BYTES;
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  let at = 0;
  for await (const chunk of payload.json(signal)) {
    if (at < headBytes) head.push(chunk.slice(0, headBytes - at));
    if (!whole && at + chunk.length > tailFrom) tail.push(chunk.slice(Math.max(0, tailFrom - at)));
    at += chunk.length;
  }
  const first = Buffer.concat(head).toString('utf8');
  if (whole) return { first: [first], last: [] };
  // A character may be cut in two.
  return {
    first: [`${first.replace(/\uFFFD+$/, '')}…`],
    last: [
      `…${Buffer.concat(tail)
        .toString('utf8')
        .replace(/^\uFFFD+/, '')}`,
    ],
  };
}
