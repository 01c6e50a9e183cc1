/** Whether a call's arguments fit the schema of the tool they are for, and what to do where they do not. */

import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { BoundArguments } from '../binding/bind.ts';
import { checkArguments, type SchemaProblem, schemaMismatch } from '../binding/check.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { propertyNames } from '../engine/schema/schema-advice.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import type { PreparedPayload } from './payloads.ts';

/** Records checked against the upstream's schema before anything is sent. */
const CHECKED_RECORDS = 1000;

/** Where the first records break the tool's schema, and where that schema could not be used. */
export async function argumentProblems(
  tool: UpstreamTool,
  payloads: readonly PreparedPayload[],
  bound: BoundArguments,
  batched: boolean,
): Promise<{ mismatches: SchemaProblem[]; unchecked: SchemaProblem[] }> {
  const problems = await checkArguments({
    inputSchema: tool.inputSchema,
    sample: await bound.sample(CHECKED_RECORDS),
    at: bound.at,
    // A batched payload is held to maxItems batch by batch.
    payloads: payloads.map((payload) => ({
      kind: payload.kind,
      records: batched ? Math.min(payload.records, 1) : payload.records,
      locate: (pointer) => payload.locate(pointer),
    })),
  });
  return {
    mismatches: problems.filter((problem) => problem.rule !== 'schema'),
    unchecked: problems.filter((problem) => problem.rule === 'schema'),
  };
}

/** The error that stops a call whose arguments do not fit. */
export function argumentMismatch(mismatches: readonly SchemaProblem[], at: BoundArguments['at'], tool: UpstreamTool): AppError {
  const mismatch = schemaMismatch(mismatches);
  const hint = mismatchHint(mismatches, at, tool);
  return hint === undefined ? mismatch : withHint(mismatch, hint);
}

/** The hint for arguments that do not fit for a reason other than the file's content. */
function mismatchHint(problems: readonly SchemaProblem[], at: BoundArguments['at'], tool: UpstreamTool): Message | undefined {
  const known = propertyNames(tool.inputSchema);
  const strange = at.map(([key]) => key).find((key) => typeof key === 'string' && known.length > 0 && !known.includes(key));
  if (strange !== undefined) {
    return say('arguments.noParameter', { given: String(strange), tool: tool.name, known });
  }
  const wantsText = problems.some(
    ({ pointer, types }) => types?.[0] === 'string' && at.some((key) => formatDataKey(key) === formatDataKey(pointer)),
  );
  if (wantsText) return say('arguments.asText', {});
  // A record that lacks a member is a matter of the file.
  const missing = problems.some(({ rule, pointer }) => rule === 'required' && pointer.length === 0);
  return missing && !at.some((key) => key.length === 0) ? say('arguments.missing', {}) : undefined;
}

const withHint = (error: AppError, hint: Message) =>
  new AppError(error.code, error.asText, { hint, details: error.details, cause: error });
