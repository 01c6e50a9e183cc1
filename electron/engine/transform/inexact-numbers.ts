/** Converts numbers that a double would round to strings, to keep their digits. */
import { JsonTokens, MORE, SCALAR } from '../json/json-tokens.ts';

/** Shorter integers are all below 2^53. */
const SAFE_DIGITS = 15;
/** Numbers begin with a digit or a minus, both at most this; literals with letters. */
const NINE = 0x39;

/** The JSON text with integers beyond 2^53, and numbers beyond the range of a double, in quotes. */
export function quoteInexactNumbers(json: Uint8Array): Uint8Array {
  const tokens = new JsonTokens();
  const parts: Uint8Array[] = [];
  let copied = 0;
  tokens.load(json);
  for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
    const { from, to } = tokens;
    if (token !== SCALAR || !isInexact(json, from, to)) continue;
    parts.push(json.subarray(copied, from), QUOTE, json.subarray(from, to), QUOTE);
    copied = to;
  }
  if (parts.length === 0) return json;
  parts.push(json.subarray(copied));
  return Buffer.concat(parts);
}

const QUOTE = Buffer.from('"');

/** Whether the scalar is a number that loses digits. */
function isInexact(json: Uint8Array, start: number, end: number): boolean {
  if ((json[start] as number) > NINE) return false;
  let plain = true;
  for (let at = start; at < end; at += 1) {
    const byte = json[at];
    if (byte === 0x2e || byte === 0x65 || byte === 0x45) plain = false;
  }
  if (plain && end - start <= SAFE_DIGITS) return false;
  const number = Number(Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('latin1'));
  return plain ? !Number.isSafeInteger(number) : !Number.isFinite(number);
}
