/** What an agent looks up before it calls: the tools of servers, and how a file would be read. */
import { scalarText } from '../../shared/lib/scalar-text.ts';
import type { Config } from '../../shared/model/config.ts';
import { type ConversionReport, type Outline, warning } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import type { Conversion } from '../engine/core/convert-types.ts';
import type { Converter } from '../engine/index.ts';
import type { JsonObject, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { readAsChosen } from './convert.ts';
import { conversionOf, keptReading } from './open.ts';
import type { CallDeps, ListToolsRequest, PreviewRequest } from './types.ts';

const SUMMARY_CHARS = 120;
/** A list waits this long for a server that is starting; the start goes on behind it. */
const LIST_WAIT_MS = 15_000;

function summary(description: string | undefined): string {
  const line = (description ?? '').trim().split('\n', 1)[0] ?? '';
  return line.length > SUMMARY_CHARS ? `${line.slice(0, SUMMARY_CHARS - 1)}…` : line;
}

function described(tool: UpstreamTool, detail: ListToolsRequest['detail']): unknown {
  if (detail === 'names') return tool.name;
  if (detail === 'full') return tool;
  return { name: tool.name, description: summary(tool.description) };
}

/** Every word of the query must appear in the name, title or description. */
function matches(tool: UpstreamTool, query: string | undefined): boolean {
  if (!query) return true;
  const text = `${tool.name} ${scalarText(tool.title ?? '')} ${tool.description ?? ''}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The tools, or UPSTREAM_TIMEOUT when they take too long to wait for. */
async function soon(tools: Promise<UpstreamTool[]>, server: string): Promise<UpstreamTool[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = say('list.starting', { server, seconds: LIST_WAIT_MS / 1000 });
      reject(new AppError('UPSTREAM_TIMEOUT', message, { hint: say('list.starting.hint') }));
    }, LIST_WAIT_MS);
  });
  try {
    return await Promise.race([tools, late]);
  } finally {
    clearTimeout(timer);
    // An answer that arrives after the wait is kept by the catalogue, and its error becomes the server's status.
    tools.catch(() => undefined);
  }
}

/** One row a server; a server that can't be reached is a row with its error. */
export async function listUpstreamTools(
  upstreams: UpstreamPool,
  request: ListToolsRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (request.server !== undefined) upstreams.config(request.server);
  const names = request.server === undefined ? upstreams.names() : [request.server];
  if (names.length === 0) {
    return {
      servers: [],
      hint: inAgentsWords(say('list.noServers')),
    };
  }
  let offered = 0;
  let fitting = 0;
  const servers = await Promise.all(
    names.map(async (server) => {
      try {
        const tools = await soon(upstreams.tools(server, { signal }), server);
        const found = tools.filter((tool) => matches(tool, request.query));
        offered += tools.length;
        fitting += found.length;
        return { server, tools: found.map((tool) => described(tool, request.detail ?? 'summary')) };
      } catch (error) {
        const known = toAppError(error);
        return { server, error: known.text, code: known.code };
      }
    }),
  );
  if (fitting > 0 || offered === 0) return { servers };
  return { hint: inAgentsWords(say('list.nothingFound', { query: request.query ?? '', offered })), servers };
}

/** The whole definition, as the upstream publishes it. */
export async function describeUpstreamTool(
  upstreams: UpstreamPool,
  server: string,
  tool: string,
  signal: AbortSignal,
): Promise<UpstreamTool> {
  if (server === '') throw new AppError('INVALID_REQUEST', say('request.noServer'), { hint: say('request.noServer.hint') });
  return upstreams.tool(server, tool, { signal });
}

// Preview of a conversion: format, encoding, columns, counts, first records, warnings.

export interface Preview extends ConversionReport {
  path: string;
  /** First records of a list as JSON text; a single one, shortened, for anything else. */
  rows: string[];
}

const DEFAULT_ROWS = 5;
const ROW_CHARS = 2_000;
/** More than the characters of a row take. */
const SHOWN_BYTES = 4 * ROW_CHARS + 4;

/** Converts the file as a call would, and keeps its beginning. */
export async function preview(
  { files, converter }: Pick<CallDeps, 'files' | 'converter'>,
  { limits, readings }: Pick<Config, 'limits' | 'readings'>,
  request: PreviewRequest,
  signal: AbortSignal,
): Promise<Preview> {
  const file = await files.open(request.path);
  let conversion: Conversion | undefined;
  try {
    const given = conversionOf(request);
    const kept = keptReading(readings, file, given);
    conversion = await converter.convert(file.source, { ...(kept ?? given), bounds: limits, signal });
    await file.assertUnchanged();
    const { report } = conversion;
    const warnings = [...(kept === undefined ? [] : [readAsChosen(file.path, kept)]), ...report.warnings];
    return { path: file.path, ...report, warnings, rows: await firstRows(conversion, request.rows ?? DEFAULT_ROWS, signal) };
  } finally {
    conversion?.close();
    await file.close();
  }
}

async function firstRows(conversion: Conversion, count: number, signal: AbortSignal): Promise<string[]> {
  const rows: string[] = [];
  if (count === 0) return rows;
  const shorten = (text: string) => (text.length > ROW_CHARS ? `${text.slice(0, ROW_CHARS)}…` : text);
  if (conversion.kind !== 'array') {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of conversion.json(signal)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > ROW_CHARS) break;
    }
    return [shorten(text)];
  }
  for await (const { data, ends } of conversion.elements({ signal })) {
    let from = 0;
    for (const end of ends) {
      // Only what is shown is decoded: a record may be as long as the file.
      const bytes = Math.min(end - from, SHOWN_BYTES);
      rows.push(shorten(Buffer.from(data.buffer, data.byteOffset + from, bytes).toString('utf8')));
      if (rows.length === count) return rows;
      from = end + 1;
    }
  }
  return rows;
}

/** The preview as the agent reads it: facts as JSON, one line per record. */
export function previewText({ rows, ...facts }: Preview): string {
  const { columns, tokens, warnings, outline, ...rest } = facts;
  const shown = {
    ...rest,
    ...(outline === undefined ? {} : outlineFacts(outline)),
    columns:
      columns?.map((column) => `${column.name}: ${column.type}${column.empty > 0 ? ` (${column.empty} empty)` : ''}`) ?? null,
    tokens: tokens.count,
    tokens_method: tokens.method,
    warnings: warnings.map((warning) => warning.message),
  };
  const head = JSON.stringify(shown).slice(0, -1);
  return rows.length === 0 ? `${head},"rows":[]}` : `${head},"rows":[\n${rows.join(',\n')}\n]}`;
}

const TABLES_SHOWN = 20;

/** How many pages a document has, and its tables by their numbers. */
function outlineFacts({ pages, tables }: Outline): JsonObject {
  const listed = tables.slice(0, TABLES_SHOWN).map(({ rows, columns, head, page }, index) => {
    const place = page === null ? '' : ` on ${page}`;
    return `${index + 1}${place}: ${rows} rows, ${columns} columns: ${head.join(' | ')}`;
  });
  const more = tables.length - listed.length;
  return {
    ...(pages.length === 0 ? {} : { pages_with_text: pages.length }),
    ...(tables.length === 0 ? {} : { tables: more > 0 ? [...listed, `${more} more`] : listed }),
  };
}

/** The same within `limit` tokens: rows that have no room are left out, which the answer says. */
export async function boundedPreviewText(
  shown: Preview,
  limit: number,
  converter: Pick<Converter, 'countTokens'>,
): Promise<string> {
  let { rows } = shown;
  for (;;) {
    const left = shown.rows.length - rows.length;
    const note = left > 0 ? [warning('ROWS_LEFT_OUT', say('preview.rowsLeftOut', { left, limit }))] : [];
    const text = previewText({ ...shown, rows, warnings: [...shown.warnings, ...note] });
    // A token is at least one byte.
    if (text.length <= limit || rows.length === 0) return text;
    const { count } = await converter.countTokens(text);
    if (count <= limit) return text;
    rows = rows.slice(0, Math.min(rows.length - 1, Math.floor((rows.length * limit * 0.95) / count)));
  }
}
