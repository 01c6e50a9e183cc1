/** Reads SQLite databases (.sqlite, .sqlite3, .db): the records of a table, or of all tables by name. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { WholeReader } from '../core/whole-reader.ts';
import { readSheets } from '../xlsx/reader.ts';
import { type Cell, NUMBER, type Sheet, type SheetFacts, type SheetRow, TEXT } from '../xlsx/sheet.ts';
import { type TableColumns, tableColumns } from './create-table.ts';
import { SqliteFile, type SqlValue, sqliteFault } from './sqlite-file.ts';

/** The table of tables begins on the first page. */
const SCHEMA_ROOT = 1;
const MOST_COLUMNS = 16_384;
/** Memory limit for a file without random access, as a multiple of `maxFileBytes`. */
const HELD = 10;

export const readSqlite: WholeReader = async (source, { options, bounds, columnAdvice, signal }) => {
  const file = await SqliteFile.open(source, bounds.maxFileBytes, HELD * bounds.maxFileBytes, signal);
  const { tables, views } = await tablesOf(file, signal);
  const wanted = options.sheet === undefined ? undefined : String(options.sheet);
  if (wanted !== undefined && views.includes(wanted))
    throw sqliteFault(say('sqlite.view', { view: wanted }), say('sqlite.view.hint'));
  if (tables.length === 0) throw sqliteFault(say('sqlite.noTables'));
  const blobs = { cells: 0 };
  const sheets = tables.map((table) => sheetOf(file, table, blobs));
  const scan = await readSheets(sheets, { options, bounds, columnAdvice, signal, format: 'sqlite' });
  const warnings: Warning[] = [];
  if (file.keepsLog) warnings.push(warning('DATABASE_LOG', say('sqlite.log')));
  if (blobs.cells > 0) warnings.push(warning('DATABASE_BLOBS', say('sqlite.blobs', { cells: blobs.cells })));
  const virtual = tables.flatMap(({ definition }) =>
    definition.columns.filter(({ isVirtual }) => isVirtual).map(({ name }) => name),
  );
  if (virtual.length > 0) warnings.push(warning('DATABASE_VIRTUAL_COLUMNS', say('sqlite.virtual', { columns: virtual })));
  return { ...scan, warnings: [...scan.warnings, ...warnings] };
};

interface Table {
  readonly name: string;
  readonly root: number;
  readonly definition: TableColumns;
}

async function tablesOf(file: SqliteFile, signal?: AbortSignal): Promise<{ tables: Table[]; views: string[] }> {
  const tables: Table[] = [];
  const views: string[] = [];
  for await (const rows of file.rows(SCHEMA_ROOT, signal)) {
    for (const { values } of rows) {
      const [type, name, , root, sql] = values;
      if (type === 'view' && typeof name === 'string') views.push(name);
      if (type !== 'table' || typeof name !== 'string' || typeof sql !== 'string' || /^sqlite_/i.test(name)) continue;
      const definition = tableColumns(sql);
      // Virtual tables have no pages of their own.
      if (definition === undefined || Number(root ?? 0) < 1) continue;
      if (definition.columns.length > MOST_COLUMNS) throw sqliteFault(say('sqlite.columns', { table: name, most: MOST_COLUMNS }));
      tables.push({ name, root: Number(root), definition });
    }
  }
  return { tables, views };
}

function sheetOf(file: SqliteFile, { name, root, definition }: Table, blobs: { cells: number }): Sheet {
  const { columns, stored } = definition;
  const shown = columns.filter(({ isVirtual }) => !isVirtual);
  const places = new Map(shown.map((column, at) => [columns.indexOf(column), at]));
  return {
    name,
    hidden: false,
    columns: shown.map((column) => column.name),
    async *rows({ firstRow, lastRow, firstColumn, lastColumn }, facts, signal) {
      let row = 0;
      blobs.cells = 0;
      for await (const batch of file.rows(root, signal)) {
        const found: SheetRow[] = [];
        for (const { rowId, values } of batch) {
          if (row >= firstRow && row <= lastRow) {
            const cells: Cell[] = [];
            for (const [i, at] of stored.entries()) {
              const definition = columns[at];
              const column = places.get(at);
              if (definition === undefined || column === undefined || column < firstColumn || column > lastColumn) continue;
              const value = i < values.length ? (values[i] as SqlValue) : definition.initial;
              const cell = cellOf(definition.isRowId ? rowId : value, facts, blobs, `${definition.name}, row ${row + 1}`);
              if (cell) cells.push({ ...cell, column });
            }
            found.push({ row, cells });
          }
          row += 1;
        }
        if (found.length > 0) yield found;
      }
    },
  };
}

function cellOf(value: SqlValue, facts: SheetFacts, blobs: { cells: number }, place: string): Omit<Cell, 'column'> | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return { kind: TEXT, value };
  if (typeof value === 'bigint') return { kind: NUMBER, value: String(value) };
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return { kind: NUMBER, value: String(value) };
    if (facts.errors++ === 0) facts.firstError = `${place} (${value})`;
    return undefined;
  }
  blobs.cells += 1;
  return { kind: TEXT, value: Buffer.from(value).toString('base64') };
}
