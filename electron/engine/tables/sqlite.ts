/** Reads SQLite databases (.sqlite, .sqlite3, .db) by SQLite: the records of a table or view, of all by name, or of a query. */
import { type ConversionOptions, type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/byte-streams.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { WholeReader } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { readPart } from '../input/zip.ts';
import { type Cell, NUMBER, type Sheet, type SheetFacts, type SheetRow, TEXT, workbookFault } from './sheet.ts';
import { readSheets } from './sheet-reader.ts';
import { Database, type DatabaseBytes, isLimit, SqliteError, type SqlValue } from './sqlite-engine.ts';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/** Place of the texts' encoding in the header; 2 and 3 are UTF-16. */
const ENCODING_AT = 56;
const UTF8 = 1;
const MOST_COLUMNS = 16_384;
/** Memory limit for a file without random access, as a multiple of `maxFileBytes`. */
const HELD = 10;
/** Rows that are handed on at once. */
const BATCH = 512;
const MOST_QUERY_ROWS = 1_000_000;
const TABLES_NAMED = 20;

const sqliteFault = (reason: Message, hint?: Message): AppError => workbookFault(reason, hint, 'sqlite');

export const readSqlite: WholeReader = async (source, { options, bounds, columnAdvice, signal }) => {
  if (source.size === 0) throw sqliteFault(say('workbook.empty'));
  const head = await readPart(source, 0, HEADER_BYTES, signal);
  if (!head.toString('latin1').startsWith(MAGIC) || head.length < HEADER_BYTES)
    throw sqliteFault(say('sqlite.none'), say('sqlite.none.hint'));
  // The library is built without UTF-16.
  if (head.readUInt32BE(ENCODING_AT) > UTF8) throw sqliteFault(say('sqlite.utf16'), say('sqlite.utf16.hint'));
  if (source.isUnfinished) throw sqliteFault(say('sqlite.unfinished'), say('sqlite.unfinished.hint'));
  const file = new SqliteFile(await bytesOf(source, bounds, signal), bounds);
  const { query } = options;
  if (query !== undefined && (options.table ?? options.sheet) !== undefined)
    throw new AppError('INVALID_REQUEST', say('sqlite.queryAndTable'));
  const relations = query === undefined ? await file.relations() : [];
  const sheets = query === undefined ? relations.map((relation) => file.sheetOf(relation)) : [await file.sheetOfQuery(query)];
  if (sheets.length === 0) throw sqliteFault(say('sqlite.noTables'));
  const chosen: ConversionOptions = { ...options, sheet: query === undefined ? chosenTable(relations, options) : undefined };
  const warnings: Warning[] = [];
  const readable: QuerySheet[] = [];
  for (const sheet of sheets) {
    const isRead = chosen.sheet === '*' || sheet === sheets[typeof chosen.sheet === 'number' ? chosen.sheet - 1 : 0];
    const failure = isRead ? await sheet.open().then(undefined, (error: unknown) => error) : undefined;
    if (failure === undefined) readable.push(sheet);
    else if (chosen.sheet !== '*' || !(failure instanceof AppError)) throw failure;
    // Of all, one that cannot be read keeps no other back.
    else warnings.push(warning('TABLE_UNREADABLE', say('sqlite.unreadable', { table: sheet.name, reason: failure.asText })));
  }
  const scan = await readSheets(readable, { options: chosen, bounds, columnAdvice, signal, format: 'sqlite' });
  if (source.logUnread) warnings.push(warning('DATABASE_LOG', say('sqlite.log')));
  const blobs = sheets.reduce((sum, sheet) => sum + sheet.blobs, 0);
  if (blobs > 0) warnings.push(warning('DATABASE_BLOBS', say('sqlite.blobs', { cells: blobs })));
  return { ...scan, warnings: [...scan.warnings, ...warnings] };
};

/** A table's number, or `*`. INVALID_REQUEST for a name that is not there. */
function chosenTable(relations: readonly Relation[], { sheet, table }: ConversionOptions): number | '*' | undefined {
  if (table !== undefined && sheet !== undefined) throw new AppError('INVALID_REQUEST', say('sqlite.tableTwice'));
  const wanted = table ?? sheet;
  if (wanted === undefined || wanted === '*') return wanted;
  const number = typeof wanted === 'number' ? wanted : numberOf(relations, wanted);
  if (number >= 1 && number <= relations.length) return number;
  const named = relations.slice(0, TABLES_NAMED).map(({ name }) => name);
  throw new AppError('INVALID_REQUEST', say('sqlite.noTable', { table: String(wanted) }), {
    hint: say('sqlite.noTable.hint', { tables: named, more: relations.length - named.length }),
  });
}

/** By its exact name, else in any case, else as a number. */
function numberOf(relations: readonly Relation[], wanted: string): number {
  const exact = relations.findIndex(({ name }) => name === wanted);
  if (exact >= 0) return exact + 1;
  const similar = relations.findIndex(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (similar >= 0) return similar + 1;
  return /^\d{1,6}$/.test(wanted) ? Number(wanted) : 0;
}

/** The database with what is in its log; a source that cannot be read synchronously is held in memory. */
async function bytesOf(source: ByteSource, { maxFileBytes }: EngineBounds, signal?: AbortSignal): Promise<DatabaseBytes> {
  const readNow = source.readNow ?? source.elsewhere?.readNow;
  if (readNow) return withLog({ size: source.size, readNow }, source.log);
  const limit = HELD * maxFileBytes;
  const held = await collect(source.read(signal), limit, () => fileTooLarge(null, limit, 'maxFileBytes'));
  return withLog(
    {
      size: held.length,
      readNow(memory, address, length, offset) {
        const part = held.subarray(offset, offset + length);
        memory.set(part, address);
        return part.length;
      },
    },
    source.log,
  );
}

interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'view';
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Connections are opened for each pass, so that nothing is left open where a reader gives up. */
class SqliteFile {
  private readonly bytes: DatabaseBytes;
  private readonly bounds: EngineBounds;
  private readonly now = Date.now();

  constructor(bytes: DatabaseBytes, bounds: EngineBounds) {
    this.bytes = bytes;
    this.bounds = bounds;
  }

  /** Tables in the order in which they were made, then views; without SQLite's own tables and those behind a virtual one. */
  async relations(): Promise<Relation[]> {
    const sql = `SELECT l.name, l.type, s.sql FROM pragma_table_list AS l LEFT JOIN sqlite_schema AS s ON s.name = l.name
      WHERE l.schema = 'main' AND l.type <> 'shadow' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.type = 'view', s.rowid`;
    return this.using((database) => {
      const found: Relation[] = [];
      const shadows = new Set<string>();
      for (const [name, type, made] of database.rows(sql)) {
        found.push({ name: String(name), kind: type === 'view' ? 'view' : 'table' });
        // SQLite does not know the tables behind those of a module that this build has not.
        if (OLD_TEXT_SEARCH.test(String(made))) for (const part of BEHIND_IT) shadows.add(`${name}_${part}`);
      }
      return found.filter(({ name }) => !shadows.has(name));
    });
  }

  sheetOf({ name, kind }: Relation): QuerySheet {
    return new QuerySheet(name, `SELECT * FROM ${quoted(name)}`, kind === 'table' ? 'table' : 'view', this);
  }

  async sheetOfQuery(query: string): Promise<QuerySheet> {
    const sheet = new QuerySheet('query', query, 'query', this);
    await sheet.open();
    if (sheet.columns.length === 0) throw queryFault(say('sqlite.noRows'));
    return sheet;
  }

  /** Runs with a connection; its errors become ours. */
  async using<T>(use: (database: Database) => T): Promise<T> {
    const database = await this.open();
    try {
      return use(database);
    } catch (error) {
      throw this.failure(error, false);
    } finally {
      database.close();
    }
  }

  async open(): Promise<Database> {
    try {
      return await Database.open(this.bytes, { mostBytes: this.bounds.maxFileBytes, now: this.now });
    } catch (error) {
      throw this.failure(error, false);
    }
  }

  get timeoutMs(): number {
    return this.bounds.expressionTimeoutMs;
  }

  failure(error: unknown, isQuery: boolean): unknown {
    if (!(error instanceof SqliteError)) return error;
    const limit = isLimit(error);
    if (limit === 'time') return queryFault(say('sqlite.slow', { ms: this.timeoutMs }), say('sqlite.slow.hint'));
    if (limit === 'memory') return queryFault(say('sqlite.memory'), say('sqlite.slow.hint'));
    if (limit === 'denied') return queryFault(say('sqlite.denied'));
    if (error.code === 18) return fileTooLarge(null, this.bounds.maxFileBytes, 'maxFileBytes');
    const [, module] = /^no such module: (\S+)/.exec(error.message) ?? [];
    if (module !== undefined) return sqliteFault(say('sqlite.module', { module }), say('sqlite.module.hint'));
    if (isQuery && [1, 21].includes(error.code & 0xff)) return queryFault(say('sqlite.query', { reason: error.message }));
    return sqliteFault(say('sqlite.damaged'), say('sqlite.damaged.hint'));
  }
}

/** Full-text search before FTS5, and the ends of the names of its tables. */
const OLD_TEXT_SEARCH = /^\s*CREATE\s+VIRTUAL\s+TABLE\s.+\sUSING\s+fts[34]\b/is;
const BEHIND_IT = ['content', 'segments', 'segdir', 'docsize', 'stat'];

const queryFault = (reason: Message, hint?: Message): AppError =>
  new AppError('INVALID_REQUEST', reason, hint === undefined ? {} : { hint });

/** A statement with rows, as the reader of workbooks sees a sheet. */
class QuerySheet implements Sheet {
  readonly name: string;
  readonly hidden = false;
  columns: readonly string[] = [];
  /** Binary values in the last pass. */
  blobs = 0;
  private readonly sql: string;
  private readonly kind: 'table' | 'view' | 'query';
  private readonly file: SqliteFile;

  constructor(name: string, sql: string, kind: 'table' | 'view' | 'query', file: SqliteFile) {
    this.name = name;
    this.sql = sql;
    this.kind = kind;
    this.file = file;
  }

  /** Whether it computes anything, so that it is bounded. */
  private get isComputed(): boolean {
    return this.kind !== 'table';
  }

  private async connect(): Promise<Database> {
    const database = await this.file.open();
    if (this.kind !== 'query') database.allowQuotedTexts();
    if (this.isComputed) database.onlyQueries(this.file.timeoutMs);
    return database;
  }

  /** Finds the columns. */
  async open(): Promise<void> {
    const database = await this.connect();
    try {
      this.columns = database.columns(this.sql);
    } catch (error) {
      throw this.file.failure(error, this.isComputed);
    } finally {
      database.close();
    }
    if (this.columns.length > MOST_COLUMNS) throw sqliteFault(say('sqlite.columns', { table: this.name, most: MOST_COLUMNS }));
  }

  async *rows(
    { firstRow, lastRow, firstColumn, lastColumn }: Parameters<Sheet['rows']>[0],
    facts: SheetFacts,
    signal?: AbortSignal,
  ): AsyncIterable<readonly SheetRow[]> {
    const database = await this.connect();
    this.blobs = 0;
    try {
      let row = -1;
      let batch: SheetRow[] = [];
      for (const values of database.rows(this.sql)) {
        row++;
        if (row < firstRow) continue;
        if (row > lastRow) break;
        if (this.isComputed && row >= MOST_QUERY_ROWS)
          throw queryFault(say('sqlite.manyRows', { most: MOST_QUERY_ROWS }), say('sqlite.slow.hint'));
        const cells: Cell[] = [];
        for (let column = firstColumn; column < values.length && column <= lastColumn; column++) {
          const cell = this.cellOf(values[column] as SqlValue, facts, column, row);
          if (cell) cells.push(cell);
        }
        batch.push({ row, cells });
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
        throwIfCancelled(signal);
      }
      if (batch.length > 0) yield batch;
    } catch (error) {
      throw this.file.failure(error, this.isComputed);
    } finally {
      database.close();
    }
  }

  private cellOf(value: SqlValue, facts: SheetFacts, column: number, row: number): Cell | undefined {
    if (value === null) return undefined;
    if (typeof value === 'string') return { column, kind: TEXT, value };
    if (typeof value === 'bigint') return { column, kind: NUMBER, value: String(value) };
    if (typeof value === 'number') {
      if (Number.isFinite(value)) return { column, kind: NUMBER, value: String(value) };
      if (facts.errors++ === 0) facts.firstError = `${this.columns[column]}, row ${row + 1} (${value})`;
      return undefined;
    }
    this.blobs++;
    return { column, kind: TEXT, value: Buffer.from(value).toString('base64') };
  }
}

// The write-ahead log: pages that were changed and committed come from it, all others from the file. Format:
// https://sqlite.org/fileformat2.html#the_write_ahead_log

const LOG_HEADER_BYTES = 32;
const FRAME_BYTES = 24;
/** Checksums of little-endian words; one more for big-endian ones. */
const LOG_MAGIC = 0x377f0682;
/** Offsets of the header's version bytes: 1 means a rollback journal, 2 a write-ahead log. */
const VERSIONS = [18, 19];

/** The bytes as a database in itself. `log` is the file's write-ahead log, if it has one. */
function withLog(bytes: DatabaseBytes, log: Uint8Array | undefined): DatabaseBytes {
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
  if (log === undefined || log.length < LOG_HEADER_BYTES) return none;
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  const magic = view.getUint32(0);
  const size = view.getUint32(8);
  const pageBytes = size === 1 ? 65_536 : size;
  if ((magic & ~1) >>> 0 !== LOG_MAGIC || pageBytes < 512 || pageBytes > 65_536) return none;
  const sums = new Sums(view, (magic & 1) === 0);
  sums.add(0, 24);
  if (!sums.are(24)) return none;
  const pages = new Map<number, number>();
  /** Of a transaction whose end was not met yet. */
  const open = new Map<number, number>();
  let count: number | undefined;
  for (let at = LOG_HEADER_BYTES; at + FRAME_BYTES + pageBytes <= log.length; at += FRAME_BYTES + pageBytes) {
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
