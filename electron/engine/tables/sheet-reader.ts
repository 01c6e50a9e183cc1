/**
 * Reads the records of one sheet by its header, or of all sheets by name: of workbooks (.xlsx, .xlsm, .ods, .fods), and of what other formats give
 * as sheets.
 */
import { type Column, type ColumnType, type ConversionOptions, type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import type { ColumnAdvice } from '../core/convert-types.ts';
import { throwIfCancelled } from '../core/failures.ts';
import { arrayText, type ElementChunk } from '../core/payload.ts';
import type { FormatScan } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { type Decision, decideColumns, emptyIsText, numberedColumns, uniqueNames } from '../csv/csv-columns.ts';
import { KeptRows, type WrittenColumn } from './kept-rows.ts';
import { openOds } from './ods.ts';
import {
  BOOLEAN,
  type Cell,
  type CellRange,
  columnLetters,
  NUMBER,
  noFacts,
  parseRange,
  type Sheet,
  type SheetFacts,
  type SheetRow,
  TEXT,
  wholeSheet,
} from './sheet.ts';
import { Below, besideNotices, findTable, type Notice } from './surroundings.ts';
import { openWorkbook } from './workbook.ts';
import type { WorkbookBounds } from './workbook-xml.ts';

interface WorkbookContext {
  readonly options: ConversionOptions;
  readonly bounds: WorkbookBounds;
  readonly columnAdvice?: ColumnAdvice | undefined;
  readonly signal?: AbortSignal | undefined;
}

type WorkbookFormat = 'xlsx' | 'ods' | 'sqlite' | 'parquet';

const ALL_SHEETS = '*';
const SHEETS_NAMED = 20;
/** Larger tables are read again for each pass. Bytes. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** The same by what a conversion may keep of its payload. */
const KEPT_TIMES = 16;
const encoder = new TextEncoder();

/** Results of scanning a workbook, including its sheets' names in order. */
interface WorkbookScan extends FormatScan {
  readonly sheets: { name: string; hidden: boolean }[];
}

export async function readXlsx(source: ByteSource, context: WorkbookContext): Promise<WorkbookScan> {
  return readSheets((await openWorkbook(source, context.bounds, context.signal)).sheets, { ...context, format: 'xlsx' });
}

export async function readOds(source: ByteSource, context: WorkbookContext): Promise<WorkbookScan> {
  return readSheets(await openOds(source, context.bounds, context.options.sheet === ALL_SHEETS, context.signal), {
    ...context,
    format: 'ods',
  });
}

/** Reads the requested sheets once and reports all errors that later passes could meet. */
export async function readSheets(
  all: readonly Sheet[],
  context: WorkbookContext & { format: WorkbookFormat },
): Promise<WorkbookScan> {
  const { options } = context;
  const range = options.range === undefined ? wholeSheet : parseRange(options.range);
  const sheets = chosenSheets(all, options.sheet);
  const tables: Table[] = [];
  for (const sheet of sheets) tables.push(await scanTable(asAsked(sheet, options), rangeIn(sheet, range), context));
  const [first] = tables;
  const listed = all.map(({ name, hidden }) => ({ name, hidden }));
  if (options.sheet === ALL_SHEETS || first === undefined) return { ...allSheets(tables), sheets: listed };
  return {
    sheets: listed,
    kind: 'array',
    columns: columnsOf(first),
    delimiter: null,
    warnings: [...warningsOf(first), ...otherSheets(all, first.sheet, context)],
    async *json() {
      yield* [];
    },
    elements: (again) => elementsOf(first, again),
    locate: (pointer) => locate(first, pointer),
  };
}

/** The sheet with its cells trimmed, and without those that mean that there is no value. */
function asAsked(sheet: Sheet, { trim, nulls }: ConversionOptions): Sheet {
  const empty = new Set(nulls);
  if (trim !== true && empty.size === 0) return sheet;
  const asked = (cell: Cell): Cell => (trim && cell.kind === TEXT ? { ...cell, value: cell.value.trim() } : cell);
  const keeps = ({ value }: Cell) => value !== '' && !empty.has(value);
  return {
    ...sheet,
    async *rows(range, facts, signal) {
      for await (const rows of sheet.rows(range, facts, signal)) {
        yield rows
          .map(({ row, cells }) => ({ row, cells: cells.map(asked).filter(keeps) }))
          .filter(({ cells }) => cells.length > 0);
      }
    },
  };
}

/** A table of a database has any number of rows. */
const rangeIn = ({ columns }: Sheet, range: CellRange): CellRange =>
  columns && range.lastRow === wholeSheet.lastRow ? { ...range, lastRow: Number.MAX_SAFE_INTEGER } : range;

function allSheets(tables: readonly Table[]): FormatScan {
  return {
    kind: 'object',
    columns: null,
    delimiter: null,
    warnings: tables.flatMap(warningsOf),
    async *json(signal) {
      for (const [i, table] of tables.entries()) {
        yield encoder.encode(`${i === 0 ? '{' : ','}${JSON.stringify(table.sheet.name)}:`);
        yield* arrayText(elementsOf(table, signal));
      }
      yield encoder.encode(tables.length === 0 ? '{}' : '}');
    },
    async *elements() {
      yield* [];
    },
    locate: async ([name, ...pointer]) => {
      const table = tables.find(({ sheet }) => sheet.name === name);
      return table && locate(table, pointer);
    },
  };
}

function chosenSheets(sheets: readonly Sheet[], wanted: string | number | undefined): readonly Sheet[] {
  if (sheets.length === 0) throw noSheet(say('workbook.noCells'), sheets);
  if (wanted === ALL_SHEETS) return sheets;
  if (wanted === undefined) return [sheets.find(({ hidden }) => !hidden) ?? (sheets[0] as Sheet)];
  const name = String(wanted);
  const named =
    sheets.find((sheet) => sheet.name === name) ??
    sheets.find((sheet) => sheet.name.toLowerCase() === name.toLowerCase()) ??
    (/^[1-9]\d*$/.test(name) ? sheets[Number(name) - 1] : undefined);
  if (!named) throw noSheet(say('workbook.noSheet', { sheet: name }), sheets);
  return [named];
}

function noSheet(message: Message, sheets: readonly Sheet[]): AppError {
  const named = sheets.slice(0, SHEETS_NAMED).map(({ name }) => name);
  return new AppError('INVALID_REQUEST', message, {
    hint:
      named.length === 0
        ? say('workbook.noCells.hint')
        : say('workbook.noSheet.hint', { sheets: named, more: sheets.length - named.length }),
  });
}

/** Results of the first pass over a sheet, for later passes. */
interface Table {
  readonly sheet: Sheet;
  /** The workbook's. */
  readonly format: WorkbookFormat;
  readonly range: CellRange;
  readonly facts: SheetFacts;
  /** Row of the header; -1 without one. */
  readonly headerRow: number;
  readonly keyed: boolean;
  readonly records: number;
  readonly columns: readonly TableColumn[];
  /** Names that were generated because the header was empty or had a name twice. */
  readonly invented: readonly string[];
  /** About what stands around it. */
  readonly surroundings: readonly Notice[];
  /** The cells of the sheet that have values, if none are where the caller asked. */
  readonly elsewhere: string | undefined;
  /** Its rows, unless they are too many. */
  readonly kept: KeptRows | undefined;
}

interface TableColumn {
  /** Column in the sheet, from 0. */
  readonly at: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly decision: Decision | undefined;
  readonly empty: number;
  /** Whether some of its dates have a time of day: then all are written with one. */
  readonly hasTimes: boolean;
  /** Two different units of its numbers. */
  readonly units: readonly string[];
}

/** Kinds of cells found in each column of the sheet. */
class SeenColumns {
  readonly kinds = new Uint8Array(wholeSheet.lastColumn + 1);
  readonly filled = new Uint32Array(wholeSheet.lastColumn + 1);
  readonly header = new Map<number, string>();
  readonly timed = new Set<number>();
  /** Units of the numbers in a column: the first one, and another if there is any. */
  readonly units = new Map<number, string[]>();
  readonly below = new Below();
  headerRow = -1;
  records = 0;

  see({ row, cells }: SheetRow, keyed: boolean): void {
    if (keyed && this.headerRow < 0) {
      this.headerRow = row;
      for (const { column, value } of cells) this.header.set(column, value);
      return;
    }
    this.records++;
    this.below.see({ row, cells });
    for (const { column, kind, date, unit } of cells) {
      if (date === 'time') this.timed.add(column);
      if (unit !== undefined) this.seeUnit(column, unit);
      this.kinds[column] = (this.kinds[column] as number) | kind;
      this.filled[column] = (this.filled[column] as number) + 1;
    }
  }

  private seeUnit(column: number, unit: string): void {
    const units = this.units.get(column);
    if (units === undefined) this.units.set(column, [unit]);
    else if (units.length === 1 && units[0] !== unit) units.push(unit);
  }

  /** The columns that contain values. */
  get used(): number[] {
    const used: number[] = [];
    for (let at = 0; at < this.kinds.length; at++) if (this.filled[at] !== 0 || this.header.has(at)) used.push(at);
    return used;
  }
}

async function scanTable(
  sheet: Sheet,
  asked: CellRange,
  { options, bounds, columnAdvice, signal, format }: WorkbookContext & { format: WorkbookFormat },
): Promise<Table> {
  const keyed = options.header !== false;
  const { range, warnings } = await findTable(sheet, asked, options, signal);
  const facts = noFacts();
  const seen = new SeenColumns();
  const { columns: given } = sheet;
  given?.forEach((name, at) => {
    if (at >= range.firstColumn && at <= range.lastColumn) seen.header.set(at, name);
  });
  const kept = new KeptRows(bounds.keptBytes === undefined ? KEPT_BYTES : KEPT_TIMES * bounds.keptBytes);
  for await (const rows of sheet.rows(range, facts, signal)) {
    for (const row of rows) {
      seen.see(row, keyed && given === undefined);
      kept.add(row);
    }
  }
  const used = seen.used;
  const { names, invented } = keyed ? uniqueNames(used.map((at) => seen.header.get(at) ?? '')) : numberedColumns(used.length);
  const decisions = decideColumns(names, options, columnAdvice);
  const columns = used.map((at, i) => {
    const decision = decisions[i];
    const type = decision?.type ?? typeOf(seen.kinds[at] as number);
    return {
      at,
      name: names[i] as string,
      type,
      decision,
      empty: seen.records - (seen.filled[at] as number),
      hasTimes: seen.timed.has(at),
      units: seen.units.get(at) ?? [],
    };
  });
  const surroundings =
    given === undefined
      ? [
          ...warnings,
          ...(options.range === undefined ? besideNotices(used) : []),
          ...seen.below.notices(used.map((at) => seen.kinds[at] as number)),
        ]
      : [];
  const table = {
    format,
    sheet,
    range,
    facts,
    headerRow: seen.headerRow,
    keyed,
    records: seen.records,
    columns,
    invented,
    surroundings,
    elsewhere: used.length === 0 ? await cellsIn(sheet, signal) : undefined,
    kept: kept.isWhole ? kept : undefined,
  };
  const doubtful = columns.filter(({ at, type }) => mayMisfit(type, seen.kinds[at] as number));
  if (doubtful.length > 0) await findMisfit(table, new Map(doubtful.map((column) => [column.at, column])), signal);
  return table;
}

/** The range of all cells with a value, such as `A1:E33`. */
async function cellsIn(sheet: Sheet, signal?: AbortSignal): Promise<string | undefined> {
  let found: CellRange | undefined;
  for await (const rows of sheet.rows(rangeIn(sheet, wholeSheet), noFacts(), signal)) {
    for (const { row, cells } of rows) {
      const [first, last] = [cells[0]?.column ?? 0, cells.at(-1)?.column ?? 0];
      found = {
        firstColumn: Math.min(found?.firstColumn ?? first, first),
        lastColumn: Math.max(found?.lastColumn ?? last, last),
        firstRow: Math.min(found?.firstRow ?? row, row),
        lastRow: Math.max(found?.lastRow ?? row, row),
      };
    }
  }
  return (
    found && `${columnLetters(found.firstColumn)}${found.firstRow + 1}:${columnLetters(found.lastColumn)}${found.lastRow + 1}`
  );
}

function typeOf(kinds: number): ColumnType {
  if (kinds === NUMBER) return 'number';
  return kinds === BOOLEAN ? 'boolean' : 'string';
}

const mayMisfit = (type: ColumnType, kinds: number): boolean =>
  type === 'number' ? (kinds & ~NUMBER) !== 0 : type === 'boolean' && (kinds & ~BOOLEAN) !== 0;

/** JSON's number grammar (RFC 8259, section 6). */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

function fits(type: ColumnType, { kind, value, number }: Cell): boolean {
  if (type === 'number') return kind !== BOOLEAN && jsonNumber.test(number ?? value);
  return kind !== NUMBER && /^(?:true|false)$/i.test(value);
}

/** Throws PARSE_FAILED at the first cell that does not fit a type given in advance. */
async function findMisfit(table: Table, columns: ReadonlyMap<number, TableColumn>, signal?: AbortSignal): Promise<void> {
  for await (const { row, cells } of records(table, signal)) {
    for (const cell of cells) {
      const column = columns.get(cell.column);
      if (!column || fits(column.type, cell)) continue;
      const place = `${columnLetters(cell.column)}${row + 1}`;
      const text = JSON.stringify(cell.value.length > 40 ? `${cell.value.slice(0, 40)}…` : cell.value);
      throw new AppError(
        'PARSE_FAILED',
        say('workbook.misfit', {
          column: column.name,
          type: column.type === 'number' ? 'number' : 'boolean',
          cell: text,
          place,
          sheet: table.sheet.name,
          format: table.format,
        }),
        {
          hint: say('csv.misfit.hint', { decidedBy: column.decision?.decidedBy ?? 'caller', decimalComma: false }),
          details: { line: row + 1, column: cell.column + 1, columnName: column.name, decidedBy: column.decision?.decidedBy },
        },
      );
    }
  }
}

/** The rows below the header. */
async function* records({ sheet, range, headerRow, kept }: Table, signal?: AbortSignal): AsyncIterable<SheetRow> {
  let isHeader = headerRow >= 0;
  for await (const rows of kept ? kept.rows() : sheet.rows(range, noFacts(), signal)) {
    for (const row of rows) {
      if (isHeader) isHeader = false;
      else yield row;
    }
  }
}

async function* elementsOf(table: Table, signal?: AbortSignal): AsyncIterable<ElementChunk> {
  const { sheet, range, keyed, headerRow, kept } = table;
  const columns = table.columns.map(
    ({ at, name, type, decision, hasTimes }, i): WrittenColumn => ({
      at,
      key: (i === 0 ? '' : ',') + (keyed ? `${JSON.stringify(name)}:` : ''),
      asText: type === 'string',
      hasTimes,
      isBoolean: type === 'boolean',
      keepsJson: decision === undefined,
      blank: emptyIsText(decision) ? '""' : 'null',
    }),
  );
  const header = headerRow >= 0 ? 1 : 0;
  if (kept) {
    for (const chunk of kept.elements(columns, { keyed, skipped: header })) {
      throwIfCancelled(signal);
      yield chunk;
    }
    return;
  }
  let skipped = header;
  for await (const rows of sheet.rows(range, noFacts(), signal)) {
    const batch = new KeptRows();
    for (const row of rows.slice(skipped)) batch.add(row);
    skipped = Math.max(0, skipped - rows.length);
    yield* batch.elements(columns, { keyed });
  }
}

const columnsOf = ({ columns }: Table): Column[] =>
  columns.map(({ name, type, decision, empty }) => ({ name, type, decidedBy: decision?.decidedBy ?? 'data', empty }));

function warningsOf({ sheet, facts, invented, records, headerRow, keyed, columns, surroundings, elsewhere }: Table): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, about: Message) =>
    warnings.push(warning(code, say('sheet.warning', { sheet: sheet.name, warning: about })));
  const { errors, firstError, hiddenRows, hiddenColumns, merged, uncalculated, blankRows, links } = facts;
  for (const { code, about } of surroundings) warn(code, about);
  if (errors > 0) warn('SHEET_ERRORS', say('sheet.errors', { cells: errors, first: String(firstError) }));
  if (merged > 0) warn('SHEET_MERGED', say('sheet.merged', { ranges: merged }));
  if (uncalculated > 0) {
    warn('SHEET_UNCALCULATED', say('sheet.uncalculated', { cells: uncalculated, first: facts.firstUncalculated }));
  }
  if (hiddenRows > 0) warn('SHEET_HIDDEN_ROWS', say('sheet.hiddenRows', { rows: hiddenRows }));
  const hidden = columns.filter(({ at }) => hiddenColumns.has(at)).map(({ name }) => name);
  if (hidden.length > 0) warn('SHEET_HIDDEN_COLUMNS', say('sheet.hiddenColumns', { names: hidden }));
  if (blankRows > 0) warn('SHEET_BLANK_ROWS', say('sheet.blankRows', { rows: blankRows }));
  if (links > 0) warn('SHEET_LINKS', say('sheet.links', { cells: links, first: facts.firstLink }));
  for (const { name, units } of columns) {
    if (units.length > 1) warn('SHEET_UNITS', say('sheet.units', { column: name, units: units.map((unit) => unit || '–') }));
  }
  if (keyed && invented.length > 0) warn('SHEET_COLUMN_NAMES', say('sheet.columnNames', { names: invented }));
  if (elsewhere !== undefined) warn('SHEET_EMPTY', say('sheet.nothingAsked', { data: elsewhere }));
  else if (records === 0) warn('SHEET_EMPTY', say(keyed && headerRow >= 0 ? 'sheet.headerOnly' : 'sheet.empty'));
  return warnings;
}

/** Warnings about further sheets that were not read because the caller named none. */
function otherSheets(
  sheets: readonly Sheet[],
  read: Sheet,
  { options, format }: { options: ConversionOptions; format: WorkbookFormat },
): Warning[] {
  if (options.sheet !== undefined || sheets.length === 1) return [];
  const others = sheets.filter((each) => each !== read);
  const named = others.slice(0, SHEETS_NAMED).map(({ name, hidden }) => ({ name, hidden }));
  return [
    warning(
      'SHEET_OTHERS',
      say(format === 'sqlite' ? 'table.others' : 'sheet.others', {
        read: read.name,
        sheets: named,
        more: others.length - named.length,
      }),
    ),
  ];
}

async function locate(table: Table, [index, name]: readonly (string | number)[]): ReturnType<FormatScan['locate']> {
  let at = 0;
  for await (const { row } of records(table)) {
    if (at++ !== index) continue;
    const column = table.columns.findIndex((each, i) => (table.keyed ? each.name === name : i === name));
    const found = table.columns[column];
    return found ? { line: row + 1, column: found.at + 1, columnName: found.name } : { line: row + 1 };
  }
  return undefined;
}
