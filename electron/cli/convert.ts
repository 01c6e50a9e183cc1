/** `filebridge convert` and `filebridge preview`: prints how a file is converted. */
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatBytes } from '../../shared/lib/bytes.ts';
import type { Limits } from '../../shared/model/config.ts';
import type { ConversionOptions } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say as message, nearNames } from '../../shared/model/messages/message.ts';
import { builtSecondThread } from '../app/built-converter.ts';
import { type Preview, preview, previewText } from '../calls/inspect.ts';
import { convert, inProcess } from '../engine/index.ts';
import { notRegular } from '../files/failures.ts';
import { createFileAccess } from '../files/file-access.ts';
import { namedPath } from '../files/paths.ts';
import { kindOf } from '../files/safe-open.ts';
import type { FileAccess } from '../files/types.ts';
import { openConfigStore } from '../store/config-store.ts';
import { defaultConfigPath } from '../store/paths.ts';
import { commands } from './commands.ts';
import { conversionOf, conversionOptions, inShellWords, stepAsOption } from './conversion-options.ts';
import { log, say, sayJson, table } from './terminal.ts';
import { parse, UsageError } from './usage.ts';

interface ConversionInput {
  file: string;
  options: ConversionOptions;
  limits: Limits;
  access: FileAccess;
}

async function conversionInput(
  name: string,
  values: Readonly<Record<string, string | boolean | undefined>> & { config?: string | undefined },
  positionals: string[],
): Promise<ConversionInput> {
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0)
    throw new UsageError(message('usage.oneFile', { command: name, given: positionals.length }));
  const options = conversionOf(values);
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
    const beside = await readdir(path.dirname(path.resolve(named))).catch(() => []);
    const near = nearNames(path.basename(named), beside);
    throw new AppError('FILE_NOT_FOUND', message('file.unreadable', { path: file }), {
      hint: near ?? message('file.checkPath'),
      cause,
    });
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

/** Errors name options as they are written here. */
async function inShell(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { asText, hintAsText } = error;
    throw new AppError(error.code, inShellWords(asText), { hint: hintAsText && inShellWords(hintAsText), cause: error });
  }
}

export const convertCommand = (args: string[]): Promise<number> => inShell(() => convertFile(args));
export const previewCommand = (args: string[]): Promise<number> => inShell(() => previewFile(args));

async function convertFile(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { ...commands.convert.options, ...conversionOptions }, stepAsOption);
  const { file, options, limits, access } = await conversionInput('convert', values, positionals);
  const opened = await access.open(file);
  try {
    const conversion = await convert(opened.source, { ...options, bounds: limits, bytesOnly: true, second: builtSecondThread() });
    for (const warning of conversion.report.warnings) log(inShellWords(warning.message));
    for await (const chunk of conversion.json(undefined, { reuse: true })) await written(chunk);
    conversion.close();
    // Exactly the bytes that a tool gets; a line break follows only on a terminal.
    if (process.stdout.isTTY) process.stdout.write('\n');
  } finally {
    await opened.close();
  }
  return 0;
}

async function previewFile(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { ...commands.preview.options, ...conversionOptions }, stepAsOption);
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !(Number.isInteger(rows) && rows >= 0 && rows <= 1000)) {
    throw new UsageError(message('usage.rows', { rows: String(values.rows) }));
  }
  const { file, options, limits, access } = await conversionInput('preview', values, positionals);
  const found = await preview(
    { files: access, converter: inProcess },
    { limits, readings: {} },
    { ...options, path: file, rows },
    new AbortController().signal,
  );
  const shown = {
    ...found,
    path: positionals[0] ?? file,
    warnings: found.warnings.map((warning) => ({ ...warning, message: inShellWords(warning.message) })),
  };
  if (values.json) sayJson(shown);
  else say(process.stdout.isTTY ? previewSummary(shown) : previewText(shown));
  return 0;
}

/** More are in `--json`. */
const COLUMNS_SHOWN = 50;

/** The preview as a person reads it. Rows stay JSON, which shows what is text and what is a number. */
function previewSummary(found: Preview): string {
  const { path, format, encoding, inputBytes, kind, records, tokens, rows, warnings } = found;
  const columns = found.columns ?? [];
  const counted = kind === 'array' ? `${records} ${records === 1 ? 'row' : 'rows'}` : `one ${kind}`;
  const tokenCount = `${tokens.method === 'estimated' ? 'about ' : ''}${tokens.count} tokens`;
  const cells = columns.slice(0, COLUMNS_SHOWN).map(({ name, type, empty }) => [name, type, empty > 0 ? `${empty}` : '']);
  const listed = (title: string, names: readonly string[] = []) => (names.length === 0 ? [] : [`${title}: ${names.join(', ')}`]);
  return [
    `${path}: ${[format, encoding, formatBytes(inputBytes), counted, tokenCount].filter(Boolean).join(', ')}`,
    ...listed(
      'Sheets',
      found.sheets?.map(({ name, hidden }) => (hidden ? `${name} (hidden)` : name)),
    ),
    ...listed('Files', found.entries),
    ...(cells.length === 0 ? [] : [table([['COLUMN', 'TYPE', 'EMPTY'], ...cells]).trimEnd()]),
    ...(columns.length > COLUMNS_SHOWN ? [`  … and ${columns.length - COLUMNS_SHOWN} more; --json shows all`] : []),
    ...(rows.length === 0 ? [] : [kind === 'array' ? 'First rows' : 'Content', ...rows.map((row) => `  ${row}`)]),
    ...warnings.map(({ message: text }) => `Warning: ${text}`),
  ].join('\n');
}
