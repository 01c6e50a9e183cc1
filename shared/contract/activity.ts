/** Contract of the Activity page: search in the ledger, and totals. */
import { z } from 'zod';
import { ledgerEntrySchema, runningCallSchema, stoppedCallSchema, totalsSchema } from '../model/call.ts';
import { done, identified, nothing, troubleSchema } from './shapes.ts';

/** Outcomes of the records of a batched call, over all its attempts. */
const recordOutcomesSchema = z.object({
  accepted: z.int().nonnegative(),
  refused: z.int().nonnegative(),
  notSent: z.int().nonnegative(),
  unknown: z.int().nonnegative(),
});
export type RecordOutcomes = z.infer<typeof recordOutcomesSchema>;

export const activityFilterSchema = z.strictObject({
  /** Words, all of which stand in server, tool, client, file name or error code; case does not matter. */
  text: z.string().optional(),
  outcomes: z.array(ledgerEntrySchema.shape.outcome).optional(),
  servers: z.array(z.string()).optional(),
  clients: z.array(z.string()).optional(),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;

const daySchema = z.object({
  /** `YYYY-MM-DD` in the user's time zone. */
  day: z.string(),
  calls: z.int().nonnegative(),
  tokensMeasured: z.int().nonnegative(),
  tokensEstimated: z.int().nonnegative(),
});
export type SavedDay = z.infer<typeof daySchema>;

const callDetailSchema = z.object({
  entry: ledgerEntrySchema,
  /** The error's words, for calls since the start of this program; null before, or when there was none. */
  message: z.string().nullable(),
  /** The same with what to do, where the words are ours and not the tool's. */
  trouble: troubleSchema.nullable(),
});
export type CallDetail = z.infer<typeof callDetailSchema>;

/** What an agent changed with a file tool, or the person undid of that, and is kept to be undone. */
const changeViewSchema = z.object({
  /** Of its ledger entry. */
  id: z.string(),
  time: z.string(),
  client: z.string().nullable(),
  kind: z.enum(['created', 'replaced', 'appended', 'moved', 'trashed']),
  /** Where the file is, or was before it went to the trash. */
  path: z.string(),
  /** Where a moved one was. */
  from: z.string().nullable(),
  /** Of the ledger entry of the agent's call, also once the person undid it. */
  call: z.string(),
  /** Whether the person undid a change of that agent with it: undoing it makes that change again. */
  undone: z.boolean(),
  /** Why it cannot be undone as the files are now; null where nothing is known to prevent it. */
  hindrance: z.enum(['gone', 'gone from trash', 'changed', 'taken']).nullable(),
});
export type ChangeView = z.infer<typeof changeViewSchema>;

export const activityQueries = {
  /** Those that have lasted for a moment, the oldest first. */
  'calls.running': { input: nothing, output: z.array(runningCallSchema) },
  /** Batched calls of this program's time that can be gone on with, the newest first. */
  'calls.stopped': { input: nothing, output: z.array(stoppedCallSchema) },
  /** What became of a batched call's records by now; `id` is the receipt's. Null where none is kept. */
  'calls.outcomes': { input: identified, output: recordOutcomesSchema.nullable() },
  /** Changes of files by agents that are kept, the newest first. */
  'changes.list': { input: nothing, output: z.array(changeViewSchema) },
  /** What the agent changed in the text, as the lines of a diff; null where there is nothing to compare. FILE_CHANGED if the file was changed since. */
  'changes.diff': { input: identified, output: z.object({ diff: z.string().nullable() }) },
  'ledger.recent': { input: z.strictObject({ limit: z.int().min(1).max(500) }), output: z.array(ledgerEntrySchema) },
  /** Entries that pass, newest first. */
  'ledger.find': {
    input: z.strictObject({ filter: activityFilterSchema, offset: z.int().nonnegative(), limit: z.int().min(1).max(500) }),
    /** `more`: older calls are still being indexed; asking again gives them too. */
    output: z.object({ entries: z.array(ledgerEntrySchema), total: z.int().nonnegative() }),
  },
  'ledger.get': { input: identified, output: callDetailSchema },
  'ledger.totals': { input: nothing, output: z.object({ all: totalsSchema, today: totalsSchema }) },
  /** One for each of the last days, today last, quiet days included. */
  'ledger.days': { input: z.strictObject({ days: z.int().min(1).max(366) }), output: z.array(daySchema) },
  /** Names that occur, for filters. */
  'ledger.names': { input: nothing, output: z.object({ servers: z.array(z.string()), clients: z.array(z.string()) }) },
  /** All entries that pass, newest first, of one moment. */
  'ledger.export': {
    input: z.strictObject({ filter: activityFilterSchema }),
    output: z.object({ entries: z.array(ledgerEntrySchema) }),
  },
} as const;

export const activityCommands = {
  /** Ends a running call; nothing happens if it is over. */
  'calls.cancel': { input: identified, output: done },
  /** Sends what was refused or not sent, as a background call of the same agent; `id` is the receipt's. */
  'calls.resume': { input: identified, output: done },
  /** Undoes a change, if the file is still as the change left it. What undid one can be undone as well. */
  'changes.undo': { input: identified, output: done },
  /** Takes it off the list; the agent can still resume it. */
  'calls.dismiss': { input: identified, output: done },
} as const;

export const activityEvents = {
  'ledger.appended': ledgerEntrySchema,
  /** Changes of `calls.running` and `calls.stopped`. */
  'calls.changed': nothing,
} as const;
