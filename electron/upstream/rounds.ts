/** One request to a server: it runs under a clock, and the questions that the server asks meanwhile are answered by its caller. */
import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { rawResult } from '../wire/result-tap.ts';
import type { CallClock } from './call-time.ts';
import { rootsOf } from './roots.ts';
import type { CallHooks } from './types.ts';

/** Disables the SDK's timeout: calls have their own, which account for progress and bytes sent. */
const NO_SDK_TIMEOUT_MS = 2 ** 31 - 1;

/** Maximum rounds of questions in one call (2026 era). */
const MAX_INPUT_ROUNDS = 20;

/** A request between its sending and its answer. */
export interface Turn {
  readonly hooks: CallHooks;
  readonly clock: CallClock;
  readonly signal: AbortSignal;
  /** Why it was given up; null while it is not. */
  verdict: AppError | null;
  giveUp(failure: AppError): void;
}

/** Accepts any result unchanged. */
export const anyResult: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'filebridge', validate: (value) => ({ value }) },
};

/** `what` names the request in errors. */
interface NamedRequest {
  method: string;
  params: JsonObject;
  what: string;
}

/** Makes a request and answers the questions that are its interim results. */
export async function requestInRounds(
  client: Client,
  { method, params: request, what }: NamedRequest,
  turn: Turn,
  onAnswer = () => {},
): Promise<unknown> {
  const { hooks, clock, signal } = turn;
  let params = request;
  for (let round = 0; round < MAX_INPUT_ROUNDS; round += 1) {
    const answer = await client.request({ method, params }, anyResult, {
      signal,
      timeout: NO_SDK_TIMEOUT_MS,
      allowInputRequired: true,
      ...(hooks.headers && client.getProtocolEra() === 'modern' ? { headers: hooks.headers } : {}),
      onprogress: (progress) => {
        clock.restart();
        hooks.onProgress?.(progress);
      },
    });
    onAnswer();
    const raw = rawResult(answer);
    if (raw !== answer || !isInputRequired(raw)) return raw;
    const inputResponses = await clock.paused(() => answerAll(raw.inputRequests, hooks));
    if (turn.verdict) throw turn.verdict;
    params = { ...request, inputResponses };
    if (typeof raw.requestState === 'string') params.requestState = raw.requestState;
  }
  throw new AppError(
    'UPSTREAM_FAILED',
    say('server.failed', { tool: what, reason: say('server.inputRounds', { times: MAX_INPUT_ROUNDS }) }),
  );
}

/** Whether a result of the 2026 era is an interim one, with questions. */
function isInputRequired(value: unknown): value is JsonObject & { inputRequests: JsonObject } {
  return isJsonObject(value) && value.resultType === 'input_required' && isJsonObject(value.inputRequests);
}

/** Answers the questions of one round, by key. */
async function answerAll(requests: JsonObject, hooks: CallHooks): Promise<JsonObject> {
  const answers: JsonObject = {};
  for (const [key, request] of Object.entries(requests)) {
    if (!isJsonObject(request) || typeof request.method !== 'string') continue;
    answers[key] = await answerOne(request.method, isJsonObject(request.params) ? request.params : {}, hooks);
  }
  return answers;
}

/** Answers one question. Declines elicitation and refuses sampling when the caller does not support them; a caller without roots has none. */
export async function answerOne(method: string, params: JsonObject, hooks: CallHooks): Promise<JsonObject> {
  if (method === 'elicitation/create') return hooks.elicit ? hooks.elicit(params) : { action: 'decline' };
  if (method === 'sampling/createMessage' && hooks.sample) return hooks.sample(params);
  if (method === 'roots/list') return { roots: [...(await rootsOf(hooks))] };
  // JSON-RPC codes: -1 is what MCP uses for a user who refuses sampling, -32601 for a method that is not offered.
  const refused = method === 'sampling/createMessage';
  const error = new Error(
    refused ? 'Sampling was refused: the calling application does not offer it' : `'${method}' is not offered`,
  );
  throw Object.assign(error, { code: refused ? -1 : -32601 });
}
