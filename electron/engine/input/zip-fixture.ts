/** Writes ZIP archives for tests, including unusual and broken ones. */
import { deflateRawSync } from 'node:zlib';
import { crc32 } from './zip.ts';

export interface ZipPart {
  /** As bytes where it is not UTF-8. */
  readonly name: string | Uint8Array;
  /** Extra fields of the directory's entry, as they are written. */
  readonly extra?: Uint8Array;
  readonly content: string | Uint8Array;
  /** A false size for the archive's directory. */
  readonly size?: number;
  readonly stored?: boolean;
  readonly encrypted?: boolean;
}

/** A ZIP archive of parts. */
export function zipOf(parts: readonly ZipPart[], comment = ''): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name: given, content, size, stored = false, encrypted = false, extra = Buffer.alloc(0) } of parts) {
    const name = Buffer.from(given as string);
    const bytes = Buffer.from(content as string);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(encrypted ? 1 : 0, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size ?? bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, name, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const listed = Buffer.from(fields);
    listed.writeUInt16LE(extra.length, 24);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), listed, tail, name, extra]));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([...files, listed, end, Buffer.from(comment)]);
}
