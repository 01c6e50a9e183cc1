/** Reads the text of an open file, or a part of it, up to the size of an answer, and says where to read on. */
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../../shared/model/errors.ts';
import { inAgentsWords, say, type Text } from '../../../shared/model/messages/message.ts';
import { invalid } from './failures.ts';

/** Maximum size of an answer in bytes: about 60,000 tokens. */
export const MAX_ANSWER_BYTES = 256 * 1024;
/** UTF-16 is turned into text as a whole before lines are counted. Bytes. */
const MAX_UTF16_BYTES = 10 * 1024 * 1024;
const CHUNK = 64 * 1024;
/** How far behind a cut the end of its line is looked for. Bytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const PDF = Buffer.from('%PDF-');

export interface Part {
  head?: number | undefined;
  tail?: number | undefined;
  start_line?: number | undefined;
  end_line?: number | undefined;
  /** Byte from which to read. */
  offset?: number | undefined;
}

/** An answer of text. */
export interface NotedText {
  text: string;
  /** Additional notes about the text. */
  note: string | undefined;
}

/** With the notes that there are. */
export function noted(text: string, ...notes: (Text | undefined)[]): NotedText {
  const given = notes.filter((note) => note !== undefined).map(inAgentsWords);
  return { text, note: given.length === 0 ? undefined : given.join('\n') };
}

/** How long an answer may be, in tokens, and how they are counted. */
export interface AnswerBound {
  tokens(): number;
  count(text: string): Promise<number>;
}

/** A text, and where it goes on where it had to be cut. */
export interface BoundedText {
  readonly text: string;
  /** Byte of the file at which the rest begins. */
  readonly next: number | undefined;
  /** Where it had to be cut inside a line: the byte at which the next one begins, if there is one near enough. */
  readonly nextLine?: number | 'last' | undefined;
}

const isRange = (part: Part) => part.start_line !== undefined || part.end_line !== undefined;

/** Throws INVALID_REQUEST where two parts are asked for. Zero and absent are the same to the official server. */
export function checkPart(part: Part): void {
  if (part.head && part.tail) throw invalid(say('tool.headAndTail'));
  const { start_line: first = 1, end_line: last = first } = part;
  if (last < first) throw invalid(say('tool.linesOrder', { first, last }));
  if (isRange(part) && (part.head || part.tail)) throw invalid(say('tool.linesAndHead'));
  if (part.offset !== undefined && (isRange(part) || part.head || part.tail)) throw invalid(say('tool.offsetAlone'));
}

/** The part that is asked for, cut where it is longer than an answer may be. INVALID_REQUEST for what is no text. */
export async function readPart(
  handle: FileHandle,
  shown: string,
  part: Part,
  bound: AnswerBound,
  signal?: AbortSignal,
): Promise<BoundedText> {
  const { size } = await handle.stat();
  const start = await readAt(handle, 0, PDF.length);
  const codec = codecOf(start);
  if (codec !== 'utf8') {
    if (size > MAX_UTF16_BYTES)
      throw new AppError('FILE_TOO_LARGE', say('tool.utf16TooLarge', { path: shown, bytes: size, most: MAX_UTF16_BYTES }), {
        hint: say('tool.utf16TooLarge.hint'),
      });
    return await utf16Part(await readAt(handle, 0, size), codec, shown, part, bound);
  }
  const found = await utf8Part(handle, shown, size, part, signal);
  // Other binary files have zeros near their beginning.
  if (start.equals(PDF) || found.bytes.includes(0)) throw invalid(say('tool.binary', { path: shown }), say('tool.binary.hint'));
  const text = found.bytes.toString('utf8');
  const kept = await cut(text, found.complete, bound);
  const next = kept.length < text.length || !found.complete ? found.from + Buffer.byteLength(kept) : undefined;
  const nextLine = next === undefined || kept.endsWith('\n') ? undefined : await lineAfter(handle, next, signal);
  return { text: part.tail ? kept.replaceAll('\r\n', '\n') : kept, next, nextLine };
}

async function lineAfter(handle: FileHandle, from: number, signal?: AbortSignal): Promise<BoundedText['nextLine']> {
  for (let at = from; at < from + MAX_LINE_BYTES; at += CHUNK) {
    signal?.throwIfAborted();
    // One byte more, to see whether anything follows the line.
    const chunk = await readAt(handle, at, CHUNK + 1);
    const end = chunk.indexOf(10);
    if (end >= 0 && end < chunk.byteLength - 1) return at + end + 1;
    if (chunk.byteLength <= CHUNK) return 'last';
  }
  return undefined;
}

/** How many times longer a text is than an answer may be; at most 1 if it fits. */
export async function excess(text: string, { tokens, count }: AnswerBound): Promise<number> {
  const [bytes, most] = [Buffer.byteLength(text), tokens()];
  // A token is at least one byte.
  return Math.max(bytes / MAX_ANSWER_BYTES, bytes <= most ? 0 : (await count(text)) / most);
}

/** As much of a text as an answer may hold, to the end of a line where there is one in its second half. */
export async function cut(text: string, complete: boolean, bound: AnswerBound): Promise<string> {
  let kept = text;
  for (let over = await excess(kept, bound); over > 1; over = await excess(kept, bound)) {
    const length = Math.floor((kept.length / over) * 0.98);
    kept = toLineEnd(wholeCharacters(kept.slice(0, Math.max(1, length))));
  }
  return kept === text && !complete ? toLineEnd(text) : kept;
}

const wholeCharacters = (text: string): string => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text);

function toLineEnd(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return end > text.length / 2 ? text.slice(0, end) : text;
}

async function utf16Part(
  bytes: Buffer,
  codec: 'utf16le' | 'utf16be',
  shown: string,
  part: Part,
  bound: AnswerBound,
): Promise<BoundedText> {
  const whole = decodeUtf16(bytes, codec);
  // The mark at the beginning is no character of the text.
  const from = part.offset === undefined ? undefined : Math.max(0, Math.floor(part.offset / 2) - 1);
  const found = from === undefined ? linesOf(whole, shown, part) : { text: whole.slice(from), from };
  const kept = await cut(found.text, true, bound);
  const byteOf = (index: number) => 2 * (1 + index);
  const end = found.from + kept.length;
  const next = kept.length < found.text.length ? byteOf(end) : undefined;
  const line = whole.indexOf('\n', end) + 1;
  const following = line > 0 && line < whole.length ? byteOf(line) : 'last';
  const nextLine = next === undefined || kept.endsWith('\n') ? undefined : following;
  return { text: part.tail ? kept.replaceAll('\r\n', '\n') : kept, next, nextLine };
}

function decodeUtf16(bytes: Buffer, codec: 'utf16le' | 'utf16be'): string {
  const even = bytes.subarray(0, bytes.byteLength - (bytes.byteLength % 2));
  return (codec === 'utf16be' ? Buffer.from(even).swap16() : even).toString('utf16le').replace(/^\ufeff/, '');
}

/** Some lines of a text, and the index of the first one's first character. */
function linesOf(text: string, shown: string, part: Part): { text: string; from: number } {
  const all = text.split('\n');
  const some = (start: number, end: number) => ({
    text: all.slice(start, end).join('\n'),
    from: all.slice(0, start).reduce((sum, line) => sum + line.length + 1, 0),
  });
  if (part.tail) return part.tail < 0 ? { text: '', from: 0 } : some(Math.max(0, all.length - Math.ceil(part.tail)), all.length);
  const [first, last] = part.head ? [1, Math.ceil(part.head)] : rangeOf(part);
  if (first === 1 && last === Number.POSITIVE_INFINITY) return { text, from: 0 };
  const count = all.at(-1) === '' ? all.length - 1 : all.length;
  if (first > 1 && first > count) throw pastEnd(shown, first, count);
  return some(first - 1, Math.min(count, Math.max(last, first - 1)));
}

function pastEnd(shown: string, first: number, lines: number): AppError {
  return invalid(say('tool.linesPastEnd', { path: shown, first, lines }));
}

function rangeOf({ start_line: first = 1, end_line: last = Number.POSITIVE_INFINITY }: Part): [number, number] {
  return [Math.max(1, first), last];
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

interface FoundBytes {
  readonly bytes: Buffer;
  /** Of the first byte. */
  readonly from: number;
  /** Whether these are all that were asked for. */
  readonly complete: boolean;
}

async function utf8Part(handle: FileHandle, shown: string, size: number, part: Part, signal?: AbortSignal): Promise<FoundBytes> {
  if (part.tail) return await tailOf(handle, size, Math.ceil(part.tail), signal);
  if (part.head) return await rangeIn(handle, shown, { start_line: 1, end_line: Math.ceil(part.head) }, signal);
  if (isRange(part)) return await rangeIn(handle, shown, part, signal);
  const { offset = 0 } = part;
  // Some file systems report no size, and a file may grow.
  const bytes = await readAt(handle, offset, MAX_ANSWER_BYTES + 1);
  if (offset > 0 && bytes.byteLength === 0) throw invalid(say('tool.offsetPastEnd', { path: shown, offset, bytes: size }));
  if (bytes.byteLength <= MAX_ANSWER_BYTES) return { bytes, from: offset, complete: true };
  return { bytes: endOnCharacter(bytes.subarray(0, MAX_ANSWER_BYTES)), from: offset, complete: false };
}

/** Without the beginning of a character that goes on behind the end. */
function endOnCharacter(bytes: Buffer): Buffer {
  let end = bytes.byteLength;
  for (let back = 1; back <= 3 && back <= end; back += 1) {
    const byte = bytes[end - back] as number;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (length > back) end -= back;
    break;
  }
  return bytes.subarray(0, end);
}

/** Lines from `start_line` to `end_line`, both counted from 1 and included, without the last one's end. */
async function rangeIn(handle: FileHandle, shown: string, part: Part, signal?: AbortSignal): Promise<FoundBytes> {
  const [first, last] = rangeOf(part);
  if (last < first) return { bytes: Buffer.alloc(0), from: 0, complete: true };
  const kept: Buffer[] = [];
  let bytes = 0;
  let begin = 0;
  let line = 1;
  let lineIsBegun = false;
  for (let at = 0; bytes <= MAX_ANSWER_BYTES; ) {
    signal?.throwIfAborted();
    const chunk = await readAt(handle, at, CHUNK);
    if (chunk.byteLength > 0) lineIsBegun = chunk[chunk.byteLength - 1] !== 10;
    let from = 0;
    while (line < first && from < chunk.byteLength) {
      const end = chunk.indexOf(10, from);
      from = end < 0 ? chunk.byteLength : end + 1;
      if (end >= 0) line += 1;
    }
    let to = from;
    while (line <= last && to < chunk.byteLength) {
      const end = chunk.indexOf(10, to);
      to = end < 0 ? chunk.byteLength : end + 1;
      if (end >= 0) line += 1;
    }
    if (to > from) {
      if (bytes === 0) begin = at + from;
      kept.push(chunk.subarray(from, to));
      bytes += to - from;
    }
    at += chunk.byteLength;
    if (line > last || chunk.byteLength < CHUNK) break;
  }
  if (first > 1 && kept.length === 0) throw pastEnd(shown, first, lineIsBegun ? line : line - 1);
  const all = Buffer.concat(kept);
  if (bytes > MAX_ANSWER_BYTES) {
    return { bytes: endOnCharacter(all.subarray(0, MAX_ANSWER_BYTES)), from: begin, complete: false };
  }
  return { bytes: all[all.byteLength - 1] === 10 ? all.subarray(0, -1) : all, from: begin, complete: true };
}

/** The last lines; after a final line end there is one more, empty line, as the official server counts. Of too many, the first ones. */
async function tailOf(handle: FileHandle, size: number, lines: number, signal?: AbortSignal): Promise<FoundBytes> {
  if (lines < 0) return { bytes: Buffer.alloc(0), from: 0, complete: true };
  let from = size;
  for (let found = 0; from > 0 && found < lines; ) {
    signal?.throwIfAborted();
    const length = Math.min(CHUNK, from);
    const chunk = await readAt(handle, from - length, length);
    let at = chunk.byteLength;
    while (found < lines) {
      at = at > 0 ? chunk.lastIndexOf(10, at - 1) : -1;
      if (at < 0) break;
      found += 1;
    }
    from -= length;
    if (found === lines && at >= 0) {
      from += at + 1;
      break;
    }
  }
  const length = size - from;
  if (length <= MAX_ANSWER_BYTES) return { bytes: await readAt(handle, from, length), from, complete: true };
  return { bytes: endOnCharacter(await readAt(handle, from, MAX_ANSWER_BYTES)), from, complete: false };
}

type TextCodec = 'utf8' | 'utf16le' | 'utf16be';

/** By byte order mark; without one it is UTF-8. */
export function codecOf(start: Uint8Array): TextCodec {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf16be';
  return 'utf8';
}
