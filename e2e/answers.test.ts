/** What the agent reads: the six output formats, errors in each, and answers too big to hand over. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import type { Answer, McpClient } from './support/mcp-clients.ts';
import { fixtureServer } from './support/upstreams.ts';

let filebridge: Filebridge;
let client: McpClient;

beforeAll(async () => {
  const { openWorkspace } = await import('./support/cli.ts');
  const notes = await openWorkspace();
  filebridge = await startFilebridge('stdio', {
    upstreams: {
      witness: fixtureServer('witness.mjs', [notes.at('diary.jsonl')]),
      gone: { type: 'stdio', command: 'no-such-command-at-all' },
    },
    responses: { spillOverTokens: 2000 },
  });
  client = await filebridge.connect('v2 negotiating');
  return () => notes.remove();
});
afterAll(() => filebridge?.stop());

const call = (tool_name: string, rest: Record<string, unknown> = {}): Promise<Answer> =>
  client.call('call_tool', { server: 'witness', tool_name, ...rest });

const people = [
  { name: 'Ada', zip: '01234', age: 36 },
  { name: 'Müller; "Bo"', zip: '00042', age: null },
];

describe('a call that the server refuses', () => {
  it('is told what may be wrong with its arguments, by name, value and place', async () => {
    const misspelt = await call('add', { tool_args: { name: 'bad', lisst: 'x' } });
    expect(misspelt.json()).toMatchObject({
      error: "Upstream tool 'add' failed: a bad name",
      hint: "By the tool's schema: the arguments have 'lisst', which the tool does not name (Did you mean 'list'?)",
    });
    const wrong = await call('add', { tool_args: { name: 'bad', age: 'old' }, output_format: 'string' });
    expect(wrong.text).toBe(
      "Error in add: Upstream tool 'add' failed: a bad name. By the tool's schema: age must be integer, not \"old\"",
    );
    // Its words are quoted once.
    expect(JSON.stringify(misspelt.result).split('a bad name')).toHaveLength(2);
    expect((await call('fail', { tool_args: { anything: 1 } })).json()).not.toHaveProperty('hint');
  });
});

it('a misspelt argument that the server took is not passed over in silence', async () => {
  const answer = await call('add', { tool_args: { name: 'Ada', lisst: 'x' }, output_format: 'string' });
  expect(answer.text).toBe("added Ada\nNote: the arguments have 'lisst', which the tool does not name (Did you mean 'list'?)");
  expect((await call('add', { tool_args: { name: 'Bo', quite_else: 'x' }, output_format: 'string' })).text).toContain(
    "Note: the arguments have 'quite_else', which the tool does not name",
  );
});

it('a path of a file, given as content, is sent as it is and noted', async () => {
  const path = await filebridge.file('letter.txt', 'Dear Ada');
  const sent = async (tool_args: Record<string, unknown>) =>
    (await call('add', { tool_args: { name: 'Ada', ...tool_args }, output_format: 'string' })).text;
  expect(await sent({ content: path })).toMatch(
    /Note: 'content' was sent as the text .*letter\.txt, which is the path of a file; .*data_key: "content"$/,
  );
  for (const none of [{ content: `${path}x` }, { path }, { content: `See ${path}` }, { content: '/etc/hosts' }])
    expect(await sent(none)).not.toContain('is the path of a file');
});

it('a parameter of another tool, or of a part of the call, is named with its place', async () => {
  const hint = async (tool: string, args: Record<string, unknown>) => (await client.call(tool, args)).json().hint;
  const target = { server: 'witness', tool_name: 'people' };
  expect(await hint('call_tool', { ...target, filename: 'x.csv' })).toBe(
    "'filename' is a parameter of call_tool_with_file_content, call_tool_and_store. If it is for the tool itself, it goes into tool_args",
  );
  expect(await hint('preview_file', { path: 'x.csv', limit: 3 })).toBe('\'limit\' goes into transform: {"limit": …}');
  expect(await hint('call_tool', { ...target, querry: 'x' })).toMatch(/^The tool's own arguments go into tool_args\./);
});

it.each([
  ['header_row', '_file: {"header_row": …}'],
  ['transform', '_file: {"transform": …}'],
  ['limit', '_file: {"transform": {"limit": …}}'],
  ['output_format', 'output_format is an option of call_tool_with_file_content, beside tool_args'],
])('an option of a file among the arguments of its tool (%s) does not make the call', async (name, hint) => {
  const path = await filebridge.file('stray.csv', 'name\nStray\n');
  const beside = { server: 'witness', tool_name: 'insert', path, data_key: 'records', tool_args: { [name]: 1 } };
  expect((await client.call('call_tool_with_file_content', beside)).json()).toMatchObject({
    error: `Nothing was sent: '${name}' is no parameter of insert, which would ignore it`,
    hint: expect.stringContaining(hint),
  });
});

it.each(['dry_run', 'batch', '_FILE'])(
  'an option of ours among the arguments of a tool (%s) does not make the call',
  async (name) => {
    const refused = await call('add', { tool_args: { name: 'Stray', [name]: true } });
    expect(refused.json()).toMatchObject({
      error: expect.stringContaining(`Nothing was sent: '${name}' is no parameter of add`),
    });
    const path = await filebridge.file('stray.csv', 'name\nAda\n');
    const beside = { server: 'witness', tool_name: 'insert', path, data_key: 'records', tool_args: { [name]: true } };
    expect((await client.call('call_tool_with_file_content', beside)).json().error).toContain('Nothing was sent');
  },
);

it('a transform that leaves no record says so', async () => {
  const path = await filebridge.file('some.csv', 'name\nAda\n');
  const where = [{ column: 'name', op: '=', value: 'ada' }];
  const answer = await client.call('call_tool_with_file_content', {
    server: 'witness',
    tool_name: 'insert',
    path,
    data_key: 'records',
    transform: { where },
    output_format: 'string',
  });
  expect(answer.text).toContain('Note: The transform leaves no record, so the list is empty');
});

it('a preview of many rows keeps within the tokens of an answer, and says how many it leaves out', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => `${i},some words of row ${i}`).join('\n');
  const path = await filebridge.file('many.csv', `id,words\n${rows}\n`);
  const { text } = await client.call('preview_file', { path, rows: 1000 });
  expect(countTokens(text)).toBeLessThanOrEqual(2000);
  const shown = JSON.parse(text) as { rows: unknown[]; warnings: string[] };
  expect(shown.rows.length).toBeGreaterThan(50);
  expect(shown.warnings).toContainEqual(
    expect.stringContaining(`${1000 - shown.rows.length} rows that were asked for have no room in 2000 tokens`),
  );
});

describe('what is wrong beside a file', () => {
  const insert = (rest: Record<string, unknown>) =>
    client.call('call_tool_with_file_content', { server: 'witness', tool_name: 'insert', data_key: 'records', ...rest });

  it('is not said of the file', async () => {
    const path = await filebridge.file('names.csv', 'name\nAda\n');
    expect((await insert({ path, tool_args: { table: 5 } })).json()).toMatchObject({
      error: "Arguments do not fit the tool's schema: table must be string, not 5 (rule: type)",
      hint: 'Correct tool_args: what is wrong is not in the file',
    });
    const list = await filebridge.file('list.csv', 'name\nAda\nBo\n');
    const one = async (expression: string) => (await insert({ path: list, transform: { expression } })).json().hint;
    expect(await one('$[name="Ada"]')).toContain('put [ ] around the expression');
    expect(await one('$[name="Cid"]')).toContain('finds nothing');
    // The columns of a table are known, so another name is a mistake.
    expect((await insert({ path: list, transform: { expression: '$[nmae="Ada"]' } })).json()).toMatchObject({
      code: 'TRANSFORM_FAILED',
      error: expect.stringContaining("Did you mean 'name'"),
    });
    expect((await insert({ path: list, batch: { each: true } })).json().hint).toContain('leave each out of batch');
    const page = await filebridge.file('page.html', '<table><tr><td>name<tr><td>Ada</table>');
    expect((await insert({ path: page, as: 'json' })).json().hint).toContain('table: "1"');
    const wrong = await filebridge.file('numbers.json', '[{"name": 5}]');
    expect((await insert({ path: wrong })).json().hint).toContain('Correct the file');
  });
});

describe('output formats', () => {
  it('json: the whole result, pretty-printed, and the default', async () => {
    const answer = await call('structured_people');
    expect(answer.json()).toEqual({
      content: [{ type: 'text', text: 'two people' }],
      structuredContent: { people },
      _meta: { 'witness/mark': 7 },
    });
    expect(answer.text).toBe(JSON.stringify(answer.json(), null, 2));
    expect((await call('structured_people', { output_format: 'json' })).text).toBe(answer.text);
  });

  it('string: the content alone', async () => {
    expect((await call('people', { output_format: 'string' })).text).toBe(JSON.stringify(people));
    expect((await call('picture', { output_format: 'string' })).text).toMatch(
      /^a dot\nseen\nNote: .* leaves out 1 image \(image\/png\)/,
    );
  });

  it('raw: the upstream’s result untouched, blocks and all', async () => {
    const answer = await call('structured_people', { output_format: 'raw' });
    expect(answer.result).toMatchObject({
      content: [{ type: 'text', text: 'two people' }],
      structuredContent: { people },
      _meta: { 'witness/mark': 7 },
    });
    const picture = await call('picture', { output_format: 'raw' });
    expect(picture.blocks.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    expect(Buffer.from(String(picture.blocks[1]?.data), 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  it('structured: the result with server, tool, duration, bytes, records, tokens and warnings', async () => {
    const file = await filebridge.file('three.csv', 'name\na\nb\nc\n');
    const answer = await client.call('call_tool_with_file_content', {
      server: 'witness',
      tool_name: 'insert',
      path: file,
      data_key: 'records',
      output_format: 'structured',
    });
    expect(answer.json()).toMatchObject({
      result: { content: [{ type: 'text', text: 'inserted 3' }] },
      server: 'witness',
      tool: 'insert',
      durationMs: expect.any(Number),
      bytes: Buffer.byteLength('{"records":[{"name":"a"},{"name":"b"},{"name":"c"}]}'),
      records: 3,
      tokens: { count: expect.any(Number), method: 'measured' },
      receipt: { recordsRead: 3, recordsAccepted: 3, recordsFailed: 0, resumeFrom: null },
      warnings: [],
    });
  });

  it('markdown: a table for a list of objects', async () => {
    const { text } = await call('people', { output_format: 'markdown' });
    const [head, rule, ...rows] = text.trim().split('\n');
    expect(head).toMatch(/^\| *name *\| *zip *\| *age *\|$/);
    expect(rule).toMatch(/^\|[-: |]+\|$/);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/Ada.*01234.*36/);
  });

  it('custom: a template with holes', async () => {
    const template = '{{[1].name}} lives at {{[0].zip}}, says {{meta.server}}: {{missing}}';
    const answer = await call('people', { template: template.replaceAll('{{[1].name}}', '{{text}}') });
    expect(answer.text).toContain(`${JSON.stringify(people)} lives at`);
    const file = await filebridge.file('two.csv', 'name\na\nb\n');
    const counted = await client.call('call_tool_with_file_content', {
      server: 'witness',
      tool_name: 'insert',
      path: file,
      data_key: 'records',
      output_format: 'custom',
      template: '{{meta.records}} rows into {{meta.tool}}: {{text}}',
    });
    expect(counted.text).toBe('2 rows into insert: inserted 2');
    const nested = await call('structured_people', { output_format: 'custom', template: '{{people[1].zip}}' });
    expect(nested.text).toBe('00042');
  });
});

describe('errors follow the format', () => {
  it('string: one line', async () => {
    const answer = await call('fail', { output_format: 'string' });
    expect(answer).toMatchObject({ isError: true, text: "Error in fail: Upstream tool 'fail' failed: no more room" });
  });

  it('otherwise: error, tool and timestamp', async () => {
    for (const output_format of ['json', 'structured', 'markdown', 'custom']) {
      const answer = await call('fail', { output_format, ...(output_format === 'custom' ? { template: '{{text}}' } : {}) });
      expect(answer.isError).toBe(true);
      expect(answer.json()).toMatchObject({ error: "Upstream tool 'fail' failed: no more room", tool: 'witness:fail' });
      expect(Date.parse(String(answer.json().timestamp))).toBeGreaterThan(0);
    }
  });

  it('raw keeps the upstream’s own words and isError', async () => {
    expect(await call('fail', { output_format: 'raw' })).toMatchObject({ isError: true, text: 'no more room' });
  });

  it('a server that is not there is an error of the call and a row of the list', async () => {
    const failed = await client.call('call_tool', { server: 'gone', tool_name: 'anything' });
    expect(failed.isError).toBe(true);
    expect(failed.json()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', tool: 'gone:anything' });
    const { servers } = (await client.call('list_upstream_tools', { detail: 'names' })).json() as {
      servers: { server: string; tools?: string[]; error?: string }[];
    };
    expect(servers.find(({ server }) => server === 'gone')?.error).toBeTruthy();
    expect(servers.find(({ server }) => server === 'witness')?.tools).toContain('people');
  });

  it('names near misses', async () => {
    expect((await call('peple')).text).toContain('people');
    expect((await client.call('call_tool', { server: 'witnes', tool_name: 'people' })).text).toContain('witness');
  });
});

describe('big answers', () => {
  it('are stored unasked, and the agent gets a link and the beginning', async () => {
    const answer = await call('big', { tool_args: { rows: 5000 }, output_format: 'string' });
    expect(answer.isError).toBe(false);
    expect(answer.text).toMatch(/over the limit of 2,000 \(responses\.spillOverTokens\)/);
    expect(answer.text).toContain('"person 0"');
    expect(countTokens(JSON.stringify(answer.blocks))).toBeLessThan(500);
    const link = answer.blocks.find(({ type }) => type === 'resource_link');
    const stored = JSON.parse(await readFile(fileURLToPath(String(link?.uri)), 'utf8')) as { id: number; zip: string }[];
    expect(stored).toHaveLength(5000);
    expect(stored.at(-1)).toEqual({ id: 4999, name: 'person 4999', zip: '00501' });
    const { contents } = await client.request('resources/read', { uri: link?.uri });
    expect(JSON.parse(String((contents as { text: string }[])[0]?.text))).toEqual(stored);
  });

  it('that are small enough are handed over', async () => {
    const answer = await call('big', { tool_args: { rows: 20 }, output_format: 'string' });
    expect(JSON.parse(answer.text)).toHaveLength(20);
  });
});

describe('stored answers', () => {
  const store = (rest: Record<string, unknown>): Promise<Answer> =>
    client.call('call_tool_and_store', { server: 'witness', tool_name: 'people', storage_path: filebridge.at('.'), ...rest });
  const linked = async (answer: Answer, index = 0): Promise<string> => {
    const links = answer.blocks.filter(({ type }) => type === 'resource_link');
    return readFile(fileURLToPath(String(links[index]?.uri)), 'utf8');
  };

  it.each([
    ['json', JSON.stringify(people)],
    ['jsonl', `${people.map((each) => JSON.stringify(each)).join('\n')}\n`],
    ['csv', 'name,zip,age\r\nAda,01234,36\r\n"Müller; ""Bo""",00042,'],
    ['tsv', 'name\tzip\tage\r\nAda\t01234\t36\r\n"Müller; ""Bo"""\t00042\t'],
  ])('as %s', async (response_format, text) => {
    const answer = await store({ response_format });
    expect(answer.isError, answer.text).toBe(false);
    expect(await linked(answer)).toBe(text);
  });

  it.each([
    ['yaml', '01234'],
    ['xml', '<name>Ada</name>'],
    ['md', '| Ada'],
    ['html', '<td>Ada</td>'],
    ['txt', '"Ada"'],
  ])('as %s', async (response_format, part) => {
    const answer = await store({ response_format });
    expect(answer.isError, answer.text).toBe(false);
    expect(await linked(answer)).toContain(part);
  });

  it('never replace a file unasked', async () => {
    await filebridge.file('kept.json', 'mine');
    const refused = await store({ filename: 'kept.json' });
    expect(refused.isError).toBe(true);
    expect(refused.json()).toMatchObject({ code: 'FILE_EXISTS', error: expect.stringContaining('already exists') });
    expect(await readFile(filebridge.at('kept.json'), 'utf8')).toBe('mine');
    const replaced = await store({ filename: 'kept.json', overwrite: true });
    expect(replaced.isError, replaced.text).toBe(false);
    expect(await readFile(filebridge.at('kept.json'), 'utf8')).toBe(JSON.stringify(people));
  });

  it.each(['../escape.json', 'sub/name.json', '/etc/escape.json'])('refuse the name %s', async (filename) => {
    const answer = await store({ filename });
    expect(answer.isError).toBe(true);
  });

  it('keep pictures as files of their own', async () => {
    const answer = await client.call('call_tool_and_store', {
      server: 'witness',
      tool_name: 'picture',
      storage_path: filebridge.at('.'),
      filename: 'seen.txt',
    });
    const links = answer.blocks.filter(({ type }) => type === 'resource_link');
    expect(links.map(({ mimeType }) => mimeType)).toEqual(['text/plain', 'image/png']);
    expect((await readFile(fileURLToPath(String(links[1]?.uri)))).subarray(1, 4).toString()).toBe('PNG');
    const { contents } = await client.request('resources/read', { uri: links[1]?.uri });
    const [content] = contents as { blob: string }[];
    expect(
      Buffer.from(content?.blob ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });
});
