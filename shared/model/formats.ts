/**
 * The formats, a row each: extensions, what a file becomes, how it is held in memory, from what size it leaves the main thread, and which
 * options it takes. Detection, other names, the choice of a thread, the check of options, the schemas of tools, the command line's help and the
 * window's fields read it. A new format gets a row here, a reader in a folder of the engine, a line in the README, and a test.
 */

interface FormatRow {
  /** Also the names by which the format may be asked for. */
  readonly extensions: readonly string[];
  /** What a file of the format becomes. */
  readonly kind: 'value' | 'records' | 'text' | 'document' | 'archive';
  /** `streamed` in one pass or two; `parsed` whole from its text; `opened` at any place by a reader of its own. */
  readonly held: 'streamed' | 'parsed' | 'opened';
  /** Converted in a thread from this size on. Bytes. */
  readonly heavyFrom: number;
  readonly takes: readonly string[];
}

/** A streamed format yields often, but keeps its thread busy for about 30 ms with this much. */
const STREAMED_BYTES = 1024 * 1024;
/** A format that is parsed in one step takes as long for this much, a thread about 2 ms to start. */
const PARSED_BYTES = 32 * 1024;
/** Files in archives, compressed pages, columns and queries take any time, whatever the file's size. */
const ALWAYS = 0;

const text = ['encoding'] as const;
const typed = [...text, 'types'] as const;
const table = ['types', 'header', 'header_row', 'skip', 'trim', 'nulls'] as const;
const csv = [...text, ...table, 'delimiter', 'ragged', 'quote', 'escape', 'comment', 'decimal', 'dates'] as const;
const workbook = ['sheet', 'range', ...table] as const;
/** Of the table that `table` names. */
const document = ['include', 'table', ...table, 'decimal', 'dates'] as const;
const columnar = ['range', 'types', 'header', 'trim', 'nulls'] as const;
const database = ['table', 'query', 'sheet', ...columnar] as const;

const streamed = { held: 'streamed', heavyFrom: STREAMED_BYTES } as const;
const parsed = { held: 'parsed', heavyFrom: PARSED_BYTES } as const;
const opened = { held: 'opened', heavyFrom: ALWAYS } as const;

export const formatTable = {
  json: { extensions: ['json', 'geojson', 'topojson', 'ipynb'], kind: 'value', ...streamed, takes: typed },
  jsonl: { extensions: ['jsonl', 'ndjson'], kind: 'records', ...streamed, takes: typed },
  csv: { extensions: ['csv'], kind: 'records', ...streamed, takes: csv },
  tsv: { extensions: ['tsv'], kind: 'records', ...streamed, takes: csv },
  yaml: { extensions: ['yaml', 'yml'], kind: 'value', ...parsed, takes: typed },
  toml: { extensions: ['toml'], kind: 'value', ...parsed, takes: typed },
  xml: { extensions: ['xml', 'gpx', 'kml'], kind: 'value', ...parsed, takes: text },
  text: { extensions: ['txt', 'md'], kind: 'text', ...streamed, takes: text },
  xlsx: { extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'], kind: 'records', ...opened, takes: workbook },
  ods: { extensions: ['ods', 'ots', 'fods'], kind: 'records', ...opened, takes: workbook },
  docx: { extensions: ['docx', 'docm'], kind: 'document', ...opened, takes: document },
  pptx: { extensions: ['pptx', 'pptm', 'ppsx', 'ppsm'], kind: 'document', ...opened, takes: document },
  odt: { extensions: ['odt', 'ott'], kind: 'document', ...opened, takes: document },
  pdf: { extensions: ['pdf'], kind: 'document', ...opened, takes: ['pages', 'entry', ...document] },
  html: { extensions: ['html', 'htm', 'xhtml'], kind: 'document', ...opened, takes: [...text, ...document] },
  eml: { extensions: ['eml'], kind: 'document', ...opened, takes: ['entry', ...document] },
  mbox: { extensions: ['mbox'], kind: 'document', ...opened, takes: ['entry', ...document] },
  parquet: { extensions: ['parquet'], kind: 'records', ...opened, takes: columnar },
  sqlite: {
    extensions: ['sqlite', 'sqlite3', 'db', 'db3', 'gpkg', 'mbtiles'],
    kind: 'records',
    ...opened,
    takes: database,
  },
  zip: { extensions: ['zip'], kind: 'archive', ...opened, takes: ['entry'] },
  tar: { extensions: ['tar'], kind: 'archive', ...opened, takes: ['entry'] },
} as const satisfies Readonly<Record<string, FormatRow>>;

type FormatTable = typeof formatTable;
export type Format = keyof FormatTable;
type FormatOf<Row extends Partial<FormatRow>> = { [F in Format]: FormatTable[F] extends Row ? F : never }[Format];

export const formats = Object.keys(formatTable) as [Format, ...Format[]];
const rows: Readonly<Record<Format, FormatRow>> = formatTable;

/** Formats that are read at any place by a reader of their own, not as a stream of text. */
export type OpenedFormat = FormatOf<{ held: 'opened' }>;
export type ArchiveFormat = FormatOf<{ kind: 'archive' }>;

/** Formats by their extensions, without a dot. */
export const formatByExtension: ReadonlyMap<string, Format> = new Map(
  formats.flatMap((format) => rows[format].extensions.map((extension) => [extension, format] as const)),
);

type MaybeFormat = Format | 'binary' | null;
const rowOf = (format: MaybeFormat): FormatRow | undefined => (format === null || format === 'binary' ? undefined : rows[format]);

/** Whether all of the file is parsed before its first byte of JSON is there. */
export const isParsedWhole = (format: MaybeFormat): boolean => rowOf(format)?.held === 'parsed';
/** Whether a file of this format is text for people, which becomes Markdown. */
export const isDocument = (format: MaybeFormat): boolean => rowOf(format)?.kind === 'document';
export const isArchive = (format: MaybeFormat): format is ArchiveFormat => rowOf(format)?.kind === 'archive';
/** Formats of files that hold other files. */
type EnclosingFormat = ArchiveFormat | 'eml' | 'mbox' | 'pdf';
export const hasEntries = (format: MaybeFormat): format is EnclosingFormat => rowOf(format)?.takes.includes('entry') === true;
export const isOpened = (format: MaybeFormat): format is OpenedFormat => rowOf(format)?.held === 'opened';

export const asModes = ['auto', 'json', 'csv', 'markdown', 'text', 'html', 'base64', 'data_uri'] as const;
export type AsMode = (typeof asModes)[number];

/** The forms in which a file of this format can be passed on. `table`: one table of a document is asked for. */
export function formsTaken(format: MaybeFormat, table = false): readonly AsMode[] {
  const kind = rowOf(format)?.kind ?? (format === 'binary' ? 'bytes' : 'text');
  if (kind === 'document') return asModes.filter((as) => table || (as !== 'json' && as !== 'csv'));
  const leftOut: Readonly<Record<typeof kind, readonly AsMode[]>> = {
    value: ['html'],
    records: isOpened(format) ? ['html', 'text'] : ['html'],
    archive: ['html', 'text'],
    text: ['html', 'csv'],
    bytes: ['json', 'csv', 'markdown', 'text', 'html'],
  };
  return asModes.filter((as) => !leftOut[kind].includes(as));
}

/** Options of how a file is read. `as`, `format` and `transform` belong to every format. */
export type ReadingOption = FormatTable[Format]['takes'][number];

/** Every option of the table's rows. */
export const readingOptions = [...new Set(formats.flatMap((format): readonly ReadingOption[] => formatTable[format].takes))];

/** Options of the records of a table, which a document has only where one of its tables is asked for. */
export const optionsOfTables = [...table, 'decimal', 'dates'] as const;
export type OptionOfTables = (typeof optionsOfTables)[number];

/** The options that say how a file of this format is read; a file of no known format is text. */
export function optionsTaken(format: MaybeFormat, as: AsMode = 'auto'): readonly ReadingOption[] {
  if (as === 'base64' || as === 'data_uri' || format === 'binary') return [];
  return formatTable[format === null || (as === 'text' && !isOpened(format)) ? 'text' : format].takes;
}

/** The options that are given and would be ignored. */
export function foreignOptions(
  format: MaybeFormat,
  { as, ...given }: Readonly<Partial<Record<ReadingOption, unknown>>> & { as?: AsMode | undefined },
): ReadingOption[] {
  const taken = optionsTaken(format, as);
  return readingOptions.filter((name) => given[name] !== undefined && !taken.includes(name));
}
