/** OpenAI's Responses, in full and as events. */
import type { JsonObject } from '../mcp-clients.ts';
import type { Api } from './model-api.ts';

interface Tool extends JsonObject {
  type: string;
  name?: string;
  parameters?: JsonObject;
  tools?: Tool[];
}

/** A function, and the namespace it is in. */
interface Placed {
  namespace?: string;
  name: string;
  inputSchema: JsonObject;
}

/** Codex puts the tools of each MCP server into a namespace. */
const functionsOf = (tools: readonly Tool[], namespace?: string): Placed[] =>
  tools.flatMap(({ type, name = '', parameters = {}, tools: inner = [] }) => {
    if (type === 'namespace') return functionsOf(inner, name);
    return type === 'function' ? [{ ...(namespace === undefined ? {} : { namespace }), name, inputSchema: parameters }] : [];
  });

const fullName = ({ namespace, name }: Placed): string => (namespace === undefined ? name : `${namespace}__${name}`);

/** How a call names its function. */
const placeOf = (placed: Placed | undefined) => ({
  name: placed?.name,
  ...(placed?.namespace === undefined ? {} : { namespace: placed.namespace }),
});

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

export const responses: Api = {
  asksForTurn: (path) => /\/responses(\?|$)/.test(path),
  tools: ({ tools = [] }) =>
    functionsOf(tools as Tool[]).map((placed) => ({ name: fullName(placed), inputSchema: placed.inputSchema })),
  results: ({ input = [] }) =>
    (Array.isArray(input) ? (input as JsonObject[]) : [])
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output))),
  answer(turn, body) {
    const functions = functionsOf((body.tools ?? []) as Tool[]);
    const item =
      'call' in turn
        ? {
            type: 'function_call',
            id: `fc_${turn.id}`,
            call_id: `call_${turn.id}`,
            status: 'completed',
            ...placeOf(functions.find((placed) => fullName(placed) === turn.call)),
            arguments: JSON.stringify(turn.args),
          }
        : {
            type: 'message',
            id: 'msg_filebridge',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          };
    const response = { id: 'resp_filebridge', object: 'response', created_at: 1, model: body.model, error: null };
    const whole = { ...response, status: 'completed', output: [item], usage };
    if (body.stream !== true) return { json: whole };
    const events: JsonObject[] = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ];
    return { events: events.map((data, sequence_number) => ({ event: String(data.type), data: { ...data, sequence_number } })) };
  },
};
