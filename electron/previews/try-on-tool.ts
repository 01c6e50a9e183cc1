/** A file tried on a tool from the window: what a call would send, what of it does not fit, and the call for an agent to make. */

import type { SentBefore } from '../../shared/model/call.ts';
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import type { ConversionOptions } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import { type Said, worded } from '../../shared/model/messages/received.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { listedOf, MAX_LOCATED, type MemberFit, memberFit, problemText, type SchemaProblem } from '../binding/check.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { argumentMismatch } from '../calls/check.ts';
import { type PreparedPayload, payloadTokens } from '../calls/convert.ts';
import { SHOWN_RECORDS, shownArguments } from '../calls/finish.ts';
import { conversionOf, openFiles, placedFiles } from '../calls/open.ts';
import { untilChecked } from '../calls/pipeline.ts';
import type { CallDeps, FileCallRequest } from '../calls/types.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import type { PreviewSession } from './preview-session.ts';

/** A file, how to read it, and where in which tool's arguments it goes. */
export interface FileOnTool {
  readonly path: string;
  readonly options: ConversionOptions;
  readonly server: string;
  readonly tool: string;
  /** Absent: found from the tool's schema. */
  readonly dataKey?: string | undefined;
  /** JSON text of the other arguments, an object. */
  readonly toolArgs?: string | undefined;
}

/** A problem that was found: what is wrong at its place, or in words that name the place where `record` is null. */
export interface Mismatch extends Noted {
  readonly column: string | null;
  /** From 1, as the record. */
  readonly line: number | null;
  readonly record: number | null;
}

/** In the agents' words, with the same as data. */
interface Noted {
  readonly message: string;
  readonly said?: Said | undefined;
}

export interface TriedFile {
  readonly dataKey: string | null;
  /** Places that could take it, when none was given and several could. */
  readonly candidates: readonly string[];
  /** The arguments, lists cut to their first records, as indented JSON, which is cut itself where it is very long. */
  readonly arguments: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly mismatches: readonly Mismatch[];
  /** Arguments beside the file that are needed, and not given. They are no mismatches. */
  readonly missingArguments: readonly string[];
  /** How many were found, and whether there may be more. */
  readonly found: { readonly count: number; readonly mayBeMore: boolean };
  readonly fit: MemberFit;
  /** Names of the columns, or of the members that the first records have. */
  readonly names: readonly string[];
  readonly warnings: readonly Noted[];
  /** The file, if its content went to the tool before. */
  readonly sentBefore: readonly SentBefore[];
  /** Why the call would fail; null where it can be made. */
  readonly error: AppError | null;
  readonly needsBatches: boolean;
  /** How many records `arguments` shows, of how many; null where it is no list. */
  readonly recordsShown: { readonly shown: number; readonly of: number } | null;
  /** Arguments of `call_tool_with_file_content`, as JSON text. */
  readonly call: string;
}

/** Records in which names of members are looked for where no header tells them. */
const NAMED_RECORDS = 100;
/** Stands for the id of a receipt, which only a call that is made has. */
const UNSENT = 'preview';
/** More than anybody reads; few records can still be much. */
const ARGUMENTS_CHARS = 100_000;

const shortened = (text: string) => (text.length > ARGUMENTS_CHARS ? `${text.slice(0, ARGUMENTS_CHARS)}\n…` : text);

/** Nothing is known yet. */
export const UNTRIED: TriedFile = {
  dataKey: null,
  candidates: [],
  arguments: '',
  bytes: 0,
  tokens: 0,
  mismatches: [],
  missingArguments: [],
  found: { count: 0, mayBeMore: false },
  fit: { unknown: [], missing: [], wanted: [] },
  names: [],
  recordsShown: null,
  warnings: [],
  sentBefore: [],
  error: null,
  needsBatches: false,
  call: '',
};

/** The call's own way up to the sending, so that what is told here cannot differ from what would happen. Never throws. */
export async function tryOnTool(
  deps: CallDeps,
  session: PreviewSession,
  asked: FileOnTool,
  signal: AbortSignal,
): Promise<TriedFile> {
  let known: TriedFile = UNTRIED;
  try {
    const request = requestOf(asked);
    known = { ...known, call: callText(request, false) };
    const tool = await deps.upstreams.tool(asked.server, asked.tool, { signal });
    known = { ...known, warnings: await agentWarnings(deps, asked.path) };
    try {
      known = await tried(sessionDeps(deps, session), request, tool, known, signal);
    } catch (error) {
      if (!isSchemasWish(error)) throw error;
      // The tool's types stop the conversion at the first cell. With the file's own the rest can be seen, too.
      known = await tried(sessionDeps(deps, session, { typedByFile: true }), request, tool, known, signal);
      const column = String(error.details.columnName);
      const others = known.mismatches.filter((each) => each.column !== column);
      known = {
        ...known,
        error,
        mismatches: [{ column, line: null, record: null, ...noted(error.asText) }, ...others],
        // The conversion ends at the first such cell.
        found: { count: known.found.count - (known.mismatches.length - others.length) + 1, mayBeMore: true },
      };
    }
    return known;
  } catch (error) {
    const failure = toAppError(error);
    const { candidates } = failure.details;
    const several = failure.code === 'BINDING_AMBIGUOUS' && Array.isArray(candidates) ? candidates.map(String) : [];
    return { ...known, candidates: several, error: failure };
  }
}

async function tried(
  deps: CallDeps,
  request: FileCallRequest,
  tool: UpstreamTool,
  known: TriedFile,
  signal: AbortSignal,
): Promise<TriedFile> {
  const opened = await openFiles(deps, placedFiles(request));
  try {
    const caller = { client: APP_CLIENT, signal };
    const run = { deps: { ...deps, byPerson: true }, request, caller, receiptId: UNSENT };
    const checked = await untilChecked(run, { tool, resumed: undefined }, opened);
    const { payloads, bound, mismatches, mayMismatchMore, sentBefore, tooLarge = null } = checked;
    const needsBatches = checked.batches !== undefined;
    const [payload] = payloads;
    const at = bound.at[0] ?? [];
    const names = payload ? await memberNames(payload, bound) : [];
    const fit = payload ? memberFit(tool.inputSchema, at, payload.kind, names) : known.fit;
    const shown = mismatchesOf(mismatches, at, fit.missing);
    const warnings = checked.warnings.filter(({ code }) => code !== 'DATA_KEY_INFERRED');
    return {
      ...known,
      dataKey: formatDataKey(at) || null,
      arguments: shortened(JSON.stringify(await shownArguments(bound), null, 2)),
      bytes: bound.bytes,
      tokens: payloadTokens(payloads).count,
      mismatches: shown.mismatches,
      missingArguments: shown.missing,
      found: { count: shown.count, mayBeMore: mayMismatchMore },
      fit,
      names,
      recordsShown: payload?.kind === 'array' ? { shown: Math.min(SHOWN_RECORDS, payload.records), of: payload.records } : null,
      warnings: [...known.warnings, ...warnings.map(({ message, said }) => ({ message, said }))],
      sentBefore,
      error: mismatches.length > 0 ? argumentMismatch(mismatches, payloads, bound.at, tool) : tooLarge,
      needsBatches,
      call: callText(request, needsBatches),
    };
  } finally {
    await opened.close();
  }
}

/** The call as an agent would ask for it. INVALID_REQUEST where `toolArgs` is no JSON object. */
export function requestOf({ path, options, server, tool, dataKey, toolArgs = '' }: FileOnTool): FileCallRequest {
  return {
    server,
    tool_name: tool,
    path,
    ...(dataKey === undefined ? {} : { data_key: dataKey }),
    ...(toolArgs.trim() === '' ? {} : { tool_args: objectOf(toolArgs) }),
    ...conversionOf(options),
  };
}

function objectOf(text: string): Record<string, unknown> {
  let value: unknown;
  let cause: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    cause = error;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AppError('INVALID_REQUEST', say('request.otherArguments'), {
    hint: say('request.otherArguments.hint'),
    cause,
  });
}

function callText(request: FileCallRequest, batches: boolean): string {
  const { tool_args: args, ...rest } = request;
  const needed = args === undefined || Object.keys(args).length === 0 ? rest : request;
  return JSON.stringify(batches ? { ...needed, batch: 'auto' } : needed, null, 2);
}

/** Dependencies of a call from the window: the session's file, regardless of folders, and its conversions. */
export function sessionDeps(deps: CallDeps, session: PreviewSession, { typedByFile = false } = {}): CallDeps {
  const close = async () => undefined;
  const open = async () => ({ ...session.file, close });
  const { clients } = deps;
  return {
    ...deps,
    files: { ...deps.files, open },
    clients: clients && {
      ...clients,
      of(client) {
        const { folder, files } = clients.of(client);
        return { folder, files: { ...files, open } };
      },
    },
    converter: {
      ...deps.converter,
      async convert(_source, { place }) {
        // Closed with the session, not with the call.
        return { ...(await session.convert({ place: typedByFile ? undefined : place })), close: () => undefined };
      },
      close,
    },
  };
}

function noted(text: Text): Noted {
  const { message, said } = worded(text);
  return { message, said };
}

async function agentWarnings(deps: CallDeps, path: string): Promise<Noted[]> {
  const { refusal } = await deps.files.explain(path);
  return refusal ? [noted(say('request.agentCannot', { refusal: refusal.asText }))] : [];
}

/** Whether a cell did not fit the type that the tool's schema wants of its column. */
function isSchemasWish(error: unknown): error is AppError {
  return error instanceof AppError && error.details.decidedBy === 'schema' && typeof error.details.columnName === 'string';
}

/** The problems that are shown, of each sort at least one. Columns and arguments that are missing are no matter of single records. */
function mismatchesOf(problems: readonly SchemaProblem[], at: readonly (string | number)[], missingColumns: readonly string[]) {
  const missing: string[] = [];
  const placed = problems
    .map((problem) => ({ problem, ...placeIn(problem, at) }))
    .filter(({ problem: { rule, pointer, columnName }, column }) => {
      if (rule !== 'required') return true;
      if (column !== null) return !missingColumns.includes(column);
      if (pointer.length > 0 || columnName === undefined) return true;
      missing.push(columnName);
      return false;
    });
  const shown = new Set(
    listedOf(
      placed.map(({ problem }) => problem),
      MAX_LOCATED,
    ),
  );
  const mismatches = placed
    .filter(({ problem }) => shown.has(problem))
    .map(({ problem, inside, ...place }): Mismatch => {
      const what = inside.length > 0 ? say('schema.at', { place: formatDataKey(inside), what: problem.what }) : problem.what;
      return { ...place, ...noted(place.record === null ? problemText(problem) : what) };
    });
  return { mismatches, missing, count: placed.length };
}

/** Where a problem is in the file: the record and the line from 1, and `inside` the column. All null for what is beside the file. */
function placeIn(
  { pointer, columnName, line, record }: SchemaProblem,
  at: readonly (string | number)[],
): Pick<Mismatch, 'column' | 'line' | 'record'> & { inside: (string | number)[] } {
  const inFile = record !== undefined || at.every((segment, i) => pointer[i] === segment);
  if (!inFile) return { column: null, line: null, record: null, inside: [] };
  const rest = pointer.slice(at.length);
  const member = rest.findIndex((segment) => typeof segment === 'string');
  const index = record ?? rest.find((segment) => typeof segment === 'number');
  return {
    column: columnName ?? (member === -1 ? null : String(rest[member])),
    line: line ?? null,
    record: index === undefined ? null : Number(index) + 1,
    inside: member === -1 ? [] : rest.slice(member + 1),
  };
}

/** Names of the columns, or of the members that the first records have. */
async function memberNames(payload: PreparedPayload, bound: BoundArguments): Promise<string[]> {
  const columns = payload.reports[0]?.columns;
  if (columns) return columns.map(({ name }) => name);
  const { value } = await bound.sample(NAMED_RECORDS);
  const placed = (bound.at[0] ?? []).reduce<unknown>(
    (inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
    value,
  );
  const records = Array.isArray(placed) ? placed : [placed];
  const names = new Set<string>();
  for (const record of records) {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) continue;
    for (const name of Object.keys(record)) names.add(name);
  }
  return [...names];
}
