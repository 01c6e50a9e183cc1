/**
 * The formats, a row each: extensions, what a file becomes, how it is held in memory, from what size it leaves the main thread, and which
 * options it takes. Detection, the choice of a thread and the check of options read it. A new format gets a row here, a reader in a folder,
 * a name in the model, and a test.
 */
import type { AsMode, ConversionOptions, Format } from '../../../shared/model/conversion.ts';

/** Options of how a file is read. `as`, `format` and `transform` belong to every format. */
export type ReadingOption = Exclude<keyof ConversionOptions, 'as' | 'format' | 'transform'>;

/** What a file of the format becomes. */
type Kind = 'value' | 'records' | 'text' | 'document' | 'archive';

interface FormatRow {
  readonly extensions: readonly string[];
  readonly kind: Kind;
  /** `streamed` in one pass or two; `parsed` whole from its text; `opened` at any place by a reader of its own. */
  readonly held: 'streamed' | 'parsed' | 'opened';
  /** Converted in a thread from this size on. Bytes. */
  readonly heavyFrom: number;
  readonly takes: readonly ReadingOption[];
}

/** A streamed format yields often, but keeps its thread busy for about 30 ms with this much. */
const STREAMED_BYTES = 1024 * 1024;
/** A format that is parsed in one step takes as long for this much, a thread about 2 ms to start. */
const PARSED_BYTES = 32 * 1024;
/** Compressed pages, columns and queries take any time, whatever the file's size. */
const ALWAYS = 0;

const text = ['encoding'] as const;
const typed = [...text, 'types'] as const;
const table = ['types', 'header', 'header_row', 'skip', 'trim', 'nulls'] as const;
const csv = [...text, ...table, 'delimiter', 'ragged', 'quote', 'escape', 'comment', 'decimal', 'dates'] as const;
const workbook = ['sheet', 'range', ...table] as const;
const columnar = ['range', 'types', 'header', 'trim', 'nulls'] as const;
const database = ['table', 'query', 'sheet', ...columnar] as const;

const streamed = { held: 'streamed', heavyFrom: STREAMED_BYTES } as const;
const parsed = { held: 'parsed', heavyFrom: PARSED_BYTES } as const;
const opened = { held: 'opened', heavyFrom: PARSED_BYTES } as const;

export const formatTable: Readonly<Record<Format, FormatRow>> = {
  json: { extensions: ['json', 'geojson', 'topojson', 'ipynb'], kind: 'value', ...streamed, takes: typed },
  jsonl: { extensions: ['jsonl', 'ndjson'], kind: 'records', ...streamed, takes: typed },
  csv: { extensions: ['csv'], kind: 'records', ...streamed, takes: csv },
  tsv: { extensions: ['tsv'], kind: 'records', ...streamed, takes: csv },
  yaml: { extensions: ['yaml', 'yml'], kind: 'value', ...parsed, takes: typed },
  toml: { extensions: ['toml'], kind: 'value', ...parsed, takes: typed },
  xml: { extensions: ['xml', 'gpx', 'kml'], kind: 'value', ...parsed, takes: text },
  text: { extensions: ['txt', 'md'], kind: 'text', ...streamed, takes: text },
  xlsx: { extensions: ['xlsx', 'xlsm'], kind: 'records', ...opened, takes: workbook },
  ods: { extensions: ['ods', 'ots', 'fods'], kind: 'records', ...opened, takes: workbook },
  docx: { extensions: ['docx', 'docm'], kind: 'document', ...opened, takes: [] },
  pptx: { extensions: ['pptx', 'pptm', 'ppsx', 'ppsm'], kind: 'document', ...opened, takes: [] },
  odt: { extensions: ['odt', 'ott'], kind: 'document', ...opened, takes: [] },
  pdf: { extensions: ['pdf'], kind: 'document', ...opened, heavyFrom: ALWAYS, takes: ['pages'] },
  parquet: { extensions: ['parquet'], kind: 'records', ...opened, heavyFrom: ALWAYS, takes: columnar },
  sqlite: { extensions: ['sqlite', 'sqlite3', 'db', 'db3'], kind: 'records', ...opened, heavyFrom: ALWAYS, takes: database },
  zip: { extensions: ['zip'], kind: 'archive', ...opened, takes: ['entry'] },
  tar: { extensions: ['tar'], kind: 'archive', ...opened, takes: ['entry'] },
};

/** Formats that are read at any place by a reader of their own, not as a stream of text. */
export type OpenedFormat = 'xlsx' | 'ods' | 'docx' | 'pptx' | 'odt' | 'pdf' | 'parquet' | 'sqlite' | 'zip' | 'tar';
export type ArchiveFormat = 'zip' | 'tar';

const isKind = (format: Format | 'binary' | null, kind: Kind): boolean =>
  format !== null && format !== 'binary' && formatTable[format].kind === kind;

/** Whether all of the file is parsed before its first byte of JSON is there. */
export const isParsedWhole = (format: Format | null): boolean => format !== null && formatTable[format].held === 'parsed';
/** Whether a file of this format is text for people, which becomes Markdown. */
export const isDocument = (format: Format | null): boolean => isKind(format, 'document');
export const isArchive = (format: Format | 'binary' | null): format is ArchiveFormat => isKind(format, 'archive');
export const isOpened = (format: Format | null): format is OpenedFormat =>
  format !== null && formatTable[format].held === 'opened';

/** The options that say how a file of this format is read; a file of no known format is text. */
export function optionsTaken(format: Format | null, as: AsMode = 'auto'): readonly ReadingOption[] {
  if (as === 'base64' || as === 'data_uri') return [];
  return formatTable[format === null || (as === 'text' && !isOpened(format)) ? 'text' : format].takes;
}

/** Every option of the table's rows. */
const readingOptions = [...new Set(Object.values(formatTable).flatMap(({ takes }) => takes))];

/** The options that are given and would be ignored. */
export function foreignOptions(format: Format | null, given: ConversionOptions): ReadingOption[] {
  const taken = optionsTaken(format, given.as);
  return readingOptions.filter((name) => given[name] !== undefined && !taken.includes(name));
}
