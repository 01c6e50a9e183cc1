import { describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../shared/model/call.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { ToolResult } from '../upstream/types.ts';
import { failureFields, outputRequest, shapeResult } from './output.ts';

const target = { server: 'db', tool: 'query' };
const figures = { durationMs: 5, bytes: 20, records: 3, tokens: { count: 7, method: 'measured' as const }, receipt: null };
const warning = { code: 'X', message: 'mind the gap' };

function shape(result: ToolResult, format: OutputFormat | undefined, template?: string, warnings = [warning]): ToolResult {
  return shapeResult(result, target, outputRequest(format, template), figures, warnings);
}
const textOf = (result: ToolResult) => result.content.map((block) => block.text);

describe('an answer in each output format', () => {
  const answer: ToolResult = { content: [{ type: 'text', text: '[{"id":1}]' }], extra: true };

  it('is the whole result as json, with warnings beside it', () => {
    const [json, note] = textOf(shape(answer, undefined));
    expect(JSON.parse(json as string)).toEqual(answer);
    expect(note).toBe('Note: mind the gap');
  });
  it('is the content alone as string', () => {
    expect(textOf(shape(answer, 'string', undefined, []))).toEqual(['[{"id":1}]']);
  });
  it('is untouched as raw, but for warnings in _meta', () => {
    expect(shape(answer, 'raw', undefined, [])).toBe(answer);
    expect(shape(answer, 'raw')).toEqual({ ...answer, _meta: { 'filebridge/warnings': [warning] } });
  });
  it('carries its figures as structured', () => {
    const [text] = textOf(shape(answer, 'structured'));
    expect(JSON.parse(text as string)).toMatchObject({
      result: answer,
      server: 'db',
      tool: 'query',
      bytes: 20,
      records: 3,
      warnings: [warning],
    });
  });
  it('is a table as markdown', () => {
    expect(textOf(shape(answer, 'markdown', undefined, []))).toEqual(['| id |\n| --- |\n| 1 |']);
  });
  it('reads a template in one go, however much white space an unfinished hole has', () => {
    const long = `{{${' '.repeat(200_000)}`;
    expect(textOf(shape(answer, 'custom', `${long.repeat(5)}{{ [0].id }}`, []))).toEqual([`${long.repeat(5)}1`]);
    expect(textOf(shape(answer, 'custom', `{{${' '.repeat(200_000)}[0].id\n}}`, []))).toEqual(['1']);
    expect(() => outputRequest('custom', '{{ }}')).toThrow(/an empty name/);
  });

  it('fills a template as custom, from the text before structured content', () => {
    const both: ToolResult = { ...answer, structuredContent: { id: 2 } };
    expect(textOf(shape(both, 'custom', '{{meta.records}} sent, id {{[0].id}}', []))).toEqual(['3 sent, id 1']);
    const words: ToolResult = { content: [{ type: 'text', text: 'done' }], structuredContent: { id: 2 } };
    expect(textOf(shape(words, 'custom', '{{text}} {{id}}', []))).toEqual(['done 2']);
    expect(textOf(shape(words, 'custom', '{{nope}}', []))).toEqual(['', 'Note: The answer has nothing at {{nope}}']);
  });
});

describe('pictures and other blocks without text', () => {
  const picture = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
  const blob = { type: 'resource', resource: { uri: 'x:y', mimeType: 'application/pdf', blob: 'BBBB' } };
  const dots: ToolResult = { content: [{ type: 'text', text: 'dots' }, picture, picture, blob] };
  const note = (format: string) =>
    `Note: output_format ${format} is text alone and leaves out 2 image (image/png), 1 resource (application/pdf): output_format "raw" gives all, call_tool_and_store stores files`;

  it('are named where the output is a text', () => {
    expect(textOf(shape(dots, 'string', undefined, []))).toEqual(['dots', note('string')]);
    expect(textOf(shape(dots, 'markdown', undefined, []))).toEqual(['dots', note('markdown')]);
    expect(textOf(shape(dots, undefined, '{{text}}!', []))).toEqual(['dots!', note('custom')]);
    expect(textOf(shape({ ...dots, isError: true }, 'string', undefined, []))[1]).toBe(note('string'));
  });

  it.each(['json', 'structured'] as const)('stand beside %s, and not as base64 in it, where hosts show them', (format) => {
    const { content } = shape(dots, format, undefined, []);
    expect(content.slice(1)).toEqual([picture, picture]);
    const json = JSON.parse(String(content[0]?.text));
    expect((format === 'json' ? json : json.result).content).toEqual([
      { type: 'text', text: 'dots' },
      { ...picture, data: 'see picture or sound 1 beside this JSON' },
      { ...picture, data: 'see picture or sound 2 beside this JSON' },
      blob,
    ]);
  });

  it('stand beside the error of a tool', () => {
    const { content, isError } = shape({ ...dots, isError: true }, 'json', undefined, []);
    expect(isError).toBe(true);
    expect(content.slice(1)).toEqual([picture, picture]);
  });
});

describe("an upstream's own error", () => {
  const failed: ToolResult = { content: [{ type: 'text', text: 'no such table' }], isError: true };

  it('keeps isError and says which tool failed, in every format', () => {
    for (const format of ['json', 'structured', 'markdown', 'raw'] as const) expect(shape(failed, format).isError).toBe(true);
    expect(textOf(shape(failed, 'string'))).toEqual(["Error in query: Upstream tool 'query' failed: no such table"]);
    const [json] = textOf(shape(failed, 'json', undefined, []));
    expect(JSON.parse(json as string)).toMatchObject({
      error: "Upstream tool 'query' failed: no such table",
      tool: 'db:query',
      isError: true,
    });
  });
});

describe('outputRequest', () => {
  it('refuses what cannot be meant before anything is sent', () => {
    expect(() => outputRequest('custom', undefined)).toThrow(/needs a template/);
    expect(() => outputRequest('json', 'x')).toThrow(/only used with/);
    expect(() => outputRequest(undefined, '{{__proto__.x}}')).toThrow(/__proto__/);
    expect(outputRequest(undefined, '{{text}}').format).toBe('custom');
  });
});

it('tells how long a server asks to wait', () => {
  const error = new AppError('UPSTREAM_UNREACHABLE', 'busy', { details: { retryAfterSeconds: 30 } });
  expect(failureFields(error, { server: 'web', tool: 'echo' })).toMatchObject({ retry_after_seconds: 30 });
  expect(failureFields(new AppError('UPSTREAM_FAILED', 'no'), { server: 'web', tool: 'echo' })).not.toHaveProperty(
    'retry_after_seconds',
  );
});

it('has the code of a JSON-RPC error, and its data as far as that is short', () => {
  const failed = (data?: unknown) =>
    failureFields(new AppError('UPSTREAM_FAILED', 'no', { details: { rpc: { code: -32602, message: 'no', data } } }), {
      server: 'web',
      tool: 'echo',
    });
  expect(failed({ row: 3 })).toMatchObject({ rpc_code: -32602, rpc_data: { row: 3 } });
  expect(failed()).not.toHaveProperty('rpc_data');
  expect(failed('x'.repeat(30_000))).toMatchObject({ rpc_code: -32602, rpc_data_omitted: '30002 characters' });
});
