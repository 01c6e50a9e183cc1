/** Detects JSON texts that only repeat another text as their single member. */
import { JsonUnescape } from './json-strings.ts';
import { NeedsWhole } from './open-objects.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;

/** Whether a JSON text is an object with one member, a string that decodes to these bytes (lone surrogates kept). */
export async function isOnlyMember(text: AsyncIterable<Uint8Array>, wanted: AsyncIterable<Uint8Array>): Promise<boolean> {
  const source = new Source(text);
  const other = new Source(wanted);
  try {
    await source.skipSpace();
    if (source.peek() !== OPEN_OBJECT) return false;
    source.drop(1);
    await source.skipSpace();
    if (source.peek() !== QUOTE) return false;
    await source.name();
    await source.skipSpace();
    if (source.peek() !== QUOTE) return false;
    source.drop(1);
    const meaning = new JsonUnescape({ keepHalves: true });
    for await (const part of source.stringParts()) if (!(await other.beginsWith(meaning.push(part)))) return false;
    if (!(await other.beginsWith(meaning.end())) || (await other.more())) return false;
    await source.skipSpace();
    return source.peek() === 0x7d;
  } finally {
    await source.close();
    await other.close();
  }
}

/** A streamed text with a buffer for the part that is looked at. */
class Source {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  peek(): number | undefined {
    return this.#held[0];
  }

  drop(bytes: number): void {
    this.#held = this.#held.subarray(bytes);
  }

  take(bytes: number, andDrop: number): string {
    const text = this.#held.toString('utf8', 0, bytes);
    this.drop(bytes + andDrop);
    return text;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async skipSpace(): Promise<void> {
    for (;;) {
      let at = 0;
      while (isSpace(this.#held[at])) at += 1;
      this.drop(at);
      if (this.#held.length > 0 || !(await this.#read())) return;
    }
  }

  /** The name of the next member, up to its value. */
  async name(): Promise<string> {
    await this.skipSpace();
    let end = 1;
    while (end < this.#held.length && this.#held[end] !== QUOTE) end += this.#held[end] === BACKSLASH ? 2 : 1;
    const name: string | undefined = end < this.#held.length ? JSON.parse(this.take(end + 1, 0)) : undefined;
    await this.skipSpace();
    if (name === undefined || this.peek() !== COLON) throw new NeedsWhole('a name is too long');
    this.drop(1);
    return name;
  }

  /** The rest of a string up to its closing quote, which is dropped. */
  async *stringParts(): AsyncGenerator<Uint8Array> {
    let escaped = false;
    for (;;) {
      const held = this.#held;
      let at = 0;
      for (; at < held.length; at += 1) {
        const byte = held[at];
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) break;
      }
      if (at > 0) yield held.subarray(0, at);
      this.drop(at < held.length ? at + 1 : at);
      if (at < held.length) return;
      if (!(await this.#read())) throw new NeedsWhole('the text ends inside a string');
    }
  }

  /** Skips these bytes if they come next. */
  async beginsWith(bytes: Uint8Array): Promise<boolean> {
    while (this.#held.length < bytes.length && (await this.#read()));
    if (this.#held.compare(bytes, 0, bytes.length, 0, Math.min(bytes.length, this.#held.length)) !== 0) return false;
    this.drop(bytes.length);
    return true;
  }

  /** Whether anything is left. */
  async more(): Promise<boolean> {
    return this.#held.length > 0 || (await this.#read());
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done || value.length === 0) return !done;
    // A copy: the chunk is valid only until the next one.
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
    return true;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
