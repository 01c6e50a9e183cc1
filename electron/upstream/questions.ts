/** Answers the questions that a server asks during a call, by the hooks of its caller. */
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import type { CallHooks } from './types.ts';

/** Whether a result of the 2026 era is an interim one, with questions. */
export function isInputRequired(value: unknown): value is JsonObject & { inputRequests: JsonObject } {
  return isJsonObject(value) && value.resultType === 'input_required' && isJsonObject(value.inputRequests);
}

/** Answers the questions of one round, by key. */
export async function answerAll(requests: JsonObject, hooks: CallHooks): Promise<JsonObject> {
  const answers: JsonObject = {};
  for (const [key, request] of Object.entries(requests)) {
    if (!isJsonObject(request) || typeof request.method !== 'string') continue;
    answers[key] = await answerOne(request.method, isJsonObject(request.params) ? request.params : {}, hooks);
  }
  return answers;
}

/** Answers one question. Declines elicitation and refuses sampling when the caller does not support them. */
export async function answerOne(method: string, params: JsonObject, hooks: CallHooks): Promise<JsonObject> {
  if (method === 'elicitation/create') return hooks.elicit ? hooks.elicit(params) : { action: 'decline' };
  if (method === 'sampling/createMessage' && hooks.sample) return hooks.sample(params);
  // JSON-RPC codes: -1 is what MCP uses for a user who refuses sampling, -32601 for a method that is not offered.
  const refused = method === 'sampling/createMessage';
  const error = new Error(
    refused ? 'Sampling was refused: the calling application does not offer it' : `'${method}' is not offered`,
  );
  throw Object.assign(error, { code: refused ? -1 : -32601 });
}
