/** Admits a call: everything that can be refused without reading a file is refused here. */

import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { parseDataKey } from '../binding/data-key.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { type PlacedFiles, placedFiles } from './open.ts';
import { outputRequest } from './output.ts';
import { resumedReceipt } from './receipts.ts';
import { type Responses, wantsStorage } from './stored-answers.ts';
import { type CallAndStoreRequest, type CallDeps, type CallerContext, type FileCallRequest, targetOf } from './types.ts';

/** A call with files that may start, and what was found out on the way. */
export interface AdmittedFileCall {
  readonly tool: UpstreamTool;
  readonly placed: readonly PlacedFiles[];
  /** The receipt it goes on with. */
  readonly resumed: StoredReceipt | undefined;
}

export async function admitFileCall(
  deps: CallDeps,
  responses: Responses,
  request: FileCallRequest,
  caller: CallerContext,
): Promise<AdmittedFileCall> {
  const placed = placedFiles(request);
  const resumed = await resumedReceipt(deps, caller, request);
  const isStored = wantsStorage(request) && !request.dry_run;
  return { tool: await admitCall(deps, responses, request, caller, isStored), placed, resumed };
}

/** The tool that a call is for. `isStored`: its answer is to be a file. */
export async function admitCall(
  deps: Pick<CallDeps, 'upstreams'>,
  responses: Responses,
  request: CallAndStoreRequest & { dry_run?: boolean | undefined },
  { signal }: Pick<CallerContext, 'signal'>,
  isStored: boolean,
): Promise<UpstreamTool> {
  outputRequest(request.output_format, request.template);
  if (request.records !== undefined) {
    if (!isStored && !request.dry_run)
      throw new AppError('INVALID_REQUEST', say('request.recordsUnused'), { hint: say('request.recordsUnused.hint') });
    parseDataKey(request.records);
  }
  const tool = await deps.upstreams.tool(request.server, request.tool_name, { signal });
  if (isStored) await responses.check(request, targetOf(request));
  return tool;
}
