/** Anthropic's Messages, in full and as events. */
import type { JsonObject } from '../mcp-clients.ts';
import type { Api } from './model-api.ts';

interface Message {
  content: string | (JsonObject & { type: string; content?: unknown })[];
}
const usage = { input_tokens: 10, output_tokens: 5 };

export const anthropic: Api = {
  asksForTurn: (path) => /\/messages(\?|$)/.test(path),
  tools: ({ tools = [] }) =>
    (tools as (JsonObject & { name: string; input_schema?: JsonObject })[]).flatMap(({ name, input_schema }) =>
      input_schema === undefined ? [] : [{ name, inputSchema: input_schema }],
    ),
  results: ({ messages = [] }) =>
    (messages as Message[]).flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.filter(({ type }) => type === 'tool_result').map((block) => JSON.stringify(block.content)),
    ),
  answer(turn, body) {
    const block =
      'call' in turn
        ? { type: 'tool_use', id: `toolu_${turn.id}`, name: turn.call, input: turn.args }
        : { type: 'text', text: turn.text };
    const stop_reason = 'call' in turn ? 'tool_use' : 'end_turn';
    const message = { id: 'msg_filebridge', type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage };
    if (body.stream !== true) return { json: { ...message, content: [block], stop_reason } };
    const start = 'call' in turn ? { ...block, input: {} } : { ...block, text: '' };
    const delta =
      'call' in turn
        ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) }
        : { type: 'text_delta', text: turn.text };
    const events: JsonObject[] = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    return { events: events.map((data) => ({ event: String(data.type), data })) };
  },
};
