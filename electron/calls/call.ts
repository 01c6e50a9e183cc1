/** The frame around every call: one stream of events, one end, and the ledger line whatever happens. */

import { randomUUID } from 'node:crypto';
import { isServerCall, type LedgerEntry } from '../../shared/model/call.ts';
import { AppError, type ErrorCode, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { CallEvents, type CallFacts, type CallListener, type CallTarget, firstFacts, type Verdict } from './events.ts';
import type { CallDeps, CallerContext } from './types.ts';

/** A call that runs. */
export interface Call {
  readonly events: CallEvents;
  /** The caller, whose signal is the call's: aborted with the request, or when the person cancels it. */
  readonly caller: CallerContext;
}

/** How a call ended: with a value, or with the failure that is why it has none. `entry`: its ledger line. */
export type CallOutcome<T> = { readonly entry: LedgerEntry } & (
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: AppError }
);

export interface CallStart {
  readonly kind: LedgerEntry['kind'];
  readonly target: CallTarget;
  readonly caller: CallerContext;
  /** The files that are asked for. */
  readonly paths?: readonly string[];
  /** The other arguments, whose shape is kept of a call that did not work. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** Cancels a background call's job. */
  readonly cancelJob?: ((reason: unknown) => void) | undefined;
}

type FrameDeps = Pick<CallDeps, 'ledger' | 'paused' | 'failed' | 'attempts' | 'log' | 'running'>;

/** Runs a call. `verdict` tells how one with a value ended; absent: well. Never throws. */
export async function recordedCall<T>(
  deps: FrameDeps,
  start: CallStart,
  run: (call: Call) => Promise<T>,
  verdict: (value: T) => Verdict = () => ({ outcome: 'ok' }),
): Promise<CallOutcome<T>> {
  const { kind, target, caller, cancelJob } = start;
  const began = performance.now();
  const abort = followed(caller.signal);
  const { signal } = abort;
  const first = { id: randomUUID(), time: new Date().toISOString(), kind, client: caller.client };
  const facts = firstFacts(first, kind === 'preview' ? null : target, start.paths ?? []);
  const shown = deps.running?.begin(facts, { ...target, background: cancelJob !== undefined }, () => {
    abort.byPerson();
    cancelJob?.(BY_PERSON);
  });
  const events: CallEvents = new CallEvents(facts, [...(shown ? [shown] : []), ...endListeners(deps, () => events)]);
  let ended: { value: T; failure?: undefined } | { value?: undefined; failure: AppError };
  try {
    refuseWhilePaused(deps);
    ended = { value: await run({ events, caller: watched(caller, events, signal) }) };
  } catch (error) {
    const failure = signal.aborted ? cancelled(error, signal) : toAppError(error);
    if (failure.code === 'INTERNAL') deps.log(`internal error: ${failure.stack ?? failure.message}`);
    ended = { failure };
  }
  abort.end();
  const { failure } = ended;
  const how: Verdict = failure ? { outcome: outcomeOf(failure), error: failure } : verdict(ended.value as T);
  const entry = ledgerEntry(deps, events.facts, how, start.args, Math.round(performance.now() - began));
  await events.tell({ type: 'ended', verdict: how, entry });
  return { entry, ...ended };
}

function outcomeOf(error: AppError): LedgerEntry['outcome'] {
  if (error.code === 'CANCELLED') return 'cancelled';
  if (error.code === 'CONFIRMATION_REFUSED') return 'refused';
  if (BLOCKED.has(error.code)) return 'blocked';
  return error.details.mayHaveRun === true ? 'unknown' : 'failed';
}

/** What the person's folders, switches and pauses keep calls from. */
const BLOCKED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FILE_OUTSIDE_FOLDERS',
  'FILE_READ_ONLY',
  'FILE_SENSITIVE',
  'PAUSED',
  'UPSTREAM_DISABLED',
]);

/** Keeps the words of a failure in memory, and writes the line: a full disk must not turn the answer of a call that was made into a failure. */
const endListeners = ({ failed, ledger, log }: FrameDeps, events: () => CallEvents): CallListener[] => [
  (event) => {
    if (event.type !== 'ended') return;
    const { error, said } = event.verdict;
    if (said !== undefined || error !== undefined) failed?.(event.entry.id, said ?? error?.text ?? '', error);
  },
  async (event) => {
    if (event.type !== 'ended') return;
    try {
      await ledger.append(event.entry);
      await events().tell({ type: 'listed' });
    } catch (error) {
      log(`the call could not be written to the ledger: ${toAppError(error).text}`);
    }
  },
];

function ledgerEntry(
  { attempts }: FrameDeps,
  facts: CallFacts,
  { outcome, error }: Verdict,
  args: CallStart['args'],
  durationMs: number,
): LedgerEntry {
  const { progress: _p, steps: _s, needsApproval: _n, unfinished: _u, paths, dataKeys, ...known } = facts;
  const entry: LedgerEntry = {
    ...known,
    // Names and paths come from agents: no call may push older ones out of the bounded ledger.
    server: known.server?.slice(0, MAX_NAME) ?? null,
    tool: known.tool?.slice(0, MAX_NAME) ?? null,
    paths: boundedList(paths),
    ...(dataKeys ? { dataKeys: boundedList(dataKeys) } : {}),
    outcome,
    errorCode: error?.code ?? null,
    durationMs,
  };
  // A dry run makes no call.
  const made = isServerCall(entry.kind) && !(outcome === 'ok' && entry.calls === 0);
  const again = made ? attempts?.ended(entry.id, entry) : undefined;
  const shape = outcome === 'ok' ? [] : argumentShape(args ?? {});
  return { ...entry, ...(shape.length > 0 ? { shape } : {}), ...again };
}

/** Length limit for names, which an agent may have made up. UTF-16 code units. */
const MAX_NAME = 200;
/** Length limit for all paths or data keys of one call together. */
const MAX_LISTED = 16 * 1024;

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

/** Throws PAUSED while the user wants no calls. */
export function refuseWhilePaused(deps: Pick<CallDeps, 'paused'>): void {
  if (deps.paused?.()) throw new AppError('PAUSED', say('paused'), { hint: say('paused.hint') });
}

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

/** The caller of a running call: the signal is the call's, and what the server reports is an event. */
function watched(caller: CallerContext, events: CallEvents, signal: AbortSignal): CallerContext {
  return {
    ...caller,
    signal,
    call: events.facts.id,
    progress(progress) {
      const { progress: done, total = null, message = null } = progress;
      const steps = {
        done: Number.isFinite(done) ? done : 0,
        total: Number.isFinite(total) ? total : null,
        message: message?.slice(0, MAX_NAME) ?? null,
      };
      void events.tell({ type: 'steps', steps });
      caller.progress(progress);
    },
  };
}

/** Asks the person, and says that the call waits for them meanwhile. */
export async function awaitingApproval<T>(events: CallEvents, ask: () => Promise<T>): Promise<T> {
  await events.tell({ type: 'approval asked' });
  try {
    return await ask();
  } finally {
    await events.tell({ type: 'approval answered' });
  }
}

/** The shape of a call's arguments for its ledger line: names, kinds and sizes, no values. */
type ArgumentShape = NonNullable<LedgerEntry['shape']>;

/** Arguments that are listed. */
const LISTED = 20;
/** Length limit of a name. UTF-16 code units. */
const ARGUMENT_NAME = 60;

const argumentShape = (args: Readonly<Record<string, unknown>>): ArgumentShape =>
  Object.entries(args)
    .slice(0, LISTED)
    .map(([name, value]) => ({ name: name.slice(0, ARGUMENT_NAME), ...shapeOf(value) }));

function shapeOf(value: unknown): Omit<ArgumentShape[number], 'name'> {
  if (typeof value === 'string') return { kind: 'text', size: value.length };
  if (Array.isArray(value)) return { kind: 'list', size: value.length };
  if (typeof value === 'object' && value !== null) return { kind: 'object', size: Object.keys(value).length };
  if (typeof value === 'number') return { kind: 'number', size: null };
  return { kind: typeof value === 'boolean' ? 'boolean' : 'null', size: null };
}
