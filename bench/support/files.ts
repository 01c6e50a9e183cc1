/** The large input files: generated on first use, always the same, removed at the end. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { inject } from 'vitest';
import { type Notation, notations, orders } from './orders.ts';

export const KB = 1e3;
export const MB = 1e6;
export const GB = 1e9;

/** Beyond this size a table repeats its rows. */
const DISTINCT_BYTES = 100 * MB;
const PIECE_CHARACTERS = 1 << 20;

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** `make` writes the file with this name unless it exists. */
async function made(name: string, make: (file: string) => Promise<void>): Promise<string> {
  const file = path.join(inject('benchFiles'), name);
  if (await isThere(file)) return file;
  await make(`${file}.part`);
  await rename(`${file}.part`, file);
  return file;
}

async function writeOrders(file: string, notation: Notation, bytes: number): Promise<void> {
  const out = createWriteStream(file, { highWaterMark: 4 * PIECE_CHARACTERS });
  let piece = notation.head;
  let size = notation.tail.length;
  let first = true;
  for (const order of orders()) {
    piece += notation.record(order, first);
    first = false;
    if (piece.length < PIECE_CHARACTERS && size + piece.length < bytes) continue;
    const chunk = Buffer.from(piece);
    piece = '';
    size += chunk.length;
    if (!out.write(chunk)) await once(out, 'drain');
    if (size >= bytes) break;
  }
  out.end(notation.tail);
  await once(out, 'finish');
}

const sizeName = (bytes: number) => (bytes >= GB ? `${bytes / GB}gb` : bytes >= MB ? `${bytes / MB}mb` : `${bytes / KB}kb`);

/** A table longer than its distinct rows: repeats the rows below one header. */
async function writeRepeated(file: string, bytes: number): Promise<void> {
  const distinct = await ordersFile('csv', DISTINCT_BYTES);
  const head = Buffer.byteLength(notations.csv.head);
  const body = (await sizeOf(distinct)) - head;
  for (let size = 0; size < bytes; size += body) {
    const start = size === 0 ? 0 : head;
    const flags = size === 0 ? 'w' : 'a';
    await pipeline(createReadStream(distinct, { start, highWaterMark: 1 << 20 }), createWriteStream(file, { flags }));
  }
}

/** Orders of at least this many bytes in a format. */
export function ordersFile(format: keyof typeof notations, bytes: number): Promise<string> {
  return made(`orders-${sizeName(bytes)}.${format}`, (file) =>
    format === 'csv' && bytes > DISTINCT_BYTES ? writeRepeated(file, bytes) : writeOrders(file, notations[format], bytes),
  );
}

/** The same table compressed as `gzip` does by default. */
export async function gzippedOrders(bytes: number): Promise<string> {
  const plain = await ordersFile('csv', bytes);
  return await made(`${path.basename(plain)}.gz`, (file) =>
    pipeline(createReadStream(plain), createGzip(), createWriteStream(file)),
  );
}

/** Removes files to make room for the next ones. */
export const removeFile = (file: string): Promise<void> => rm(file, { force: true });

export const sizeOf = async (file: string): Promise<number> => (await stat(file)).size;
