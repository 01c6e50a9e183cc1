/** Calls that wait for a person's approval. */
import { z } from 'zod';
import { done, identified, nothing } from './shapes.ts';

export const approvalSchema = z.object({
  id: z.string(),
  /** ISO times. Unanswered at `expires`, the call is refused. */
  asked: z.string(),
  expires: z.string(),
  client: z.string().nullable(),
  server: z.string(),
  /** The server's command line or address, without secrets. */
  target: z.string(),
  tool: z.string(),
  paths: z.array(z.string()),
  records: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** First records, or the arguments, as JSON text, shortened. */
  firstRecords: z.array(z.string()),
});
export type Approval = z.infer<typeof approvalSchema>;

export const approvalQueries = { 'approvals.list': { input: nothing, output: z.array(approvalSchema) } } as const;

export const approvalCommands = {
  /** `always`: this tool of this server is not asked about again. */
  'approvals.answer': { input: identified.extend({ decision: z.enum(['once', 'always', 'refuse']) }), output: done },
} as const;

export const approvalEvents = {
  /** One change. What an approval says is in `approvals.list`, so that a flood of them stays small on the wire. */
  'approvals.changed': z.object({ id: z.string(), change: z.enum(['asked', 'prolonged', 'closed']) }),
} as const;
export type ApprovalChange = z.infer<(typeof approvalEvents)['approvals.changed']>;
