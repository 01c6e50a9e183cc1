/** Decodes a file's text and encodes it again in the same encoding. */

export type TextCodec = 'utf8' | 'utf16le' | 'utf16be';

/** By byte order mark; without one it is UTF-8. */
export function codecOf(start: Uint8Array): TextCodec {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf16be';
  return 'utf8';
}
