/** Writes a long JSON text anew as JSON.stringify(JSON.parse(text)) would, a part at a time. */
import { JsonEscape, JsonUnescape } from './json-strings.ts';

/** Members up to about this size together are parsed at once; a longer one is itself written in parts. Bytes. */
const PART_BYTES = 32 * 1024;

/** `pretty`: as JSON.stringify with an indentation of two; `lines`: each element of a list on a line of its own. */
export type JsonStyle = 'pretty' | 'compact' | 'lines';

/** The order or the number of an object's members is only known once all of it was read, so that it cannot be written in parts. */
export class NeedsWhole extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
/** Names that JSON.parse puts before all others. */
const INDEX = /^(0|[1-9]\d{0,9})$/;

/** `text` is valid JSON in UTF-8, a list or an object. Throws NeedsWhole. */
export async function* rewrittenJson(text: AsyncIterable<Uint8Array>, style: JsonStyle): AsyncGenerator<Buffer> {
  const source = new Source(text);
  try {
    await source.skipSpace();
    const lines = style === 'lines' && source.peek() === OPEN_LIST;
    yield* container(source, lines ? 'lines' : style === 'lines' ? 'compact' : style, '');
    if (style === 'lines') yield Buffer.from('\n');
  } finally {
    await source.close();
  }
}

/** Whether a JSON text is an object with one member, which is a string that stands for these bytes (halves of surrogate pairs kept). */
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

/** Writes the list or object that the source stands at. */
async function* container(source: Source, style: JsonStyle, outerIndent: string): AsyncGenerator<Buffer> {
  const list = source.peek() === OPEN_LIST;
  const pretty = style === 'pretty';
  const indent = pretty ? `${outerIndent}  ` : '';
  const members = new Members(list, style, outerIndent);
  source.drop(1);
  if (style !== 'lines') yield Buffer.from(list ? '[' : '{');
  for (;;) {
    const { comma, close } = await source.lookForMembers();
    if (close !== -1) {
      const text = source.take(close, 1);
      if (text.trim() !== '') yield members.written(text, true);
      break;
    }
    if (comma !== -1) {
      yield members.written(source.take(comma, 1), false);
      continue;
    }
    yield members.begun(list ? undefined : await source.name());
    await source.skipSpace();
    const inner = style === 'lines' ? 'compact' : style;
    if (source.peek() === OPEN_LIST || source.peek() === OPEN_OBJECT) yield* container(source, inner, indent);
    else if (source.peek() === QUOTE) yield* longString(source);
    else throw new NeedsWhole('a number is too long');
    await source.skipSpace();
    if (source.peek() === COMMA) source.drop(1);
  }
  if (style !== 'lines') yield Buffer.from(`${pretty && members.any ? `\n${outerIndent}` : ''}${list ? ']' : '}'}`);
}

async function* longString(source: Source): AsyncGenerator<Buffer> {
  const meaning = new JsonUnescape({ keepHalves: true });
  const spelling = new JsonEscape();
  source.drop(1);
  yield Buffer.from('"');
  for await (const part of source.stringParts()) yield Buffer.from(spelling.push(meaning.push(part)));
  yield Buffer.from(spelling.push(meaning.end()));
  yield Buffer.from('"');
}

/** How the members of one list or object are written. */
class Members {
  any = false;
  readonly #list: boolean;
  readonly #style: JsonStyle;
  readonly #outerIndent: string;
  readonly #names = new Set<string>();

  constructor(list: boolean, style: JsonStyle, outerIndent: string) {
    this.#list = list;
    this.#style = style;
    this.#outerIndent = outerIndent;
  }

  /** Whole members, given with commas between them; `last`: no others follow. */
  written(text: string, last: boolean): Buffer {
    const value: unknown[] | object = JSON.parse(this.#list ? `[${text}]` : `{${text}}`);
    if (!Array.isArray(value)) this.#note(Object.keys(value), last && !this.any);
    if (this.#style === 'lines' && Array.isArray(value)) {
      const lines = value.map((element) => JSON.stringify(element)).join('\n');
      return this.#after(lines);
    }
    if (this.#style !== 'pretty') return this.#after(JSON.stringify(value).slice(1, -1));
    return this.#after(this.#indented(value), '\n');
  }

  /** A list or an object as it is written inside of others, without its brackets and the line ends inside of them. */
  #indented(value: unknown): string {
    const levels = this.#outerIndent.length / 2;
    let wrapped = value;
    for (let level = 0; level < levels; level += 1) wrapped = [wrapped];
    // Brackets and line ends of all levels and of the value, and what the lines between them are indented by.
    const before = 2 * (levels + 1) + levels * (levels + 1);
    return JSON.stringify(wrapped, null, 2).slice(before, -before);
  }

  /** What stands before a member's value. */
  begun(name: string | undefined): Buffer {
    const pretty = this.#style === 'pretty';
    if (name !== undefined) this.#note([name], false);
    const label = name === undefined ? '' : `${JSON.stringify(name)}:${pretty ? ' ' : ''}`;
    return this.#after(`${pretty ? '  ' : ''}${label}`);
  }

  #after(text: string, lead = this.#style === 'pretty' ? `\n${this.#outerIndent}` : ''): Buffer {
    const between = !this.any ? '' : this.#style === 'lines' ? '\n' : ',';
    this.any = true;
    return Buffer.from(`${between}${lead}${text}`);
  }

  #note(names: readonly string[], all: boolean): void {
    if (all) return;
    for (const name of names) {
      if (INDEX.test(name) || this.#names.has(name)) throw new NeedsWhole(`a member is named '${name}'`);
      this.#names.add(name);
    }
  }
}

/** A text of which the beginning is held, as much as is looked at. */
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

  /**
   * Looks for the end of the list or object around, and for the last comma between its members before that. Either is -1 where it was not
   * found among as many bytes as are looked at; both are only in front of a member that is longer.
   */
  async lookForMembers(): Promise<{ comma: number; close: number }> {
    let comma = -1;
    let depth = 0;
    let inString = false;
    let escaped = false;
    let at = 0;
    for (;;) {
      const held = this.#held;
      while (at < held.length) {
        const byte = held[at] as number;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inString = false;
        } else if (byte === QUOTE) inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
        else if (byte === 0x7d || byte === 0x5d) {
          if (depth === 0) return { comma, close: at };
          depth -= 1;
        } else if (byte === COMMA && depth === 0) comma = at;
        at += 1;
      }
      if (at >= PART_BYTES) return { comma, close: -1 };
      if (!(await this.#read())) throw new NeedsWhole('the text ends inside a value');
    }
  }

  /** The name of the member that comes next, up to its value. */
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

  /** What is left of a string, up to its quote, which is dropped. */
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

  /** Drops these bytes if it stands at them. */
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
    // A copy: the chunk is only good until the next.
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
    return true;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
