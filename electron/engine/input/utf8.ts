/** Validates a stream as UTF-8, at any chunk boundary. */
import { isUtf8 } from 'node:buffer';

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
