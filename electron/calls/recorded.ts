/** Runs a call, answers failures in the caller's format, and writes the ledger line whatever happens. */

import { randomUUID } from 'node:crypto';
import {
  isServerCall,
  type LedgerEntry,
  type OutputFormat,
  type RunningCall,
  type StoppedCall,
} from '../../shared/model/call.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { ToolResult } from '../upstream/types.ts';
import { answerText, emptyEntry } from './answer.ts';
import { type CallTarget, failureResult } from './output.ts';
import type { CallDeps, CallerContext } from './types.ts';

/** Facts a running call adds for its ledger line. */
export type CallRecord = ReturnType<typeof emptyEntry> & {
  /** What the tool said when it failed. It may hold data, so it is not for the ledger. */
  said?: string;
  /** The id of its ledger line, which is known ahead. */
  entryId?: string;
  /** Progress of a batched call. */
  progress?: RunningCall['progress'];
  /** The server's last progress report. */
  steps?: RunningCall['steps'];
  /** How to resume a batched call that ended with records left. */
  unfinished?: Pick<StoppedCall, 'receipt' | 'total' | 'accepted' | 'left' | 'unknown'>;
  /** Gives the shape of the arguments, which is kept of a call that did not work. */
  shapeOf?: () => ArgumentShape | Promise<ArgumentShape>;
  /** Whether it waits for the person. */
  needsApproval?: boolean;
  /** Called once its line is in the ledger. */
  listed?: () => Promise<void>;
};

type RecordingDeps = Pick<CallDeps, 'ledger' | 'paused' | 'failed' | 'attempts' | 'log' | 'running'>;

function outcomeOf(error: AppError): LedgerEntry['outcome'] {
  if (error.code === 'CANCELLED') return 'cancelled';
  if (error.code === 'CONFIRMATION_REFUSED' || error.code === 'PAUSED') return 'refused';
  return 'failed';
}

/**
 * The frame around every call. `run` fills in the record as it learns the facts; its signal is aborted with the caller's, or
 * when the person cancels the call. Throws the failures that `raises` accepts, after they are recorded.
 */
export async function recordedCall(
  deps: RecordingDeps,
  options: {
    kind: LedgerEntry['kind'];
    client: string | null;
    target: CallTarget;
    format: OutputFormat | undefined;
    signal: AbortSignal;
    hintFor?: CallerContext['hintFor'];
    raises?: CallerContext['raises'];
    /** Cancels a background call's job. */
    cancelJob?: ((reason: unknown) => void) | undefined;
  },
  run: (record: CallRecord, signal: AbortSignal) => Promise<ToolResult>,
): Promise<ToolResult> {
  const began = performance.now();
  const time = new Date().toISOString();
  const record: CallRecord = emptyEntry(options.kind, options.client);
  if (options.kind !== 'preview') {
    record.server = options.target.server;
    record.tool = options.target.tool;
  }
  const id = randomUUID();
  record.entryId = id;
  const abort = followed(options.signal);
  const { signal } = abort;
  const ended = deps.running?.begin(
    { id, kind: options.kind, client: options.client, ...options.target, background: options.cancelJob !== undefined },
    record,
    () => {
      abort.byPerson();
      options.cancelJob?.(BY_PERSON);
    },
  );
  let result: ToolResult;
  let raised: AppError | undefined;
  try {
    refuseWhilePaused(deps);
    result = await run(record, signal);
    if (result.isError && record.outcome === 'ok') record.outcome = 'tool_error';
    if (result.isError) deps.failed?.(id, record.said ?? answerText(result));
  } catch (error) {
    const known = signal.aborted ? cancelled(error, signal) : toAppError(error);
    if (known.code === 'INTERNAL') deps.log(`internal error: ${known.stack ?? known.message}`);
    record.outcome = outcomeOf(known);
    record.errorCode = known.code;
    deps.failed?.(id, known.text, known);
    if (options.raises?.(known)) raised = known;
    result = failureResult(reworded(known, options.hintFor), options.target, options.format);
  } finally {
    abort.end();
    ended?.();
  }
  const {
    said: _said,
    entryId: _entryId,
    progress: _p,
    steps: _s,
    unfinished: _u,
    needsApproval: _n,
    shapeOf,
    listed,
    ...entry
  } = record;
  const durationMs = Math.round(performance.now() - began);
  try {
    const shape = entry.outcome === 'ok' ? undefined : await readShape(shapeOf);
    // A dry run makes no call.
    const made = isServerCall(entry.kind) && !(entry.outcome === 'ok' && entry.calls === 0);
    const again = made ? deps.attempts?.ended(id, entry) : undefined;
    await deps.ledger.append({ id, time, durationMs, ...bounded(entry), ...(shape?.length ? { shape } : {}), ...again });
    await listed?.();
  } catch (error) {
    // The call has been made: a full disk must not turn its answer into a failure.
    deps.log(`the call could not be written to the ledger: ${toAppError(error).text}`);
  }
  if (raised) throw raised;
  return result;
}

/** The shape of arguments; undefined where they cannot be read any more, since the call's line matters more. */
async function readShape(shapeOf: CallRecord['shapeOf']): Promise<ArgumentShape | undefined> {
  try {
    return await shapeOf?.();
  } catch {
    return undefined;
  }
}

/** Length limit for names, which an agent may have made up. UTF-16 code units. */
const MAX_NAME = 200;
/** Length limit for all paths or data keys of one call together. */
const MAX_LISTED = 16 * 1024;

/** Cuts names and paths from agents, so that no call can push older ones out of the bounded ledger. */
function bounded(entry: ReturnType<typeof emptyEntry>): ReturnType<typeof emptyEntry> {
  return {
    ...entry,
    server: entry.server?.slice(0, MAX_NAME) ?? null,
    tool: entry.tool?.slice(0, MAX_NAME) ?? null,
    paths: boundedList(entry.paths),
    ...(entry.dataKeys ? { dataKeys: boundedList(entry.dataKeys) } : {}),
  };
}

/** The first of them, and at least one, the last one cut. */
function boundedList(texts: readonly string[]): string[] {
  let left = MAX_LISTED;
  return texts.flatMap((text) => {
    if (left <= 0) return [];
    const kept = text.slice(0, left);
    left -= kept.length + 1;
    return kept;
  });
}

function reworded(error: AppError, hintFor: CallerContext['hintFor']): AppError {
  const hint = hintFor?.(error);
  return hint === undefined ? error : new AppError(error.code, error.asText, { hint, details: error.details, cause: error });
}

/** Throws PAUSED while the user wants no calls. */
export function refuseWhilePaused(deps: Pick<CallDeps, 'paused'>): void {
  if (deps.paused?.()) throw pausedError();
}

export const pausedError = (): AppError => new AppError('PAUSED', say('paused'), { hint: say('paused.hint') });

/** The reason of a signal that was aborted because the person cancelled the call. */
const BY_PERSON = Symbol('cancelled by the person');

/** A signal that follows another one, and can be aborted by the person besides. */
function followed(given: AbortSignal): { signal: AbortSignal; byPerson(): void; end(): void } {
  const controller = new AbortController();
  const follow = () => controller.abort(given.reason);
  if (given.aborted) follow();
  given.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    byPerson: () => controller.abort(BY_PERSON),
    end: () => given.removeEventListener('abort', follow),
  };
}

/** The error for a call that the person cancelled. */
export const cancelledByPerson = (cause?: AppError): AppError =>
  new AppError('CANCELLED', say('call.cancelledByPerson'), {
    hint: say('call.cancelledByPerson.hint'),
    ...(cause ? { details: cause.details, cause } : {}),
  });

export const isCancelledByPerson = ({ reason }: AbortSignal): boolean => reason === BY_PERSON;

function cancelled(error: unknown, { reason }: AbortSignal): AppError {
  const known = toAppError(error);
  if (known.code !== 'INTERNAL' && known.code !== 'CANCELLED') return known;
  if (reason === BY_PERSON) return cancelledByPerson(known);
  return known.code === 'CANCELLED'
    ? known
    : toAppError(Object.assign(new Error('aborted', { cause: error }), { name: 'AbortError' }));
}

/** The caller of a running call: the signal is the call's, and what the server reports is noted. */
export function watchedCaller(caller: CallerContext, record: Pick<CallRecord, 'steps'>, signal: AbortSignal): CallerContext {
  return {
    ...caller,
    signal,
    progress(progress) {
      const { progress: done, total = null, message = null } = progress;
      record.steps = {
        done: Number.isFinite(done) ? done : 0,
        total: Number.isFinite(total) ? total : null,
        message: message?.slice(0, MAX_NAME) ?? null,
      };
      caller.progress(progress);
    },
  };
}

/** Marks the call as waiting for the person meanwhile. */
export async function awaitingApproval<T>(record: Pick<CallRecord, 'needsApproval'>, work: () => Promise<T>): Promise<T> {
  record.needsApproval = true;
  try {
    return await work();
  } finally {
    record.needsApproval = false;
  }
}

/** The shape of a call's arguments for its ledger line: names, kinds and sizes, no values. */
type ArgumentShape = NonNullable<LedgerEntry['shape']>;

/** Arguments that are listed. */
const LISTED = 20;
/** Length limit of a name. UTF-16 code units. */
const ARGUMENT_NAME = 60;

export function argumentShape(args: Readonly<Record<string, unknown>>): ArgumentShape {
  return Object.entries(args)
    .slice(0, LISTED)
    .map(([name, value]) => ({ name: name.slice(0, ARGUMENT_NAME), ...shapeOf(value) }));
}

function shapeOf(value: unknown): Omit<ArgumentShape[number], 'name'> {
  if (typeof value === 'string') return { kind: 'text', size: value.length };
  if (Array.isArray(value)) return { kind: 'list', size: value.length };
  if (typeof value === 'object' && value !== null) return { kind: 'object', size: Object.keys(value).length };
  if (typeof value === 'number') return { kind: 'number', size: null };
  return { kind: typeof value === 'boolean' ? 'boolean' : 'null', size: null };
}
