/** Converts numbers that a double would round to strings, to keep their digits. */
import { valueEnd } from '../json/json-members.ts';

/** Shorter integers are all below 2^53. */
const SAFE_DIGITS = 15;

/** The JSON text with integers beyond 2^53, and numbers beyond the range of a double, in quotes. */
export function quoteInexactNumbers(json: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === 0x22) {
      at = valueEnd(json, at) - 1;
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const end = valueEnd(json, at);
      if (isInexact(json, at, end)) {
        parts.push(json.subarray(from, at), QUOTE, json.subarray(at, end), QUOTE);
        from = end;
      }
      at = end - 1;
    }
  }
  if (parts.length === 0) return json;
  parts.push(json.subarray(from));
  return Buffer.concat(parts);
}

const QUOTE = Buffer.from('"');

function isInexact(json: Uint8Array, start: number, end: number): boolean {
  let plain = true;
  for (let at = start; at < end; at += 1) {
    const byte = json[at];
    if (byte === 0x2e || byte === 0x65 || byte === 0x45) plain = false;
  }
  if (plain && end - start <= SAFE_DIGITS) return false;
  const number = Number(Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('latin1'));
  return plain ? !Number.isSafeInteger(number) : !Number.isFinite(number);
}
