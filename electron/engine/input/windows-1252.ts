/**
 * Code points of windows-1252's bytes 0x80–0x9F (https://encoding.spec.whatwg.org/index-windows-1252.txt); other bytes
 * equal their code point. Several Node releases decode these bytes as Latin-1, so the engine has a separate table.
 */
const high = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f, 0x90,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
];

export function windows1252ToUtf8(chunk: Uint8Array): Uint8Array {
  const out = new Uint8Array(chunk.length * 3);
  let at = 0;
  for (const byte of chunk) {
    const code = byte >= 0x80 && byte <= 0x9f ? (high[byte - 0x80] as number) : byte;
    if (code < 0x80) out[at++] = code;
    else if (code < 0x800) {
      out[at++] = 0xc0 | (code >> 6);
      out[at++] = 0x80 | (code & 0x3f);
    } else {
      out[at++] = 0xe0 | (code >> 12);
      out[at++] = 0x80 | ((code >> 6) & 0x3f);
      out[at++] = 0x80 | (code & 0x3f);
    }
  }
  return out.slice(0, at);
}
