/** Streams a long JSON text in the form that JSON.stringify(JSON.parse(text)) would give. */
import { JsonRewriter, type JsonStyle, PIECE_BYTES } from './json-rewriter.ts';
import { LONGEST_ESCAPE } from './json-strings.ts';

export type { JsonStyle } from './json-rewriter.ts';
export { NeedsWhole } from './open-objects.ts';

/**
 * `text` is a valid JSON list or object in UTF-8. Numbers whose digits JSON.parse would lose stay unchanged. A part is
 * valid until the next one is requested. Throws NeedsWhole.
 */
export async function* rewrittenJson(text: AsyncIterable<Uint8Array>, style: JsonStyle): AsyncGenerator<Uint8Array> {
  const rewriter = new JsonRewriter(style);
  const input = new Uint8Array(PIECE_BYTES + LONGEST_ESCAPE);
  /** Bytes at the start of the input buffer that wait for the rest of their token. */
  let waiting = 0;
  for await (const chunk of text) {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      input.set(piece, waiting);
      const end = waiting + piece.length;
      let read = rewriter.write(input, 0, end);
      while (rewriter.full) {
        yield rewriter.take();
        read = rewriter.write(input, read, end);
      }
      input.copyWithin(0, read, end);
      waiting = end - read;
    }
  }
  rewriter.write(input, 0, waiting, true);
  yield rewriter.take();
}
