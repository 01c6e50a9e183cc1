/** Reads the text of an open file, or a part of it, with memory limited to the size of an answer. */
import type { FileHandle } from 'node:fs/promises';
import type { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { invalid, tooMuch } from './failures.ts';

/** Maximum size of an answer in bytes: about 60,000 tokens. */
export const MAX_ANSWER_BYTES = 256 * 1024;
/** UTF-16 is turned into text as a whole before lines are counted. Bytes. */
const MAX_UTF16_BYTES = 10 * 1024 * 1024;
const CHUNK = 64 * 1024;

export interface Part {
  head?: number | undefined;
  tail?: number | undefined;
  start_line?: number | undefined;
  end_line?: number | undefined;
}

/** An answer of text. */
export interface NotedText {
  text: string;
  /** Additional notes about the text. */
  note: string | undefined;
}

const HOW = say('tool.readLess');

const isRange = (part: Part) => part.start_line !== undefined || part.end_line !== undefined;

/** Throws INVALID_REQUEST where two parts are asked for. Zero and absent are the same to the official server. */
export function checkPart(part: Part): void {
  if (part.head && part.tail) throw invalid(say('tool.headAndTail'));
  const { start_line: first = 1, end_line: last = first } = part;
  if (last < first) throw invalid(say('tool.linesOrder', { first, last }));
  if (isRange(part) && (part.head || part.tail)) throw invalid(say('tool.linesAndHead'));
}

export async function readPart(handle: FileHandle, shown: string, part: Part, signal?: AbortSignal): Promise<string> {
  const { size } = await handle.stat();
  const start = await readAt(handle, 0, 2);
  const codec = codecOf(start);
  if (codec !== 'utf8') {
    if (size > MAX_UTF16_BYTES) throw tooMuch('utf16', shown, size, MAX_UTF16_BYTES, HOW);
    const whole = (await readAt(handle, 0, size)).subarray(0);
    return bounded(linesOf(decodeUtf16(whole, codec), shown, part), shown);
  }
  if (isRange(part)) return await readRange(handle, shown, part, signal);
  if (part.tail) return await readTail(handle, shown, size, Math.ceil(part.tail), signal);
  if (part.head) return await readRange(handle, shown, { start_line: 1, end_line: Math.ceil(part.head) }, signal);
  if (size > MAX_ANSWER_BYTES) throw tooMuch('file', shown, size, MAX_ANSWER_BYTES, HOW);
  // Some file systems report no size, and a file may grow.
  const bytes = await readAt(handle, 0, MAX_ANSWER_BYTES + 1);
  if (bytes.byteLength > MAX_ANSWER_BYTES) throw tooMuch('file', shown, null, MAX_ANSWER_BYTES, HOW);
  return bytes.toString('utf8');
}

function bounded(text: string, shown: string): string {
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) throw tooMuch('part', shown, Buffer.byteLength(text), MAX_ANSWER_BYTES, HOW);
  return text;
}

function decodeUtf16(bytes: Buffer, codec: 'utf16le' | 'utf16be'): string {
  const even = bytes.subarray(0, bytes.byteLength - (bytes.byteLength % 2));
  return (codec === 'utf16be' ? Buffer.from(even).swap16() : even).toString('utf16le').replace(/^\ufeff/, '');
}

function linesOf(text: string, shown: string, part: Part): string {
  if (part.tail) return part.tail < 0 ? '' : text.replaceAll('\r\n', '\n').split('\n').slice(-Math.ceil(part.tail)).join('\n');
  const [first, last] = part.head ? [1, Math.ceil(part.head)] : rangeOf(part);
  if (first === 1 && last === Number.POSITIVE_INFINITY) return text;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (first > 1 && first > lines.length) throw pastEnd(shown, first, lines.length);
  return lines.slice(first - 1, Math.max(last, first - 1)).join('\n');
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

/** Lines from `start_line` to `end_line`, both counted from 1 and included, without the last one's end. */
async function readRange(handle: FileHandle, shown: string, part: Part, signal?: AbortSignal): Promise<string> {
  const [first, last] = rangeOf(part);
  if (last < first) return '';
  const kept: Buffer[] = [];
  let bytes = 0;
  let line = 1;
  let lineIsBegun = false;
  for (let at = 0; ; ) {
    signal?.throwIfAborted();
    const chunk = await readAt(handle, at, CHUNK);
    at += chunk.byteLength;
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
      kept.push(chunk.subarray(from, to));
      bytes += to - from;
      if (bytes > MAX_ANSWER_BYTES + 1)
        throw tooMuch('part', shown, null, MAX_ANSWER_BYTES, say('tool.readLess.from', { line, at }));
    }
    if (line > last || chunk.byteLength < CHUNK) break;
  }
  if (first > 1 && kept.length === 0) throw pastEnd(shown, first, lineIsBegun ? line : line - 1);
  const text = Buffer.concat(kept).toString('utf8');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** The last lines; after a final line end there is one more, empty line, as the official server counts. */
async function readTail(handle: FileHandle, shown: string, size: number, lines: number, signal?: AbortSignal): Promise<string> {
  if (lines < 0) return '';
  let from = size;
  let found = 0;
  const chunks: Buffer[] = [];
  while (from > 0 && found < lines) {
    signal?.throwIfAborted();
    const length = Math.min(CHUNK, from);
    const chunk = await readAt(handle, from - length, length);
    from -= length;
    let at = chunk.byteLength;
    while (found < lines) {
      at = at > 0 ? chunk.lastIndexOf(10, at - 1) : -1;
      if (at < 0) break;
      found += 1;
    }
    chunks.unshift(found === lines && at >= 0 ? chunk.subarray(at + 1) : chunk);
    if (chunks.reduce((sum, { byteLength }) => sum + byteLength, 0) > MAX_ANSWER_BYTES)
      throw tooMuch('part', shown, null, MAX_ANSWER_BYTES, HOW);
  }
  return Buffer.concat(chunks).toString('utf8').replaceAll('\r\n', '\n');
}

type TextCodec = 'utf8' | 'utf16le' | 'utf16be';

/** By byte order mark; without one it is UTF-8. */
export function codecOf(start: Uint8Array): TextCodec {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf16be';
  return 'utf8';
}
