/** Reads rows of SQLite database files (https://sqlite.org/fileformat2.html): b-trees, records and overflow pages. */
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { type ReadAt, randomAccess } from './pages.ts';

const MAGIC = Buffer.from('SQLite format 3\0');
const HEADER_BYTES = 100;
/** Deeper trees than this would hold more rows than a file can. */
const MOST_DEPTH = 24;

const TABLE_INTERIOR = 5;
const TABLE_LEAF = 13;
const INDEX_INTERIOR = 2;
const INDEX_LEAF = 10;

export type SqlValue = null | bigint | number | string | Uint8Array;

export interface Row {
  /** The row's number; null in a table without them. */
  readonly rowId: bigint | null;
  readonly values: readonly SqlValue[];
}

export const sqliteFault = (reason: Message, hint?: Message): AppError =>
  new AppError('PARSE_FAILED', say('workbook.failed', { reason, format: 'sqlite' }), hint === undefined ? {} : { hint });

const damaged = (): AppError => sqliteFault(say('sqlite.damaged'), say('sqlite.damaged.hint'));

export class SqliteFile {
  /** Whether newer rows may be in a second file beside it. */
  readonly keepsLog: boolean;
  private readonly readAt: ReadAt;
  private readonly pageBytes: number;
  /** Bytes of a page that hold content. */
  private readonly usable: number;
  private readonly pages: number;
  private readonly decoder: InstanceType<typeof TextDecoder>;
  private readonly limit: number;

  private constructor(readAt: ReadAt, header: Buffer, size: number, limit: number) {
    this.readAt = readAt;
    const pageBytes = header.readUInt16BE(16);
    this.pageBytes = pageBytes === 1 ? 65_536 : pageBytes;
    this.usable = this.pageBytes - (header[20] as number);
    if (this.pageBytes < 512 || (this.pageBytes & (this.pageBytes - 1)) !== 0 || this.usable < 480) throw damaged();
    this.pages = Math.ceil(size / this.pageBytes);
    this.decoder = new TextDecoder(['utf-8', 'utf-8', 'utf-16le', 'utf-16be'][header.readUInt32BE(56)] ?? 'utf-8');
    this.keepsLog = header[18] === 2;
    this.limit = limit;
  }

  /** Throws PARSE_FAILED for a file that is no database or encrypted; values beyond `limit` bytes are FILE_TOO_LARGE later. */
  static async open(source: ByteSource, limit: number, heldBytes: number, signal?: AbortSignal): Promise<SqliteFile> {
    if (source.size === 0) throw sqliteFault(say('workbook.empty'));
    const readAt = await randomAccess(source, heldBytes, signal);
    const header = await readAt(0, HEADER_BYTES, signal);
    if (!header.subarray(0, MAGIC.length).equals(MAGIC) || header.length < HEADER_BYTES)
      throw sqliteFault(say('sqlite.none'), say('sqlite.none.hint'));
    return new SqliteFile(readAt, header, source.size, limit);
  }

  /** The rows of a tree, in batches of a page. */
  async *rows(root: number, signal?: AbortSignal): AsyncIterable<readonly Row[]> {
    // A page that is met twice would make a circle.
    const left = { pages: this.pages };
    yield* this.tree(root, left, 0, signal);
  }

  private async page(number: number, signal?: AbortSignal): Promise<Buffer> {
    if (number < 1 || number > this.pages) throw damaged();
    const page = await this.readAt((number - 1) * this.pageBytes, this.pageBytes, signal);
    if (page.length < this.pageBytes) throw damaged();
    return page;
  }

  private async *tree(
    number: number,
    left: { pages: number },
    depth: number,
    signal: AbortSignal | undefined,
  ): AsyncIterable<readonly Row[]> {
    throwIfCancelled(signal);
    left.pages -= 1;
    if (left.pages < 0 || depth > MOST_DEPTH) throw damaged();
    const page = await this.page(number, signal);
    const start = number === 1 ? HEADER_BYTES : 0;
    const type = page[start] as number;
    const cells = page.readUInt16BE(start + 3);
    const isLeaf = type === TABLE_LEAF || type === INDEX_LEAF;
    if (!isLeaf && type !== TABLE_INTERIOR && type !== INDEX_INTERIOR) throw damaged();
    const pointers = start + (isLeaf ? 8 : 12);
    if (pointers + 2 * cells > page.length) throw damaged();
    const rows: Row[] = [];
    for (let i = 0; i < cells; i++) {
      const cell = new Cursor(page, page.readUInt16BE(pointers + 2 * i));
      if (!isLeaf) {
        yield* this.tree(cell.uint32(), left, depth + 1, signal);
        if (type === TABLE_INTERIOR) continue;
      }
      const payload = Number(cell.varint());
      const rowId = type === TABLE_LEAF ? BigInt.asIntN(64, cell.varint()) : null;
      const bytes = await this.payload(cell, payload, type === TABLE_LEAF, signal);
      const row = { rowId, values: this.record(bytes) };
      if (isLeaf) rows.push(row);
      else yield [row];
    }
    if (rows.length > 0) yield rows;
    if (!isLeaf) yield* this.tree(page.readUInt32BE(start + 8), left, depth + 1, signal);
  }

  /** A cell's content, with what does not fit on its page (section 1.6). */
  private async payload(cell: Cursor, length: number, isTable: boolean, signal: AbortSignal | undefined): Promise<Buffer> {
    if (length > this.limit) throw fileTooLarge(null, this.limit, 'maxFileBytes');
    const { usable } = this;
    const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    if (length <= most) return cell.bytes(length);
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length - least) % (usable - 4));
    const local = cell.bytes(fitting <= most ? fitting : least);
    const parts = [local];
    let next = cell.uint32();
    for (let missing = length - local.length; missing > 0; ) {
      const page = await this.page(next, signal);
      const part = page.subarray(4, Math.min(usable, 4 + missing));
      parts.push(part);
      missing -= part.length;
      next = page.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }

  /** The values of a record (section 2.1). */
  private record(bytes: Buffer): SqlValue[] {
    const header = new Cursor(bytes, 0);
    const end = Number(header.varint());
    if (end > bytes.length) throw damaged();
    const body = new Cursor(bytes, end);
    const values: SqlValue[] = [];
    while (header.at < end) values.push(this.value(Number(header.varint()), body));
    return values;
  }

  private value(type: number, body: Cursor): SqlValue {
    if (type >= 12) {
      const bytes = body.bytes(Math.floor((type - 12) / 2));
      return type % 2 === 0 ? bytes : this.decoder.decode(bytes);
    }
    if (type === 0) return null;
    if (type === 7) return body.bytes(8).readDoubleBE(0);
    if (type === 8 || type === 9) return type === 8 ? 0 : 1;
    const bytes = [0, 1, 2, 3, 4, 6, 8][type];
    if (bytes === undefined) throw damaged();
    const part = body.bytes(bytes);
    return bytes === 8 ? part.readBigInt64BE(0) : part.readIntBE(0, bytes);
  }
}

/** Reads forwards from a place in memory; PARSE_FAILED at the end. */
class Cursor {
  at: number;
  private readonly memory: Buffer;

  constructor(memory: Buffer, at: number) {
    this.memory = memory;
    this.at = at;
  }

  bytes(length: number): Buffer {
    const end = this.at + length;
    if (!(length >= 0) || end > this.memory.length) throw damaged();
    const found = this.memory.subarray(this.at, end);
    this.at = end;
    return found;
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE(0);
  }

  /** Up to eight times seven bits, and a ninth byte whole. */
  varint(): bigint {
    let value = 0;
    for (let i = 0; i < 8; i++) {
      const byte = this.bytes(1)[0] as number;
      if (i < 7 || value < 2 ** 46) {
        value = value * 128 + (byte & 0x7f);
        if (byte < 0x80) return BigInt(value);
        continue;
      }
      const long = BigInt(value) * 128n + BigInt(byte & 0x7f);
      if (byte < 0x80) return long;
      return long * 256n + BigInt(this.bytes(1)[0] as number);
    }
    return BigInt(value) * 256n + BigInt(this.bytes(1)[0] as number);
  }
}
