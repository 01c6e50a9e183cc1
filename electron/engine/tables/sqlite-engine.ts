/** SQLite itself, as WebAssembly, over bytes that are read on demand and never written: a virtual file system over open handles. */
import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync } from 'node:zlib';
import { packed } from 'virtual:sqlite-wasm';
import init from '@sqlite.org/sqlite-wasm';
import type { ReadNow } from '../core/source.ts';

/** A database file. */
export interface DatabaseBytes {
  readonly size: number;
  /** Reads synchronously, as SQLite does. */
  readonly readNow: ReadNow;
}

export type SqlValue = null | bigint | number | string | Uint8Array;

/** An error that SQLite reports, with its result code (https://sqlite.org/rescode.html). */
export class SqliteError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Memory for all of a thread's databases: sorting and joins in a query take it. Bytes. */
const MOST_MEMORY = 256 * 1024 * 1024;
/** Pages that a database keeps. Kibibytes. */
const CACHE_KIB = 16 * 1024;
/** Instructions between two looks at the clock. */
const INSTRUCTIONS = 10_000;
const FILE_SYSTEM = 'filebridge';
const SECTOR_BYTES = 4096;

/** Functions that give another value in each pass. */
const RANDOM = /^random(?:blob)?$/i;

const ROW = 100;
const DONE = 101;
const [INTEGER, FLOAT, TEXT, BLOB] = [1, 2, 3, 4] as const;

/** Functions of the library as they are compiled: four times as fast as its own wrappers. */
interface Exports {
  sqlite3_step(statement: number): number;
  sqlite3_column_type(statement: number, column: number): number;
  sqlite3_column_int64(statement: number, column: number): bigint;
  sqlite3_column_double(statement: number, column: number): number;
  sqlite3_column_text(statement: number, column: number): number;
  sqlite3_column_blob(statement: number, column: number): number;
  sqlite3_column_bytes(statement: number, column: number): number;
}

/** An open file, and the error of a reading that failed. */
interface OpenBytes {
  readonly bytes: DatabaseBytes;
  error?: unknown;
}

type WasmImports = ConstructorParameters<typeof WebAssembly.Instance>[1];
type Methods = Readonly<Record<string, (...args: never[]) => number>>;

interface Struct {
  readonly pointer: number;
  dispose(): void;
  [field: `$${string}`]: number;
}

interface StructClass {
  new (address?: number): Struct;
  readonly structInfo: { readonly sizeof: number };
}

type Constant = `SQLITE_${
  | 'READONLY'
  | 'IOERR_READ'
  | 'IOERR_SHORT_READ'
  | 'NOTFOUND'
  | 'IOCAP_IMMUTABLE'
  | 'CANTOPEN'
  | 'OPEN_READONLY'
  | 'LIMIT_LENGTH'
  | 'SELECT'
  | 'READ'
  | 'FUNCTION'
  | 'RECURSIVE'
  | 'DENY'
  | 'MISUSE'}`;

/** What is used of the library, whose own types take addresses for several things. */
interface Sqlite {
  readonly config: { warn: () => void; error: () => void };
  readonly capi: Readonly<Record<Constant, number>> & {
    readonly sqlite3_io_methods: StructClass;
    readonly sqlite3_vfs: StructClass;
    readonly sqlite3_file: StructClass;
    sqlite3_open_v2(name: string, out: number, flags: number, fileSystem: string): number;
    sqlite3_close_v2(database: number): number;
    sqlite3_limit(database: number, which: number, value: number): number;
    sqlite3_progress_handler(database: number, instructions: number, look: () => number, data: number): void;
    sqlite3_set_authorizer(
      database: number,
      judge: (data: unknown, action: number, first: number, second: number) => number,
      data: number,
    ): number;
    sqlite3_db_config(database: number, option: number, value: number, out: number): number;
    readonly SQLITE_DBCONFIG_DQS_DML: number;
    readonly SQLITE_DBCONFIG_DQS_DDL: number;
    sqlite3_prepare_v3(database: number, sql: number, bytes: number, flags: number, out: number, tail: number): number;
    sqlite3_finalize(statement: number): number;
    sqlite3_column_count(statement: number): number;
    sqlite3_column_name(statement: number, column: number): string | null;
    sqlite3_errmsg(database: number): string | null;
    sqlite3_errstr(code: number): string | null;
  };
  readonly wasm: {
    readonly exports: unknown;
    heap8u(): Uint8Array;
    peekPtr(address: number): number;
    poke32(address: number, value: number): void;
    poke64(address: number, value: bigint): void;
    poke64f(address: number, value: number): void;
    cstrToJs(address: number): string | null;
    cstrncpy(target: number, source: number, length: number): number;
    scopedAllocCall<T>(run: () => T): T;
    scopedAllocPtr(): number;
    scopedAllocCString(text: string, withLength: true): [address: number, bytes: number];
  };
  readonly vfs: {
    installVfs(given: {
      io: { struct: Struct; methods: Methods };
      vfs: { struct: Struct; name: string; methods: Methods };
    }): void;
  };
}

/** Open files by the names that SQLite opens them under. */
const files = new Map<string, OpenBytes>();
let lastFile = 0;
/** What SQLite takes for now. Milliseconds since 1970. */
let clock = 0;
let engine: Promise<Sqlite> | undefined;

async function loaded(): Promise<Sqlite> {
  const module = new WebAssembly.Module(brotliDecompressSync(Buffer.from(packed, 'base64')));
  const quiet = () => undefined;
  const start = init as unknown as (settings: object) => Promise<Sqlite>;
  const sqlite = await start({
    print: quiet,
    printErr: quiet,
    instantiateWasm(imports: WasmImports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) {
      done(new WebAssembly.Instance(module, imports), module);
      return {};
    },
  });
  sqlite.config.warn = quiet;
  sqlite.config.error = quiet;
  installFileSystem(sqlite);
  return sqlite;
}

function installFileSystem({ capi, wasm, vfs }: Sqlite): void {
  const methods = new capi.sqlite3_io_methods();
  const system = new capi.sqlite3_vfs();
  methods.$iVersion = 1;
  system.$iVersion = 2;
  system.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
  system.$mxPathname = 256;
  /** By the address of SQLite's handle. */
  const open = new Map<number, OpenBytes>();
  const readOnly = () => capi.SQLITE_READONLY;
  const done = () => 0;
  vfs.installVfs({
    io: {
      struct: methods,
      methods: {
        xClose(handle: number) {
          open.delete(handle);
          return 0;
        },
        xRead(handle: number, target: number, length: number, offset: bigint) {
          const heap = wasm.heap8u();
          const file = open.get(handle) as OpenBytes;
          let read = 0;
          try {
            for (let more = 1; read < length && more > 0; read += more)
              more = file.bytes.readNow(heap, target + read, length - read, Number(offset) + read);
          } catch (error) {
            file.error = error;
            return capi.SQLITE_IOERR_READ;
          }
          if (read === length) return 0;
          heap.fill(0, target + read, target + length);
          return capi.SQLITE_IOERR_SHORT_READ;
        },
        xFileSize(handle: number, out: number) {
          wasm.poke64(out, BigInt(open.get(handle)?.bytes.size ?? 0));
          return 0;
        },
        xCheckReservedLock(_: number, out: number) {
          wasm.poke32(out, 0);
          return 0;
        },
        xWrite: readOnly,
        xTruncate: readOnly,
        xSync: done,
        xLock: done,
        xUnlock: done,
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => SECTOR_BYTES,
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_IMMUTABLE,
      },
    },
    vfs: {
      struct: system,
      name: FILE_SYSTEM,
      methods: {
        xOpen(_: number, name: number, handle: number, flags: number, outFlags: number) {
          const found = name === 0 ? undefined : files.get(wasm.cstrToJs(name) ?? '');
          // Temporary files are kept in memory.
          if (found === undefined) return capi.SQLITE_CANTOPEN;
          open.set(handle, found);
          const file = new capi.sqlite3_file(handle);
          file.$pMethods = methods.pointer;
          file.dispose();
          if (outFlags !== 0) wasm.poke32(outFlags, flags);
          return 0;
        },
        xAccess(_: number, __: number, ___: number, out: number) {
          wasm.poke32(out, 0);
          return 0;
        },
        xFullPathname(_: number, name: number, length: number, out: number) {
          return wasm.cstrncpy(out, name, length) < length ? 0 : capi.SQLITE_CANTOPEN;
        },
        xDelete: readOnly,
        xRandomness: (_: number, length: number) => length,
        xSleep: done,
        xCurrentTime(_: number, out: number) {
          wasm.poke64f(out, 2_440_587.5 + clock / 86_400_000);
          return 0;
        },
        xGetLastError: done,
      },
    },
  });
}

/** Whether SQLite ran out of memory, of time, or of what it may do. */
export const isLimit = ({ code }: SqliteError): 'memory' | 'time' | 'denied' | undefined =>
  (({ 7: 'memory', 9: 'time', 23: 'denied' }) as const)[code & 0xff];

/** `mostBytes` of a value; `now` is the same in every pass, so that all give the same bytes. */
interface DatabaseBounds {
  readonly mostBytes: number;
  readonly now: number;
}

/** A read-only connection. Everything throws SqliteError, or the error of the bytes that could not be read. */
export class Database {
  private readonly sqlite: Sqlite;
  private readonly pointer: number;
  private readonly name: string;
  /** Time that is left for queries, not counting what their reader takes between rows. Milliseconds. */
  private leftMs = Number.POSITIVE_INFINITY;
  private deadline = Number.POSITIVE_INFINITY;
  private readonly now: number;

  private constructor(sqlite: Sqlite, name: string, { mostBytes, now }: DatabaseBounds) {
    this.sqlite = sqlite;
    this.name = name;
    this.now = now;
    const { capi, wasm } = sqlite;
    const flags = capi.SQLITE_OPEN_READONLY;
    this.pointer = wasm.scopedAllocCall(() => {
      const out = wasm.scopedAllocPtr();
      this.check(capi.sqlite3_open_v2(name, out, flags, FILE_SYSTEM));
      return wasm.peekPtr(out);
    });
    capi.sqlite3_limit(this.pointer, capi.SQLITE_LIMIT_LENGTH, Math.min(mostBytes, 0x3fffffff));
    capi.sqlite3_progress_handler(this.pointer, INSTRUCTIONS, () => (performance.now() > this.deadline ? 1 : 0), 0);
    const pragmas = [
      'trusted_schema = OFF',
      'temp_store = MEMORY',
      `cache_size = -${CACHE_KIB}`,
      `hard_heap_limit = ${MOST_MEMORY}`,
    ];
    for (const pragma of pragmas) this.run(`PRAGMA ${pragma}`);
  }

  static async open(bytes: DatabaseBytes, bounds: DatabaseBounds): Promise<Database> {
    engine ??= loaded();
    const sqlite = await engine;
    const name = `file-${++lastFile}`;
    files.set(name, { bytes });
    try {
      return new Database(sqlite, name, bounds);
    } catch (error) {
      files.delete(name);
      throw error;
    }
  }

  close(): void {
    this.sqlite.capi.sqlite3_close_v2(this.pointer);
    files.delete(this.name);
  }

  /** Views of old databases write texts in double quotes. */
  allowQuotedTexts(): void {
    this.sqlite.capi.sqlite3_db_config(this.pointer, this.sqlite.capi.SQLITE_DBCONFIG_DQS_DML, 1, 0);
    this.sqlite.capi.sqlite3_db_config(this.pointer, this.sqlite.capi.SQLITE_DBCONFIG_DQS_DDL, 1, 0);
  }

  /** From now on only SELECT is allowed, without random values, and SQLite may take `timeoutMs` for all of it. */
  onlyQueries(timeoutMs: number): void {
    const { capi, wasm } = this.sqlite;
    const nameOf = (called: unknown) => (typeof called === 'number' ? wasm.cstrToJs(called) : String(called)) ?? '';
    const allowed: readonly number[] = [capi.SQLITE_SELECT, capi.SQLITE_READ, capi.SQLITE_FUNCTION, capi.SQLITE_RECURSIVE];
    capi.sqlite3_set_authorizer(
      this.pointer,
      (_: unknown, action: number, __: number, called: number) =>
        allowed.includes(action) && !(action === capi.SQLITE_FUNCTION && RANDOM.test(nameOf(called))) ? 0 : capi.SQLITE_DENY,
      0,
    );
    this.leftMs = timeoutMs;
  }

  /** The names of a statement's columns; none where it gives no rows. */
  columns(sql: string): string[] {
    return this.prepared(sql, (statement) => {
      const { capi } = this.sqlite;
      return Array.from({ length: capi.sqlite3_column_count(statement) }, (_, i) => capi.sqlite3_column_name(statement, i) ?? '');
    });
  }

  /** The rows of a query; each array is reused for the next row. */
  *rows(sql: string): Generator<SqlValue[]> {
    const { capi, wasm } = this.sqlite;
    const statement = this.prepare(sql);
    const compiled = wasm.exports as unknown as Exports;
    try {
      const width = capi.sqlite3_column_count(statement);
      const row: SqlValue[] = new Array(width).fill(null);
      for (;;) {
        const result = this.step(compiled, statement);
        if (result === DONE) return;
        if (result !== ROW) this.check(result);
        for (let i = 0; i < width; i++) row[i] = this.value(compiled, statement, i);
        yield row;
      }
    } finally {
      capi.sqlite3_finalize(statement);
    }
  }

  private step(compiled: Exports, statement: number): number {
    clock = this.now;
    if (this.leftMs === Number.POSITIVE_INFINITY) return compiled.sqlite3_step(statement);
    const began = performance.now();
    this.deadline = began + this.leftMs;
    const result = compiled.sqlite3_step(statement);
    this.leftMs -= performance.now() - began;
    return result;
  }

  private value(compiled: Exports, statement: number, i: number): SqlValue {
    const type = compiled.sqlite3_column_type(statement, i);
    if (type === INTEGER) return compiled.sqlite3_column_int64(statement, i);
    if (type === FLOAT) return compiled.sqlite3_column_double(statement, i);
    if (type !== TEXT && type !== BLOB) return null;
    const at = type === TEXT ? compiled.sqlite3_column_text(statement, i) : compiled.sqlite3_column_blob(statement, i);
    const length = compiled.sqlite3_column_bytes(statement, i);
    const heap = this.sqlite.wasm.heap8u();
    const bytes = Buffer.from(heap.buffer, at, length);
    // Bytes of a text that is not UTF-8 stay as they are.
    return type === TEXT && isUtf8(bytes) ? bytes.toString('utf8') : new Uint8Array(bytes);
  }

  private run(sql: string): void {
    for (const _ of this.rows(sql));
  }

  private prepared<T>(sql: string, use: (statement: number) => T): T {
    const statement = this.prepare(sql);
    try {
      return use(statement);
    } finally {
      this.sqlite.capi.sqlite3_finalize(statement);
    }
  }

  /** SQLITE_MISUSE for several statements, or none. */
  private prepare(sql: string): number {
    const { capi, wasm } = this.sqlite;
    return wasm.scopedAllocCall(() => {
      const [text, length] = wasm.scopedAllocCString(sql, true);
      const [out, tail] = [wasm.scopedAllocPtr(), wasm.scopedAllocPtr()];
      this.check(capi.sqlite3_prepare_v3(this.pointer, text, length + 1, 0, out, tail));
      const statement = wasm.peekPtr(out);
      const rest = wasm.cstrToJs(wasm.peekPtr(tail)) ?? '';
      if (statement === 0 || /[^\s;]/.test(rest.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ''))) {
        if (statement !== 0) capi.sqlite3_finalize(statement);
        throw new SqliteError(capi.SQLITE_MISUSE, 'it is not one statement');
      }
      return statement;
    });
  }

  private check(result: number): void {
    if (result === 0) return;
    const lost = files.get(this.name)?.error;
    if (lost !== undefined) throw lost;
    const { capi } = this.sqlite;
    const message = this.pointer ? capi.sqlite3_errmsg(this.pointer) : capi.sqlite3_errstr(result);
    throw new SqliteError(result, message ?? '');
  }
}
