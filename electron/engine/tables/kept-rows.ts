/**
 * The rows of a sheet, kept in a compact form while they are read the first time, so that later passes need neither unpack nor parse the file
 * again: about eight bytes a cell.
 */
import { ByteBuilder, ElementBuilder } from '../core/byte-builder.ts';
import type { ElementChunk } from '../core/payload.ts';
import { decodeInside } from '../json/json-members.ts';
import { type Cell, JSON_VALUE, type SheetRow, TEXT } from './sheet.ts';

const BLOCK_BYTES = 256 * 1024;

// A cell is a tag (its kind, and the flags below), the distance to the column before it, and its text: that of a text as the inside of a JSON
// string. A text with a number behind it has that after it. Lengths and distances have seven bits a byte, the lowest first.
const IS_DAY = 0x10;
const IS_TIME = 0x20;
const HAS_NUMBER = 0x40;
const KIND = 0x0f;

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;
const MIDNIGHT = Buffer.from('T00:00:00');

/** How a column is written. */
export interface WrittenColumn {
  /** In the sheet, from 0. */
  readonly at: number;
  /** What stands before its value: a comma, unless it is the first, and its key. */
  readonly key: string;
  readonly asText: boolean;
  /** Whether a day is written with its time. */
  readonly hasTimes: boolean;
  readonly isBoolean: boolean;
  /** Whether lists and objects stay what they are. */
  readonly keepsJson: boolean;
  /** JSON text of a cell that is empty. */
  readonly blank: string;
}

export class KeptRows {
  readonly #blocks: Uint8Array[] = [];
  #open = new ByteBuilder(BLOCK_BYTES);
  #bytes = 0;
  #row = 0;
  /** Whether all rows are kept. */
  isWhole = true;
  readonly #mostBytes: number;

  constructor(mostBytes = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes;
  }

  /** Its cells are in the order of columns, none twice. */
  add({ row, cells }: SheetRow): void {
    if (!this.isWhole) return;
    const out = this.#open;
    number(out, zigzag(row - this.#row));
    number(out, cells.length);
    this.#row = row;
    let before = 0;
    for (const { column, kind, value, number: behind, date } of cells) {
      const tag = kind | (date === 'day' ? IS_DAY : date === 'time' ? IS_TIME : 0) | (behind === undefined ? 0 : HAS_NUMBER);
      out.byte(tag);
      number(out, column - before);
      before = column;
      put(out, value, kind === TEXT);
      if (behind !== undefined) put(out, behind, false);
    }
    if (out.length >= BLOCK_BYTES) this.#close();
  }

  #close(): void {
    this.#bytes += this.#open.length;
    if (this.#bytes > this.#mostBytes) {
      this.isWhole = false;
      this.#blocks.length = 0;
    } else this.#blocks.push(this.#open.take());
  }

  /** The rows as they were added, but for the units of numbers. */
  *rows(): Generator<readonly SheetRow[]> {
    let row = 0;
    for (const block of this.#all()) {
      const cursor = new Cursor(block);
      const rows: SheetRow[] = [];
      while (cursor.at < block.length) {
        row += unzigzag(cursor.number());
        rows.push({ row, cells: cursor.cells() });
      }
      yield rows;
    }
  }

  /** The rows from `skipped` on as elements of a JSON array: objects if `keyed`, else lists. Columns ascend; cells of others are left out. */
  *elements(
    columns: readonly WrittenColumn[],
    { keyed, skipped = 0 }: { keyed: boolean; skipped?: number },
  ): Generator<ElementChunk> {
    const plan = columns.map((column) => ({
      ...column,
      keyBytes: Buffer.from(column.key),
      blankBytes: Buffer.from(column.key + column.blank),
    }));
    const indexes = new Int32Array(1 + (columns.at(-1)?.at ?? -1)).fill(-1);
    for (const [index, { at }] of columns.entries()) indexes[at] = index;
    const [opening, closing] = keyed ? [0x7b, 0x7d] : [0x5b, 0x5d];
    const builder = new ElementBuilder();
    const { out } = builder;
    let row = 0;
    let left = skipped;
    for (const block of this.#all()) {
      const cursor = new Cursor(block);
      while (cursor.at < block.length) {
        row += unzigzag(cursor.number());
        let cells = cursor.number();
        if (left > 0) {
          left--;
          for (; cells > 0; cells--) cursor.skipCell();
          continue;
        }
        builder.startElement(row + 1);
        out.byte(opening);
        let next = 0;
        let at = 0;
        for (; cells > 0; cells--) {
          const tag = block[cursor.at++] as number;
          at += cursor.number();
          const index = indexes[at] ?? -1;
          if (index < 0) {
            cursor.skipText(tag);
            continue;
          }
          for (; next < index; next++) out.bytes((plan[next] as (typeof plan)[0]).blankBytes);
          const column = plan[next++] as (typeof plan)[0];
          out.bytes(column.keyBytes);
          cursor.write(out, tag, column);
        }
        for (; next < plan.length; next++) out.bytes((plan[next] as (typeof plan)[0]).blankBytes);
        out.byte(closing);
        builder.endElement();
        if (builder.ready) yield builder.take() as ElementChunk;
      }
    }
    const rest = builder.take();
    if (rest) yield rest;
  }

  *#all(): Generator<Uint8Array> {
    yield* this.#blocks;
    if (this.#open.length > 0) yield this.#open.buffer.subarray(0, this.#open.length);
  }
}

/** A number that may be negative, as rows may stand in any order: its sign is the lowest bit. */
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function number(out: ByteBuilder, value: number): void {
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) out.byte((left % 0x80) | 0x80);
  out.byte(left);
}

/** The text with its length: as it is, or as the inside of a JSON string. */
function put(out: ByteBuilder, text: string, isText: boolean): void {
  if (putPlain(out, text)) return;
  const bytes = Buffer.from(isText ? JSON.stringify(text).slice(1, -1) : text);
  number(out, bytes.length);
  out.bytes(bytes);
}

/** A short text of characters that JSON does not escape, without encoding it first. */
function putPlain(out: ByteBuilder, text: string): boolean {
  const { length } = text;
  if (length >= 0x80) return false;
  out.reserve(length + 1);
  const { buffer } = out;
  let at = out.length;
  buffer[at++] = length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) return false;
    buffer[at++] = code;
  }
  out.length = at;
  return true;
}

/** Reads a block. */
class Cursor {
  at = 0;
  readonly #block: Uint8Array;

  constructor(block: Uint8Array) {
    this.#block = block;
  }

  number(): number {
    let byte = this.#block[this.at++] as number;
    let value = byte % 0x80;
    for (let unit = 0x80; byte >= 0x80; unit *= 0x80) {
      byte = this.#block[this.at++] as number;
      value += (byte % 0x80) * unit;
    }
    return value;
  }

  skipCell(): void {
    const tag = this.#block[this.at++] as number;
    this.number();
    this.skipText(tag);
  }

  skipText(tag: number): void {
    this.#text();
    if ((tag & HAS_NUMBER) !== 0) this.#text();
  }

  cells(): Cell[] {
    const cells: Cell[] = [];
    let column = 0;
    for (let left = this.number(); left > 0; left--) {
      const tag = this.#block[this.at++] as number;
      column += this.number();
      const kind = (tag & KIND) as Cell['kind'];
      const text = this.#text();
      const value = kind === TEXT ? decodeInside(text) : Buffer.from(text).toString();
      const behind = (tag & HAS_NUMBER) === 0 ? undefined : Buffer.from(this.#text()).toString();
      const date = (tag & IS_DAY) !== 0 ? 'day' : (tag & IS_TIME) !== 0 ? 'time' : undefined;
      cells.push({ column, kind, value, number: behind, date });
    }
    return cells;
  }

  #text(): Uint8Array {
    const length = this.number();
    this.at += length;
    return this.#block.subarray(this.at - length, this.at);
  }

  /** The value of the cell with this tag as JSON. */
  write(out: ByteBuilder, tag: number, { asText, hasTimes, isBoolean, keepsJson }: WrittenColumn): void {
    const kind = tag & KIND;
    const length = this.number();
    let from = this.at;
    let to = from + length;
    this.at = to;
    if (kind === JSON_VALUE && keepsJson) out.bytes(this.#block, from, to);
    else if (asText) {
      out.byte(QUOTE);
      if (kind === JSON_VALUE)
        out.bytes(Buffer.from(JSON.stringify(Buffer.from(this.#block.subarray(from, to)).toString()).slice(1, -1)));
      else out.bytes(this.#block, from, to);
      if (hasTimes && (tag & IS_DAY) !== 0) out.bytes(MIDNIGHT);
      out.byte(QUOTE);
    }
    if ((tag & HAS_NUMBER) !== 0) {
      const behind = this.number();
      [from, to] = [this.at, this.at + behind];
      this.at = to;
    }
    if (asText || (kind === JSON_VALUE && keepsJson)) return;
    // Case does not matter in what a column of true and false may hold.
    for (let at = from; at < to; at++) {
      const byte = this.#block[at] as number;
      out.byte(isBoolean && byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
    }
  }
}
