/**
 * A database together with its write-ahead log: pages that were changed and committed come from the log, all others from the file. Format:
 * https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import type { DatabaseBytes } from './sqlite-engine.ts';

const HEADER_BYTES = 32;
const FRAME_BYTES = 24;
/** Checksums of little-endian words; one more for big-endian ones. */
const MAGIC = 0x377f0682;
/** Offsets of the header's version bytes: 1 means a rollback journal, 2 a write-ahead log. */
const VERSIONS = [18, 19];

/** The bytes as a database in itself. `log` is the file's write-ahead log, if it has one. */
export function withLog(bytes: DatabaseBytes, log: Uint8Array | undefined): DatabaseBytes {
  const { pages, count, pageBytes } = committed(log);
  return {
    size: count === undefined ? bytes.size : count * pageBytes,
    readNow(memory, address, length, offset) {
      const page = pageBytes === 0 ? undefined : pages.get(Math.floor(offset / pageBytes) + 1);
      let read: number;
      if (pageBytes === 0) read = bytes.readNow(memory, address, length, offset);
      else {
        const inPage = offset % pageBytes;
        const part = Math.min(length, pageBytes - inPage);
        if (page === undefined) read = bytes.readNow(memory, address, part, offset);
        else {
          memory.set((log as Uint8Array).subarray(page + inPage, page + inPage + part), address);
          read = part;
        }
      }
      // SQLite would look for the log itself.
      for (const at of VERSIONS)
        if (at >= offset && at < offset + read && memory[address + at - offset] === 2) memory[address + at - offset] = 1;
      return read;
    },
  };
}

/** Where the newest committed copy of each page is in the log, by page number from 1; and the number of pages that the database has then. */
function committed(log: Uint8Array | undefined): {
  pages: ReadonlyMap<number, number>;
  count: number | undefined;
  pageBytes: number;
} {
  const none = { pages: new Map<number, number>(), count: undefined, pageBytes: 0 };
  if (log === undefined || log.length < HEADER_BYTES) return none;
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  const magic = view.getUint32(0);
  const size = view.getUint32(8);
  const pageBytes = size === 1 ? 65_536 : size;
  if ((magic & ~1) >>> 0 !== MAGIC || pageBytes < 512 || pageBytes > 65_536) return none;
  const sums = new Sums(view, (magic & 1) === 0);
  sums.add(0, 24);
  if (!sums.are(24)) return none;
  const pages = new Map<number, number>();
  /** Of a transaction whose end was not met yet. */
  const open = new Map<number, number>();
  let count: number | undefined;
  for (let at = HEADER_BYTES; at + FRAME_BYTES + pageBytes <= log.length; at += FRAME_BYTES + pageBytes) {
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) break;
    sums.add(at, 8);
    sums.add(at + FRAME_BYTES, pageBytes);
    if (!sums.are(at + 16)) break;
    open.set(view.getUint32(at), at + FRAME_BYTES);
    const after = view.getUint32(at + 4);
    if (after === 0) continue;
    for (const [page, place] of open) pages.set(page, place);
    open.clear();
    count = after;
  }
  return count === undefined ? none : { pages, count, pageBytes };
}

/** The log's running checksum. */
class Sums {
  private readonly view: DataView;
  private readonly littleEndian: boolean;
  private first = 0;
  private second = 0;

  constructor(view: DataView, littleEndian: boolean) {
    this.view = view;
    this.littleEndian = littleEndian;
  }

  add(from: number, bytes: number): void {
    const { view, littleEndian } = this;
    let { first, second } = this;
    for (let at = from; at < from + bytes; at += 8) {
      first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
      second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
    }
    this.first = first;
    this.second = second;
  }

  are(at: number): boolean {
    return this.view.getUint32(at) === this.first && this.view.getUint32(at + 4) === this.second;
  }
}
