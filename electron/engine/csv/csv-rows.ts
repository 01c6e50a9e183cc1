/** Splits CSV text (RFC 4180) into rows of fields, over byte chunks, without copying a field. */
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { describeByte, parseFailure } from '../core/failures.ts';
import type { Checkpoint } from '../core/payload.ts';

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const NUL = 0x00;
const CTRL_Z = 0x1a;

/** 1 for the bytes of a line without content. */
const BLANKS = new Uint8Array(256);
for (const blank of [NUL, SPACE, TAB, CTRL_Z]) BLANKS[blank] = 1;

// Scanner states.
const ROW = 0;
const FIELD = 1;
const UNQUOTED = 2;
const QUOTED = 3;
/** Right after a quote inside a quoted field: its end, or the first half of a doubled quote. */
const QUOTE_SEEN = 4;
/** In blanks between a closing quote and the delimiter. */
const AFTER_QUOTE = 5;

/**
 * Longer rows are refused: JavaScript could not hold such a record as text. The cause is nearly always an unclosed quote,
 * which would otherwise pull the rest of a big file into memory.
 */
const MAX_ROW_BYTES = 512 * 1024 * 1024;

/** How a field is written. */
export const PLAIN = 0;
const IN_QUOTES = 1;
/** In quotes, with doubled quotes inside. */
export const WITH_QUOTES = 2;

/**
 * Pull rows out with `next` after each `push`, and again after `end`. A row is seen through `bytes`, `starts`, `ends` and
 * `kinds`, which hold until the next call. Where RFC 4180 is silent:
 * - lines end with LF, CRLF or CR;
 * - blank lines are skipped, in files of one column too: a blank line there cannot be told from a trailing or separating
 *   one, and a writer that means an empty cell writes `""`. So are lines of blanks, Ctrl-Z and NUL only;
 * - a quote inside an unquoted field is text;
 * - blanks after a closing quote are dropped, any other text there is an error: keeping it would hide that a quote was
 *   not doubled, and with it where the cell really ends.
 * Errors give the line, and as column the number of the cell in its row.
 */
export class CsvRows {
  bytes: Uint8Array = new Uint8Array(0);
  starts = new Uint32Array(64);
  ends = new Uint32Array(64);
  kinds = new Uint8Array(64);
  /** Fields in the row. */
  count = 0;
  /** Line on which the row starts, from 1. */
  line = 1;

  private readonly delimiter: number;
  private readonly label: string;
  /** 1 for the bytes that end an unquoted field. */
  private readonly stops = new Uint8Array(256);
  private length = 0;
  /** Offset of `bytes` in the whole text. */
  private base: number;
  private at = 0;
  private state = ROW;
  private rowStart = 0;
  private fieldStart = 0;
  private quoteEnd = 0;
  private quoteLine = 0;
  private doubled = false;
  private currentLine: number;
  /** Offset of the last CR in a quoted field, so that CRLF counts as one line end. */
  private crAt = -2;
  /** Whether the last row ended with CR, so that an LF right after it belongs to it. */
  private skipLf = false;
  private carry: Uint8Array = new Uint8Array(0);
  private ended = false;

  /** `from`: where the pushed text begins, if that is not the start of the file. */
  constructor(delimiter: number, label: string, from: Checkpoint = { offset: 0, line: 1 }) {
    this.delimiter = delimiter;
    this.label = label;
    this.base = from.offset;
    this.currentLine = from.line;
    this.stops[delimiter] = 1;
    this.stops[LF] = 1;
    this.stops[CR] = 1;
  }

  /** Adds text. Call it only after `next` returned false. */
  push(chunk: Uint8Array): void {
    const pending = this.state === ROW ? 0 : this.length - this.rowStart;
    if (pending === 0) {
      this.base += this.length;
      this.bytes = chunk;
      this.length = chunk.length;
      this.at = 0;
      return;
    }
    if (pending > MAX_ROW_BYTES) throw this.tooLong();
    // Keeps an unfinished row and continues scanning where it stopped.
    const needed = pending + chunk.length;
    const unfinished = this.bytes.subarray(this.rowStart, this.length);
    if (this.carry.length < needed) {
      const grown = new Uint8Array(Math.max(needed, this.carry.length * 2));
      grown.set(unfinished);
      this.carry = grown;
    } else if (this.bytes !== this.carry || this.rowStart > 0) this.carry.set(unfinished);
    this.carry.set(chunk, pending);
    this.base += this.rowStart;
    this.bytes = this.carry;
    this.length = needed;
    this.rebase(this.rowStart);
  }

  /** Signals the end of the text; `next` then returns the last row. */
  end(): void {
    this.ended = true;
  }

  /** Fields seen so far of an unfinished row. */
  get unfinishedFields(): number {
    return this.state === ROW ? 0 : this.count + 1;
  }

  /** Moves to the next row; false if more text is needed or no row is left. */
  next(): boolean {
    do {
      if (!this.scanRow()) return false;
    } while (this.count === 1 && this.kinds[0] === PLAIN && this.isBlank());
    return true;
  }

  /** Whether the row's only cell is blanks, or the Ctrl-Z or NULs that old programs end files with. */
  private isBlank(): boolean {
    const end = this.ends[0] as number;
    for (let i = this.starts[0] as number; i < end; i++) if (BLANKS[this.bytes[i] as number] === 0) return false;
    return true;
  }

  /** Offset of the current row in the whole text. */
  get offset(): number {
    return this.base + this.rowStart;
  }

  /** Bytes of the current row, including its line end. */
  get rowBytes(): number {
    return this.at - this.rowStart;
  }

  /** Text pushed after the current row. Valid until the next call. */
  get rest(): Uint8Array {
    return this.bytes.subarray(this.at, this.length);
  }

  /** Text pushed from the current row on. Valid until the next call. */
  get fromRow(): Uint8Array {
    return this.bytes.subarray(this.rowStart, this.length);
  }

  /** Line on which the text after the current row starts. */
  get nextLine(): number {
    return this.currentLine;
  }

  /** Whether the current row ended with CR, so that an LF after it would belong to it. */
  get endedWithCr(): boolean {
    return this.skipLf;
  }

  /** Line on which a field of the current row starts. */
  lineOf(field: number): number {
    let line = this.line;
    const end = this.starts[field] as number;
    for (let i = this.rowStart; i < end; i++) {
      const byte = this.bytes[i];
      if (byte === LF || (byte === CR && this.bytes[i + 1] !== LF)) line++;
    }
    return line;
  }

  /** The text of a field, with doubled quotes resolved. */
  text(field: number): string {
    if (this.starts[field] === this.ends[field]) return '';
    const raw = Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString(
      'utf8',
      this.starts[field],
      this.ends[field],
    );
    return this.kinds[field] === WITH_QUOTES ? raw.replaceAll('""', '"') : raw;
  }

  private scanRow(): boolean {
    const { bytes, length, stops } = this;
    let i = this.at;
    let state = this.state;
    if (state === ROW) {
      if (this.skipLf && i < length) {
        if (bytes[i] === LF) i++;
        this.skipLf = false;
      }
      if (i >= length) {
        this.at = i;
        return false;
      }
      this.rowStart = i;
      this.count = 0;
      this.line = this.currentLine;
      state = FIELD;
    }
    for (;;) {
      if (state === FIELD) {
        if (i === length) break;
        if (bytes[i] === QUOTE) {
          this.quoteLine = this.currentLine;
          this.doubled = false;
          // A quote of an earlier cell could be taken for one in this text.
          this.crAt = -2;
          this.fieldStart = ++i;
          state = QUOTED;
        } else {
          this.fieldStart = i;
          state = UNQUOTED;
        }
      }
      if (state === QUOTED) {
        for (; i < length; i++) {
          const byte = bytes[i] as number;
          if (byte === QUOTE) break;
          if (byte === LF) {
            if (this.crAt !== i - 1) this.currentLine++;
          } else if (byte === CR) {
            this.currentLine++;
            this.crAt = i;
          }
        }
        if (i === length) break;
        this.quoteEnd = i++;
        state = QUOTE_SEEN;
      }
      if (state === QUOTE_SEEN) {
        if (i === length) break;
        const byte = bytes[i] as number;
        if (byte === QUOTE) {
          this.doubled = true;
          i++;
          state = QUOTED;
          continue;
        }
        if (stops[byte] === 0) {
          if (byte !== SPACE && byte !== TAB) throw this.afterQuote(byte);
          state = AFTER_QUOTE;
        }
      }
      if (state === AFTER_QUOTE) {
        while (i < length && stops[bytes[i] as number] === 0) {
          const byte = bytes[i] as number;
          if (byte !== SPACE && byte !== TAB) throw this.afterQuote(byte);
          i++;
        }
        if (i === length) break;
      }
      if (state === UNQUOTED) {
        while (i < length && stops[bytes[i] as number] === 0) i++;
        if (i === length) break;
        this.addField(this.fieldStart, i, PLAIN);
      } else this.addField(this.fieldStart, this.quoteEnd, this.doubled ? WITH_QUOTES : IN_QUOTES);

      const stop = bytes[i++] as number;
      if (stop === this.delimiter) {
        state = FIELD;
        continue;
      }
      this.skipLf = stop === CR;
      this.currentLine++;
      this.at = i;
      this.state = ROW;
      return true;
    }
    this.at = i;
    this.state = state;
    return this.ended && this.finishRow();
  }

  /** The last row, ended by the end of the file. */
  private finishRow(): boolean {
    switch (this.state) {
      case QUOTED:
        throw parseFailure(
          this.label,
          say('csv.quoteOpen'),
          { line: this.quoteLine, column: this.count + 1 },
          { hint: say('csv.quoteClose.hint') },
        );
      case FIELD:
        this.addField(this.length, this.length, PLAIN);
        break;
      case UNQUOTED:
        this.addField(this.fieldStart, this.length, PLAIN);
        break;
      default:
        this.addField(this.fieldStart, this.quoteEnd, this.doubled ? WITH_QUOTES : IN_QUOTES);
    }
    this.state = ROW;
    return true;
  }

  private addField(start: number, end: number, kind: number): void {
    const { count } = this;
    if (count === this.starts.length) this.growFields();
    this.starts[count] = start;
    this.ends[count] = end;
    this.kinds[count] = kind;
    this.count = count + 1;
  }

  private growFields(): void {
    const wider = <T extends Uint32Array | Uint8Array>(old: T, grown: T): T => {
      grown.set(old);
      return grown;
    };
    const size = this.starts.length * 2;
    this.starts = wider(this.starts, new Uint32Array(size));
    this.ends = wider(this.ends, new Uint32Array(size));
    this.kinds = wider(this.kinds, new Uint8Array(size));
  }

  /** Shifts all offsets by `by`. */
  private rebase(by: number): void {
    if (by === 0) return;
    for (let field = 0; field < this.count; field++) {
      this.starts[field] = (this.starts[field] as number) - by;
      this.ends[field] = (this.ends[field] as number) - by;
    }
    this.at -= by;
    this.fieldStart -= by;
    this.quoteEnd -= by;
    this.crAt -= by;
    this.rowStart = 0;
  }

  private tooLong(): Error {
    const quoted = this.state === QUOTED;
    return parseFailure(
      this.label,
      say(quoted ? 'csv.quoteOpenLong' : 'csv.rowLong'),
      quoted ? { line: this.quoteLine, column: this.count + 1 } : { line: this.line },
      { hint: say(quoted ? 'csv.quoteClose.hint' : 'csv.rowLong.hint') },
    );
  }

  private afterQuote(byte: number): Error {
    return parseFailure(
      this.label,
      say('csv.afterQuote', { found: describeByte(byte) }),
      { line: this.currentLine, column: this.count + 1 },
      { hint: say('csv.afterQuote.hint', { opened: this.quoteLine < this.currentLine ? this.quoteLine : null }) },
    );
  }
}

// Cells after the last column.

/** The kernel's numbers; see assembly/csv-scan.ts. */
export const extraCells = {
  /** Such a row is an error. */
  refused: 0,
  kept: 1,
  cut: 2,
  /** An empty cell after the last column is cut, more is an error: each row ends with a delimiter. */
  emptyCut: 3,
} as const;
export type ExtraCells = keyof typeof extraCells;

/** `trailing`: the rows end with a delimiter, the header does not. */
export function extraCellsOf({ ragged }: ConversionOptions, trailing: boolean): ExtraCells {
  if (ragged === 'keep') return 'kept';
  if (ragged === 'cut') return 'cut';
  return trailing ? 'emptyCut' : 'refused';
}
