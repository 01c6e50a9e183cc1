/** Collects a stream of bytes into one array. */

/** All chunks, joined. Beyond `limit` bytes, reading stops and the error that `tooMuch` returns is thrown. */
export async function collect(chunks: AsyncIterable<Uint8Array>, limit: number, tooMuch: () => Error): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > limit) throw tooMuch();
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
