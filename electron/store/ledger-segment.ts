/**
 * A compressed ledger file with its index: the bytes of a rotated file in blocks that can be read one by one, then the index, then a
 * trailer that says where the index is. It is written once and never changed.
 */

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import { ledgerEntrySchema } from '../../shared/model/call.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { packBlock, unpackBlock } from './ledger-blocks.ts';
import type { ClientSums, Columns, GrowingIndex } from './ledger-index.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** The default takes many times as long. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const SEGMENT_BLOCK_BYTES = 64 * 1024;
const MAGIC = Buffer.from('FBLEDGER');
/** Index: position, length; columns: position, length; size of the original file; all u48. Then a digest of both, then the magic. */
const DIGEST_BYTES = 8;
const TRAILER_BYTES = 5 * 6 + DIGEST_BYTES + MAGIC.byteLength;

const nullable = z.string().nullable();
const metaSchema = z.object({
  /** Identity of the file, as readers of the original know it. */
  id: z.string(),
  count: z.int().nonnegative(),
  /** Lengths of the compressed blocks. */
  blocks: z.array(z.int().positive()),
  tags: z.array(z.tuple([nullable, nullable, ledgerEntrySchema.shape.outcome, z.string(), z.int().nonnegative()])),
  quarters: z.array(z.tuple([z.int(), z.int(), z.number(), z.number()])),
  /** Client, calls, tokens measured and estimated, newest entry; absent in files of older versions. */
  clients: z.array(z.tuple([nullable, z.int(), z.number(), z.number(), z.string()])).optional(),
});
type Meta = z.infer<typeof metaSchema>;

/** A ledger file as its readers see it, compressed or not: positions are those of the original. */
export interface LedgerFile {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  size(): Promise<number>;
  /** Known without reading the file. */
  readonly id?: string;
  /** Key of a file without an identity. */
  inode(): Promise<bigint>;
  close(): Promise<void>;
}

export interface Segment extends LedgerFile {
  readonly id: string;
  readonly meta: Meta;
  columns(): Promise<Columns>;
}

export class SegmentDamaged extends AppError {
  constructor(file: string, cause?: unknown) {
    super('INTERNAL', `The compressed ledger file '${file}' is damaged`, { cause });
  }
}

/** Writes the blocks of `source`, which are checked as they are written, and the index; returns the size of the source. */
export async function writeSegment(
  to: FileHandle,
  source: LedgerFile,
  id: string,
  index: GrowingIndex,
  stopped: () => boolean,
): Promise<number> {
  await to.write(MAGIC);
  const blocks: number[] = [];
  const buffer = Buffer.allocUnsafe(SEGMENT_BLOCK_BYTES);
  let size = 0;
  let at = MAGIC.byteLength;
  while (!stopped()) {
    const { bytesRead } = await fill(source, buffer, size);
    if (bytesRead === 0) break;
    const raw = buffer.subarray(0, bytesRead);
    const packed = await packBlock(raw);
    if (!unpackBlock(packed, bytesRead).equals(raw)) throw new AppError('INTERNAL', say('ledger.damaged'));
    await to.writeFile(packed);
    blocks.push(packed.byteLength);
    at += packed.byteLength;
    size += bytesRead;
    if (bytesRead < SEGMENT_BLOCK_BYTES) break;
  }
  const meta: Meta = {
    id,
    count: index.count,
    blocks,
    tags: index.tags.map(({ server, client, outcome, words, count }) => [server, client, outcome, words, count]),
    ...(index.clients.size === 0 ? {} : { clients: [...index.clients].map(clientRow) }),
    quarters: [...index.quarters].map(([quarter, sums]) => [quarter, sums.calls, sums.tokensMeasured, sums.tokensEstimated]),
  };
  const packedMeta = await compress(JSON.stringify(meta), { params: QUALITY });
  const packedColumns = await compress(columnBytes(index.columns), { params: QUALITY });
  await to.writeFile(Buffer.concat([packedMeta, packedColumns, trailer(at, packedMeta, packedColumns, size)]));
  return size;
}

const clientRow = ([client, sums]: [string | null, ClientSums]): NonNullable<Meta['clients']>[number] => [
  client,
  sums.calls,
  sums.tokensMeasured,
  sums.tokensEstimated,
  sums.last,
];

/** As many bytes as there are, up to the buffer's size: a read may give fewer. */
async function fill(source: LedgerFile, buffer: Buffer, from: number): Promise<{ bytesRead: number }> {
  let filled = 0;
  while (filled < buffer.byteLength) {
    const { bytesRead } = await source.read(buffer, filled, buffer.byteLength - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { bytesRead: filled };
}

function trailer(at: number, meta: Buffer, columns: Buffer, size: number): Buffer {
  const numbers = Buffer.alloc(30);
  for (const [index, value] of [at, meta.byteLength, at + meta.byteLength, columns.byteLength, size].entries())
    numbers.writeUIntLE(value, index * 6, 6);
  return Buffer.concat([numbers, digestOf(meta, numbers), MAGIC]);
}

function digestOf(meta: Buffer, numbers: Buffer): Buffer {
  return createHash('sha256').update(meta).update(numbers).digest().subarray(0, DIGEST_BYTES);
}

/** Four columns of u32 (differences of `at`) and then the names, one a line. */
function columnBytes({ at, tag, name, idHash, names }: Columns): Buffer {
  const steps = Array.from(at, (value, row) => value - (row === 0 ? 0 : (at[row - 1] ?? 0)));
  const parts = [steps, tag, name, idHash].map((column) => planes(Uint32Array.from(column)));
  return Buffer.concat([...parts, Buffer.from(names.map((each) => JSON.stringify(each)).join('\n'))]);
}

/** The lowest bytes of all numbers, then the next ones, and so on: compresses better. */
function planes(values: Uint32Array): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4);
  for (let row = 0; row < values.length; row += 1)
    for (let plane = 0; plane < 4; plane += 1) bytes[plane * values.length + row] = (values[row] ?? 0) >>> (plane * 8);
  return bytes;
}

function fromPlanes(bytes: Buffer, count: number, column: number): Uint32Array {
  const from = column * 4 * count;
  const values = new Uint32Array(count);
  for (let plane = 0; plane < 4; plane += 1)
    for (let row = 0; row < count; row += 1)
      values[row] = ((values[row] ?? 0) | ((bytes[from + plane * count + row] ?? 0) << (plane * 8))) >>> 0;
  return values;
}

interface Trailer {
  meta: { at: number; length: number };
  columns: { at: number; length: number };
  size: number;
  numbers: Buffer;
  digest: Buffer;
}

async function readTrailer(handle: FileHandle, file: string): Promise<Trailer> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(TRAILER_BYTES);
  const { bytesRead } = await handle.read(bytes, 0, TRAILER_BYTES, Math.max(0, size - TRAILER_BYTES));
  if (bytesRead < TRAILER_BYTES || !bytes.subarray(-MAGIC.byteLength).equals(MAGIC)) throw new SegmentDamaged(file);
  const number = (index: number) => bytes.readUIntLE(index * 6, 6);
  const found = {
    meta: { at: number(0), length: number(1) },
    columns: { at: number(2), length: number(3) },
    size: number(4),
    numbers: bytes.subarray(0, 30),
    digest: bytes.subarray(30, 30 + DIGEST_BYTES),
  };
  if (found.columns.at + found.columns.length + TRAILER_BYTES !== size || found.meta.at + found.meta.length !== found.columns.at)
    throw new SegmentDamaged(file);
  return found;
}

/** Size of the original of a compressed file, which is read no further. */
export async function originalSize(file: string): Promise<number> {
  const handle = await open(file, 'r');
  try {
    return (await readTrailer(handle, file)).size;
  } finally {
    await handle.close();
  }
}

/** Throws `SegmentDamaged`, and what the file system throws. */
export async function openSegment(file: string): Promise<Segment> {
  const handle = await open(file, 'r');
  try {
    const found = await readTrailer(handle, file);
    const packed = await readExactly(handle, found.meta);
    if (!digestOf(packed, found.numbers).equals(found.digest)) throw new SegmentDamaged(file);
    const meta = metaSchema.parse(JSON.parse((await decompress(packed)).toString()));
    return new OpenSegment(file, handle, found, meta);
  } catch (error) {
    await handle.close();
    throw error instanceof SegmentDamaged ? error : new SegmentDamaged(file, error);
  }
}

async function readExactly(handle: FileHandle, { at, length }: { at: number; length: number }): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(bytes, 0, length, at);
  if (bytesRead < length) throw new AppError('INTERNAL', say('ledger.endsEarly'));
  return bytes;
}

/** Only the lines of a damaged block are lost: it reads as empty lines. */
function unpackOrBlank(packed: Buffer, size: number): Buffer {
  try {
    return unpackBlock(packed, size);
  } catch {
    return Buffer.alloc(size, '\n');
  }
}

class OpenSegment implements Segment {
  readonly meta: Meta;
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #trailer: Trailer;
  readonly #starts: number[];
  /** The block read last. */
  #block: { number: number; raw: Buffer } | undefined;

  constructor(file: string, handle: FileHandle, found: Trailer, meta: Meta) {
    this.#file = file;
    this.#handle = handle;
    this.#trailer = found;
    this.meta = meta;
    let at = MAGIC.byteLength;
    this.#starts = meta.blocks.map((length) => {
      at += length;
      return at - length;
    });
  }

  get id(): string {
    return this.meta.id;
  }

  async size(): Promise<number> {
    return this.#trailer.size;
  }

  async inode(): Promise<bigint> {
    return (await this.#handle.stat({ bigint: true })).ino;
  }

  async read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    let done = 0;
    while (done < length && position + done < this.#trailer.size) {
      const at = position + done;
      const raw = await this.#rawBlock(Math.floor(at / SEGMENT_BLOCK_BYTES));
      done += raw.copy(buffer, offset + done, at % SEGMENT_BLOCK_BYTES, (at % SEGMENT_BLOCK_BYTES) + length - done);
    }
    return { bytesRead: done };
  }

  async #rawBlock(number: number): Promise<Buffer> {
    if (this.#block?.number !== number) {
      const size = Math.min(SEGMENT_BLOCK_BYTES, this.#trailer.size - number * SEGMENT_BLOCK_BYTES);
      const at = this.#starts[number] ?? 0;
      const packed = await readExactly(this.#handle, { at, length: this.meta.blocks[number] ?? 0 });
      this.#block = { number, raw: unpackOrBlank(packed, size) };
    }
    return this.#block.raw;
  }

  async columns(): Promise<Columns> {
    try {
      const bytes = await decompress(await readExactly(this.#handle, this.#trailer.columns));
      const { count } = this.meta;
      const steps = fromPlanes(bytes, count, 0);
      for (let row = 1; row < count; row += 1) steps[row] = (steps[row] ?? 0) + (steps[row - 1] ?? 0);
      const names = bytes.toString('utf8', count * 16);
      return {
        at: steps,
        tag: fromPlanes(bytes, count, 1),
        name: fromPlanes(bytes, count, 2),
        idHash: fromPlanes(bytes, count, 3),
        names: names === '' ? [] : JSON.parse(`[${names.replaceAll('\n', ',')}]`),
      };
    } catch (cause) {
      throw new SegmentDamaged(this.#file, cause);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
