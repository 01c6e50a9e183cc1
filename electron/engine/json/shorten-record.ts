/** A record as it is shown in one row: its JSON text, with what is long in it cut. */
import { type Member, MemberReader } from './json-members.ts';

/** Longer values are cut to this. Bytes. */
const VALUE_BYTES = 400;
/** Members past this are left out. Bytes. */
const RECORD_BYTES = 64 * 1024;
/** In a bigger record members are not even looked for. Bytes. */
const SEARCHED_BYTES = 1024 * 1024;
/** A record that is no longer goes as it is. Bytes. */
const WHOLE_BYTES = 2 * 1024;

const BACKSLASH = 0x5c;

/**
 * The text of `json.subarray(start, end)`, valid JSON, digit for digit. Where that is long, the values in it are cut and
 * end with `…`, lists and objects among them becoming strings, so that every member can still be told. Only of a
 * record beyond 1 MB, or 64 KB of members, the rest is missing.
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

/** The last place up to `at` that is no character's inside. */
function wholeCharacter(json: Uint8Array, at: number): number {
  let to = at;
  while (to > 0 && ((json[to] as number) & 0xc0) === 0x80) to -= 1;
  return to;
}

/** The last place up to `at` that is no escape's inside, where the string's text starts at `from`. */
function wholeEscape(json: Uint8Array, from: number, at: number): number {
  let to = from;
  while (to < at) {
    const next = json[to] !== BACKSLASH ? to + 1 : json[to + 1] === 0x75 ? to + 6 : to + 2;
    if (next > at) break;
    to = next;
  }
  return to;
}
