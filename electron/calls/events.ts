/** The life of a call as events: who listens, and the facts that they add up to. */

import type { BatchOutcome, LedgerEntry, RecordRange, RunningCall, StoppedCall } from '../../shared/model/call.ts';
import type { TokenCount } from '../../shared/model/conversion.ts';
import type { AppError } from '../../shared/model/errors.ts';

/** `server` and `tool` of a call; our own tools are `filebridge:<tool>`. */
export interface CallTarget {
  readonly server: string;
  readonly tool: string;
}

export type CallEvent =
  | { readonly type: 'opened'; readonly paths: readonly string[]; readonly inputBytes: number }
  /** Its files have their places in the arguments. */
  | { readonly type: 'bound'; readonly dataKeys: readonly string[] }
  | { readonly type: 'approval asked' }
  | { readonly type: 'approval answered' }
  /** How many records the files hold. */
  | { readonly type: 'counted'; readonly records: number }
  /** A batch is about to be sent. Listeners are waited for, so that the journal knows of it first. */
  | { readonly type: 'sending'; readonly range: RecordRange }
  | { readonly type: 'sent'; readonly bytes: number }
  /** A batch has an outcome. */
  | {
      readonly type: 'settled';
      readonly range: RecordRange;
      readonly outcome: BatchOutcome;
      /** Accepted with an answer that tells of failures. */
      readonly isDoubtful: boolean;
      readonly progress: NonNullable<RunningCall['progress']>;
    }
  /** The server's own progress. */
  | { readonly type: 'steps'; readonly steps: NonNullable<RunningCall['steps']> }
  /** What became of the records. */
  | { readonly type: 'receipt'; readonly receipt: NonNullable<LedgerEntry['receipt']>; readonly tokens: TokenCount }
  /** A batched call ends with records left, and can be gone on with. */
  | { readonly type: 'stopped'; readonly left: Unfinished }
  | { readonly type: 'stored'; readonly path: string | null }
  /** Tokens of the answer that the model did not read. */
  | { readonly type: 'withheld'; readonly tokens: TokenCount }
  | { readonly type: 'ended'; readonly verdict: Verdict; readonly entry: LedgerEntry }
  /** Its line is in the ledger. */
  | { readonly type: 'listed' };

/** How a call ended. */
export interface Verdict {
  readonly outcome: LedgerEntry['outcome'];
  /** Why it failed, where the words are ours. */
  readonly error?: AppError | undefined;
  /** What the tool said when it failed. It may hold data, so it is not for the ledger. */
  readonly said?: string | undefined;
}

export type Unfinished = Pick<StoppedCall, 'receipt' | 'total' | 'accepted' | 'left' | 'unknown'>;

/** What is known of a call so far. */
export interface CallFacts extends Readonly<Omit<LedgerEntry, 'durationMs' | 'paths' | 'dataKeys'>> {
  readonly paths: readonly string[];
  readonly dataKeys?: readonly string[];
  readonly progress: RunningCall['progress'];
  readonly steps: RunningCall['steps'];
  readonly needsApproval: boolean;
  readonly unfinished?: Unfinished;
}

export const NO_TOKENS: TokenCount = { count: 0, method: 'measured' };

/** Sum of counts; one estimate makes the sum an estimate. */
export function addTokens(...counts: readonly TokenCount[]): TokenCount {
  return {
    count: counts.reduce((sum, each) => sum + each.count, 0),
    method: counts.some((each) => each.method === 'estimated') ? 'estimated' : 'measured',
  };
}

/** The ledger line of a call that has not happened yet. `target`: null for what is no call of a tool. */
export const firstEntry = (
  start: Pick<LedgerEntry, 'id' | 'time' | 'kind' | 'client'>,
  target: CallTarget | null,
  paths: readonly string[],
): Omit<LedgerEntry, 'durationMs'> => ({
  ...start,
  server: target?.server ?? null,
  tool: target?.tool ?? null,
  paths: [...paths],
  inputBytes: 0,
  sentBytes: 0,
  records: 0,
  calls: 0,
  outcome: 'ok',
  errorCode: null,
  savings: { arguments: NO_TOKENS, answer: NO_TOKENS },
  storedPath: null,
});

/** What is known of a call that begins. */
export const firstFacts = (...start: Parameters<typeof firstEntry>): CallFacts => ({
  ...firstEntry(...start),
  progress: null,
  steps: null,
  needsApproval: false,
});

function after(facts: CallFacts, event: CallEvent): CallFacts {
  switch (event.type) {
    case 'opened':
      return { ...facts, paths: event.paths, inputBytes: event.inputBytes };
    case 'bound':
      return { ...facts, dataKeys: event.dataKeys };
    case 'approval asked':
      return { ...facts, needsApproval: true };
    case 'approval answered':
      return { ...facts, needsApproval: false };
    case 'counted':
      return { ...facts, records: event.records };
    case 'sent':
      return { ...facts, calls: facts.calls + 1, sentBytes: facts.sentBytes + event.bytes };
    case 'settled':
      return { ...facts, progress: event.progress };
    case 'steps':
      return { ...facts, steps: event.steps };
    case 'receipt':
      return { ...facts, receipt: event.receipt, savings: { ...facts.savings, arguments: event.tokens } };
    case 'stopped':
      return { ...facts, unfinished: event.left };
    case 'stored':
      return { ...facts, storedPath: event.path };
    case 'withheld':
      return { ...facts, savings: { ...facts.savings, answer: addTokens(facts.savings.answer, event.tokens) } };
    default:
      return facts;
  }
}

export type CallListener = (event: CallEvent, facts: CallFacts) => void | Promise<void>;

/** One stream for each call. */
export class CallEvents {
  #facts: CallFacts;
  readonly #listeners = new Set<CallListener>();

  constructor(facts: CallFacts, listeners: readonly CallListener[]) {
    this.#facts = facts;
    for (const listener of listeners) this.#listeners.add(listener);
  }

  get facts(): CallFacts {
    return this.#facts;
  }

  /** Each listener in turn. Throws what one of them throws. */
  async tell(event: CallEvent): Promise<void> {
    const facts = after(this.#facts, event);
    this.#facts = facts;
    for (const listener of [...this.#listeners]) await listener(event, facts);
  }

  /** Returns the function that ends it. */
  on(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
