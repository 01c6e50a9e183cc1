/** Counts the tokens of thirty answers as a model reads them: content and structured content, as JSON. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from '../e2e/support/cli.ts';
import { type Filebridge, startFilebridge } from '../e2e/support/filebridge.ts';
import type { McpClient } from '../e2e/support/mcp-clients.ts';
import { fixtureServer } from '../e2e/support/upstreams.ts';
import { countTokens } from '../electron/engine/tokens/tokens.ts';
import { report } from './support/figures.ts';

const number = (value: number): string => value.toLocaleString('en');
const rows: string[][] = [];
let notes: Workspace;
let filebridge: Filebridge;
let client: McpClient;

beforeAll(async () => {
  notes = await openWorkspace();
  filebridge = await startFilebridge('stdio', {
    expose: { fileTools: true, upstreamTools: 'none' },
    upstreams: { witness: fixtureServer('witness.mjs', [notes.at('diary.jsonl')]), echo: fixtureServer('echo-arguments.mjs') },
  });
  client = await filebridge.connect('v1');
});
afterAll(async () => {
  await filebridge?.stop();
  await notes?.remove();
  await report('answers', { columns: ['answer', 'tokens'], rows, packages: ['gpt-tokenizer'] });
});

/** A table of names; `bad` is refused by the server. */
const names = (count: number, bad: readonly number[] = []): string =>
  `name\n${Array.from({ length: count }, (_, i) => (bad.includes(i) ? 'bad' : `person ${i}`)).join('\n')}\n`;

it('counts what each answer takes', async () => {
  const at = filebridge.at;
  const file = (name: string, content: string) => filebridge.file(name, content);
  const insert = (more: object) =>
    ['call_tool_with_file_content', { server: 'witness', tool_name: 'insert', data_key: 'records', ...more }] as const;
  const people = await file('people.csv', names(20_000));
  const refusing = await file('refusing.csv', names(2_500, [1_200]));
  const few = await file('few.csv', 'name,zip,age\nAda,01234,36\nBo,00042,28\nCy,99999,71\n');
  const wide = await file(
    'wide.csv',
    `${Array.from({ length: 300 }, (_, i) => `column ${i}`).join(',')}\n${'1,'.repeat(299)}1\n`,
  );
  const text = await file('notes.md', `# Notes\n\n${'A line of a text that somebody wrote.\n'.repeat(60)}`);
  writeFileSync(at('long.log'), 'One line of a log, of which there are many in it.\n'.repeat(20_000));
  const missing = at('pepole.csv');
  const big = { server: 'witness', tool_name: 'big', tool_args: { rows: 5_000 } };
  const answers: (readonly [title: string, tool: string, args: object])[] = [
    ['20,000 records, `batch: "auto"`', ...insert({ path: people, batch: 'auto' })],
    ['the same, 500 calls', ...insert({ path: await file('p2.csv', `${names(20_000)}x\n`), batch: { size: 40 } })],
    [
      'the same, `output_format: "string"`',
      ...insert({ path: await file('p3.csv', `${names(20_000)}y\n`), batch: 'auto', output_format: 'string' }),
    ],
    [
      'the same, `output_format: "structured"`',
      ...insert({ path: await file('p4.csv', `${names(20_000)}z\n`), batch: 'auto', output_format: 'structured' }),
    ],
    ['a batch is refused', ...insert({ path: refusing, batch: { size: 100 } })],
    [
      'each batch is refused with the same words',
      ...insert({ path: await file('r2.csv', 'name\nbad\nbad\nbad\nbad\nbad\nbad\n'), batch: { size: 1, on_error: 'continue' } }),
    ],
    ['the same file again, part of which arrived', ...insert({ path: refusing, batch: { size: 100 } })],
    ['one call with a file', ...insert({ path: few })],
    ['one call that the server refuses', ...insert({ path: await file('r3.csv', 'name\nbad\n') })],
    ['a dry run', ...insert({ path: few, dry_run: true })],
    ['a dry run of batches', ...insert({ path: people, batch: 'auto', dry_run: true })],
    ['a background job', ...insert({ path: await file('p5.csv', 'name\nq\n'), background: true })],
    ['a call without a file', 'call_tool', { server: 'witness', tool_name: 'people' }],
    ['a tool that fails', 'call_tool', { server: 'witness', tool_name: 'fail' }],
    ['an unknown tool', 'call_tool', { server: 'witness', tool_name: 'insrt' }],
    ['an answer that is stored', 'call_tool_and_store', { ...big, filename: 'rows.csv' }],
    ['an answer too long to hand over', 'call_tool', big],
    [
      'arguments that do not fit',
      'call_tool_with_file_content',
      { server: 'echo', tool_name: 'strict', path: few, data_key: 'records' },
    ],
    ['a missing file', ...insert({ path: missing })],
    ['a file outside the folders', ...insert({ path: '/etc/hostname' })],
    ['an unknown parameter', 'call_tool', { server: 'witness', tool: 'people' }],
    ['a table of 3 columns, previewed', 'preview_file', { path: few }],
    ['a table of 300 columns, previewed', 'preview_file', { path: wide }],
    ['the tools of two servers', 'list_upstream_tools', {}],
    ['one tool, described', 'describe_upstream_tool', { server: 'echo', tool_name: 'strict' }],
    ['the allowed folders', 'list_allowed_directories', {}],
    ['a text of 2 KB', 'read_text_file', { path: text }],
    ['two such texts', 'read_multiple_files', { paths: [text, text] }],
    ['the first lines of a log of 1 MB', 'read_text_file', { path: at('long.log'), head: 5_000 }],
    ['a folder', 'list_directory', { path: at('') }],
  ];
  expect(answers).toHaveLength(30);
  for (const [title, tool, args] of answers) {
    const { result } = await client.call(tool, args as Record<string, unknown>);
    const { content, structuredContent } = result;
    const tokens = await countTokens(JSON.stringify([content, ...(structuredContent === undefined ? [] : [structuredContent])]));
    rows.push([title, number(tokens)]);
  }
});
