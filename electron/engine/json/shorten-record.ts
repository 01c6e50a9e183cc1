/** Shortens a record's JSON text for display in one row. */
import { type Member, MemberReader } from './json-members.ts';

/** Longer values are cut to this length. Bytes. */
const VALUE_BYTES = 400;
/** Members after this offset are left out. Bytes. */
const RECORD_BYTES = 64 * 1024;
/** Members of larger records are not parsed. Bytes. */
const SEARCHED_BYTES = 1024 * 1024;
/** Shorter records are not changed. Bytes. */
const WHOLE_BYTES = 2 * 1024;

const BACKSLASH = 0x5c;

/**
 * The text of `json.subarray(start, end)`, as valid JSON with unchanged digits. In a long record, long values are cut and
 * end with `…`; cut lists and objects become strings, so that every member stays visible. Only records over 1 MB, or with
 * over 64 KB of members, lose members.
 */
export function shortenRecord(json: Uint8Array, start: number, end: number): string {
  if (end - start <= WHOLE_BYTES) return textOf(json, start, end);
  if (end - start > SEARCHED_BYTES) return `${textOf(json, start, wholeCharacter(json, start + VALUE_BYTES))}…`;
  const reader = new MemberReader();
  const kind = reader.read(json, start, end);
  if (kind === 'scalar') return shortenValue(json, start, end);
  const parts: string[] = [];
  let length = 0;
  for (const { nameStart, nameEnd, start: from, end: to } of reader.members.slice(0, reader.count) as Member[]) {
    const name = kind === 'object' ? `${shortenValue(json, nameStart, nameEnd)}:` : '';
    const part = `${name}${shortenValue(json, from, to)}`;
    length += part.length;
    if (length > RECORD_BYTES) break;
    parts.push(part);
  }
  const inside = parts.join(',');
  return kind === 'object' ? `{${inside}}` : `[${inside}]`;
}

function textOf(json: Uint8Array, start: number, end: number): string {
  return Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('utf8');
}

function shortenValue(json: Uint8Array, start: number, end: number): string {
  if (end - start <= VALUE_BYTES) return textOf(json, start, end);
  const cut = wholeCharacter(json, start + VALUE_BYTES);
  if (json[start] !== 0x22) return JSON.stringify(`${textOf(json, start, cut)}…`);
  return `${textOf(json, start, wholeEscape(json, start + 1, cut))}…"`;
}

/** The last position up to `at` that is not inside a character. */
function wholeCharacter(json: Uint8Array, at: number): number {
  let to = at;
  while (to > 0 && ((json[to] as number) & 0xc0) === 0x80) to -= 1;
  return to;
}

/** The last position up to `at` that is not inside an escape, in a string whose text starts at `from`. */
function wholeEscape(json: Uint8Array, from: number, at: number): number {
  let to = from;
  while (to < at) {
    const next = json[to] !== BACKSLASH ? to + 1 : json[to + 1] === 0x75 ? to + 6 : to + 2;
    if (next > at) break;
    to = next;
  }
  return to;
}
