/** The two files that hold an icon in several sizes, with each picture as PNG inside. */

/**
 * Windows' .ico: a directory of pictures, then the pictures. `pictures` maps sizes in pixels, 256 at most, to PNGs.
 * See https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
 */
export function ico(pictures) {
  const HEADER = 6;
  const ENTRY = 16;
  const header = Buffer.alloc(HEADER);
  header.writeUInt16LE(1, 2); // an icon, not a cursor
  header.writeUInt16LE(pictures.size, 4);
  const entries = [];
  let offset = HEADER + ENTRY * pictures.size;
  for (const [size, png] of pictures) {
    const entry = Buffer.alloc(ENTRY);
    entry.writeUInt8(size % 256, 0); // 256 is written as 0
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4); // planes
    entry.writeUInt16LE(32, 6); // bits per pixel
    entry.writeUInt32LE(png.byteLength, 8);
    entry.writeUInt32LE(offset, 12);
    entries.push(entry);
    offset += png.byteLength;
  }
  return Buffer.concat([header, ...entries, ...pictures.values()]);
}

/**
 * macOS's .icns: chunks of a type, a length that counts the eight bytes before the picture, and the picture.
 * See https://en.wikipedia.org/wiki/Apple_Icon_Image_format
 */
export function icns(pictures) {
  const chunk = (type, body) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, 'latin1');
    head.writeUInt32BE(head.byteLength + body.byteLength, 4);
    return Buffer.concat([head, body]);
  };
  return chunk('icns', Buffer.concat(pictures.map(([type, png]) => chunk(type, png))));
}
