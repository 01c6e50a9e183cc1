/** Gemini's generateContent and streamGenerateContent. */
import type { JsonObject } from '../mcp-clients.ts';
import type { Api } from './model-api.ts';

interface Declaration {
  name: string;
  parameters?: JsonObject;
  parametersJsonSchema?: JsonObject;
}
interface Content {
  parts?: { functionResponse?: { response: unknown } }[];
}

export const gemini: Api = {
  asksForTurn: (path) => /:(?:streamG|g)enerateContent(\?|$)/.test(path),
  tools: ({ tools = [] }) =>
    (tools as { functionDeclarations?: Declaration[] }[])
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, parameters, parametersJsonSchema }) => ({ name, inputSchema: parametersJsonSchema ?? parameters ?? {} })),
  results: ({ contents = [] }) =>
    (contents as Content[])
      .flatMap(({ parts = [] }) => parts)
      .flatMap(({ functionResponse }) => (functionResponse ? [JSON.stringify(functionResponse.response)] : [])),
  answer(turn, _body, path) {
    const part = 'call' in turn ? { functionCall: { name: turn.call, args: turn.args } } : { text: turn.text };
    const json = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: 'stand-in',
      responseId: 'filebridge',
    };
    return path.includes(':stream') ? { events: [{ data: json }] } : { json };
  },
};
