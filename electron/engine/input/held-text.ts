/** Reads a whole text into memory, for formats that cannot be streamed, and maps offsets to lines. */
import { fileTooLarge, type Place, throwIfCancelled } from '../core/failures.ts';
import type { Utf8Source } from '../core/reader.ts';

/** Reads all of a source. Throws FILE_TOO_LARGE beyond `maxFileBytes`. */
export async function holdText(source: Utf8Source, maxFileBytes: number, signal?: AbortSignal): Promise<string> {
  // The byte-order mark was already removed; another U+FEFF is content.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of source.read(signal)) {
    throwIfCancelled(signal);
    bytes += chunk.length;
    if (bytes > maxFileBytes) throw fileTooLarge(null, maxFileBytes, 'maxFileBytes');
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

/** Lines and columns of offsets into a text. Lines end with LF, CR or CRLF; columns count characters. */
export class PlaceFinder {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) this.#starts.push(at + 1);
    }
  }

  characterAt(offset: number): string {
    const code = this.#text.codePointAt(offset);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  /** Line of an offset, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  placeAt(offset: number): Required<Place> {
    const line = this.lineAt(offset);
    let column = 1;
    for (const _ of this.#text.slice(this.#starts[line - 1], offset)) column += 1;
    return { line, column };
  }
}

const CHUNK_BYTES = 256 * 1024;

/** JSON text in memory, as a stream of chunks that belong to the receiver. */
export async function* heldChunks(json: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < json.length; at += CHUNK_BYTES) yield json.slice(at, at + CHUNK_BYTES);
}
