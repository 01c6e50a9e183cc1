/** Reads the top level of a JSON object of any size as a stream. */
import { decodeString } from './json-members.ts';

/** Offsets of an object's braces in its text, and the number of members between them. Bytes. */
export interface ObjectOutline {
  /** Offset after the opening brace. */
  readonly inside: number;
  /** Offset of the closing brace. */
  readonly close: number;
  readonly members: number;
}

/** A member's name, and its value's text unless that is longer than requested. */
export type OnMember = (name: string, value: Uint8Array | undefined) => void;

/** Streams through the text of one valid JSON object. Holds one name and at most `captureBytes` of a value at a time. */
export async function scanObject(json: AsyncIterable<Uint8Array>, onMember: OnMember, captureBytes = 0): Promise<ObjectOutline> {
  const scanner = new ObjectScanner(onMember, captureBytes);
  for await (const chunk of json) scanner.feed(chunk);
  return { inside: scanner.inside, close: scanner.close, members: scanner.members };
}

class ObjectScanner {
  inside = 0;
  close = 0;
  members = 0;
  readonly #onMember: OnMember;
  readonly #captureBytes: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #part: 'name' | 'value' = 'name';
  #name = '';
  #captured: Uint8Array[] = [];
  #capturedLength = 0;
  #offset = 0;

  constructor(onMember: OnMember, captureBytes: number) {
    this.#onMember = onMember;
    this.#captureBytes = captureBytes;
  }

  feed(chunk: Uint8Array): void {
    // Start, in this chunk, of the range that is being captured.
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === 0x5c) this.#escaped = true;
        else if (byte === 0x22) this.#inString = false;
        continue;
      }
      if (byte === 0x22) {
        this.#inString = true;
      } else if (byte === 0x7b || byte === 0x5b) {
        this.#depth += 1;
        if (this.#depth === 1) {
          this.inside = this.#offset + at + 1;
          from = at + 1;
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#depth -= 1;
        if (this.#depth === 0) {
          this.close = this.#offset + at;
          this.#capture(chunk, from, at);
          if (this.#part === 'value') this.#endValue();
        }
      } else if (this.#depth === 1 && byte === 0x3a) {
        this.#capture(chunk, from, at);
        this.#endName();
        from = at + 1;
      } else if (this.#depth === 1 && byte === 0x2c) {
        this.#capture(chunk, from, at);
        this.#endValue();
        from = at + 1;
      }
    }
    if (this.#depth > 0) this.#capture(chunk, from, chunk.length);
    this.#offset += chunk.length;
  }

  #capture(chunk: Uint8Array, from: number, to: number): void {
    this.#capturedLength += to - from;
    // A name is needed whole; a value only up to the requested length.
    if (this.#part === 'value' && this.#capturedLength > this.#captureBytes) this.#captured = [];
    else if (to > from) this.#captured.push(new Uint8Array(chunk.subarray(from, to)));
  }

  #take(): Uint8Array | undefined {
    const whole = this.#part === 'name' || this.#capturedLength <= this.#captureBytes;
    const text = whole ? Buffer.concat(this.#captured) : undefined;
    this.#captured = [];
    this.#capturedLength = 0;
    return text;
  }

  #endName(): void {
    const text = this.#take() as Uint8Array;
    const open = text.indexOf(0x22);
    this.#name = decodeString(text, open, text.lastIndexOf(0x22) + 1);
    this.#part = 'value';
  }

  #endValue(): void {
    const value = this.#take();
    this.members += 1;
    this.#part = 'name';
    this.#onMember(this.#name, value);
  }
}
