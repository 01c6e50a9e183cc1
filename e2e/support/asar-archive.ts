/** Writes and lists Electron's asar archives: a pickled JSON header with sizes and offsets, then the files in sequence. */

/** See https://github.com/electron/asar#format. Only plain file names; no folders. */
export function asarArchive(files: Readonly<Record<string, string>>): Buffer {
  const entries: Record<string, { size: number; offset: string }> = {};
  const bodies: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const body = Buffer.from(text);
    entries[name] = { size: body.byteLength, offset: String(offset) };
    bodies.push(body);
    offset += body.byteLength;
  }
  const header = Buffer.from(JSON.stringify({ files: entries }));
  const padding = Buffer.alloc((4 - (header.byteLength % 4)) % 4);
  const padded = header.byteLength + padding.byteLength;
  // Two Chromium pickles: the size of the second, then the second, which contains the header's length and text.
  const sizes = Buffer.alloc(16);
  for (const [index, value] of [4, padded + 8, padded + 4, header.byteLength].entries()) sizes.writeUInt32LE(value, index * 4);
  return Buffer.concat([sizes, header, padding, ...bodies]);
}

interface Entry {
  files?: Record<string, Entry>;
}

/** The paths of all files in an archive, with `/` between folders. */
export function asarFiles(archive: Buffer): string[] {
  const length = archive.readUInt32LE(12);
  const list = ({ files = {} }: Entry, prefix: string): string[] =>
    Object.entries(files).flatMap(([name, entry]) => (entry.files ? list(entry, `${prefix}${name}/`) : [`${prefix}${name}`]));
  return list(JSON.parse(archive.toString('utf8', 16, 16 + length)) as Entry, '');
}
