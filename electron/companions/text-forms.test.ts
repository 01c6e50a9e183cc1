/** What a server gets of a file in a text parameter, by what its tool says: by companions and by call_tool_with_file_content alike. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { type Companions, openCompanions } from './fixtures/companions.ts';

const text = { type: 'string' };
const toolOf = (name: string, properties: JsonObject, required: string[] = []) => ({
  name,
  inputSchema: { type: 'object', properties, required },
});
const tools = [
  toolOf('write_words', { content: { ...text, description: 'Base64-encoded content of the file' } }),
  toolOf('write_choice', { content: text, encoding: { type: 'string', enum: ['utf-8', 'base64'] } }),
  toolOf('upload_pair', { data: text, filename: text, mimeType: text }),
  toolOf('write_uri', { image: { ...text, description: 'The picture as a data URI' } }),
  toolOf('write_page', { markdown: text }),
  toolOf('import_csv', { csv: text }),
  toolOf('import_json', { content: { ...text, description: 'The rows as a JSON string' } }),
  toolOf('write_plain', { content: text, name: text }),
  toolOf('write_sheet', { values: { type: 'array', items: { type: 'array', items: {} } }, sheet: text }),
  toolOf('upload_flag', { content: text, is_base64: { type: 'boolean' } }),
  toolOf('upload_two', { image_base64: text, mask_base64: text, filename: text }),
  toolOf('write_many', { content: { ...text, description: 'Content (Markdown, CSV or HTML)' } }),
  toolOf('write_rows', { values: { type: 'array', items: { type: 'array', items: { type: 'string' } } } }),
];

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe);
const base64 = Buffer.from(png).toString('base64');
const letter = 'Ein Brief: ä, ö, ü\nund eine zweite Zeile\n';
const caller = { signal: new AbortController().signal, client: 'test', progress: () => undefined, log: () => undefined };

let companions: Companions;
const files: Record<string, string> = {};
beforeAll(async () => {
  companions = await openCompanions({ s: tools });
  files.png = await companions.file('a.png', png);
  files.odd = await companions.file('a.unknown', png);
  files.letter = await companions.file('letter.txt', letter);
  files.csv = await companions.file('people.csv', 'id,name,zip\n1,Ann,00501\n2,"B, C",\n');
  files.json = await companions.file('people.json', '[{"a": 1}, {"a": 2}]\n');
});
afterAll(() => companions.close());

const ways: Record<string, (tool: string, key: string, file: string, args?: JsonObject) => Promise<ToolResult | undefined>> = {
  'a companion': async (tool, key, file, args = {}) =>
    companions.source.call(`s__${tool}`, { ...args, [`${key}_path`]: files[file] }, caller),
  call_tool_with_file_content: (tool, key, file, args = {}) =>
    companions.service.callWithFile(
      { server: 's', tool_name: tool, path: files[file] as string, data_key: key, tool_args: args, output_format: 'raw' },
      caller,
    ),
  'no data key': (tool, _key, file, args = {}) =>
    companions.service.callWithFile(
      { server: 's', tool_name: tool, path: files[file] as string, tool_args: args, output_format: 'raw' },
      caller,
    ),
};

it.each<[string, string, string, JsonObject, unknown]>([
  ['rows as CSV', 'write_plain', 'csv', { where: [{ column: 'id', op: '=', value: 1 }] }, 'id,name,zip\n1,Ann,00501\n'],
  ['a text as it is', 'write_plain', 'csv', { expression: '$[0].name' }, 'Ann'],
  ['a list as JSON', 'write_plain', 'json', { expression: 'a' }, '[1,2]'],
  ['rows as the tool says', 'write_choice', 'csv', { limit: 1 }, 'id,name,zip\n1,Ann,00501\n'],
])('what a transform makes of a file goes into a text: %s', async (_, tool, file, transform, content) => {
  const result = await companions.source.call(`s__${tool}`, { content_path: files[file], _file: { transform } }, caller);
  expect(JSON.parse(String(result?.content[0]?.text))).toMatchObject({ content });
});

describe.each(Object.entries(ways))('by %s', (way, call) => {
  const sent = async (...given: Parameters<typeof call>): Promise<unknown> => {
    const result = await call(...given);
    expect(result?.isError, JSON.stringify(result?.content)).toBeUndefined();
    return JSON.parse(String(result?.content[0]?.text));
  };
  const notes = async (...given: Parameters<typeof call>) => JSON.stringify((await call(...given)) ?? '');

  it('base64 in words is base64, of a text too', async () => {
    expect(await sent('write_words', 'content', 'letter')).toEqual({ content: Buffer.from(letter).toString('base64') });
    expect(await sent('write_words', 'content', 'png')).toEqual({ content: base64 });
    expect(await sent('write_words', 'content', 'odd')).toEqual({ content: base64 });
  });

  it('with a choice of encodings, bytes go as base64 and say so, and text as text', async () => {
    if (way !== 'no data key') {
      expect(await sent('write_choice', 'content', 'letter')).toEqual({ content: letter });
      expect(await notes('write_choice', 'content', 'letter')).toContain('the file went as text. as: \\"base64\\"');
    }
    expect(await sent('write_choice', 'content', 'png')).toEqual({ content: base64, encoding: 'base64' });
    expect(await notes('write_choice', 'content', 'odd')).toContain("'encoding' was not given and was filled in");
    expect(await sent('write_choice', 'content', 'letter', { encoding: 'base64' })).toEqual({
      content: Buffer.from(letter).toString('base64'),
      encoding: 'base64',
    });
  });

  it('bytes beside a media type get their name and type', async () => {
    expect(await sent('upload_pair', 'data', 'png')).toEqual({ data: base64, filename: 'a.png', mimeType: 'image/png' });
    expect(await sent('upload_pair', 'data', 'png', { filename: 'b.png', mimeType: 'image/x' })).toEqual({
      data: base64,
      filename: 'b.png',
      mimeType: 'image/x',
    });
  });

  it('a data URI, CSV, Markdown and JSON are what is asked for', async () => {
    expect(await sent('write_uri', 'image', 'png')).toEqual({ image: `data:image/png;base64,${base64}` });
    if (way === 'no data key') return;
    expect(await sent('write_page', 'markdown', 'letter')).toEqual({ markdown: letter });
    expect(await sent('write_page', 'markdown', 'csv')).toEqual({
      markdown: '| id | name | zip |\n| --- | --- | --- |\n| 1 | Ann | 00501 |\n| 2 | B, C |  |\n',
    });
    expect(await sent('import_csv', 'csv', 'csv')).toEqual({ csv: 'id,name,zip\n1,Ann,00501\n2,"B, C",\n' });
    expect(await sent('import_json', 'content', 'csv')).toEqual({
      content: '[{"id":1,"name":"Ann","zip":"00501"},{"id":2,"name":"B, C","zip":null}]',
    });
  });

  it('a table for lists of lists is its header and typed rows', async () => {
    const rows = [
      ['id', 'name', 'zip'],
      [1, 'Ann', '00501'],
      [2, 'B, C', null],
    ];
    expect(await sent('write_sheet', 'values', 'csv')).toEqual({ values: rows });
    expect(await sent('write_sheet', 'values', 'csv', { sheet: 'A' })).toEqual({ values: rows, sheet: 'A' });
  });

  it('a flag says that bytes are base64, and a text that may have many formats stays what it is', async () => {
    expect(await sent('upload_flag', 'content', 'png')).toEqual({ content: base64, is_base64: true });
    if (way !== 'a companion') return;
    expect(await sent('write_many', 'content', 'csv')).toEqual({ content: 'id,name,zip\n1,Ann,00501\n2,"B, C",\n' });
  });

  it('bytes never go as text', async () => {
    const result = await call('write_plain', 'content', 'odd', { name: 'a' });
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result?.content)).toMatch(/as: \\+"base64\\+"/);
  });
});

describe('by call_tool_with_file_content', () => {
  const sent = async (request: object): Promise<unknown> => {
    const result = await companions.service.callWithFile({ server: 's', output_format: 'raw', ...request } as never, caller);
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    return JSON.parse(String(result.content[0]?.text));
  };

  it('nothing is filled in that two files describe differently, or that replaces what is given', async () => {
    const both = [
      { path: files.png, data_key: 'image_base64' },
      { path: files.odd, data_key: 'mask_base64' },
    ];
    expect(await sent({ tool_name: 'upload_two', files: both })).toEqual({ image_base64: base64, mask_base64: base64 });
  });

  it('as: "base64" says so to the tool, too', async () => {
    const request = { tool_name: 'write_choice', path: files.letter, data_key: 'content', as: 'base64' };
    expect(await sent(request)).toEqual({ content: Buffer.from(letter).toString('base64'), encoding: 'base64' });
  });
});
