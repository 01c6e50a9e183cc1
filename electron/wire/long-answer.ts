/** An answer stored in a temporary file, with only its envelope in memory. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { JsonUnescape } from '../engine/json/json-strings.ts';
import { MAX_LINE_BYTES } from './line-splitter.ts';
import type { Passage } from './message-envelope.ts';
import type { JsonObject, ToolResult } from './message-types.ts';
import { isObject } from './result-tap.ts';
import type { TemporaryFile } from './temporary-file.ts';
import { toToolResult } from './tool-result.ts';

/** A part of an answer that remains in the temporary file. */
class LongPart {
  /** Size as written by the server, escapes included (bytes). */
  readonly bytes: number;
  readonly #file: TemporaryFile;
  readonly #passage: Passage;

  constructor(file: TemporaryFile, passage: Passage) {
    this.#file = file;
    this.#passage = passage;
    this.bytes = passage.end - passage.start;
  }

  /** The raw JSON text; for a string, without its quotes. */
  protected written(): AsyncGenerator<Uint8Array> {
    return this.#file.read(this.#passage.start, this.#passage.end);
  }
}

/** A long string in an answer. Each chunk read is valid until the next one is requested. */
export class LongText extends LongPart {
  /** The unescaped text in UTF-8; `keepHalves` as in JsonUnescape. `onHalves` is called for lone surrogates. */
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

/** A long array or object in an answer: valid JSON, at most 512 levels deep. */
export class LongValue extends LongPart {
  /** The raw JSON text. */
  read(): AsyncGenerator<Uint8Array> {
    return this.written();
  }
}

export class LongAnswer {
  /** Id of the request this answers. */
  readonly id: string | number;
  /** Size of the message that contained it (bytes). */
  readonly bytes: number;
  /**
   * The result, with LongText or LongValue in place of long values in blocks' `text` and `data`, resources' `text` and `blob`, and
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

  /** Loads the whole result into memory. Throws MESSAGE_TOO_LARGE if it does not fit. */
  async whole(tool: string): Promise<ToolResult> {
    const message = await messageOf(this.#file, tool);
    return toToolResult(message.result, tool);
  }

  /** Concatenated samples taken at even intervals. */
  async sample(pieces: number, bytes: number): Promise<string> {
    const found: Buffer[] = [];
    for (let piece = 0; piece < pieces; piece += 1) {
      const start = Math.floor((piece * this.bytes) / pieces);
      for await (const chunk of this.#file.read(start, Math.min(this.bytes, start + bytes))) found.push(Buffer.from(chunk));
    }
    return Buffer.concat(found).toString();
  }

  /** Frees the temporary file. Idempotent. */
  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Parses the whole message in memory. */
export async function messageOf(file: TemporaryFile, tool?: string): Promise<JsonObject> {
  if (file.bytes > MAX_LINE_BYTES) {
    throw new AppError('MESSAGE_TOO_LARGE', say('answer.overMemory', { tool: tool ?? null, bytes: file.bytes }), {
      hint: say('answer.overMemory.hint'),
      details: { bytes: file.bytes },
    });
  }
  const text = Buffer.allocUnsafeSlow(file.bytes);
  let at = 0;
  for await (const chunk of file.read()) at += chunk.copy(text, at);
  return JSON.parse(text.toString());
}

/** Puts LongText and LongValue objects into the envelope; undefined when a long value is in an unsupported place. */
export function outlineOf(result: unknown, passages: ReadonlyMap<unknown, Passage>, file: TemporaryFile): ToolResult | undefined {
  if (!isObject(result)) return undefined;
  let found = 0;
  const reach = (holder: unknown, member: string) => {
    const passage = isObject(holder) ? passages.get(holder[member]) : undefined;
    // `structuredContent` must be a value; all other places must be strings.
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

/** Type guard. A result parsed from JSON has no functions. */
export function isLong(answer: ToolResult | LongAnswer): answer is LongAnswer {
  return typeof answer.whole === 'function';
}
