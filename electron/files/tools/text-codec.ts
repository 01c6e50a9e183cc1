/** How the bytes of a file stand for text, so that an edit writes back in the way it was read. */

export type TextCodec = 'utf8' | 'utf16le' | 'utf16be';

/** By byte order mark; without one it is UTF-8. */
export function codecOf(start: Uint8Array): TextCodec {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf16be';
  return 'utf8';
}
