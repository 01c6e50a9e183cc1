/** `filebridge convert` and `filebridge preview`: prints how a file is converted. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Limits } from '../../shared/model/config.ts';
import { type ConversionOptions, conversionSchema } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say as message } from '../../shared/model/messages/message.ts';
import { builtSecondThread } from '../app/built-converter.ts';
import { preview, previewText } from '../calls/preview.ts';
import { convert, inProcess } from '../engine/index.ts';
import { notRegular } from '../files/failures.ts';
import { createFileAccess } from '../files/file-access.ts';
import { namedPath } from '../files/named-path.ts';
import { kindOf } from '../files/safe-open.ts';
import type { FileAccess } from '../files/types.ts';
import { checkArguments } from '../server/check-arguments.ts';
import { openConfigStore } from '../store/config-store.ts';
import { defaultConfigPath } from '../store/paths.ts';
import { log, say, sayJson } from './terminal.ts';
import { commonOptions, parse, UsageError } from './usage.ts';

const conversionOptions = {
  as: { type: 'string' },
  format: { type: 'string' },
  encoding: { type: 'string' },
  types: { type: 'string' },
  delimiter: { type: 'string' },
  ragged: { type: 'string' },
  'header-row': { type: 'string' },
  skip: { type: 'string' },
  quote: { type: 'string' },
  escape: { type: 'string' },
  comment: { type: 'string' },
  trim: { type: 'boolean' },
  'no-trim': { type: 'boolean' },
  nulls: { type: 'string' },
  decimal: { type: 'string' },
  dates: { type: 'string' },
  sheet: { type: 'string' },
  range: { type: 'string' },
  table: { type: 'string' },
  query: { type: 'string' },
  pages: { type: 'string' },
  entry: { type: 'string' },
  transform: { type: 'string' },
  'no-header': { type: 'boolean' },
} as const;

function jsonOption(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      message('usage.notJson', { option: `--${name}`, reason: error instanceof Error ? error.message : String(error) }),
    );
  }
}

/** Invalid numbers are passed on, and refused by the check of the options. */
function numberOption(text: string | boolean | undefined): unknown {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Worded as for agents. */
function checkedOptions(options: unknown): ConversionOptions {
  try {
    return checkArguments(conversionSchema, options);
  } catch (error) {
    throw new UsageError(toAppError(error).text);
  }
}

interface Asked {
  file: string;
  options: ConversionOptions;
  limits: Limits;
  access: FileAccess;
}

async function asked(
  name: string,
  values: { [K in keyof typeof conversionOptions]?: string | boolean | undefined } & { config?: string | undefined },
  positionals: string[],
): Promise<Asked> {
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0)
    throw new UsageError(message('usage.oneFile', { command: name, given: positionals.length }));
  const { types, transform } = values;
  const options = checkedOptions({
    as: values.as,
    format: values.format,
    encoding: values.encoding,
    delimiter: values.delimiter === '\\t' ? '\t' : values.delimiter,
    ragged: values.ragged,
    header_row: numberOption(values['header-row']),
    skip: numberOption(values.skip),
    quote: values.quote,
    escape: values.escape,
    comment: values.comment,
    trim: values.trim ?? (values['no-trim'] ? false : undefined),
    nulls: typeof values.nulls === 'string' ? values.nulls.split(',') : undefined,
    decimal: values.decimal,
    dates: values.dates,
    sheet: values.sheet,
    range: values.range,
    table: values.table,
    query: values.query,
    pages: values.pages,
    entry: values.entry,
    header: values['no-header'] ? false : undefined,
    types: typeof types === 'string' && types.startsWith('{') ? jsonOption('types', types) : types,
    transform: typeof transform === 'string' ? jsonOption('transform', transform) : undefined,
  });
  // The limits are those of a call, so that this command accepts exactly what an agent can send.
  const config = await openConfigStore(values.config ?? defaultConfigPath(), { watch: false, readOnly: true });
  for (const problem of config.problems) log(problem.message);
  const { limits } = config.current();
  // The person can read the file anyway, so its folder is the allowed one.
  const named = namedPath(file);
  let real: string;
  try {
    real = await realpath(named);
  } catch (cause) {
    throw new AppError('FILE_NOT_FOUND', message('file.unreadable', { path: file }), { hint: message('file.checkPath'), cause });
  }
  const stats = await stat(real);
  if (!stats.isFile()) throw notRegular(file, kindOf(stats));
  const folder = { path: path.dirname(real), access: 'read' as const, allowSensitive: [path.basename(real)] };
  return { file: real, options, limits, access: createFileAccess({ folders: () => [folder] }) };
}

/** Resolves when the chunk is written, so that its memory can be reused. */
function written(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

export async function convertCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { ...commonOptions, ...conversionOptions });
  const { file, options, limits, access } = await asked('convert', values, positionals);
  const opened = await access.open(file);
  try {
    const conversion = await convert(opened.source, { ...options, bounds: limits, bytesOnly: true, second: builtSecondThread() });
    for (const warning of conversion.report.warnings) log(warning.message);
    for await (const chunk of conversion.json(undefined, { reuse: true })) await written(chunk);
    conversion.close();
    // Exactly the bytes that a tool gets; a line break follows only on a terminal.
    if (process.stdout.isTTY) process.stdout.write('\n');
  } finally {
    await opened.close();
  }
  return 0;
}

export async function previewCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { ...commonOptions, ...conversionOptions, rows: { type: 'string' } });
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !(Number.isInteger(rows) && rows >= 0 && rows <= 1000)) {
    throw new UsageError(message('usage.rows', { rows: String(values.rows) }));
  }
  const { file, options, limits, access } = await asked('preview', values, positionals);
  const shown = await preview(
    { files: access, converter: inProcess },
    limits,
    { ...options, path: file, rows },
    new AbortController().signal,
  );
  if (values.json) sayJson({ ...shown, path: positionals[0] });
  else say(previewText({ ...shown, path: positionals[0] ?? file }));
  return 0;
}
