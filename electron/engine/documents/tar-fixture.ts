/** Writes tar archives for tests, including unusual and broken ones. */

interface TarPart {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** `0` is a file, `5` a directory, `2` a link, `L` a long name, `x` a pax header. */
  readonly type?: string;
  readonly prefix?: string;
  /** A false size. */
  readonly size?: number;
}

const BLOCK = 512;

export function tarOf(parts: readonly TarPart[], { end = true } = {}): Buffer {
  const blocks = parts.flatMap(({ name, content = '', type = '0', prefix = '', size }) => {
    const bytes = Buffer.from(content as string);
    const header = Buffer.alloc(BLOCK);
    header.write(name, 0, 100);
    header.write('0000644\0', 100, 'latin1');
    header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    header.write(`${(1_700_000_000).toString(8).padStart(11, '0')}\0`, 136, 'latin1');
    header.write('        ', 148, 'latin1');
    header.write(type, 156, 'latin1');
    header.write('ustar\u000000', 257, 'latin1');
    header.write(prefix, 345, 155);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, ...(end ? [Buffer.alloc(2 * BLOCK)] : [])]);
}

/** A pax record with its own length in front. */
export function pax(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) !== length) length = String(length).length + Buffer.byteLength(rest);
  return `${length}${rest}`;
}
