/**
 * Restores ledger files that former versions compressed: brotli blocks of 64 KB (`FBLEDGER`, blocks, index, columns, trailer), in which the
 * digits of ids and hashes stand outside of the compressed text.
 */
import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { writeFileAtomic } from './atomic-file.ts';
import { removeIfThere } from './ledger-files.ts';

const sealedName = /^(ledger-\d{8}T\d{9}Z\.jsonl)\.sealed$/;
const HASH = '\x01';
const UUID = '\x02';
const placeholders = new RegExp(`[${HASH}${UUID}]`, 'g');
const MAGIC = 'FBLEDGER';
const BLOCK_BYTES = 64 * 1024;
/** Index: position, length; columns: position, length; size of the original file; all u48. Then a digest of 8 bytes, which is not checked, then the magic. */
const TRAILER_BYTES = 5 * 6 + 8 + MAGIC.length;
/** A file of this version has at most this size: no compressed one is bigger in good faith. */
const MAX_BYTES = 64 * 1024 * 1024;

const metaSchema = z.object({ count: z.int().nonnegative(), blocks: z.array(z.int().positive()) });

/**
 * Writes each compressed file as lines again, the newest first, until `most` calls are there; older ones are removed. One that cannot be read
 * is kept as `.damaged`. Two processes that do it at once write the same.
 */
export async function restoreSealed(directory: string, most: number): Promise<void> {
  const names = await readdir(directory);
  let left = most;
  for (const name of names.sort().reverse()) {
    if (/^ledger-.*\.sealing$/.test(name)) await removeIfThere(path.join(directory, name));
    const original = sealedName.exec(name)?.[1];
    if (original === undefined) continue;
    const file = path.join(directory, name);
    const damaged = () => rename(file, `${file}.damaged`);
    try {
      const found = contentOf(await readFile(file));
      if (found === undefined) await damaged();
      else {
        if (left > 0) await writeFileAtomic(path.join(directory, original), found.lines);
        left -= found.count;
        await (found.whole ? removeIfThere(file) : damaged());
      }
    } catch {
      // What the disk refuses now, a full one say, it may take at the next start.
    }
  }
}

/** Undefined for what cannot be read. A block that cannot be read is an empty line, so that only its calls are lost. */
function contentOf(bytes: Buffer): { count: number; lines: Buffer; whole: boolean } | undefined {
  try {
    const { count, blocks, size } = indexOf(bytes);
    const raw = rawBlocks(bytes, blocks, size);
    return { count, lines: Buffer.concat(raw.map((block) => block ?? Buffer.from('\n'))), whole: !raw.includes(undefined) };
  } catch {
    return undefined;
  }
}

function indexOf(bytes: Buffer): { count: number; blocks: number[]; size: number } {
  const at = bytes.byteLength - TRAILER_BYTES;
  const number = (index: number) => bytes.readUIntLE(at + index * 6, 6);
  if (bytes.toString('latin1', bytes.byteLength - MAGIC.length) !== MAGIC || number(4) > MAX_BYTES) throw new Error('damaged');
  const packed = bytes.subarray(number(0), number(0) + number(1));
  const text = brotliDecompressSync(packed, { maxOutputLength: MAX_BYTES }).toString();
  return { ...metaSchema.parse(JSON.parse(text)), size: number(4) };
}

function rawBlocks(bytes: Buffer, blocks: readonly number[], size: number): (Buffer | undefined)[] {
  let at = MAGIC.length;
  return blocks.map((length, index) => {
    at += length;
    try {
      return unpacked(bytes.subarray(at - length, at), Math.min(BLOCK_BYTES, size - index * BLOCK_BYTES));
    } catch {
      return undefined;
    }
  });
}

/** One block: length of the compressed text (u32), the text with \x01 for a hash and \x02 for an id, their digits. */
function unpacked(packed: Buffer, size: number): Buffer {
  const end = 4 + packed.readUInt32LE(0);
  const text = brotliDecompressSync(packed.subarray(4, end), { maxOutputLength: size + 1 }).toString('latin1');
  const digits = packed.subarray(end);
  let at = 0;
  const take = (length: number) => {
    at += length;
    return digits.toString('hex', at - length, at);
  };
  const whole =
    digits.byteLength === 0
      ? text
      : text.replaceAll(placeholders, (mark) =>
          mark === HASH ? take(32) : take(16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        );
  const raw = Buffer.from(whole, 'latin1');
  if (raw.byteLength !== size) throw new Error('damaged');
  return raw;
}
