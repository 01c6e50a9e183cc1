/** The users' guide: its commands and calls are made, and their answers compared; its tables are made of the schemas. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pdfOf } from '../electron/engine/documents/pdf-fixture.ts';
import { zipOf } from '../electron/engine/input/zip-fixture.ts';
import { rowOf, workbookOf } from '../electron/engine/tables/workbook-fixture.ts';
import { configSchema } from '../shared/model/config.ts';
import { cliFile, openWorkspace, repository, runCli } from './support/cli.ts';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import { type Block, generatedParts, guideFolder, type Ids, isText, isValue, type Page, readGuide } from './support/guide.ts';
import { errorMessages } from './support/guide-errors.ts';
import { tables } from './support/guide-tables.ts';
import type { McpClient } from './support/mcp-clients.ts';
import { installed, type StdioEntry } from './support/upstreams.ts';

const guide = await readGuide();
const folder = '/data';

/** Files that a page cannot show as text: it says what is in them. */
const binaries: Record<string, Uint8Array> = {
  'sales.xlsx': workbookOf({
    sheets: [
      { name: 'May', data: rowOf('Sales of May') + rowOf('name', 'amount') + rowOf('Ada', 12.5) + rowOf('Ben', 8) },
      { name: 'Totals', data: rowOf('sum') + rowOf(20.5) },
    ],
  }),
  'report.pdf': pdfOf(['First page', 'Second page', 'Third page'].map((text) => ({ texts: [{ x: 50, y: 700, text }] }))),
  'shop.db': gunzipSync(await readFile(path.join(repository, 'electron/engine/tables/fixtures/shop.db.gz'))),
  'archive.zip': zipOf([
    { name: 'readme.txt', content: 'Hello\n' },
    { name: 'data/users.csv', content: 'id,name\n1,Ada\n' },
  ]),
  'photo.bin': Uint8Array.of(0, 1, 2, 255),
};
const rows = Array.from({ length: 10_001 }, (_, i) => `${i + 1},Person ${i + 1},${String(i % 100).padStart(5, '0')}`);
const manyPeople = `id,name,zip\n${rows.join('\n')}\n`;

const practice: StdioEntry = { type: 'stdio', command: process.execPath, args: [cliFile, 'practice-server', '--tables'] };

/** The servers of the guide; packages that it fetches are installed here. The knowledge graph is in `memoryFile`. */
async function guideServers(memoryFile: string): Promise<Record<string, StdioEntry>> {
  const block = blockNamed('servers.json');
  const { mcpServers } = JSON.parse(block.body) as { mcpServers: Record<string, { command: string; args: string[] }> };
  return Object.fromEntries(
    Object.entries(mcpServers).map(([name, { command, args }]) => {
      const rest = command === 'filebridge' ? [cliFile, ...args] : [installed(...(args[1] ?? '').split('/'), 'dist', 'index.js')];
      return [name, { type: 'stdio', command: process.execPath, args: rest, env: { MEMORY_FILE_PATH: memoryFile } }];
    }),
  );
}

function blockNamed(name: string): Block {
  const block = guide.flatMap(({ blocks }) => blocks).find(({ words }) => words[0] === name);
  if (!block) throw new Error(`No page shows ${name}`);
  return block;
}

const isAnswer = ({ words }: Block) => words[0] === 'answer' || words[0] === 'error';
const isCall = ({ language, words }: Block) => language === 'json' && words.length === 0;
const isCommand = ({ language }: Block) => language === 'sh';
const isFile = (block: Block) =>
  block.words.length > 0 && !isAnswer(block) && block.words[0] !== 'servers.json' && block.words[0] !== 'config.json';
const bytesOf = ({ body, words }: Block): Buffer => Buffer.from(body, words[1] === 'windows-1252' ? 'latin1' : 'utf8');

/** The files of a page. Commands find an agent, and the configuration in its usual place. */
async function prepare(page: Page, filebridge: Filebridge): Promise<void> {
  await filebridge.workspace.file('home/.cursor/.keep', '');
  await filebridge.workspace.file('home/.config/filebridge/config.json', await readFile(filebridge.configFile));
  for (const [file, bytes] of Object.entries(binaries)) await filebridge.file(file, bytes);
  await filebridge.file('people-10001.csv', manyPeople);
  for (const block of page.blocks.filter(isFile)) await filebridge.file(block.words[0] ?? '', bytesOf(block));
}

interface Outcome {
  text: string;
  failed: boolean;
}

async function makeCall(client: McpClient, body: string): Promise<Outcome> {
  const { tool, arguments: args } = JSON.parse(body) as { tool: string; arguments: Record<string, unknown> };
  const { text, isError } = await client.call(tool, args);
  return { text, failed: isError };
}

/** Runs the commands of a block, one a line, up to one that fails. */
async function runCommands(filebridge: Filebridge, body: string): Promise<Outcome> {
  const options = {
    cwd: filebridge.workspace.at('data'),
    env: { ...filebridge.env, FILEBRIDGE_CONFIG: '', FILEBRIDGE_DATA: '', XDG_DATA_HOME: '' },
  };
  let text = '';
  for (const line of body.split('\n').filter(Boolean)) {
    const [program, ...args] = line.replace(/ +#.*$/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
    expect(program, line).toBe('filebridge');
    const plain = args.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
    const { code, stdout, stderr } = await runCli(plain, options);
    text += stdout.toString('utf8');
    if (code !== 0) return { text: `${text}${stderr}`, failed: true };
  }
  return { text, failed: false };
}

const stepsOf = ({ blocks }: Page) => blocks.filter((block) => isCall(block) || isCommand(block));
const withSteps = guide.filter((page) => stepsOf(page).length > 0);
const withTables = guide.filter(({ text }) => generatedParts(text).length > 0);

describe('a page', () => {
  it.each(withSteps.map((page) => [page.name, page] as const))(
    '%s shows calls and commands that give the answers shown',
    async (name, page) => {
      const steps = stepsOf(page);
      const graph = await openWorkspace();
      const filebridge = await startFilebridge('stdio', {
        upstreams: await guideServers(graph.at('graph.jsonl')),
        port: 0,
        expose: { fileTools: true, upstreamTools: 'companions' },
      });
      try {
        await prepare(page, filebridge);
        const client = await filebridge.connect('v1');
        const realFolder = filebridge.workspace.at('data');
        const ids: Ids = new Map();
        for (const block of steps) {
          const body = [...ids]
            .reduce((text, [shown, id]) => text.replaceAll(shown, id), block.body)
            .replaceAll(folder, realFolder);
          const outcome = isCall(block) ? await makeCall(client, body) : await runCommands(filebridge, body);
          const text = outcome.text.replaceAll(realFolder, folder);
          const next = page.blocks[page.blocks.indexOf(block) + 1];
          const expected = next && isAnswer(next) ? next : undefined;
          const where = `${name}, line ${block.line}: the answer is\n${text}`;
          expect.soft(outcome.failed, where).toBe(expected?.words[0] === 'error');
          if (expected) expect.soft(isShown(expected, text, ids), `${where}\nand the page shows\n${expected.body}`).toBe(true);
        }
      } finally {
        await filebridge.stop();
        await graph.remove();
      }
    },
  );

  it.each(withTables.map((page) => [page.name, page] as const))('%s has tables as the schemas have them', async (_, page) => {
    const parts = generatedParts(page.text);
    const filebridge = await startFilebridge('stdio', { expose: { fileTools: true, upstreamTools: 'companions' } });
    try {
      const client = await filebridge.connect('v1');
      const facts = {
        tools: await client.tools(),
        benchmarks: await readFile(path.join(repository, 'docs', 'benchmarks.md'), 'utf8'),
        errors: parts.some(({ name }) => name === 'errors') ? await errorMessages(practice) : [],
      };
      for (const { name: table, body } of parts) {
        expect.soft(body, table).toBe(tables[table]?.(body, facts));
        expect.soft(body, `${table}: each row has words`).not.toContain('TO BE WRITTEN');
      }
    } finally {
      await filebridge.stop();
    }
  });
});

it('shows a configuration that is valid', async () => {
  for (const block of guide.flatMap(({ blocks }) => blocks).filter(({ words }) => words[0] === 'config.json')) {
    expect(() => configSchema.parse(JSON.parse(block.body))).not.toThrow();
  }
});

it('every table is on a page', () => {
  const shown = guide.flatMap(({ text }) => generatedParts(text)).map(({ name }) => name);
  expect(shown.toSorted()).toEqual(Object.keys(tables).toSorted());
});

it('names each file that it shows', () => {
  for (const { name, text, blocks } of guide) {
    const lines = text.split('\n');
    for (const { line, words } of blocks.filter(isFile)) {
      expect.soft(lines.slice(Math.max(0, line - 4), line - 1).join('\n'), `${name}, line ${line}`).toContain(`\`${words[0]}\``);
    }
  }
});

it('links to pages and headings that are there', async () => {
  for (const { name, text } of guide) {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', heading] = target.split('#');
      const linked = await readFile(path.join(guideFolder, file || name), 'utf8');
      const headings = [...linked.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      if (heading !== undefined) expect.soft(headings, `${name}: ${target}`).toContain(heading);
    }
  }
});

function isShown({ language, body }: Block, text: string, ids: Ids): boolean {
  if (language !== 'json') return isText(body, text, ids);
  const [answer = ''] = text.split('\nNote: ');
  return isValue(JSON.parse(body), JSON.parse(answer), ids);
}
