/** Edits text and preserves everything else: line ends, byte order mark, encoding, invalid bytes. */

import { setImmediate } from 'node:timers/promises';
import { occurrences, textOccurrences } from '../../../shared/lib/occurrences.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { invalid } from './failures.ts';
import { codecOf } from './text-parts.ts';

export interface Edit {
  oldText: string | Buffer;
  newText: string | Buffer;
  replaceAll: boolean;
}

/** A file's content before and after: bytes to write, and texts with `\n` line ends to compare. */
interface Edited {
  bytes: Buffer;
  before: string;
  after: string;
}

interface Encoding {
  decode(bytes: Buffer): string;
  /** Throws where the text has characters that the encoding lacks. */
  encode(text: string): Buffer;
}

const utf16be: Encoding = {
  decode: (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
};

/** Invalid UTF-8 is decoded byte by byte, so that it is written back unchanged. */
function encodingOf(bytes: Buffer): Encoding {
  const marked = bytes.byteLength % 2 === 0 ? codecOf(bytes) : 'utf8';
  if (marked === 'utf16be') return utf16be;
  if (marked === 'utf16le')
    return { decode: (bytes) => bytes.toString('utf16le'), encode: (text) => Buffer.from(text, 'utf16le') };
  if (Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes))
    return { decode: (bytes) => bytes.toString('utf8'), encode: (text) => Buffer.from(text, 'utf8') };
  return {
    decode: (bytes) => bytes.toString('latin1'),
    encode(text) {
      if (/[^\0-\xff]/.test(text)) throw invalid(say('tool.editEncoding'), say('tool.editEncoding.hint'));
      return Buffer.from(text, 'latin1');
    },
  };
}

const plainEnds = (text: string) => text.replaceAll('\r\n', '\n');

/** Maximum number of matches: each takes far more memory than its text. */
const MAX_PLACES = 1_000_000;

export interface Limits {
  /** Of the outcome. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/** Applies edits one after the other. Throws INVALID_REQUEST where one fits nowhere, or in several places, and FILE_TOO_LARGE. */
export async function applyEdits(original: Buffer, edits: readonly Edit[], { maxBytes, signal }: Limits): Promise<Edited> {
  let bytes = original;
  for (const edit of edits) {
    // Yield between edits: each takes long in a long text.
    await setImmediate();
    signal?.throwIfAborted();
    // Bytes put in by one edit may make another encoding of it.
    const encoding = encodingOf(bytes);
    const { oldText, newText, replaceAll } = edit;
    if (typeof oldText !== 'string') bytes = editBytes(bytes, oldText, rawOf(newText, encoding), replaceAll, maxBytes);
    else if (typeof newText === 'string') {
      bytes = encoding.encode(editText(encoding.decode(bytes), oldText, newText, replaceAll, maxBytes));
    } else bytes = putBytes(encoding, encoding.decode(bytes), oldText, newText, replaceAll, maxBytes);
  }
  return { bytes, before: plainEnds(encodingOf(original).decode(original)), after: plainEnds(encodingOf(bytes).decode(bytes)) };
}

const rawOf = (value: string | Buffer, encoding: Encoding) => (typeof value === 'string' ? encoding.encode(value) : value);

/** Bytes as one-byte characters, so that searching and cutting are the same as in text. */
function editBytes(bytes: Buffer, old: Buffer, next: Buffer, all: boolean, maxBytes: number): Buffer {
  const text = bytes.toString('latin1');
  const wanted = old.toString('latin1');
  const places = placesOf(text, wanted, all, `the ${old.byteLength} bytes of oldText_base64`);
  if (places.length === 0) throw notFound(`${old.byteLength} bytes (base64 ${old.toString('base64').slice(0, 60)})`);
  checkSize(text.length + places.length * (next.byteLength - old.byteLength), maxBytes);
  return Buffer.from(spliced(text, places, wanted.length, next.toString('latin1')), 'latin1');
}

function editText(text: string, oldText: string, newText: string, all: boolean, maxBytes: number): string {
  const view = new PlainView(text);
  const old = plainEnds(oldText);
  const next = plainEnds(newText);
  const places = placesOf(view.plain, old, all, shortened(oldText));
  checkSize(text.length + places.length * (next.length - old.length), maxBytes);
  if (places.length > 0) return view.splice(places.map((at) => ({ at, length: old.length, text: next })));
  const loose = looseMatches(view.plain, old);
  if (loose.length === 0) throw notFound(`\n${oldText}`, '');
  if (loose.length > 1 && !all) throw ambiguous(loose.length, shortened(oldText));
  return view.splice(moved(view.plain, loose, old, next, (grown) => checkSize(text.length + grown, maxBytes)));
}

/** Bytes in the place of a text, which is found whatever its line ends; the bytes go in as they are. */
function putBytes(encoding: Encoding, text: string, oldText: string, bytes: Buffer, all: boolean, maxBytes: number): Buffer {
  const view = new PlainView(text);
  const old = plainEnds(oldText);
  const places = placesOf(view.plain, old, all, shortened(oldText));
  if (places.length === 0) throw notFound(`\n${oldText}`, '');
  checkSize(text.length + places.length * (bytes.byteLength - old.length), maxBytes);
  const parts: Buffer[] = [];
  let done = 0;
  for (const [from, to] of view.ranges(places.map((at) => ({ at, length: old.length })))) {
    parts.push(encoding.encode(text.slice(done, from)), bytes);
    done = to;
  }
  return Buffer.concat([...parts, encoding.encode(text.slice(done))]);
}

/** Before the text is made: a few words put in a million times fill any memory. A character is at least one byte. */
function checkSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new AppError('FILE_TOO_LARGE', say('tool.editGrows', { bytes, most: maxBytes }), { hint: say('tool.editGrows.hint') });
}

/** Characters of a text that its error repeats. */
const MAX_REPEATED = 2000;

function notFound(what: string, gap = ' '): AppError {
  const shown = what.length > MAX_REPEATED ? `${what.slice(0, MAX_REPEATED)}…` : what;
  return invalid(say('tool.editNotFound', { text: `${gap}${shown}` }));
}

function ambiguous(count: number, what: string): AppError {
  return invalid(say('tool.editAmbiguous', { count, text: what }), say('tool.editAmbiguous.hint'));
}

const shortened = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);

const tooMany = (shown: string) => invalid(say('tool.editMany', { most: MAX_PLACES, text: shown }), say('tool.editMany.hint'));

/** Offsets of `old`; overlapping matches count as two. */
function placesOf(text: string, old: string, all: boolean, shown: string): number[] {
  if (old === '') {
    if (text === '') return [0];
    throw invalid(say('tool.editEmpty'), say('tool.editEmpty.hint'));
  }
  const places: number[] = [];
  for (const at of textOccurrences(text, old, !all)) {
    places.push(at);
    if (places.length > MAX_PLACES) throw tooMany(shown);
  }
  if (places.length > 1 && !all) throw ambiguous(places.length, shown);
  return places;
}

function spliced(text: string, places: readonly number[], length: number, next: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const at of places) {
    parts.push(text.slice(done, at), next);
    done = at + length;
  }
  return [...parts, text.slice(done)].join('');
}

interface Change {
  at: number;
  length: number;
  text: string;
}

/** A text with LF line ends for editing, which keeps the original line ends outside the changes. */
class PlainView {
  readonly plain: string;
  readonly #text: string;
  /** Offsets of CRLF in the plain text. */
  readonly #crlf: number[] = [];
  readonly #mostlyCrlf: boolean;

  constructor(text: string) {
    this.#text = text;
    this.plain = plainEnds(text);
    for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) this.#crlf.push(at - this.#crlf.length);
    let ends = 0;
    for (let at = this.plain.indexOf('\n'); at >= 0; at = this.plain.indexOf('\n', at + 1)) ends += 1;
    this.#mostlyCrlf = this.#crlf.length * 2 > ends;
  }

  /** The changes come in order and do not overlap. */
  splice(changes: readonly Change[]): string {
    const parts: string[] = [];
    let done = 0;
    let index = 0;
    for (const [from, to] of this.ranges(changes)) {
      const { text } = changes[index] as Change;
      parts.push(this.#text.slice(done, from), this.#endsLike(this.#text.slice(from, to), text));
      done = to;
      index += 1;
    }
    return [...parts, this.#text.slice(done)].join('');
  }

  /** Beginning and end of each place in the original text. */
  *ranges(places: readonly Pick<Change, 'at' | 'length'>[]): Generator<[from: number, to: number]> {
    let passed = 0;
    const original = (at: number) => {
      while ((this.#crlf[passed] ?? Number.POSITIVE_INFINITY) < at) passed += 1;
      return at + passed;
    };
    for (const { at, length } of places) yield [original(at), original(at + length)];
  }

  /** New lines get the line ends of the lines they replace, or the most frequent one of the file. */
  #endsLike(replaced: string, text: string): string {
    const crlf = replaced.includes('\n') ? replaced.includes('\r\n') : this.#mostlyCrlf;
    return crlf ? text.replaceAll('\n', '\r\n') : text;
  }
}

/** A place that matches but for the space around its lines. */
interface Loose {
  at: number;
  length: number;
}

const indentOf = (line: string | undefined) => /^\s*/.exec(line ?? '')?.[0] ?? '';

/** Lines that differ from the wanted ones only in the space around them. */
function looseMatches(plain: string, old: string): Loose[] {
  const numbers = new Map<string, number>();
  // Lines that are alike get the same number.
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const trimmed = line.trim();
      const number = numbers.get(trimmed) ?? numbers.size;
      numbers.set(trimmed, number);
      return number;
    });
  const wanted = old.split('\n');
  const lines = plain.split('\n');
  const found: Loose[] = [];
  let offset = 0;
  let passed = 0;
  const pass = (to: number) => {
    const from = offset;
    for (; passed < to; passed += 1) offset += (lines[passed] as string).length + 1;
    return offset - from;
  };
  for (const at of occurrences(numbered(lines), numbered(wanted), false)) {
    pass(at);
    const start = offset;
    found.push({ at: start, length: pass(at + wanted.length) - 1 });
    if (found.length > MAX_PLACES) throw tooMany(shortened(old));
  }
  return found;
}

/**
 * Each place gets the new text, moved by as much as its lines are indented more or less than the wanted ones. Refused where that is not the same for all
 * of them: in many languages indentation means something. `check` hears by how many characters the text has grown so far.
 */
function moved(plain: string, places: readonly Loose[], old: string, next: string, check: (grown: number) => void): Change[] {
  const wanted = old.split('\n');
  let grown = 0;
  return places.map(({ at, length }) => {
    const there = plain.slice(at, at + length);
    const text = moveLines(next, there.split('\n'), wanted);
    if (text === undefined) throw invalid(say('tool.editIndent'), say('tool.editIndent.hint', { text: shortened(there) }));
    grown += text.length - length;
    check(grown);
    return { at, length, text };
  });
}

/** The new lines, indented more or less by what the lines there have more or less than the wanted ones; undefined where they differ in it. */
function moveLines(next: string, there: readonly string[], wanted: readonly string[]): string | undefined {
  let more: string | undefined;
  let less: string | undefined;
  for (const [index, line] of there.entries()) {
    if (line.trim() === '') continue;
    const [own, given] = [indentOf(line), indentOf(wanted[index])];
    const added = own.endsWith(given) ? own.slice(0, own.length - given.length) : undefined;
    const removed = given.endsWith(own) ? given.slice(0, given.length - own.length) : undefined;
    if (added === undefined && removed === undefined) return undefined;
    if ((more ?? added) !== added || (less ?? removed) !== removed) return undefined;
    more = added;
    less = removed;
    if (more === undefined && less === undefined) return undefined;
  }
  const lines = next.split('\n');
  if (less) {
    const prefix = less;
    if (lines.some((line) => line.trim() !== '' && !line.startsWith(prefix))) return undefined;
    return lines.map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line)).join('\n');
  }
  return lines.map((line) => (line.trim() === '' ? line : (more ?? '') + line)).join('\n');
}
