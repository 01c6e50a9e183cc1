/** Checks text as UTF-8 at any chunk boundary, collects the lines that are not, and converts windows-1252. */
import { isAscii, isUtf8 } from 'node:buffer';

/** Takes all bytes in order; knows the offset of the first one that is not UTF-8. */
export class Utf8Check {
  /** Offset of the first ill-formed sequence, from 0; -1 if there is none so far. */
  firstBad = -1;
  private offset = 0;
  /** An unfinished character at the end of the last chunk: up to 3 bytes. */
  private carry: Uint8Array = new Uint8Array(0);

  push(chunk: Uint8Array): void {
    if (this.firstBad >= 0) return;
    let bytes = chunk;
    const start = this.offset - this.carry.length;
    if (this.carry.length > 0) {
      bytes = new Uint8Array(this.carry.length + chunk.length);
      bytes.set(this.carry);
      bytes.set(chunk, this.carry.length);
    }
    const whole = bytes.length - unfinishedTail(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) this.firstBad = start + firstInvalid(bytes);
    // A copy (a Buffer's `slice` is not one): the chunk's memory may be reused.
    this.carry = new Uint8Array(bytes.subarray(whole));
    this.offset += chunk.length;
  }

  /** The stream continues at this offset; all bytes before it are well-formed. */
  goTo(offset: number): void {
    this.carry = new Uint8Array(0);
    this.offset = offset;
  }

  /** Call it after the last chunk: a character cut off at the end is ill-formed too. */
  end(): void {
    if (this.firstBad < 0 && this.carry.length > 0) this.firstBad = this.offset - this.carry.length;
  }
}

/** The stream without a character that is cut off at its end. */
export async function* wholeCharacters(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let last: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    const bytes = new Uint8Array(last.length + chunk.length);
    bytes.set(last);
    bytes.set(chunk, last.length);
    const whole = bytes.length - unfinishedTail(bytes);
    if (whole > 0) yield bytes.subarray(0, whole);
    last = bytes.slice(whole);
  }
}

/** Number of bytes at the end (0 to 3) that start a character which the next chunk may finish. */
function unfinishedTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** Length given by a lead byte; 1 for bytes that start no character. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0) return lead < 0xf0 ? 3 : 1;
  return lead >= 0xc2 ? 2 : 1;
}

/** Offset of the first ill-formed sequence (Unicode 16, table 3-7). There must be one. */
function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const length = sequenceLength(lead);
    if (length === 1 || !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return at;
}

// Lines that say something about the encoding.

/** Lines that are looked at, and what is kept of a line. Bytes. */
const SAMPLE_BYTES = 32 * 1024;
const LINE_BYTES = 1000;

/** What a text has beside ASCII: its lines that are no UTF-8, and what is UTF-8. Take all bytes in order, then `end`. */
export class OddLines {
  /** Lines that are no UTF-8, each with a line feed. */
  get sample(): Uint8Array {
    return Buffer.concat(this.kept);
  }
  /** Lines and words that are UTF-8, each with a line feed. */
  get utf8(): Uint8Array {
    return Buffer.concat(this.keptUtf8);
  }
  private readonly keptUtf8: Uint8Array[] = [];
  private utf8Bytes = 0;
  private readonly kept: Uint8Array[] = [];
  private bytes = 0;
  private line: Uint8Array[] = [];
  private lineBytes = 0;
  private isOdd = false;

  push(chunk: Uint8Array): void {
    if (this.bytes >= SAMPLE_BYTES) return;
    if (!this.isOdd && isAscii(chunk)) {
      const lineStart = Math.max(chunk.lastIndexOf(0x0a), chunk.lastIndexOf(0x0d)) + 1;
      if (lineStart > 0) this.begin();
      this.add(chunk.subarray(lineStart));
      return;
    }
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte >= 0x80) this.isOdd = true;
      else if (byte === 0x0a || byte === 0x0d) {
        this.add(chunk.subarray(start, at));
        this.end();
        start = at + 1;
      }
    }
    this.add(chunk.subarray(start));
  }

  end(): void {
    if (this.isOdd) this.keep(Buffer.concat(this.line));
    this.begin();
  }

  private begin(): void {
    this.line = [];
    this.lineBytes = 0;
    this.isOdd = false;
  }

  private add(part: Uint8Array): void {
    const fits = part.subarray(0, LINE_BYTES - this.lineBytes);
    // A copy: the chunk's memory may be reused.
    if (fits.length > 0) this.line.push(new Uint8Array(fits));
    this.lineBytes += fits.length;
  }

  private keep(line: Uint8Array): void {
    let length = line.length;
    // The second byte of a character is never one of these in any encoding, so the cut is between characters.
    if (length === LINE_BYTES) while (length > 0 && (line[length - 1] as number) >= 0x30) length--;
    const whole = line.subarray(0, length);
    if (isUtf8(whole)) {
      this.keepUtf8(whole);
      return;
    }
    this.kept.push(whole, Uint8Array.of(0x0a));
    this.bytes += length + 1;
    // Space, comma, semicolon and tab are no part of a character in any encoding.
    for (const word of Buffer.from(whole)
      .toString('latin1')
      .split(/[ ,;\t"]+/))
      this.keepUtf8(Buffer.from(word, 'latin1'));
  }

  private keepUtf8(part: Uint8Array): void {
    if (this.utf8Bytes >= SAMPLE_BYTES || isAscii(part) || !isUtf8(part)) return;
    this.keptUtf8.push(part, Uint8Array.of(0x0a));
    this.utf8Bytes += part.length + 1;
  }
}

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
