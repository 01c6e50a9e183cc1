/** An answer too long to be held: it waits in a file as it came, and only its outline is in memory. */
import { formatBytes } from '../../shared/lib/bytes.ts';
import { AppError } from '../../shared/model/errors.ts';
import { JsonUnescape } from '../engine/json/json-strings.ts';
import { MAX_LINE_BYTES } from './line-splitter.ts';
import type { Passage } from './message-envelope.ts';
import type { JsonObject, ToolResult } from './message-types.ts';
import { isObject } from './result-tap.ts';
import type { TemporaryFile } from './temporary-file.ts';
import { toToolResult } from './tool-result.ts';

/** A part of an answer that stays in the file. */
class LongPart {
  /** Bytes as the server wrote it, escapes and all. */
  readonly bytes: number;
  readonly #file: TemporaryFile;
  readonly #passage: Passage;

  constructor(file: TemporaryFile, passage: Passage) {
    this.#file = file;
    this.#passage = passage;
    this.bytes = passage.end - passage.start;
  }

  /** Its JSON text as the server wrote it; of a string, what stands between the quotes. */
  protected written(): AsyncGenerator<Uint8Array> {
    return this.#file.read(this.#passage.start, this.#passage.end);
  }
}

/** A long text in an answer; an iterable gives it in pieces, each good until the next one is asked for. */
export class LongText extends LongPart {
  /** The text in UTF-8; `keepHalves` as for JsonUnescape. Reports whether it held halves of surrogate pairs. */
  async *read(options: { keepHalves?: boolean; onHalves?: () => void } = {}): AsyncGenerator<Uint8Array> {
    const meaning = new JsonUnescape(options);
    for await (const chunk of this.written()) {
      const text = meaning.push(chunk);
      if (meaning.halves) options.onHalves?.();
      if (text.length > 0) yield text;
    }
    const rest = meaning.end();
    if (meaning.halves) options.onHalves?.();
    if (rest.length > 0) yield rest;
  }
}

/** A long list or object in an answer: valid JSON, nested at most 512 levels deep. */
export class LongValue extends LongPart {
  /** Its JSON text as the server wrote it. */
  read(): AsyncGenerator<Uint8Array> {
    return this.written();
  }
}

export class LongAnswer {
  /** Of the request that it answers. */
  readonly id: string | number;
  /** Bytes of the message that it came in. */
  readonly bytes: number;
  /**
   * The result with a LongText or a LongValue for what is long: in blocks' `text` and `data`, their resources' `text` and `blob`, and
   * `structuredContent`.
   */
  readonly outline: ToolResult;
  readonly #file: TemporaryFile;

  constructor(id: string | number, file: TemporaryFile, outline: ToolResult) {
    this.id = id;
    this.#file = file;
    this.bytes = file.bytes;
    this.outline = outline;
  }

  /** All of it in memory. MESSAGE_TOO_LARGE where that is not possible. */
  async whole(tool: string): Promise<ToolResult> {
    const message = await messageOf(this.#file, tool);
    return toToolResult(message.result, tool);
  }

  /** Pieces of the message from places spread evenly over it. */
  async sample(pieces: number, bytes: number): Promise<string> {
    const found: Buffer[] = [];
    for (let piece = 0; piece < pieces; piece += 1) {
      const start = Math.floor((piece * this.bytes) / pieces);
      for await (const chunk of this.#file.read(start, Math.min(this.bytes, start + bytes))) found.push(Buffer.from(chunk));
    }
    return Buffer.concat(found).toString();
  }

  /** Frees what it takes on the disk. May be called again. */
  close(): Promise<void> {
    return this.#file.close();
  }
}

/** The whole message, parsed. */
export async function messageOf(file: TemporaryFile, tool?: string): Promise<JsonObject> {
  if (file.bytes > MAX_LINE_BYTES) {
    const what = tool === undefined ? 'A message' : `Upstream tool '${tool}' failed: its answer`;
    throw new AppError('MESSAGE_TOO_LARGE', `${what} of ${formatBytes(file.bytes)} is too long to be held in memory`, {
      hint: 'Have it stored as text or JSON, or ask the tool for less at once',
      details: { bytes: file.bytes },
    });
  }
  const text = Buffer.allocUnsafeSlow(file.bytes);
  let at = 0;
  for await (const chunk of file.read()) at += chunk.copy(text, at);
  return JSON.parse(text.toString());
}

/** A result's outline over what is kept of it; undefined where something is long that may not be. */
export function outlineOf(result: unknown, passages: ReadonlyMap<unknown, Passage>, file: TemporaryFile): ToolResult | undefined {
  if (!isObject(result)) return undefined;
  let found = 0;
  const reach = (holder: unknown, member: string) => {
    const passage = isObject(holder) ? passages.get(holder[member]) : undefined;
    // A long string for the structured content is none of these.
    if (!passage || !isObject(holder) || (passage.kind === 'string') !== (holder !== result)) return;
    found += 1;
    holder[member] = passage.kind === 'string' ? new LongText(file, passage) : new LongValue(file, passage);
  };
  reach(result, 'structuredContent');
  for (const block of Array.isArray(result.content) ? result.content : []) {
    if (!isObject(block)) continue;
    for (const [holder, member] of [
      [block, 'text'],
      [block, 'data'],
      [block.resource, 'text'],
      [block.resource, 'blob'],
    ] as const) {
      reach(holder, member);
    }
  }
  return found === passages.size ? toToolResult(result, '') : undefined;
}

/** Whether an answer waits in a file. None that was read from JSON has a function for a member. */
export function isLong(answer: ToolResult | LongAnswer): answer is LongAnswer {
  return typeof answer.whole === 'function';
}
