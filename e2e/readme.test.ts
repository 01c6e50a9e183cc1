/** The README, done as it says: the configuration it gives and the call it shows, with nothing but the paths replaced. */

import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliFile, openWorkspace, repository, runCli, type Workspace } from './support/cli.ts';
import { type McpClient, openClient } from './support/mcp-clients.ts';
import { node24 } from './support/node-versions.ts';
import { skippedFor } from './support/skipping.ts';
import { installed } from './support/upstreams.ts';

const run = promisify(execFile);
const readme = await readFile(path.join(repository, 'README.md'), 'utf8');
const newer = await node24();
const skipNote = skippedFor(newer.missing);

interface ServerEntry {
  command: string;
  args: string[];
}

/** The fenced blocks of one language that hold this text. */
const blocks = (language: string, holding: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
    .map(([, body]) => body ?? '')
    .filter((body) => body.includes(holding));

const one = (found: string[]): string => {
  expect(found).toHaveLength(1);
  return found[0] ?? '';
};

/** The file the README speaks of: 10,001 people, with zip codes that begin with zeros. */
const people = `id,name,zip\n${Array.from({ length: 10_001 }, (_, i) => `${i + 1},Person ${i + 1},${String(i % 100).padStart(5, '0')}`).join('\n')}\n`;

describe('the README', () => {
  let place: Workspace;
  beforeAll(async () => {
    place = await openWorkspace();
    await place.file('data/users.csv', people);
  });
  afterAll(() => place.remove());

  const paths = () => ({ '/path/to/filebridge': repository.replace(/\/$/, ''), '/path/to/data': place.at('data') });
  const replaced = (text: string, by: Record<string, string>): string =>
    Object.entries(by).reduce((sofar, [from, to]) => sofar.replaceAll(from, to), text);

  it('shows commands that work', async () => {
    const shown = one(blocks('sh', 'preview users.csv'))
      .split('\n')
      .map((line) => /^node dist\/cli\.js (\w+)((?: [^ #]+)*)/.exec(line))
      .filter((match) => match !== null);
    expect(shown.map(([, command]) => command)).toEqual(['preview', 'convert', 'audit', 'doctor']);
    const env = { FILEBRIDGE_CONFIG: place.at('config.json'), FILEBRIDGE_DATA: place.at('state') };
    const answers: Record<string, { code: number | null; text: string }> = {};
    for (const [, command = '', args = ''] of shown) {
      const { code, stdout } = await runCli([command, ...args.trim().split(' ').filter(Boolean)], { cwd: place.at('data'), env });
      answers[command] = { code, text: stdout.toString('utf8') };
    }
    expect(answers.preview?.code).toBe(0);
    expect(answers.preview?.text).toContain('zip: string');
    expect(answers.convert?.code).toBe(0);
    expect(JSON.parse(answers.convert?.text ?? '')[7]).toEqual({ id: 8, name: 'Person 8', zip: '00007' });
    expect(answers.audit).toEqual({
      code: 0,
      text: expect.stringMatching(/^No server is configured and switched on\. .*--upstreams FILE\.\n$/),
    });
    // Nothing is set up yet: doctor says what is missing, and fails for it.
    expect(answers.doctor?.code).toBe(1);
    expect(answers.doctor?.text).toMatch(/servers/);
  });

  it.skipIf(newer.missing)(`shows a configuration and a call that work${skipNote}`, async () => {
    const servers = JSON.parse(one(blocks('json', '"mcp-sqlite-tools"'))) as { mcpServers: { db: ServerEntry } };
    // The one that is installed here, instead of the newest from the registry; and it wants a newer Node than ours may be.
    expect(servers.mcpServers.db).toEqual({ command: 'npx', args: ['-y', 'mcp-sqlite-tools'] });
    const bin = place.at('bin');
    await mkdir(bin);
    await symlink(newer.path ?? '', path.join(bin, 'node'));
    servers.mcpServers.db = {
      command: path.join(bin, 'node'),
      args: [installed('mcp-sqlite-tools', 'dist', 'index.js')],
    };
    Object.assign(servers.mcpServers.db, { env: { SQLITE_DEFAULT_PATH: place.root } });
    const serversFile = await place.file('servers.json', JSON.stringify(servers));

    const block = one(blocks('json', '"filebridge"'));
    const { filebridge } = (
      JSON.parse(replaced(block, { ...paths(), '/path/to/servers.json': serversFile })) as {
        mcpServers: Record<string, ServerEntry>;
      }
    ).mcpServers;
    expect(filebridge?.args[0]).toBe(cliFile);

    let stderr = '';
    const client: McpClient = await openClient('v1', {
      command: filebridge?.command ?? '',
      args: filebridge?.args ?? [],
      env: {
        ...(process.env as Record<string, string>),
        FILEBRIDGE_CONFIG: place.at('config.json'),
        FILEBRIDGE_DATA: place.at('state'),
      },
      onStderr: (text) => {
        stderr += text;
      },
    });
    try {
      const plain = async (tool_name: string, tool_args: Record<string, unknown>) => {
        const answer = await client.call('call_tool', { server: 'db', tool_name, tool_args });
        expect(answer.isError, `${answer.text}${stderr}`).toBe(false);
      };
      await plain('create_database', { path: 'users.db' });
      await plain('execute_schema_query', { query: 'CREATE TABLE users (id INTEGER, name TEXT, zip TEXT)' });

      const example = one(blocks('jsonc', 'call_tool_with_file_content'));
      const call = /^(\w+) (\{.*?^\})/ms.exec(example);
      const args = JSON.parse(replaced(call?.[2] ?? '', { '/data/users.csv': place.at('data/users.csv') })) as Record<
        string,
        unknown
      >;
      const typed = JSON.stringify(JSON.parse(call?.[2] ?? ''));
      expect(example).toContain(`what the agent types: ${countTokens(typed)} tokens`);
      const answer = await client.call(call?.[1] ?? '', args);
      expect(answer.isError, answer.text).toBe(false);
      // What the README says the agent reads.
      const promised = /"(\d+ of \d+ records accepted [^"]*)"/.exec(example)?.[1];
      expect(promised).toBeDefined();
      const words = (text = '') => text.replace(/Receipt: [0-9a-f]{8}/, 'Receipt: …');
      expect(words(answer.text)).toContain(words(promised));
    } finally {
      await client.close();
    }
    const count = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(process.argv[1]);
      process.stdout.write(JSON.stringify(db.prepare("SELECT count(*) AS n, min(zip) AS zip FROM users").get()));`;
    const { stdout } = await run(newer.path ?? '', ['--no-warnings', '-e', count, place.at('users.db')]);
    expect(JSON.parse(stdout)).toEqual({ n: 10_001, zip: '00000' });
  });

  it('shows how to take the place of the official filesystem server: the command changes, the answers do not', async () => {
    const was = /Where they had `("command": .*?\])`/.exec(readme)?.[1];
    const before = JSON.parse(`{${replaced(was ?? '', paths())}}`) as ServerEntry;
    const name = '@modelcontextprotocol/server-filesystem';
    expect(before).toEqual({ command: 'npx', args: ['-y', name, place.at('data')] });
    const block = JSON.parse(replaced(one(blocks('json', '"filesystem"')), paths())) as {
      mcpServers: { filesystem: ServerEntry };
    };
    const after = block.mcpServers.filesystem;
    expect(after.args[0]).toBe(cliFile);
    // The one that is installed here, instead of the newest from the registry.
    const server = installed(name, 'dist', 'index.js');
    const env = {
      ...(process.env as Record<string, string>),
      FILEBRIDGE_CONFIG: place.at('config.json'),
      FILEBRIDGE_DATA: place.at('state'),
    };
    const at = (file: string) => path.join(place.at('data'), file);
    const talk = async ({ command, args }: ServerEntry) => {
      const client = await openClient('v1', { command, args, env, onStderr: () => undefined });
      try {
        const offered = (await client.tools()).map((tool) => tool.name);
        const answers = [];
        for (const [tool, given] of [
          ['list_allowed_directories', {}],
          ['write_file', { path: at('note.txt'), content: 'one\ntwo\n' }],
          ['edit_file', { path: at('note.txt'), edits: [{ oldText: 'two', newText: 'three' }] }],
          ['read_text_file', { path: at('note.txt'), tail: 2 }],
          ['create_directory', { path: at('below') }],
          ['move_file', { source: at('note.txt'), destination: at('below/note.txt') }],
          ['directory_tree', { path: place.at('data') }],
          ['search_files', { path: place.at('data'), pattern: '**/*.txt' }],
          ['read_text_file', { path: at('note.txt') }],
          ['read_text_file', { path: '/etc/passwd' }],
        ] as const) {
          const answer = await client.call(tool, given);
          answers.push({ tool, isError: answer.isError, text: answer.blocks[0]?.text });
        }
        return { offered, answers };
      } finally {
        await client.close();
        await rm(at('below'), { recursive: true, force: true });
      }
    };
    const official = await talk({ command: process.execPath, args: [server, ...before.args.slice(2)] });
    const ours = await talk(after);
    expect(ours.answers).toEqual(official.answers);
    expect(ours.offered).toEqual(expect.arrayContaining(official.offered));
  });

  it('names only tools that are there', async () => {
    const table = readme.slice(readme.indexOf('## What agents can call'), readme.indexOf('Answers come as'));
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    const client = await openClient('v1', {
      command: process.execPath,
      args: [cliFile, 'serve', '--stdio', place.at('data')],
      env: {
        ...(process.env as Record<string, string>),
        FILEBRIDGE_CONFIG: place.at('config.json'),
        FILEBRIDGE_DATA: place.at('state'),
      },
      onStderr: () => undefined,
    });
    try {
      const tools = (await client.tools()).map(({ name }) => name);
      expect(named.length).toBeGreaterThan(0);
      expect(tools).toEqual(expect.arrayContaining(named));
    } finally {
      await client.close();
    }
  });
});
