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
import { startFilebridge } from './support/filebridge.ts';
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
const isFile = (block: Block) => block.words.length > 0 && !isAnswer(block) && !configFiles.includes(block.words[0] ?? '');
const configFiles = ['servers.json', 'config.json', 'settings.json'];

/** What a page shows as text, with the paths of this run. */
const bytesOf = ({ body, words }: Block): Buffer => Buffer.from(body, words[1] === 'windows-1252' ? 'latin1' : 'utf8');

describe.each(guide.map((page) => [page.name, page] as const))('%s', (name, page: Page) => {
  const calls = page.blocks.filter((block) => block.language === 'json' && block.words.length === 0);
  const commands = page.blocks.filter(({ language }) => language === 'sh');

  it.skipIf(calls.length + commands.length === 0)('shows calls and commands that give the answers shown', async () => {
    const graph = await openWorkspace();
    const filebridge = await startFilebridge('stdio', {
      upstreams: await guideServers(graph.at('graph.jsonl')),
      expose: { fileTools: true, upstreamTools: 'companions' },
    });
    try {
      // Commands find an agent, and the configuration in its usual place.
      await filebridge.workspace.file('home/.cursor/.keep', '');
      await filebridge.workspace.file('home/.config/filebridge/config.json', await readFile(filebridge.configFile));
      for (const [file, bytes] of Object.entries(binaries)) await filebridge.file(file, bytes);
      await filebridge.file('people-10001.csv', manyPeople);
      for (const block of page.blocks.filter(isFile)) await filebridge.file(block.words[0] ?? '', bytesOf(block));
      const client = await filebridge.connect('v1');
      const real = (text: string, ids: Ids) =>
        [...ids]
          .reduce((sofar, [shown, id]) => sofar.replaceAll(shown, id), text)
          .replaceAll(folder, filebridge.at('.').replace(/\/\.$/, ''));
      const shown = (text: string) => text.replaceAll(filebridge.at('.').replace(/\/\.$/, ''), folder);

      const ids: Ids = new Map();
      for (const [index, block] of page.blocks.entries()) {
        const next = page.blocks[index + 1];
        const expected = next && isAnswer(next) ? next : undefined;
        const where = `${name}, line ${block.line}`;
        if (block.language === 'sh') {
          const answers: string[] = [];
          for (const line of block.body.split('\n').map((each) => each.replace(/ +#.*$/, ''))) {
            if (line === '') continue;
            expect(line, where).toMatch(/^filebridge /);
            const { code, stdout, stderr } = await runCli(argumentsOf(real(line, ids)), {
              cwd: filebridge.at('.'),
              env: { ...filebridge.env, FILEBRIDGE_CONFIG: '', FILEBRIDGE_DATA: '', XDG_DATA_HOME: '' },
            });
            expect(code, `${where}: ${line}\n${stderr}`).toBe(0);
            answers.push(stdout.toString('utf8'));
          }
          if (expected) compare(expected, shown(answers.join('')), ids, where);
        } else if (calls.includes(block)) {
          const answer = await call(client, JSON.parse(real(block.body, ids)));
          expect.soft(answer.isError, `${where}: ${answer.text}`).toBe(expected?.words[0] === 'error');
          if (expected) compare(expected, shown(answer.text), ids, where);
        }
      }
    } finally {
      await filebridge.stop();
      await graph.remove();
    }
  });

  const parts = generatedParts(page.text);
  it.skipIf(parts.length === 0)('has tables as the schemas have them', async () => {
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

const call = (client: McpClient, { tool, arguments: args }: { tool: string; arguments: Record<string, unknown> }) =>
  client.call(tool, args);

/** The words of a command line, with quotes of either kind. */
const argumentsOf = (line: string): string[] =>
  (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).slice(1).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));

function compare(expected: Block, text: string, ids: Ids, where: string): void {
  const [body = ''] = text.split('\nNote: ');
  const fits =
    expected.language === 'json' ? isValue(JSON.parse(expected.body), JSON.parse(body), ids) : isText(expected.body, text, ids);
  expect.soft(fits, `${where}: the answer is\n${text}\nand the page shows\n${expected.body}`).toBe(true);
}
