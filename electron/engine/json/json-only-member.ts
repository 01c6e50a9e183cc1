/** Detects JSON texts that only repeat another text as their single member. */
import { JsonUnescape } from './json-strings.ts';
import { CLOSE_OBJECT, COLON, JsonTokens, MORE, OPEN_OBJECT, STRING } from './json-tokens.ts';

/** Whether a valid JSON text is an object with one member, a string that decodes to these bytes (lone surrogates kept). */
export async function isOnlyMember(text: AsyncIterable<Uint8Array>, wanted: AsyncIterable<Uint8Array>): Promise<boolean> {
  const tokens = new JsonTokens();
  const rest = new Rest(wanted);
  const decoded = new JsonUnescape({ keepHalves: true });
  let isNamed = false;
  let isRead = false;
  try {
    for await (const chunk of text) {
      tokens.load(chunk);
      for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
        if (tokens.depth === 0) {
          if (token === CLOSE_OBJECT) return isRead;
          if (token !== OPEN_OBJECT) return false;
        } else if (token === COLON) isNamed = true;
        else if (token !== STRING) return false;
        else if (isNamed) {
          if (!(await rest.continuesWith(decoded.push(chunk.subarray(tokens.from, tokens.to))))) return false;
          isRead = tokens.ends;
          if (!isRead) continue;
          if (!(await rest.continuesWith(decoded.end())) || !(await rest.isEmpty())) return false;
        }
      }
    }
    return false;
  } finally {
    await rest.close();
  }
}

/** The unread rest of a streamed text. */
class Rest {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Whether these bytes come next; reads past them. */
  async continuesWith(bytes: Uint8Array): Promise<boolean> {
    for (let at = 0; at < bytes.length; ) {
      if (await this.isEmpty()) return false;
      const length = Math.min(bytes.length - at, this.#held.length);
      if (Buffer.compare(bytes.subarray(at, at + length), this.#held.subarray(0, length)) !== 0) return false;
      this.#held = this.#held.subarray(length);
      at += length;
    }
    return true;
  }

  async isEmpty(): Promise<boolean> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return true;
      this.#held = value;
    }
    return false;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
