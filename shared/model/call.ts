/** A call on an upstream tool: what may be asked, what is recorded, what is answered. */
import { z } from 'zod';
import { APP_CLIENT } from './client-name.ts';
import { conversionShape, type TokenCount, tokenCountSchema, warningSchema } from './conversion.ts';

export const outputFormats = ['json', 'string', 'raw', 'structured', 'markdown', 'custom'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const responseFormats = ['auto', 'json', 'jsonl', 'csv', 'tsv', 'yaml', 'xml', 'md', 'html', 'txt'] as const;
export type ResponseFormat = (typeof responseFormats)[number];

export const onConflictModes = ['error', 'overwrite'] as const;

export const toolArgsSchema = z.record(z.string(), z.unknown());

/** One file of several, with its own place and conversion. */
export const fileBindingSchema = z.strictObject({
  path: z.string().min(1).describe('File'),
  data_key: z.string().optional().describe('Its place'),
  ...conversionShape,
});
export type FileBinding = z.infer<typeof fileBindingSchema>;

/** First and last record, both included, counted from 0. */
const recordRangeSchema = z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly();
export type RecordRange = z.infer<typeof recordRangeSchema>;

export const batchSchema = z.union([
  z.literal('auto'),
  z.strictObject({
    each: z.literal(true).optional().describe('Each'),
    size: z.int().positive().optional().describe('Per call'),
    max_bytes: z.int().positive().optional().describe('Bytes'),
    concurrency: z.int().min(1).max(16).optional().describe('At once'),
    on_error: z.enum(['stop', 'continue']).optional().describe('If one fails'),
    start: z.int().nonnegative().optional().describe('Record'),
    ranges: z.array(recordRangeSchema).min(1).max(10_000).optional().describe('Records'),
    resume: z.string().optional().describe('Receipt id'),
    resend_unknown: z.boolean().optional().describe('Unknown too'),
    again: z.literal(true).optional().describe('All anew'),
  }),
]);
export type BatchRequest = z.infer<typeof batchSchema>;

/** unknown: sent, but its outcome was not heard. */
const batchOutcomes = ['accepted', 'refused', 'not_sent', 'unknown'] as const;
export type BatchOutcome = (typeof batchOutcomes)[number];

export const batchResultSchema = z.object({
  index: z.int().nonnegative(),
  start: z.int().nonnegative(),
  records: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  ok: z.boolean(),
  outcome: z.enum(batchOutcomes),
  /** How many like batches in a row this line stands for; absent: one. */
  batches: z.int().positive().optional(),
  /** The upstream's words, shortened. */
  message: z.string().optional(),
});
export type BatchResult = z.infer<typeof batchResultSchema>;

/** When a file's content went to the same tool before. Receipt, client and path are null where another client sent it. */
export const sentBeforeSchema = z.object({
  /** The file that is sent now. */
  path: z.string(),
  time: z.string(),
  receipt: z.string().nullable(),
  client: z.string().nullable(),
  /** Where the same content was then. */
  earlierPath: z.string().nullable(),
});
export type SentBefore = z.infer<typeof sentBeforeSchema>;

/** Receipt of a sent file: the outcome that an agent can keep instead of the data. */
export const receiptSchema = z.object({
  /** Id for `batch.resume` of a batched call; for other calls only a name. */
  id: z.string().optional(),
  sha256: z.string(),
  recordsRead: z.int().nonnegative(),
  recordsAccepted: z.int().nonnegative(),
  recordsFailed: z.int().nonnegative(),
  /** Records that were sent and whose outcome was not heard. */
  recordsUnknown: z.int().nonnegative().optional(),
  batches: z.array(batchResultSchema),
  /** Outcome of each record of a batched call. */
  ranges: z
    .object({
      accepted: z.array(recordRangeSchema),
      refused: z.array(recordRangeSchema),
      not_sent: z.array(recordRangeSchema),
      unknown: z.array(recordRangeSchema),
    })
    .optional(),
  /** The argument in which each batch had an idempotency key. */
  idempotencyArgument: z.string().optional(),
  /** Files whose content went to the tool before. */
  sentBefore: z.array(sentBeforeSchema).optional(),
  /** Set only where all records from here on can be sent without sending any twice. */
  resumeFrom: z.int().nonnegative().nullable(),
});
export type Receipt = z.infer<typeof receiptSchema>;

export const savingsSchema = z.object({
  /** Tokens of arguments the model did not type. */
  arguments: tokenCountSchema,
  /** Tokens of the answer the model did not read. */
  answer: tokenCountSchema,
});
export type Savings = z.infer<typeof savingsSchema>;

/** Kinds of ledger entries: calls of servers' tools, and uses of the file tools. */
export const callKinds = ['file_call', 'call', 'call_and_store', 'preview', 'file_read', 'file_write'] as const;
export type CallKind = (typeof callKinds)[number];

/** Whether it counts as a call: one of a server's tool. */
export const isServerCall = (kind: CallKind): boolean => kind !== 'preview' && !isFileTool(kind);

/** Whether an agent read or changed a file itself. */
export const isFileTool = (kind: CallKind): boolean => kind === 'file_read' || kind === 'file_write';

/**
 * How a call ended: `tool_error`: rejected by the server; `refused`: by the person; `blocked`: by folders, switches and pauses; `unknown`: sent, and
 * nobody heard what became of it, or of a part.
 */
export const callOutcomes = ['ok', 'refused', 'blocked', 'tool_error', 'failed', 'cancelled', 'unknown'] as const;
export type CallOutcome = (typeof callOutcomes)[number];
/** Those in which something went wrong. */
export const isFailure = (outcome: CallOutcome): boolean => ['tool_error', 'failed', 'unknown'].includes(outcome);

/** One line of the ledger. Names, sizes and shapes only: never payloads, never secrets. */
export const ledgerEntrySchema = z.object({
  id: z.string(),
  time: z.string(),
  client: z.string().nullable(),
  kind: z.enum(callKinds),
  server: z.string().nullable(),
  tool: z.string().nullable(),
  paths: z.array(z.string()),
  inputBytes: z.int().nonnegative(),
  sentBytes: z.int().nonnegative(),
  records: z.int().nonnegative(),
  calls: z.int().nonnegative(),
  durationMs: z.number().nonnegative(),
  outcome: z.enum(callOutcomes),
  errorCode: z.string().nullable(),
  savings: savingsSchema,
  /** Where the answer was stored, if it was. */
  storedPath: z.string().nullable(),
  /** Where the files went in the arguments, as data keys; an empty one: merged over them. Absent in old lines. */
  dataKeys: z.array(z.string()).optional(),
  /** Names, kinds and sizes of the other arguments, of a call that did not work. */
  shape: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(['text', 'number', 'boolean', 'null', 'list', 'object']),
        /** Characters, items or members; null for what has none. */
        size: z.int().nonnegative().nullable(),
      }),
    )
    .optional(),
  /** Which try of the same call it was, from 2; absent for the first. */
  attempt: z.int().min(2).optional(),
  /** The try before. */
  retryOf: z.string().optional(),
  /** Outcome of the records; absent if nothing was sent, and in old entries. */
  receipt: z
    .object({
      sha256: z.string(),
      recordsAccepted: z.int().nonnegative(),
      recordsFailed: z.int().nonnegative(),
      /** Absent where there are none, as the next. */
      recordsUnknown: z.int().nonnegative().optional(),
      recordsNotSent: z.int().nonnegative().optional(),
      batches: z.int().nonnegative(),
    })
    .optional(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** Tokens of a large context window: more in one call no agent would have typed or read. */
export const MOST_SAVED = 200_000;

/** What a call saved an agent: nothing where the person made it, and of each part at most `MOST_SAVED`. */
export function savedBy({ client, savings }: Pick<LedgerEntry, 'client' | 'savings'>): Savings {
  const most = client === APP_CLIENT ? 0 : MOST_SAVED;
  const bounded = ({ count, method }: TokenCount): TokenCount => ({ count: Math.min(count, most), method });
  return { arguments: bounded(savings.arguments), answer: bounded(savings.answer) };
}

/** A call that is running now. */
export const runningCallSchema = ledgerEntrySchema.pick({ id: true, client: true, kind: true, paths: true }).extend({
  server: z.string(),
  tool: z.string(),
  startedAt: z.string(),
  /** Progress of a batched call. `total` is null until all records are read. */
  progress: z
    .object({
      records: z.int().nonnegative(),
      /** Accepted records among `records`, including those of earlier runs of a resumed call. */
      accepted: z.int().nonnegative(),
      total: z.int().nonnegative().nullable(),
      batches: z.int().nonnegative(),
    })
    .nullable(),
  /** The server's own progress; null before its first report. */
  steps: z.object({ done: z.number(), total: z.number().nullable(), message: z.string().nullable() }).nullable(),
  /** Whether it goes on after the agent's request was answered. */
  background: z.boolean(),
  /** The person cancelled it, and it has not ended yet. */
  cancelling: z.boolean(),
  /** Whether it waits for the person. */
  needsApproval: z.boolean(),
});
export type RunningCall = z.infer<typeof runningCallSchema>;

/** A call in batches that ended before all was accepted, and can be gone on with. */
export const stoppedCallSchema = ledgerEntrySchema.pick({ client: true, paths: true }).extend({
  receipt: z.string(),
  /** Id of its ledger entry. */
  entry: z.string(),
  server: z.string(),
  tool: z.string(),
  endedAt: z.string(),
  total: z.int().nonnegative(),
  accepted: z.int().nonnegative(),
  /** Refused or not sent: what a resumed call sends. */
  left: z.int().nonnegative(),
  /** Sent, but the outcome was not heard: not sent again. */
  unknown: z.int().nonnegative(),
});
export type StoppedCall = z.infer<typeof stoppedCallSchema>;

export const totalsSchema = z.object({
  calls: z.int().nonnegative(),
  /** What agents did, not the person: also with file tools. */
  agentCalls: z.int().nonnegative().default(0),
  failed: z.int().nonnegative(),
  /** Also of file tools. */
  blocked: z.int().nonnegative().default(0),
  inputBytes: z.int().nonnegative(),
  sentBytes: z.int().nonnegative(),
  records: z.int().nonnegative(),
  tokensMeasured: z.int().nonnegative(),
  tokensEstimated: z.int().nonnegative(),
  /** The same tokens again, by what they were: arguments that were not typed, answers that were not read. */
  tokensTyped: z.int().nonnegative(),
  tokensRead: z.int().nonnegative(),
});
export type Totals = z.infer<typeof totalsSchema>;

export const jobSchema = z.object({
  job_id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  server: z.string(),
  tool: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  progress: z.object({ records: z.int(), total: z.int().nullable(), batches: z.int() }),
  warnings: z.array(warningSchema),
});
export type Job = z.infer<typeof jobSchema>;
