/** Writes UTF-8 text as the inside of a JSON string. */
import type { ByteBuilder } from '../core/byte-builder.ts';

const HEX = new TextEncoder().encode('0123456789abcdef');

/** For each byte: 0 to copy it, else the letter after the backslash; `u` for a \u00XX escape. */
const escapeOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22 || byte === 0x5c) return byte;
  if (byte >= 0x20) return 0;
  const letters: Record<number, string> = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' };
  return (letters[byte] ?? 'u').charCodeAt(0);
});

/** Appends text with JSON's escapes. Works byte by byte, so a character may be split across two calls. */
export function writeEscaped(out: ByteBuilder, bytes: Uint8Array, from = 0, to = bytes.length): void {
  let run = from;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    const letter = escapeOf[byte] as number;
    if (letter === 0) continue;
    if (i > run) out.bytes(bytes, run, i);
    run = i + 1;
    out.byte(0x5c);
    out.byte(letter);
    if (letter === 0x75) {
      out.byte(0x30);
      out.byte(0x30);
      out.byte(HEX[byte >> 4] as number);
      out.byte(HEX[byte & 15] as number);
    }
  }
  if (to > run) out.bytes(bytes, run, to);
}
