/** Checks a bound call: whether its arguments fit the tool's schema and the server's messages, and what to do where they do not. */

import type { RecordRange, SentBefore } from '../../shared/model/call.ts';
import { conversionShape, transformSchema, type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, nearNames, say } from '../../shared/model/messages/message.ts';
import type { BoundArguments } from '../binding/bind.ts';
import {
  type CheckedPayload,
  checkArguments,
  MAX_PROBLEMS,
  problemText,
  type SchemaProblem,
  schemaMismatch,
} from '../binding/check.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { takesFile } from '../binding/payload-parameters.ts';
import { recordsOf } from '../binding/payload-parts.ts';
import { formEvidence } from '../binding/text-form.ts';
import type { SchemaPlace } from '../engine/core/convert-types.ts';
import { withDoubles } from '../engine/core/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { type Member, MemberReader } from '../engine/json/json-members.ts';
import { columnAdvice, emptyCells, propertyNames } from '../engine/schema/schema-advice.ts';
import { typesOf, walkSchema } from '../engine/schema/schema-walk.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { type Batches, batchesOf, needsBatches, plannedRanges, tooLargeForServer } from './batch-plan.ts';
import { type BindRecord, type BindRun, type BoundFiles, headersOfBound, type ParameterHeaders, placeOfEach } from './bind.ts';
import { conversionWarnings, type PreparedPayload } from './convert.ts';
import type { OpenedFiles } from './open.ts';
import { type CallIdentity, identityOf, partlySent, resumedRequest, unfinishedOther } from './receipts.ts';
import { filesSentBefore } from './sent-before.ts';
import type { CallDeps, CallerContext, FileCallRequest } from './types.ts';

/** A call that could be made: dry runs, previews and approvals show it, and `send` makes it. */
export interface CheckedCall extends BoundFiles {
  /** With the records that are left, where it goes on with a receipt. */
  readonly request: FileCallRequest;
  readonly tool: UpstreamTool;
  readonly receiptId: string;
  readonly resumed: StoredReceipt | undefined;
  /** How its list is cut; absent for a call in one message. */
  readonly batches: Batches | undefined;
  /** Arguments that go in HTTP headers as well. */
  readonly headers: ParameterHeaders;
  /** Files whose content went to the tool before. */
  readonly sentBefore: readonly SentBefore[];
  readonly warnings: readonly Warning[];
  /** Where the first records break the tool's schema: then it is not sent. */
  readonly mismatches: readonly SchemaProblem[];
  /** Whether there may be more of them: only the beginning was checked, or the search ended early. */
  readonly mayMismatchMore: boolean;
  /** Why it is not sent otherwise: one message cannot hold it. */
  readonly tooLarge: AppError | undefined;
  /** Why it is not sent unless it says `again`: some of it arrived before. */
  readonly partlySent: AppError | undefined;
  readonly identity: CallIdentity;
}

/** Throws BATCH_INVALID, FILE_CHANGED, INVALID_REQUEST. */
export async function checkFiles(
  { deps, tool, resumed, receiptId, ...run }: BindRun & { caller: Pick<CallerContext, 'owner' | 'client'> },
  opened: OpenedFiles,
  files: BoundFiles,
): Promise<CheckedCall> {
  const { payloads, bound, bindRecord } = files;
  const { signal } = run;
  refuseStrayOptions(tool, run.request.tool_args, 'withFiles');
  const identity = await identityOf(run.request, payloads, bound.at, signal);
  let request = resumed ? resumedRequest(run.request, resumed, payloads, identity) : run.request;
  const before = await filesSentBefore(deps, run.caller, request, payloads, opened, receiptId, identity.args);
  const { sentBefore, earlier, otherFile } = before;
  const headers = await headersOfBound(tool, bound, payloads);
  const tooLarge = tooLargeForServer(deps, request.server, payloads, bound);
  const isCut = deps.byPerson === true && needsBatches(tool, payloads, bound, tooLarge === undefined);
  if (request.batch === undefined && isCut) request = { ...request, batch: 'auto' };
  const isCuttable = payloads.length === 1 && payloads[0]?.kind === 'array' && bound.at[0]?.length !== 0;
  const { batch, server } = request;
  // `again` alone says that the call may be made once more, in one message where there is no list to cut.
  const isWhole = typeof batch === 'object' && String(Object.keys(batch)) === 'again' && !isCuttable;
  const batches =
    batch === undefined || isWhole
      ? undefined
      : batchesOf(deps, { server, batch }, tool, payloads, bound, bindRecord !== undefined);
  await opened.assertUnchanged();
  const ranges = batches && plannedRanges(batches.plan, payloads[0]?.records ?? 0);
  const found = await argumentProblems(tool, payloads, bound, { bindRecord, signal, batches: ranges });
  const { mismatches, mayMismatchMore, unchecked } = found;
  return {
    ...files,
    request,
    tool,
    receiptId,
    resumed,
    batches,
    headers,
    sentBefore,
    warnings: [
      ...conversionWarnings(payloads),
      ...bound.warnings,
      ...misspeltArguments(tool, request.tool_args),
      ...unchecked.map((problem) => warning('SCHEMA_UNCHECKED', problemText(problem))),
      ...(resumed || otherFile === undefined ? [] : await unfinishedOther(deps, otherFile, request.dry_run === true)),
    ],
    mismatches,
    mayMismatchMore,
    tooLarge: batches ? undefined : tooLarge,
    partlySent: resumed ? undefined : await partlySent(deps, request, tool, payloads, opened.paths, earlier, identity),
    identity,
  };
}

/** Records checked against the upstream's schema before anything is sent. */
const CHECKED_RECORDS = 1000;

/** More problems of single records are not looked for. */
const RECORD_PROBLEMS = 20;
const CHECKED_BYTES = 4 * 1024 * 1024;

/**
 * Where the first records break the tool's schema, and where that schema could not be used.
 * `batches`: the records that are sent, where they go in batches.
 */
export async function argumentProblems(
  tool: UpstreamTool,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
  {
    batches,
    bindRecord,
    signal,
  }: { bindRecord?: BindRecord | undefined; signal: AbortSignal } & { batches: readonly RecordRange[] | undefined },
): Promise<{ mismatches: SchemaProblem[]; mayMismatchMore: boolean; unchecked: SchemaProblem[] }> {
  let mayMismatchMore = false;
  const check = async (args: BoundArguments, checked: CheckedPayload[]) => {
    const { value, truncated } = await args.sample(CHECKED_RECORDS);
    const sample = { value: withDoubles(value) as JsonObject, truncated };
    const found = await checkArguments({ inputSchema: tool.inputSchema, sample, at: args.at, payloads: checked });
    mayMismatchMore ||= truncated.includes(true) || found.length >= MAX_PROBLEMS;
    return found;
  };
  const problems: SchemaProblem[] = [];
  const [list] = payloads;
  const isSent = (index: number | undefined) =>
    index === undefined || batches === undefined || batches.some(([first, last]) => index >= first && index <= last);
  if (bindRecord && list) {
    let checked = 0;
    for await (const { record, index } of recordsOf(list, CHECKED_BYTES, signal, isSent)) {
      if (checked >= CHECKED_RECORDS || problems.length >= RECORD_PROBLEMS) break;
      checked += 1;
      const { kind, records } = record;
      const found = await check(await bindRecord(record, index), [
        { ...list, kind, records, record: index, isTable: isTable(list) },
      ]);
      problems.push(...found);
      // A schema that cannot be used is so for every record.
      if (found.some(({ rule }) => rule === 'schema')) break;
    }
    mayMismatchMore ||= checked < list.records;
  } else {
    // A batched payload is held to maxItems batch by batch.
    const most = batches ? 1 : Number.POSITIVE_INFINITY;
    const checked = payloads.map((each) => ({ ...each, records: Math.min(each.records, most), isTable: isTable(each) }));
    const found = await check(bound, checked);
    problems.push(...found.filter(({ pointer }) => !batches || isSent(indexIn(pointer, bound.at[0] ?? []))));
  }
  for (const [index, payload] of problems.length > 0 ? [] : payloads.entries()) {
    const { inputSchema } = tool;
    const at = bound.at[index] ?? [];
    const found = bindRecord
      ? await emptyCellRefused(
          payload,
          placeOfEach(inputSchema, at),
          ({ record, column }) => ({ record, pointer: [...at, column] }),
          isSent,
          signal,
        )
      : await emptyCellRefused(
          payload,
          { inputSchema, segments: at },
          ({ record, column }) => ({ pointer: [...at, record, column] }),
          isSent,
          signal,
        );
    if (!found) continue;
    problems.push(found);
    mayMismatchMore = true;
  }
  return {
    mismatches: problems.filter((problem) => problem.rule !== 'schema'),
    mayMismatchMore,
    unchecked: problems.filter((problem) => problem.rule === 'schema'),
  };
}

/** What may be wrong with the arguments of a call without files that its server refused; undefined where they fit the tool's schema. */
export async function refusedArguments(tool: UpstreamTool, args: JsonObject): Promise<Message | undefined> {
  const { inputSchema } = tool;
  const sample = { value: withDoubles(args) as JsonObject, truncated: [] };
  const problems = await checkArguments({ inputSchema, sample, at: [], payloads: [] });
  const broken = problems.filter(({ rule }) => rule !== 'schema').map(problemText);
  const asPath = problems.find(({ rule, pointer: [name] }) => rule === 'type' && PATH_TEXT.test(String(args[String(name)])));
  if (asPath) broken.push(say('arguments.pathAsBytes.hint', { name: String(asPath.pointer[0]) }));
  // A schema that allows other names does not say that a misspelt one is wrong.
  const all = broken.length > 0 ? broken : misspelt(tool, args);
  return all.length === 0 ? undefined : say('arguments.refused', { problems: all.slice(0, REFUSED_SHOWN) });
}

const REFUSED_SHOWN = 5;

/** Arguments that a tool does not name, with the name that may be meant, unless it says that it takes any. */
function misspelt({ inputSchema }: UpstreamTool, args: JsonObject): Message[] {
  return strangeNames(inputSchema, args).map((member) => {
    const near = nearNames(member.replace(/_path$/, ''), propertyNames(inputSchema)) ?? null;
    return say('schema.at', { place: '', what: say('schema.notKnown', { member, near }) });
  });
}

/** Names of arguments that a tool does not declare, unless it takes any. */
function strangeNames(inputSchema: JsonObject, args: JsonObject): string[] {
  const { additionalProperties: others, patternProperties } = inputSchema;
  const known = propertyNames(inputSchema);
  const takesAny = known.length === 0 || others === true || isJsonObject(others) || patternProperties !== undefined;
  return takesAny ? [] : Object.keys(args).filter((name) => !known.includes(name));
}

/** The same as warnings, beside what a server made of them. */
export const misspeltArguments = (tool: UpstreamTool, args: JsonObject = {}): Warning[] =>
  misspelt(tool, args).map((message) => warning('ARGUMENT_UNKNOWN', message));

type OptionPlace = 'file' | 'transform' | 'call';
const placed = (names: readonly string[], place: OptionPlace) => names.map((name) => [name, place] as const);
/** Options that would change what a call does, or whether it is made. */
const CALL_OPTIONS: ReadonlyMap<string, OptionPlace> = new Map(placed(['dry_run', 'batch', 'background', '_file'], 'file'));
/** Those of calls with files: these also say how a file is read, and what becomes of the answer. */
const FILE_CALL_OPTIONS: ReadonlyMap<string, OptionPlace> = new Map([
  ...placed(Object.keys(transformSchema.shape), 'transform'),
  ...placed(['combine', 'on_conflict', 'output_format', 'template', 'storage_path', 'response_format'], 'call'),
  ...placed(Object.keys(conversionShape), 'file'),
  ...CALL_OPTIONS,
]);

/**
 * Throws INVALID_REQUEST for an option of ours among the arguments of a tool that does not name it: the server would ignore it, and the call
 * would be made.
 */
export function refuseStrayOptions(
  { name: tool, inputSchema }: UpstreamTool,
  args: JsonObject = {},
  withFiles?: 'withFiles',
): void {
  const options = withFiles ? FILE_CALL_OPTIONS : CALL_OPTIONS;
  const stray = strangeNames(inputSchema, args).find((name) => options.has(name.toLowerCase()));
  if (stray === undefined) return;
  const name = stray.toLowerCase();
  throw new AppError('INVALID_REQUEST', say('arguments.strayOption', { name: stray, tool }), {
    hint: say('arguments.strayOption.hint', {
      name,
      place: options.get(name) as OptionPlace,
      withFiles: withFiles !== undefined,
    }),
  });
}

const PATH_TEXT = /^(?:\/|~\/|[A-Za-z]:\\)[^\n]{1,1024}$/;

/**
 * Warns of arguments that take content and were given the path of a file that could be read. Throws INVALID_REQUEST where the content is bytes
 * in base64, which no path is.
 */
export async function pathsAsContent(files: CallDeps['files'], tool: UpstreamTool, args: JsonObject = {}): Promise<Warning[]> {
  const found: Warning[] = [];
  const properties = isJsonObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {};
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== 'string' || !PATH_TEXT.test(value) || !takesFile(tool, name, properties[name])) continue;
    const { kind } = await files.explain(value);
    if (kind !== 'file') continue;
    const about = { name, path: value };
    const evidence = formEvidence(tool, [name], args);
    if (evidence && !evidence.orText && (evidence.form === 'base64' || evidence.form === 'data_uri')) {
      throw new AppError('INVALID_REQUEST', say('arguments.pathAsBytes', about), {
        hint: say('arguments.pathAsBytes.hint', about),
      });
    }
    found.push(warning('PATH_AS_CONTENT', say('warning.pathAsContent', about)));
  }
  return found;
}

/** Index of the record of the list at `at`; undefined for what is beside it. */
function indexIn(pointer: readonly (string | number)[], at: readonly (string | number)[]): number | undefined {
  const index = at.every((segment, i) => pointer[i] === segment) ? pointer[at.length] : undefined;
  return typeof index === 'number' ? index : undefined;
}

const isTable = ({ reports }: PreparedPayload): boolean => reports.some(({ columns }) => columns !== null);

/** The error that stops a call whose arguments do not fit. */
export function argumentMismatch(
  mismatches: readonly SchemaProblem[],
  payloads: readonly PreparedPayload[],
  at: BoundArguments['at'],
  tool: UpstreamTool,
  args: JsonObject = {},
): AppError {
  const mismatch = schemaMismatch(mismatches);
  const isMissing = mismatches.some(({ rule, pointer }) => rule === 'required' && pointer.length === 0);
  const [stray] = isMissing ? misspelt(tool, args) : [];
  const hint = stray ?? mismatchHint(mismatches, payloads, at, tool);
  return hint === undefined ? mismatch : withHint(mismatch, hint);
}

/** The hint for arguments that do not fit for a reason other than the file's content. */
function mismatchHint(
  problems: readonly SchemaProblem[],
  payloads: readonly PreparedPayload[],
  at: BoundArguments['at'],
  tool: UpstreamTool,
): Message | undefined {
  const known = propertyNames(tool.inputSchema);
  const strange = at.map(([key]) => key).find((key) => typeof key === 'string' && known.length > 0 && !known.includes(key));
  if (strange !== undefined) {
    return say('arguments.noParameter', { given: String(strange), tool: tool.name, known });
  }
  for (const { pointer, types = [] } of problems) {
    const index = at.findIndex((key) => formatDataKey(key) === formatDataKey(pointer));
    const kind = payloads[index]?.kind;
    if (kind === undefined) continue;
    const found = expressionWarning(payloads[index]);
    if (found && !types.includes(kind)) return found;
    if (payloads[index]?.ofExpression && types.includes('array') && kind !== 'array') return say('arguments.listOfExpression');
    if (types[0] === 'string')
      return say('arguments.asText', { holds: kind === 'array' ? 'list' : kind === 'object' ? kind : 'other' });
    if (types.includes('object') && kind === 'array') return say('arguments.eachRecord', {});
    if (types.includes('array') && kind === 'array') return say('arguments.notEach', {});
    if (types.includes('array') && kind === 'string') return say('arguments.leaveOutAs', {});
  }
  // A record that was merged over the arguments, where one of them takes it.
  const lacking = problems.find(({ rule, pointer }) => rule === 'required' && pointer.length === 0)?.columnName;
  const isMerged = at.some((key) => key.length === 0);
  if (isMerged && lacking !== undefined && takesObject(tool, lacking)) return say('arguments.intoMember', { key: lacking });
  const empty = problems.find(({ emptyIn }) => emptyIn !== undefined);
  if (empty) {
    const isText = empty.rule === 'type' && empty.types?.includes('string') === true;
    return say('arguments.emptyCell', { column: empty.emptyIn as string, isText });
  }
  const [list] = payloads;
  if (list?.kind === 'array' && list.records === 0 && problems.some(({ rule }) => rule === 'minItems'))
    return say('arguments.noRecords');
  const inFile = problems.some(
    ({ pointer, record }) => record !== undefined || at.some((key) => key.every((step, i) => pointer[i] === step)),
  );
  // A record that lacks a member is a matter of the file.
  const missing = problems.some(({ rule, pointer }) => rule === 'required' && pointer.length === 0);
  if (missing && !at.some((key) => key.length === 0)) return say('arguments.missing', {});
  return inFile ? undefined : say('arguments.beside');
}

/** What a transform's expression did not find. */
const expressionWarning = (payload: PreparedPayload | undefined): Message | undefined =>
  payload?.reports.flatMap(({ warnings }) => warnings).find(({ code }) => code.startsWith('EXPRESSION_'))?.said?.message as
    | Message
    | undefined;

const takesObject = ({ inputSchema }: UpstreamTool, name: string): boolean =>
  typesOf(walkSchema(inputSchema, [name]) ?? [])?.has('object') === true;

const withHint = (error: AppError, hint: Message) =>
  new AppError(error.code, error.asText, { hint, details: error.details, cause: error });

interface EmptyCell {
  record: number;
  column: string;
}

/** The first such cell of a list; reads it whole only where its columns have empty cells. `pointerOf`: the cell's place in the arguments. */
async function emptyCellRefused(
  list: PreparedPayload,
  { inputSchema, segments }: SchemaPlace,
  pointerOf: (cell: EmptyCell) => Pick<SchemaProblem, 'pointer' | 'record'>,
  isSent: (record: number) => boolean,
  signal: AbortSignal,
): Promise<SchemaProblem | undefined> {
  if (list.kind !== 'array') return undefined;
  const whereEmpty = emptyCells(inputSchema, segments);
  const columns = list.reports.flatMap((report) => report.columns ?? []);
  const names = columns.filter(({ name, empty }) => empty > 0 && whereEmpty(name) === 'refused').map(({ name }) => name);
  const cell = names.length === 0 ? undefined : await firstEmpty(list, new Set(names), isSent, signal);
  if (cell === undefined) return undefined;
  return {
    rule: 'type',
    types: [columnAdvice(inputSchema, segments)(cell.column) ?? ''],
    what: say('schema.emptyCell', { what: say('schema.notEmpty') }),
    emptyIn: cell.column,
    ...pointerOf(cell),
    ...(await list.locate([cell.record, cell.column])),
  };
}

/** Empty cells anywhere in a table, in columns for which the tool's schema allows neither null nor absence. */
async function firstEmpty(
  list: PreparedPayload,
  names: ReadonlySet<string>,
  isSent: (record: number) => boolean,
  signal: AbortSignal,
): Promise<EmptyCell | undefined> {
  const reader = new MemberReader();
  let record = 0;
  for await (const { data, ends } of list.elements({ signal, reuse: true })) {
    const isEmpty = ({ name, start }: Member) => data[start] === 0x6e && names.has(name);
    let start = 0;
    for (const end of ends) {
      if (isSent(record) && reader.read(data, start, end) === 'object') {
        const found = reader.members.slice(0, reader.count).find(isEmpty);
        if (found) return { record, column: found.name };
      }
      record += 1;
      start = end + 1;
    }
  }
  return undefined;
}
