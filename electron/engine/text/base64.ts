/** Encodes bytes as a base64 string (RFC 4648 §4) or a data URI (RFC 2397). */
import { Buffer } from 'node:buffer';

/** JSON text of the string: `prefix` and the base64 of all bytes. `prefix` must need no escaping. */
export async function* base64Json(chunks: AsyncIterable<Uint8Array>, prefix = ''): AsyncIterable<Uint8Array> {
  yield Buffer.from(`"${prefix}`, 'latin1');
  // Up to two bytes that wait for the rest of their group of three.
  let carry = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes =
      carry.length > 0 ? Buffer.concat([carry, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    carry = Buffer.from(bytes.subarray(whole));
  }
  yield Buffer.from(`${carry.toString('base64')}"`, 'latin1');
}

/** `data:text/csv;base64,` for a file name; application/octet-stream if the name is not enough. */
export async function dataUriPrefix(name: string): Promise<string> {
  const { default: mime } = await import('mime');
  return `data:${mime.getType(name) ?? 'application/octet-stream'};base64,`;
}
