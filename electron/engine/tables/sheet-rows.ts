/** Streams the rows of a sheet (ECMA-376 part 1, 18.3.1): cells with a value, in column order. */
import { say } from '../../../shared/model/messages/message.ts';
import type { ZipEntry } from '../input/zip.ts';
import { isoOf, type NumberFormat, shownText } from './number-format.ts';
import { PlainCell } from './plain-cell.ts';
import {
  BOOLEAN,
  type Cell,
  type CellRange,
  columnLetters,
  columnOf,
  NUMBER,
  overlap,
  type SheetFacts,
  type SheetRow,
  TEXT,
  wholeSheet,
  workbookFault,
} from './sheet.ts';
import {
  isTrue,
  type PlainHandler,
  unescapedText,
  type XmlAttributes,
  type XmlHandler,
  type XmlScanner,
} from './workbook-xml.ts';

/** Parts that all sheets of a workbook share. */
export interface SharedParts {
  readonly date1904: boolean;
  /** By a cell's style number. */
  readonly styles: readonly NumberFormat[];
  readonly texts: readonly string[];
  /** Feeds a part to a handler, chunk by chunk. PARSE_FAILED if the part is broken. */
  scan(entry: ZipEntry, handler: XmlHandler | PlainHandler, signal?: AbortSignal): AsyncIterable<void>;
}

/** Rows with a value in the range, one batch per chunk of the file. */
export async function* sheetRows(
  workbook: SharedParts,
  entry: ZipEntry,
  range: CellRange,
  facts: SheetFacts,
  signal?: AbortSignal,
): AsyncIterable<readonly SheetRow[]> {
  const reader = new SheetReader(workbook, range, facts);
  for await (const _ of workbook.scan(entry, reader, signal)) {
    const rows = reader.take();
    if (rows.length > 0) yield rows;
  }
  const rest = reader.take();
  if (rest.length > 0) yield rest;
}

const ROW = Buffer.from('<row r="');
const ROW_END = Buffer.from('</row>');
const TAG_END = 0x3e;
const QUOTE = 0x22;
const ZERO = 0x30;

function startsWith(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** The row's number from 0, of a tag that says no more of importance; -1 for any other. `at`: behind `<row r="`. */
function plainRow(bytes: Uint8Array, at: number, tagEnd: number): number {
  let number = 0;
  let to = at;
  for (; to < tagEnd; to++) {
    const digit = (bytes[to] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  if (bytes[to] !== QUOTE || to === at || to - at > 7 || number === 0) return -1;
  // Hidden ones, other quotes, and rows without cells.
  for (let i = to + 1; i < tagEnd; i++) {
    const byte = bytes[i] as number;
    if (byte === 0x68 || byte === 0x27 || byte === 0x2f || byte === 0x26 || byte >= 0x80) return -1;
  }
  return number - 1;
}

/** In the order of columns; of two at the same place the last. */
const inOrder = (cells: readonly Cell[]): Cell[] =>
  [...new Map(cells.map((cell) => [cell.column, cell])).values()].sort((a, b) => a.column - b.column);

/** Number grammar of XML Schema's double. */
const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

class SheetReader implements PlainHandler {
  private readonly workbook: SharedParts;
  private readonly range: CellRange;
  private readonly facts: SheetFacts;
  private rows: SheetRow[] = [];
  private cells: Cell[] = [];
  private row = -1;
  private column = -1;
  private type = 'n';
  private style = 0;
  /** Text of the value, or of an inline string. */
  private value = '';
  private hasValue = false;
  private taking = false;
  private phonetic = 0;
  private hasFormula = false;
  private isInline = false;
  /** Whether the row's cells ascend, as they should. */
  private isOrdered = true;
  private readonly plainCell = new PlainCell();
  /** Whether the value is written as JavaScript writes the number. */
  private isPrinted = false;
  /** Whether the row has cells with an empty text. */
  private hasBlanks = false;

  constructor(workbook: SharedParts, range: CellRange, facts: SheetFacts) {
    this.workbook = workbook;
    this.range = range;
    this.facts = facts;
  }

  take(): readonly SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'c') this.startCell(attributes);
    else if (name === 'is') {
      // It stands for a value beside it.
      this.isInline = true;
      this.value = '';
    } else if (name === 't' || (name === 'v' && !this.isInline)) {
      this.taking = this.phonetic === 0;
      this.hasValue = true;
    } else if (name === 'row') this.startRow(attributes);
    else if (name === 'rPh') this.phonetic++;
    else if (name === 'mergeCell') this.countMerged(attributes);
    else if (name === 'f') this.hasFormula = true;
    else if (name === 'col') this.hideColumns(attributes);
    else if (name === 'hyperlink') this.countLink(attributes);
  }

  text(part: string): void {
    if (this.taking) this.value += part;
  }

  plain(bytes: Uint8Array, at: number, inside: string | undefined, scanner: XmlScanner): number {
    if (inside === 'row') {
      const end = this.plainCell.read(bytes, at);
      if (end > 0) this.takePlainCell();
      if (end !== 0) return end;
      if (!startsWith(bytes, at, ROW_END)) return 0;
      scanner.leave();
      this.endRow();
      return at + ROW_END.length;
    }
    if (inside !== 'sheetData' || !startsWith(bytes, at, ROW)) return 0;
    const tagEnd = bytes.indexOf(TAG_END, at);
    if (tagEnd < 0) return -1;
    const row = plainRow(bytes, at + ROW.length, tagEnd);
    if (row < 0) return 0;
    scanner.enter('row');
    this.row = row;
    this.column = -1;
    return tagEnd + 1;
  }

  private takePlainCell(): void {
    const { column, type, style, value, hasValue, hasFormula, isPrinted } = this.plainCell;
    this.column = column;
    this.type = type;
    this.style = style;
    this.value = value;
    this.hasValue = hasValue;
    this.hasFormula = hasFormula;
    this.isPrinted = isPrinted;
    this.endCell();
    this.isPrinted = false;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.taking = false;
    else if (name === 'c') this.endCell();
    else if (name === 'row') this.endRow();
    else if (name === 'rPh') this.phonetic--;
  }

  private startRow(attributes: XmlAttributes): void {
    const number = attributes.get('r');
    this.row = number === undefined ? this.row + 1 : Number(number) - 1;
    if (!Number.isInteger(this.row) || this.row < 0) throw workbookFault(say('workbook.row', { row: String(number) }));
    this.column = -1;
    if (isTrue(attributes.get('hidden')) && this.inRows()) this.facts.hiddenRows++;
  }

  private hideColumns(attributes: XmlAttributes): void {
    if (!isTrue(attributes.get('hidden'))) return;
    const last = Math.min(Number(attributes.get('max')) - 1, wholeSheet.lastColumn);
    for (let column = Number(attributes.get('min')) - 1; column <= last; column++) this.facts.hiddenColumns.add(column);
  }

  private countMerged(attributes: XmlAttributes): void {
    const [first = '', last = ''] = (attributes.get('ref') ?? '').split(':');
    const row = (reference: string) => Number(/\d+$/.exec(reference)?.[0]) - 1;
    const merged = { firstColumn: columnOf(first), lastColumn: columnOf(last), firstRow: row(first), lastRow: row(last) };
    if (overlap(merged, this.range)) this.facts.merged++;
  }

  /** Links within the workbook have no address. */
  private countLink(attributes: XmlAttributes): void {
    const reference = attributes.get('ref');
    if (attributes.get('id') === undefined || reference === undefined) return;
    if (this.facts.links++ === 0) this.facts.firstLink = reference;
  }

  private inRows(): boolean {
    return this.row >= this.range.firstRow && this.row <= this.range.lastRow;
  }

  private endRow(): void {
    if (this.cells.length > 0) {
      this.rows.push({ row: this.row, cells: this.isOrdered ? this.cells : inOrder(this.cells) });
      this.cells = [];
    } else if (this.hasBlanks) this.facts.blankRows++;
    this.hasBlanks = false;
    this.isOrdered = true;
  }

  private startCell(attributes: XmlAttributes): void {
    const reference = attributes.get('r');
    this.column = reference === undefined ? this.column + 1 : columnOf(reference);
    this.type = attributes.get('t') ?? 'n';
    this.style = Number(attributes.get('s') ?? 0);
    this.value = '';
    this.hasValue = false;
    this.hasFormula = false;
    this.isInline = false;
  }

  private endCell(): void {
    const { column, range } = this;
    if (!this.inRows() || column < range.firstColumn || column > range.lastColumn) return;
    if (this.hasFormula && !this.isResult && this.facts.uncalculated++ === 0) this.facts.firstUncalculated = this.place;
    if (!this.hasValue) return;
    const cell = this.cell();
    if (!cell) return;
    this.isOrdered &&= (this.cells.at(-1)?.column ?? -1) < cell.column;
    this.cells.push(cell);
  }

  /** An empty text is a result; a number is written. */
  private get isResult(): boolean {
    return this.type === 'str' ? this.hasValue : this.value.trim() !== '';
  }

  private textCell(value: string): Cell | undefined {
    if (value !== '') return { column: this.column, kind: TEXT, value };
    this.hasBlanks = true;
    return undefined;
  }

  private get place(): string {
    return `${columnLetters(this.column)}${this.row + 1}`;
  }

  private cell(): Cell | undefined {
    const { column, value: text, type } = this;
    switch (type) {
      case 's': {
        if (text.trim() === '') return this.textCell('');
        const shared = this.workbook.texts[Number(text)];
        if (shared === undefined) throw workbookFault(say('workbook.cellText', { place: this.place }));
        return this.textCell(shared);
      }
      case 'str':
      case 'inlineStr':
        return this.textCell(unescapedText(text));
      case 'd':
        // Times have no zone in a workbook.
        return this.textCell(text.trim().replace(/Z$/, ''));
      case 'b':
        return { column, kind: BOOLEAN, value: /^\s*(1|true)\s*$/i.test(text) ? 'true' : 'false' };
      case 'e':
        if (this.facts.errors++ === 0) this.facts.firstError = `${this.place} (${text.trim()})`;
        return undefined;
      default:
        return this.number();
    }
  }

  /** A number, or the date that its style displays. */
  private number(): Cell | undefined {
    const { column } = this;
    const format = this.workbook.styles[this.style];
    const isOrdinary = format === undefined || (format.date === undefined && format.sections.length === 0);
    if (this.isPrinted && isOrdinary) return { column, kind: NUMBER, value: this.value, unit: format?.unit };
    const text = this.value.trim();
    if (text === '') return undefined;
    const number = Number(text);
    const printed = String(number);
    // Most numbers are written as JavaScript writes them.
    if (!Number.isFinite(number) || (printed !== text && !decimal.test(text)))
      throw workbookFault(say('workbook.cellNumber', { place: this.place, text: text.slice(0, 40) }));
    if (format === undefined) return { column, kind: NUMBER, value: printed };
    const date = format.date && isoOf(number, format.date, this.workbook.date1904);
    if (date !== undefined) {
      const isDay = format.date === 'date' && !date.includes('T');
      return { column, kind: TEXT, value: date, date: isDay ? 'day' : format.date === 'date' ? 'time' : undefined };
    }
    const shown = shownText(format, number);
    if (shown !== undefined) return { column, kind: TEXT, value: shown, number: printed };
    return { column, kind: NUMBER, value: printed, unit: format.unit };
  }
}
