/** Contract of approvals: calls that need one, and everything that each would send. */
import { z } from 'zod';
import { sentBeforeSchema } from '../model/call.ts';
import { done, identified, nothing } from './shapes.ts';

/** The payload at one place in the arguments. */
export const approvalPayloadSchema = z.object({
  /** The data key; null where the members of the payload become arguments. */
  place: z.string().nullable(),
  /** Number of sent records: elements of a list, 1 for other values. */
  records: z.int().nonnegative(),
  /** JSON text in bytes, before a batch leaves records out. */
  bytes: z.int().nonnegative(),
  list: z.boolean(),
  files: z.array(z.object({ path: z.string(), bytes: z.int().nonnegative(), records: z.int().nonnegative() })),
  /** JSON text of the first records that are sent, without the middle of very long ones. If `last` is empty, all records are here. */
  first: z.array(z.string()),
  last: z.array(z.string()),
});
export type ApprovalPayload = z.infer<typeof approvalPayloadSchema>;

/** A file of the person's that a file tool would delete, change or move, as it is now. */
const approvalLossSchema = z.object({
  change: z.enum(['delete', 'trash', 'overwrite', 'edit', 'move']),
  path: z.string(),
  /** Where it would be moved. */
  destination: z.string().nullable(),
  kind: z.enum(['file', 'directory', 'link']),
  bytes: z.int().nonnegative(),
  /** Its size afterwards, where something else is written in its place. */
  newBytes: z.int().nonnegative().nullable(),
  /** How the file begins; null where that is no text. */
  beginning: z.string().nullable(),
  /** Whether `beginning` is all of it. */
  whole: z.boolean(),
  /** The changes of an edit, and of an overwriting where both are texts that can be compared. */
  diff: z.string().nullable(),
  /** All of the text that would be written in its place; null for other changes, and for bytes that are no text. */
  replacement: z.string().nullable(),
  /** Whether the person can undo the change later, with what Filebridge keeps or from the trash. */
  undoable: z.boolean(),
});
export type ApprovalLoss = z.infer<typeof approvalLossSchema>;

/** Parts of the definition that an "always" depends on: the server's entry, and the parts of the tool. */
const toolPartNames = ['entry', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

export const approvalSchema = z.object({
  id: z.string(),
  /** Id of the call's ledger entry, written when it has ended; null for a call without one. */
  call: z.string().nullable(),
  /** ISO time. */
  asked: z.string(),
  /** Time left when this was sent (milliseconds); then the call is refused. No clock time, since clocks are set. */
  leftMs: z.int().nonnegative(),
  client: z.string().nullable(),
  server: z.string(),
  /** The server's command line or address, without secrets. */
  target: z.string(),
  /** Where the command runs. */
  folder: z.string().nullable(),
  tool: z.string(),
  /** What the tool says about itself; absent where it says nothing, and for file tools of Filebridge. */
  says: z.enum(['reads', 'destroys']).optional(),
  /** As the server gives it; cut if it is very long. */
  description: z.string().nullable(),
  paths: z.array(z.string()),
  records: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** How often the tool is called; `exact` is false for an estimate. */
  calls: z.object({ count: z.int().nonnegative(), exact: z.boolean() }),
  /** The JSON text of the arguments in full; a number stands for the payload of that index. */
  arguments: z.array(z.union([z.string(), z.int().nonnegative()])),
  /** The JSON text of what the agent's app sends to the server beside the arguments. */
  meta: z.string().optional(),
  payloads: z.array(approvalPayloadSchema),
  /** The argument in which each of several calls has an idempotency key. `arguments` shows an example. */
  keyArgument: z.string().optional(),
  /** Set for a file tool of Filebridge, which sends nothing to a server and is asked about each time. */
  loss: approvalLossSchema.optional(),
  /** Files whose content went to the tool before. */
  sentBefore: z.array(sentBeforeSchema),
  /** Changes since the person always allowed the tool; `unrecorded` if the earlier definition was not stored; empty if the tool was not always allowed. */
  lapsed: z.array(z.enum([...toolPartNames, 'unrecorded'])),
  /** Each changed part as it was and is; only the parts whose earlier text was kept. Null where there is, or was, none. */
  changes: z.array(z.object({ part: z.enum(toolPartNames), before: z.string().nullable(), after: z.string().nullable() })),
});
export type Approval = z.infer<typeof approvalSchema>;

export const approvalQueries = {
  'approvals.list': { input: nothing, output: z.array(approvalSchema) },
  /** Records of a payload that is a list, by their place among those that are sent, as `first` and `last` show them. INVALID_REQUEST once the question is over. */
  'approvals.records': {
    input: identified.extend({
      payload: z.int().nonnegative(),
      from: z.int().nonnegative(),
      count: z.int().min(1).max(100),
    }),
    output: z.array(z.string()),
  },
} as const;

export const approvalCommands = {
  /** `always`: this tool of this server is not asked about again. */
  'approvals.answer': { input: identified.extend({ decision: z.enum(['once', 'always', 'refuse']) }), output: done },
} as const;

export const approvalEvents = {
  /** One change. What an approval says is in `approvals.list`, so that a flood of them stays small on the wire. */
  'approvals.changed': z.object({ id: z.string(), change: z.enum(['asked', 'prolonged', 'closed']) }),
} as const;
export type ApprovalChange = z.infer<(typeof approvalEvents)['approvals.changed']>;
