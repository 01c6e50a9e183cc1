/**
 * Reads OpenDocument spreadsheets (.ods, .ots) and flat ones (.fods): OpenDocument 1.3 part 3, chapter 9. All sheets are in one
 * XML part, which is read from its start for each sheet.
 */
import { say } from '../../../shared/model/messages/message.ts';
import { fileTooLarge } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { isOle, openZip, readPart } from '../input/zip.ts';
import { isCurrency } from './number-format.ts';
import {
  BOOLEAN,
  type Cell,
  type CellRange,
  columnLetters,
  NUMBER,
  overlap,
  type Sheet,
  type SheetFacts,
  type SheetRow,
  TEXT,
  wholeSheet,
  workbookFault,
} from './sheet.ts';
import { scanPart, type WorkbookBounds, type XmlAttributes, type XmlHandler } from './workbook-xml.ts';

/** Sheets that can be read at once: the time grows with their square. */
const MOST_AT_ONCE = 256;
/** Cells that a sheet may have besides those written in the file, by repeated rows and columns. */
const MOST_REPEATED = 20_000_000;
const ZIP = Buffer.from('PK');

/** `all`: every sheet will be read. Throws PARSE_FAILED, FILE_TOO_LARGE, INVALID_REQUEST. */
export async function openOds(
  source: ByteSource,
  bounds: WorkbookBounds,
  all: boolean,
  signal?: AbortSignal,
): Promise<readonly Sheet[]> {
  if (source.size === 0) throw fault('workbook.empty');
  if (await isOle(source, signal)) throw fault('workbook.protected', 'workbook.protectedOds.hint');
  const content = await contentOf(source, bounds, signal);
  const list = new SheetList();
  for await (const _ of scanPart(content(signal), 'content.xml', list, 'ods'));
  if (!list.isSpreadsheet) throw fault('workbook.noSpreadsheet', 'workbook.none.hint');
  if (all && list.sheets.length > MOST_AT_ONCE) throw fault('workbook.manySheets', 'workbook.manySheets.hint');
  // Sheets of other files are kept with the formulas that use them.
  const own = list.sheets.map((sheet, index) => ({ ...sheet, index })).filter(({ name }) => !/^'[^']*'#/.test(name));
  return own.map(({ index, ...sheet }) => ({
    ...sheet,
    rows: (range, facts, again) => rowsOf(content(again), index, range, facts, bounds),
  }));
}

const fault = (
  reason: 'workbook.empty' | 'workbook.protected' | 'workbook.noSpreadsheet' | 'workbook.manySheets' | 'workbook.encrypted',
  hint?: 'workbook.protectedOds.hint' | 'workbook.none.hint' | 'workbook.manySheets.hint',
) => workbookFault(say(reason), hint === undefined ? undefined : say(hint), 'ods');

type Content = (signal?: AbortSignal) => AsyncIterable<Uint8Array>;

/** The part with the cells; a flat file is that part itself. */
async function contentOf(source: ByteSource, bounds: WorkbookBounds, signal?: AbortSignal): Promise<Content> {
  if (!(await readPart(source, 0, ZIP.length, signal)).equals(ZIP)) return (again) => source.read(again);
  const archive = await openZip(
    source,
    {
      directoryBytes: bounds.maxFileBytes,
      entryBytes: bounds.maxStreamedFileBytes,
      tooLarge: () => fileTooLarge(null, bounds.maxStreamedFileBytes, 'maxStreamedFileBytes'),
      broken: (reason) => workbookFault(reason, say('workbook.saveAgain'), 'ods'),
    },
    signal,
  );
  const [content, manifest] = [archive.entries.get('content.xml'), archive.entries.get('META-INF/manifest.xml')];
  if (content === undefined) throw fault('workbook.noSpreadsheet', 'workbook.none.hint');
  if (manifest !== undefined) {
    let encrypted = false;
    const open = (name: string) => {
      encrypted ||= name === 'encryption-data';
    };
    const nothing = () => undefined;
    for await (const _ of scanPart(
      archive.read(manifest, signal),
      manifest.name,
      { open, text: nothing, close: nothing },
      'ods',
    ));
    if (encrypted) throw fault('workbook.encrypted', 'workbook.protectedOds.hint');
  }
  return (again) => archive.read(content, again);
}

/** Blanks that one element stands for. */
const MOST_BLANKS = 1000;
/** Elements of a cell that are no part of its value. */
const ASIDE: ReadonlySet<string> = new Set(['annotation', 'shapes', 'frame', 'g', 'custom-shape', 'detective']);

/** Calls a method for each part of the sheets; elements outside of them, such as styles, go to `outside`. */
abstract class SheetWalk implements XmlHandler {
  /** Nested tables: 0 outside of sheets, 1 in one, more in a table within a cell. */
  private tables = 0;
  private inBody = false;
  /** Open elements whose content is left out. */
  private aside = 0;
  private tracked = 0;
  private words: string | undefined;

  protected outside(_name: string, _attributes: XmlAttributes): void {}
  protected startSheet(_attributes: XmlAttributes): void {}
  protected endSheet(): void {}
  protected startRow(_attributes: XmlAttributes): void {}
  protected endRow(): void {}
  protected sheetColumn(_attributes: XmlAttributes): void {}
  protected link(_attributes: XmlAttributes): void {}
  protected startCell(_attributes: XmlAttributes, _covered: boolean): void {}
  protected endCell(): void {}
  protected paragraph(_text: string): void {}

  open(name: string, attributes: XmlAttributes): void {
    // Earlier versions of cells, which LibreOffice keeps on request.
    if (name === 'tracked-changes') this.tracked++;
    if (this.tracked > 0) return;
    if (name === 'spreadsheet') this.inBody = true;
    if (this.tables > 0 && ASIDE.has(name)) this.aside++;
    if (this.aside > 0) return;
    if (name === 'table' && this.inBody) {
      this.tables++;
      if (this.tables === 1) this.startSheet(attributes);
    } else if (this.tables === 0) this.outside(name, attributes);
    if (this.tables !== 1) return;
    if (name === 'table-row') this.startRow(attributes);
    else if (name === 'table-column') this.sheetColumn(attributes);
    else if (name === 'table-cell' || name === 'covered-table-cell') this.startCell(attributes, name !== 'table-cell');
    else if (name === 'p') this.words = '';
    else if (name === 'a') this.link(attributes);
    else if (this.words !== undefined) this.words += blankOf(name, attributes);
  }

  text(part: string): void {
    if (this.words !== undefined && this.aside === 0) this.words += part;
  }

  close(name: string): void {
    if (name === 'tracked-changes') this.tracked--;
    if (this.tracked > 0) return;
    if (this.tables > 0 && this.aside > 0) {
      if (ASIDE.has(name)) this.aside--;
      return;
    }
    if (name === 'table' && this.inBody) {
      this.tables--;
      if (this.tables === 0) this.endSheet();
    }
    if (name === 'spreadsheet') this.inBody = false;
    if (this.tables !== 1) return;
    if (name === 'table-row') this.endRow();
    else if (name === 'table-cell' || name === 'covered-table-cell') this.endCell();
    else if (name === 'p' && this.words !== undefined) {
      this.paragraph(this.words);
      this.words = undefined;
    }
  }
}

function blankOf(name: string, attributes: XmlAttributes): string {
  if (name === 's') return ' '.repeat(Math.min(Math.max(Number(attributes.get('text:c')) || 1, 1), MOST_BLANKS));
  if (name === 'tab') return '\t';
  return name === 'line-break' ? '\n' : '';
}

/** Finds the sheets, and which are hidden by their style. */
class SheetList extends SheetWalk {
  readonly sheets: { name: string; hidden: boolean }[] = [];
  isSpreadsheet = false;
  private readonly hiddenStyles = new Set<string>();
  private style = '';

  protected override outside(name: string, attributes: XmlAttributes): void {
    if (name === 'spreadsheet') this.isSpreadsheet = true;
    else if (name === 'style') this.style = attributes.get('style:name') ?? '';
    else if (name === 'table-properties' && attributes.get('table:display') === 'false') this.hiddenStyles.add(this.style);
  }

  protected override startSheet(attributes: XmlAttributes): void {
    const name = attributes.get('table:name') ?? '';
    this.sheets.push({ name, hidden: this.hiddenStyles.has(attributes.get('table:style-name') ?? '') });
  }
}

async function* rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  index: number,
  range: CellRange,
  facts: SheetFacts,
  bounds: WorkbookBounds,
): AsyncIterable<readonly SheetRow[]> {
  const reader = new SheetReader(index, range, facts, bounds);
  for await (const _ of scanPart(chunks, 'content.xml', reader, 'ods')) {
    const rows = reader.take();
    if (rows.length > 0) yield rows;
    if (reader.isOver) return;
  }
  const rest = reader.take();
  if (rest.length > 0) yield rest;
}

class SheetReader extends SheetWalk {
  isOver = false;
  private readonly index: number;
  private readonly range: CellRange;
  private readonly facts: SheetFacts;
  private readonly bounds: WorkbookBounds;
  private sheet = -1;
  private rows: SheetRow[] = [];
  private row = 0;
  private rowRepeats = 1;
  private cells: Cell[] = [];
  private column = 0;
  private cellRepeats = 1;
  private type = '';
  private value: string | undefined;
  private paragraphs: string[] = [];
  private hasFormula = false;
  private columnsSeen = 0;
  private repeated = 0;

  constructor(index: number, range: CellRange, facts: SheetFacts, bounds: WorkbookBounds) {
    super();
    this.index = index;
    this.range = range;
    this.facts = facts;
    this.bounds = bounds;
  }

  take(): readonly SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  protected override startSheet(): void {
    this.sheet += 1;
  }

  protected override endSheet(): void {
    if (this.sheet === this.index) this.isOver = true;
  }

  protected override sheetColumn(attributes: XmlAttributes): void {
    if (this.sheet !== this.index) return;
    const first = this.columnsSeen;
    this.columnsSeen += countOf(attributes.get('table:number-columns-repeated'));
    if (!isCollapsed(attributes)) return;
    for (let column = first; column < Math.min(this.columnsSeen, wholeSheet.lastColumn + 1); column++)
      this.facts.hiddenColumns.add(column);
  }

  protected override link(attributes: XmlAttributes): void {
    const isAddress = /^[a-z][a-z\d+.-]*:/i.test(attributes.get('xlink:href') ?? '');
    if (this.sheet !== this.index || !isAddress) return;
    if (this.facts.links++ === 0) this.facts.firstLink = `${columnLetters(this.column)}${this.row + 1}`;
  }

  protected override startRow(attributes: XmlAttributes): void {
    if (this.sheet !== this.index) return;
    this.rowRepeats = countOf(attributes.get('table:number-rows-repeated'));
    this.column = 0;
    this.cells = [];
    if (isCollapsed(attributes) && this.row <= this.range.lastRow) this.hidden = true;
  }

  private hidden = false;

  protected override endRow(): void {
    if (this.sheet !== this.index) return;
    const from = Math.max(this.row, this.range.firstRow);
    const to = Math.min(this.row + this.rowRepeats - 1, this.range.lastRow);
    if (this.cells.length > 0) {
      this.expand((to - from) * this.cells.length);
      for (let row = from; row <= to; row++) this.rows.push({ row, cells: this.cells });
      if (this.hidden && to >= from) this.facts.hiddenRows += to - from + 1;
    }
    this.hidden = false;
    this.row += this.rowRepeats;
  }

  protected override startCell(attributes: XmlAttributes, covered: boolean): void {
    if (this.sheet !== this.index) return;
    this.cellRepeats = countOf(attributes.get('table:number-columns-repeated'));
    this.type = covered ? '' : (attributes.get('office:value-type') ?? '');
    if (attributes.get('calcext:value-type') === 'error') this.type = 'error';
    this.hasFormula = attributes.get('table:formula') !== undefined;
    this.value = this.type === '' ? undefined : attributes.get(valueAttribute[this.type] ?? 'office:value');
    this.paragraphs = [];
    if (covered) return;
    const columns = countOf(attributes.get('table:number-columns-spanned'));
    const rows = countOf(attributes.get('table:number-rows-spanned'));
    if (columns === 1 && rows === 1) return;
    const [lastColumn, lastRow] = [this.column + columns - 1, this.row + rows - 1];
    const merged = { firstColumn: this.column, lastColumn, firstRow: this.row, lastRow };
    if (overlap(merged, this.range)) this.facts.merged++;
  }

  protected override paragraph(text: string): void {
    if (this.sheet === this.index) this.paragraphs.push(text);
  }

  protected override endCell(): void {
    if (this.sheet !== this.index) return;
    const { range } = this;
    const from = Math.max(this.column, range.firstColumn);
    const to = Math.min(this.column + this.cellRepeats - 1, range.lastColumn);
    const inRows = this.row + this.rowRepeats > range.firstRow && this.row <= range.lastRow;
    const isHere = inRows && to >= from;
    const isStored = this.type !== '' && this.type !== 'void';
    if (isHere && this.hasFormula && !isStored && this.facts.uncalculated++ === 0)
      this.facts.firstUncalculated = `${columnLetters(from)}${this.row + 1}`;
    const cell = isStored && isHere ? this.cell(from) : undefined;
    if (cell !== undefined) {
      this.expand(to - from);
      for (let column = from; column <= to; column++) this.cells.push({ ...cell, column });
    }
    this.column += this.cellRepeats;
  }

  /** Counts cells that are not in the file. */
  private expand(cells: number): void {
    this.repeated += Math.max(cells, 0);
    if (this.repeated > MOST_REPEATED) throw fileTooLarge(null, this.bounds.maxStreamedFileBytes, 'maxStreamedFileBytes');
  }

  private countError(place: string, text: string): void {
    if (this.facts.errors++ === 0) this.facts.firstError = `${place} (${text.trim()})`;
  }

  private cell(column: number): Omit<Cell, 'column'> | undefined {
    const text = this.paragraphs.join('\n');
    const place = `${columnLetters(column)}${this.row + 1}`;
    switch (this.type) {
      case 'error':
        this.countError(place, text);
        return undefined;
      case 'boolean':
        return { kind: BOOLEAN, value: this.value === 'true' || Number(this.value) > 0 ? 'true' : 'false' };
      case 'date': {
        const value = (this.value ?? text).replace(/T00:00:00(?:\.0+)?$/, '');
        return { kind: TEXT, value, date: value.includes('T') ? 'time' : 'day' };
      }
      case 'time':
        return { kind: TEXT, value: odsTime(this.value ?? '') ?? text };
      case 'string':
        return { kind: TEXT, value: this.value ?? text };
      default: {
        const number = Number(this.value);
        if (this.value === undefined || this.value.trim() === '' || !Number.isFinite(number))
          throw workbookFault(say('workbook.cellNumber', { place, text: (this.value ?? text).slice(0, 40) }), undefined, 'ods');
        const printed = String(number);
        if (ERROR.test(text)) {
          this.countError(place, text);
          return undefined;
        }
        if (this.type === 'float' && isIdentifier(text, printed)) return { kind: TEXT, value: text, number: printed };
        return { kind: NUMBER, value: printed };
      }
    }
  }
}

/** Where the value of a type is; those of numbers, percentages and currencies are in `office:value`. */
const valueAttribute: Readonly<Record<string, string>> = {
  boolean: 'office:boolean-value',
  date: 'office:date-value',
  time: 'office:time-value',
  string: 'office:string-value',
};

/** What a cell shows whose formula failed; Excel stores 0 in it. */
const ERROR = /^(?:#(?:DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!)|Err:\d{3})$/;

/** Whether a number is shown with leading zeros, a prefix or strokes between its digits: as `01234`, `E-0012` or `123-4567`. */
function isIdentifier(shown: string, number: string): boolean {
  const digits = shown.replace(/\D/g, '');
  if (!/^\d+$/.test(number) || digits.replace(/^0+(?=\d)/, '') !== number) return false;
  const [, prefix = ''] = /^(\D*)\d[\d-]*$/.exec(shown) ?? [];
  const isPlain = /^\d+$/.test(shown);
  return (isPlain && shown !== number) || /^\d+(?:-\d+)+$/.test(shown) || (/[\p{L}#+(]/u.test(prefix) && !isCurrency(prefix));
}

const isCollapsed = (attributes: XmlAttributes): boolean =>
  ['collapse', 'filter'].includes(attributes.get('table:visibility') ?? '');

/** A number of repeats or of spanned cells. */
function countOf(text: string | undefined): number {
  const count = Number(text);
  return Number.isInteger(count) && count > 1 ? count : 1;
}

/** XML Schema's duration of hours, minutes and seconds as a clock, `PT12H30M00S` as `12:30:00`; undefined for any other. */
function odsTime(duration: string): string | undefined {
  const [, hours, minutes, seconds, fraction = ''] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d+))?S)?$/.exec(duration) ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
  const [h, m, s] = [hours, minutes, seconds].map((part) => (part ?? '0').padStart(2, '0'));
  const rest = fraction.slice(0, 3).replace(/0+$/, '');
  return `${h}:${m}:${s}${rest === '' ? '' : `.${rest}`}`;
}
