/** Writes a long JSON text anew as JSON.stringify(JSON.parse(text)) would, a part at a time. */
import { JsonRewriter, type JsonStyle, PIECE_BYTES } from './json-rewriter.ts';
import { LONGEST_ESCAPE } from './json-strings.ts';

export type { JsonStyle } from './json-rewriter.ts';
export { NeedsWhole } from './open-objects.ts';

/**
 * `text` is valid JSON in UTF-8, a list or an object. Numbers of which JSON.parse would lose digits stay as they are. A part is good until the
 * next one is asked for. Throws NeedsWhole.
 */
export async function* rewrittenJson(text: AsyncIterable<Uint8Array>, style: JsonStyle): AsyncGenerator<Uint8Array> {
  const rewriter = new JsonRewriter(style);
  const input = new Uint8Array(PIECE_BYTES + LONGEST_ESCAPE);
  /** Bytes at the start of the input that wait for what follows them. */
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
