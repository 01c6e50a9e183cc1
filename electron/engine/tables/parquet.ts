/** Reads Parquet files with hyparquet, row group by row group; records are made of its columns, so that no digit and no name is lost. */
import {
  type ColumnData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/byte-streams.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { WholeReader } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { readPart } from '../input/zip.ts';
import { type ColumnFacts, cellWriter, isMap, type LeafType } from './parquet-values.ts';
import { type Cell, type Sheet, type SheetFacts, type SheetRow, workbookFault } from './sheet.ts';
import { readSheets } from './sheet-reader.ts';

const MAGIC = 'PAR1';
const ENCRYPTED = 'PARE';
const MOST_COLUMNS = 16_384;
/** Rows that are handed on at once. */
const BATCH = 1024;
/** A row group unpacked, as a multiple of `maxFileBytes`: it is in memory as a whole. */
const GROUP = 100;
/** Memory limit for a file without random access, as a multiple of `maxFileBytes`. */
const HELD = 10;

const parquetFault = (reason: Message, hint?: Message): AppError => workbookFault(reason, hint, 'parquet');

export const readParquet: WholeReader = async (source, { options, bounds, columnAdvice, signal }) => {
  if (source.size === 0) throw parquetFault(say('workbook.empty'));
  const limit = bounds.maxFileBytes;
  const readAt = await randomAccess(source, HELD * limit, signal);
  await refuseOthers(source, readAt, signal);
  const metadata = await parsed(signal, () => metadataOf(source, readAt, limit, signal));
  const names = await parsed(signal, () => namesMadeUnique(metadata));
  const tree = await parsed(signal, () => parquetSchema(metadata));
  if (tree.children.length > MOST_COLUMNS) throw parquetFault(say('sqlite.columns', { table: source.name, most: MOST_COLUMNS }));
  const { leaves, maps, variants } = rawSchema(metadata.schema);
  const places = { name: '', row: 0 };
  let facts: SheetFacts | undefined;
  const unusable = (value: string) => {
    if (facts && facts.errors++ === 0) facts.firstError = `${places.name}, row ${places.row + 1} (${value})`;
  };
  const nameOf = (element: SchemaElement) => names.get(element) ?? element.name;
  const columns = tree.children.map(
    (): ColumnFacts => ({ leaves, maps, variants, nameOf, binary: false, notText: false, unusable }),
  );
  const sheet: Sheet = {
    name: source.name,
    hidden: false,
    columns: tree.children.map(({ element }) => nameOf(element)),
    rows(range, found, again) {
      facts = found;
      return rowsOf({ source, readAt, metadata, tree, columns, places, limit }, range, again);
    },
  };
  const { sheets: _, ...scan } = await readSheets([sheet], {
    options: { ...options, sheet: undefined },
    bounds,
    columnAdvice,
    signal,
    format: 'parquet',
  });
  const namesOf = (has: (facts: ColumnFacts | undefined) => boolean | undefined) =>
    tree.children.filter((_, at) => has(columns[at])).map(({ element }) => nameOf(element));
  const binary = namesOf((column) => column?.binary);
  const notText = namesOf((column) => column?.notText);
  return {
    ...scan,
    warnings: [
      ...scan.warnings,
      ...(binary.length > 0 ? [warning('BINARY_COLUMNS', say('parquet.bytes', { columns: binary }))] : []),
      ...(notText.length > 0 ? [warning('BAD_TEXT', say('parquet.notText', { columns: notText }))] : []),
    ],
  };
};

async function refuseOthers(source: ByteSource, readAt: ReadAt, signal?: AbortSignal): Promise<void> {
  const [head, tail] = [await readAt(0, 4, signal), await readAt(Math.max(0, source.size - 4), 4, signal)];
  const marks = [head.toString('latin1'), tail.toString('latin1')];
  if (marks.includes(ENCRYPTED)) throw parquetFault(say('parquet.encrypted'));
  if (marks[0] !== MAGIC) throw parquetFault(say('parquet.none'), say('workbook.none.hint'));
  if (marks[1] !== MAGIC) throw parquetFault(say('parquet.cutOff'), say('parquet.damaged.hint'));
}

async function metadataOf(source: ByteSource, readAt: ReadAt, limit: number, signal?: AbortSignal): Promise<FileMetaData> {
  const tail = await readAt(source.size - 8, 8, signal);
  const bytes = tail.readUInt32LE(0);
  if (bytes > limit) throw fileTooLarge(null, limit, 'maxFileBytes');
  return parquetMetadataAsync(bufferOf(source, readAt, signal), {
    geoparquet: false,
    initialFetchSize: Math.min(source.size, bytes + 8),
  });
}

const bufferOf = (source: ByteSource, readAt: ReadAt, signal?: AbortSignal) => ({
  byteLength: source.size,
  async slice(start: number, end = source.size): Promise<ArrayBuffer> {
    if (!(start >= 0) || end > source.size || end < start)
      throw parquetFault(say('parquet.damaged'), say('parquet.damaged.hint'));
    const bytes = await readAt(start, end - start, signal);
    // A copy of its own: the library makes views of the whole buffer.
    const copy = new Uint8Array(bytes.length);
    copy.set(bytes);
    return copy.buffer;
  },
});

/**
 * Takes the meaning from the columns' descriptions and returns it, so that the library hands over what is stored: its own
 * conversions round decimals and timestamps.
 */
function rawSchema(schema: SchemaElement[]): Pick<ColumnFacts, 'leaves' | 'maps' | 'variants'> {
  const leaves = new Map<SchemaElement, LeafType>();
  const maps = new Set<SchemaElement>();
  const variants = new Set<SchemaElement>();
  /** Elements that are left as they are: the library puts the values of a variant together. */
  let within = 0;
  for (const element of schema) {
    if (within > 0) {
      within += (element.num_children ?? 0) - 1;
      continue;
    }
    if (element.num_children) {
      if (element.logical_type?.type === 'VARIANT') {
        variants.add(element);
        within = element.num_children;
        continue;
      }
      // As an object, its keys would be texts as JavaScript makes them.
      if (isMap(element)) {
        maps.add(element);
        delete element.converted_type;
        delete element.logical_type;
      }
      continue;
    }
    const { type, converted_type, logical_type, scale } = element;
    leaves.set(element, { type, converted: converted_type, logical: logical_type, scale: scale ?? 0 });
    // Texts stay as they are: the library decodes each of a dictionary once.
    if (
      converted_type === 'UTF8' ||
      converted_type === 'ENUM' ||
      logical_type?.type === 'STRING' ||
      logical_type?.type === 'ENUM'
    )
      continue;
    delete element.converted_type;
    delete element.logical_type;
  }
  return { leaves, maps, variants };
}

/**
 * Gives columns of one name different ones, since the library knows them by name, and fields a name that every object can have. The names of
 * those that were changed.
 */
function namesMadeUnique({ schema, row_groups }: FileMetaData): ReadonlyMap<SchemaElement, string> {
  const names = new Map<SchemaElement, string>();
  const paths: string[][] = [];
  let index = 0;
  const visit = (path: readonly string[], siblings: Set<string>): void => {
    const element = schema[index] as SchemaElement;
    if (path.length > 0 || index > 0) {
      const name = element.name;
      if (name === '__proto__' || siblings.has(name)) {
        names.set(element, name);
        element.name = `${name}\u0000${index}`;
      }
      siblings.add(element.name);
    }
    const here = index === 0 ? [] : [...path, element.name];
    index += 1;
    if (element.num_children) {
      const inside = new Set<string>();
      for (let child = 0; child < element.num_children; child++) visit(here, inside);
    } else paths.push(here);
  };
  visit([], new Set());
  if (names.size === 0) return names;
  for (const { columns } of row_groups) {
    for (const [at, { meta_data }] of columns.entries()) if (meta_data) meta_data.path_in_schema = paths[at] ?? [];
  }
  return names;
}

interface OpenParquet {
  readonly source: ByteSource;
  readonly readAt: ReadAt;
  readonly metadata: FileMetaData;
  readonly tree: SchemaTree;
  readonly columns: readonly ColumnFacts[];
  /** The cell that is written. */
  readonly places: { name: string; row: number };
  readonly limit: number;
}

async function* rowsOf(
  { source, readAt, metadata, tree, columns: facts, places, limit }: OpenParquet,
  range: { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number },
  signal: AbortSignal | undefined,
): AsyncIterable<readonly SheetRow[]> {
  const file = bufferOf(source, readAt, signal);
  const columns = tree.children.flatMap(({ element }, at) =>
    at >= range.firstColumn && at <= range.lastColumn
      ? [{ at, name: element.name, shown: facts[at]?.nameOf(element) ?? '' }]
      : [],
  );
  const writers = await parsed(signal, () => tree.children.map((child, at) => cellWriter(child, facts[at] as ColumnFacts)));
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const [from, to] = [Math.max(range.firstRow, groupStart), Math.min(range.lastRow + 1, groupStart + rows)];
    if (from < to) {
      throwIfCancelled(signal);
      if (Number(group.total_byte_size) > GROUP * limit) throw fileTooLarge(null, GROUP * limit, 'maxFileBytes');
      const data = await parsed(signal, () =>
        readGroup({ file, metadata, names: columns.map(({ name }) => name), from, to, limit }),
      );
      for (let start = from; start < to; start += BATCH) {
        throwIfCancelled(signal);
        const batch = await parsed(signal, () => {
          const found: SheetRow[] = [];
          for (let row = start; row < Math.min(to, start + BATCH); row++) {
            const cells: Cell[] = [];
            for (const { at, name, shown } of columns) {
              places.name = shown;
              places.row = row;
              const cell = writers[at]?.(valueAt(data.get(name), row));
              if (cell) cells.push({ column: at, ...cell });
            }
            found.push({ row, cells });
          }
          return found;
        });
        yield batch;
      }
    }
    groupStart += rows;
  }
}

/** Pieces of a column, each with the row it starts at. */
type Pieces = readonly { start: number; data: ColumnData['columnData'] }[];

function valueAt(pieces: Pieces | undefined, row: number): unknown {
  let [low, high] = [0, (pieces?.length ?? 0) - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces?.[middle]?.start ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  const piece = pieces?.[low];
  if (piece === undefined || row < piece.start || row >= piece.start + piece.data.length)
    throw parquetFault(say('parquet.damaged'), say('parquet.damaged.hint'));
  return piece.data[row - piece.start];
}

interface GroupRequest {
  readonly file: ReturnType<typeof bufferOf>;
  readonly metadata: FileMetaData;
  readonly names: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

async function readGroup({ file, metadata, names, from, to, limit }: GroupRequest): Promise<ReadonlyMap<string, Pieces>> {
  const found = new Map<string, { start: number; data: ColumnData['columnData'] }[]>();
  let left = GROUP * limit;
  const bounded = Object.fromEntries(
    Object.entries(compressors).map(([codec, unpack]) => [
      codec,
      (input: Uint8Array, length: number) => {
        left -= length;
        if (left < 0) throw fileTooLarge(null, GROUP * limit, 'maxFileBytes');
        return unpack(input, length);
      },
    ]),
  );
  await parquetRead({
    file,
    metadata,
    columns: [...names],
    rowStart: from,
    rowEnd: to,
    compressors: bounded,
    utf8: false,
    geoparquet: false,
    parsers: { timestampFromNanoseconds: (nanos) => nanos },
    onChunk({ columnName, columnData, rowStart }) {
      const pieces = found.get(columnName) ?? [];
      pieces.push({ start: rowStart, data: columnData });
      found.set(columnName, pieces);
    },
  });
  for (const pieces of found.values()) pieces.sort((a, b) => a.start - b.start);
  return found;
}

/** Runs the library, and says of all it throws that the file is damaged. */
async function parsed<T>(signal: AbortSignal | undefined, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof AppError) throw error;
    throw parquetFault(say('parquet.damaged'), say('parquet.damaged.hint'));
  }
}

// Reads parts of the file in any order, through a cache of blocks.

const BLOCK_BYTES = 1024 * 1024;
/** Tables lie scattered over a file that has grown for long. */
const BLOCKS_KEPT = 24;

/** Bytes of a file at an offset; fewer at its end. */
type ReadAt = (offset: number, length: number, signal?: AbortSignal) => Promise<Buffer>;

/** A source that cannot be read from an offset is held in memory; FILE_TOO_LARGE beyond `limit` bytes. */
async function randomAccess(source: ByteSource, limit: number, signal?: AbortSignal): Promise<ReadAt> {
  if (source.readFrom === undefined) {
    const bytes = await collect(source.read(signal), limit, () => fileTooLarge(null, limit, 'maxFileBytes'));
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return async (offset, length) => whole.subarray(offset, offset + length);
  }
  const blocks = new Map<number, Buffer>();
  const block = async (number: number, again: AbortSignal | undefined): Promise<Buffer> => {
    const known = blocks.get(number);
    blocks.delete(number);
    const found = known ?? (await readPart(source, number * BLOCK_BYTES, BLOCK_BYTES, again));
    blocks.set(number, found);
    const [oldest] = blocks.keys();
    if (blocks.size > BLOCKS_KEPT && oldest !== undefined) blocks.delete(oldest);
    return found;
  };
  return async (offset, length, again) => {
    const parts: Buffer[] = [];
    for (let at = offset; at < offset + length; ) {
      const number = Math.floor(at / BLOCK_BYTES);
      const from = at - number * BLOCK_BYTES;
      const part = (await block(number, again)).subarray(from, Math.min(BLOCK_BYTES, from + offset + length - at));
      if (part.length === 0) break;
      parts.push(part);
      at += part.length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  };
}
