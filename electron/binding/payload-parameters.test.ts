/** Which parameters take a file: samples of the kinds that the rules know. `bench/tool-choice.run.ts` measures them on real tools. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../engine/core/json-object.ts';
import { takesFile } from './payload-parameters.ts';

const text = (description?: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  ...(description ? { description } : {}),
  ...more,
});
const list = (items: JsonObject, description?: string): JsonObject => ({
  type: 'array',
  items,
  ...(description ? { description } : {}),
});
const record = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
const asked = (tool: string, name: string, schema: JsonObject, more: JsonObject = {}) =>
  takesFile({ name: tool, inputSchema: { type: 'object', properties: { [name]: schema, ...more } } }, name, schema);

it.each<[string, string, JsonObject]>([
  ['write_file', 'content', text()],
  ['create_page', 'body', text('Body of the page in Markdown')],
  ['send_email', 'html', text()],
  ['run_code', 'code', text('Python code to execute')],
  ['render', 'mermaid', text()],
  ['kubectl_apply', 'manifest', text('YAML manifest to apply')],
  ['upload', 'data_base64', text()],
  ['upload', 'file', text('Base64-encoded file')],
  ['translate', 'text', text('Text to translate')],
  ['add_chunk', 'text', text('Main text content of the chunk')],
  ['analyze', 'context', text('The complete source code and full logs')],
  ['bulk_insert', 'rows', list({ type: 'array' })],
  ['create_entities', 'entities', list(record)],
  ['create_cases', 'cases', list(record)],
  ['upsert', 'vectors', list(record)],
  ['import', 'items', list(record, 'Array of items to import')],
  ['create_document', 'document', { type: 'object' }],
  ['insert', 'data', { type: 'object' }],
  ['update_style', 'style', { anyOf: [text(), { type: 'object' }], description: 'Style (JSON string or object)' }],
])('%s takes a file for %s', (tool, name, schema) => {
  expect(asked(tool, name, schema)).toBe(true);
});

it.each<[string, string, JsonObject]>([
  ['click', 'selector', text()],
  ['create', 'title', text('Title of the page')],
  ['create', 'id', text()],
  ['write_file', 'path', text('Path of the file')],
  ['create_issue', 'repo', text()],
  ['set_theme', 'backgroundColor', text()],
  ['search', 'query', text('Search query')],
  ['list_pages', 'filter', { type: 'object' }],
  ['list_pages', 'properties', list(text())],
  ['create_text', 'style', text('Style of the text')],
  ['create_chart', 'axisXTitle', text()],
  ['connect', 'connection_string', text()],
  ['convert', 'delimiter', text()],
  ['create', 'options', { type: 'object' }],
  ['add_comment', 'comment', text('Short comment')],
  ['send_message', 'text', text()],
  ['write', 'content', text('Content', { maxLength: 100 })],
  ['write', 'content', { enum: ['a', 'b'] }],
  ['write', 'body', text('', { format: 'uri' })],
  ['add_tags', 'tags', list(text())],
  ['delete_rows', 'rows', list(record)],
  ['write', '__proto__', text()],
])('%s takes no file for %s', (tool, name, schema) => {
  expect(asked(tool, name, schema)).toBe(false);
});

it('bytes beside a media type are content', () => {
  expect(asked('upload', 'data', text())).toBe(false);
  expect(asked('upload', 'data', text(), { mimeType: text() })).toBe(true);
});
