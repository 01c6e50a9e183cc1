/** Collects what says something about the encoding of a text. */
import { isAscii, isUtf8 } from 'node:buffer';

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
