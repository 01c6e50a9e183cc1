/**
 * The README, done as it says: the configuration it gives and the call it shows, with nothing but the paths replaced. And each of its
 * sentences, by the test that shows it.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer';
import { parse as parseJsonc } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { configSchema } from '../shared/model/config.ts';
import { cliFile, openWorkspace, repository, runCli, type Workspace } from './support/cli.ts';
import { endProcess, openHome, serveHttp, startFilebridge } from './support/filebridge.ts';
import { type McpClient, openClient } from './support/mcp-clients.ts';
import { node24 } from './support/node-versions.ts';
import { claims, unshown } from './support/readme-claims.ts';
import { skippedFor } from './support/skipping.ts';
import { fixtureServer, installed } from './support/upstreams.ts';

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

const inRepository = (file: string) => readFile(path.join(repository, file), 'utf8');
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The sections of the README by heading, each as its sentences, rows of tables and lines of commands, cut at semicolons. */
const sections = new Map(
  readme.split(/^#+ (?=[A-Z])/m).flatMap((section) => {
    const [, heading = '', text = ''] = /^([^\n]+)\n(.*)$/s.exec(section) ?? [];
    const blocks = text
      .replace(/^```sh\n(.*?)^```$/gms, (_, commands: string) => `\n${commands.replace(/^/gm, '- ')}`)
      .replace(/^```.*?^```$|^<(picture|table)>.*?^<\/\1>$|^\|[^\n]+\n\|[-|]+$/gms, '\n')
      .split(/\n\n|\n(?=[|-] )/);
    const parts = blocks.flatMap((block) => block.split(/(?<=\.\**)\s+(?=[A-Z`*“])|;\s/)).map(plain);
    return heading === '' ? [] : [[heading, parts.filter((part) => /\w/.test(part))] as const];
  }),
);

describe('each sentence of the README', () => {
  it('that is listed is there, under its heading', () => {
    const gone = Object.entries(claims).flatMap(([heading, listed]) =>
      listed.map(([statement]) => statement).filter((it) => !plain(sections.get(heading)?.join('; ') ?? '').includes(it)),
    );
    expect(gone).toEqual([]);
    const all = [...sections.values()].flat();
    expect(unshown.filter(([statement]) => !all.some((part) => part.includes(statement)))).toEqual([]);
  });

  it('has a test of the title that is listed', async () => {
    const titles = new Map<string, string[]>();
    for (const [, file] of Object.values(claims).flat()) {
      const text = titles.has(file) ? '' : await inRepository(file);
      // A text in parentheses with a function or options behind it.
      const found = text.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:\{|async\b|\()/g);
      if (text)
        titles.set(
          file,
          [...found].map(([, , title = '']) => title.replaceAll("\\'", "'")),
        );
    }
    const missing = Object.values(claims)
      .flat()
      .filter(([, file, title]) => !titles.get(file)?.some((it) => it.includes(title)));
    expect(missing).toEqual([]);
  });

  it('is listed, or named with the reason why no test shows it', () => {
    const reasons = unshown.map(([statement]) => statement);
    for (const [heading, parts] of sections) {
      const listed = [...(claims[heading] ?? []).map(([statement]) => statement), ...reasons];
      const unlisted = parts.filter((part) => !listed.some((it) => part.includes(it)));
      expect.soft(unlisted, `${heading}: to be listed in e2e/support/readme-claims.ts`).toEqual([]);
    }
  });
});

describe('what the README names', () => {
  it('leads to files and headings that exist', () => {
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
    const links = [...readme.matchAll(/\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, link, source]) => link ?? source ?? '');
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) {
      if (link.startsWith('#')) expect(anchors, link).toContain(link.slice(1));
      else expect(existsSync(path.join(repository, link)), link).toBe(true);
    }
  });

  it('names the licence', async () => {
    expect(await inRepository('LICENSE')).toMatch(/^MIT License/);
    expect(JSON.parse(await inRepository('package.json')).license).toBe('MIT');
  });

  it('shows pictures that npm run screenshots takes', async () => {
    const taken = await inRepository('docs/screenshots/pages.run.ts');
    const shown = [...readme.matchAll(/docs\/screenshots\/(\w+)-(?:light|dark)\.png/g)].map(([, name]) => name);
    expect(shown.length).toBeGreaterThan(4);
    for (const name of shown) expect(taken).toContain(`'${name}',`);
  });

  it('names what npm test runs', async () => {
    const { test } = JSON.parse(await inRepository('package.json')).scripts;
    const checks = await inRepository(String(test).replace('node ', ''));
    for (const name of ['types', 'lint', 'unit tests', 'end-to-end tests']) expect(checks).toContain(`name: '${name}'`);
  });

  it('names the newer Node that packages ask for', async () => {
    const asked = async (folder: string) => {
      const lock = JSON.parse(await inRepository(path.join(folder, 'package-lock.json')));
      const { packages } = lock as { packages: Record<string, { engines?: { node?: string } }> };
      return Object.entries(packages).map(([name, { engines }]) => [name, engines?.node ?? ''] as const);
    };
    const all = [...(await asked('.')), ...(await asked('e2e/servers')), ...(await asked('installers'))];
    // Ranges of one version and newer: others name versions that they take beside them.
    const newest = all.flatMap(([, range]) => /^>= ?(2[1-9])\b[.\d]*$/.exec(range)?.[1] ?? []);
    expect([...new Set(newest)].toSorted()).toEqual(['22', '24']);
    expect(Object.fromEntries(all)['node_modules/mcp-sqlite-tools']).toMatch(/^>=24\b/);
  });

  it('names the installers that are built', async () => {
    const { win, nsis, mac, linux } = parseYaml(await inRepository('electron-builder.yml'));
    expect([win.target, nsis.perMachine, win.requestedExecutionLevel]).toEqual(['nsis', false, 'asInvoker']);
    expect(nsis.artifactName).toMatch(/^\$\{productName\}-.*-setup\.\$\{ext\}$/);
    expect(mac.target).toEqual([
      { target: 'dmg', arch: 'universal' },
      { target: 'zip', arch: 'universal' },
    ]);
    expect(linux.target).toEqual(['deb', 'AppImage', 'tar.gz']);
  });

  it('names the agents that can be connected', async () => {
    const [, row = ''] = /^\| Agents \| (.*?):/m.exec(readme) ?? [];
    const home = await openHome();
    try {
      const { stdout } = await runCli(['connect', '--json'], { env: home.env });
      const { clients } = JSON.parse(stdout.toString()) as { clients: { name: string }[] };
      // A second kind of VS Code is not named.
      expect(row.split(', ').toSorted()).toEqual(
        clients
          .map(({ name }) => name)
          .filter((name) => name !== 'VS Code Insiders')
          .toSorted(),
      );
    } finally {
      await home.workspace.remove();
    }
  });

  it('shows a configuration file with the defaults', () => {
    const shown = configSchema.parse(parseJsonc(one(blocks('jsonc', '"upstreams"'))));
    const { limits, responses, approvals, expose, server } = configSchema.parse({ version: 1 });
    expect(shown).toMatchObject({ limits, responses, approvals, expose, server });
  });
});

describe('an agent', () => {
  it('takes folders and servers of the command line instead of the configured ones', async () => {
    const configured = fixtureServer('echo-arguments.mjs');
    const home = await openHome({ upstreams: { configured }, expose: { fileTools: true, upstreamTools: 'none' } });
    try {
      const given = path.dirname(await home.workspace.file('given/a.txt', 'a'));
      const named = JSON.stringify({ mcpServers: { named: { command: configured.command, args: configured.args } } });
      const line = [given, '--upstreams', await home.workspace.file('servers.json', named)];
      const way = { command: process.execPath, args: [cliFile, 'serve', '--stdio', ...line], env: home.env };
      const client = await openClient('v1', { ...way, onStderr: () => undefined });
      try {
        const { result } = await client.call('list_allowed_directories');
        expect(result.structuredContent).toEqual({
          content: `Allowed directories:\n${given}`,
          folders: [{ path: given, access: 'read-write' }],
        });
        const { servers } = (await client.call('list_upstream_tools')).json() as { servers: { server: string }[] };
        expect(servers.map(({ server }) => server)).toEqual(['named']);
      } finally {
        await client.close();
      }
      for (const command of [
        ['audit', ...line.slice(1)],
        ['doctor', ...line],
      ]) {
        const { stdout } = await runCli(command, { env: home.env });
        expect(stdout.toString(), command[0]).toContain('named');
        expect(stdout.toString(), command[0]).not.toMatch(/server configured|^configured/m);
      }
    } finally {
      await home.workspace.remove();
    }
  });

  it('has no tools at an address until the program runs', async () => {
    const home = await openHome({ port: 0 });
    try {
      const first = await serveHttp(home, () => undefined);
      const client = await openClient('v1', first);
      expect((await client.tools()).length).toBeGreaterThan(0);
      await endProcess(first.child);
      await expect(client.tools()).rejects.toThrow();
      await expect(openClient('v1', first)).rejects.toThrow('fetch failed');
      const second = await serveHttp(home, () => undefined);
      const again = await openClient('v1', second);
      expect((await again.tools()).length).toBeGreaterThan(0);
      await again.close();
      await endProcess(second.child);
    } finally {
      await home.workspace.remove();
    }
  });

  it('lists tools and describes one with its schema', async () => {
    const filebridge = await startFilebridge('stdio', { upstreams: { echo: fixtureServer('echo-arguments.mjs') } });
    try {
      const client = await filebridge.connect('v1');
      const listed = (await client.call('list_upstream_tools', { server: 'echo', query: 'one_list' })).json();
      expect(listed).toMatchObject({ servers: [{ server: 'echo', tools: [{ name: 'one_list' }] }] });
      const described = (await client.call('describe_upstream_tool', { server: 'echo', tool_name: 'one_list' })).json();
      expect(described).toMatchObject({ name: 'one_list', inputSchema: { properties: { rows: { type: 'array' } } } });
    } finally {
      await filebridge.stop();
    }
  });

  it('takes the options of `_file` that it names, and no others', async () => {
    const filebridge = await startFilebridge('stdio', {
      upstreams: { echo: fixtureServer('echo-arguments.mjs') },
      expose: { fileTools: false, upstreamTools: 'companions' },
    });
    try {
      const client = await filebridge.connect('v1');
      await expect.poll(async () => (await client.tools()).map(({ name }) => name)).toContain('echo__one_list');
      const rows_path = await filebridge.file('users.csv', 'id;zip\n1;01067\n2;80331\n');
      const call = (_file: object, more = {}) => client.call('echo__one_list', { rows_path, _file, ...more });
      expect((await call({ delimiter: ';', transform: { limit: 1 } })).json()).toEqual({ rows: [{ id: 1, zip: '01067' }] });
      expect((await call({ dry_run: true })).json()).toMatchObject({ dry_run: true });
      expect((await call({ batch: { size: 1 } })).text).toContain('2 of 2 records accepted by echo:one_list in 2 batches');
      const started = (await call({ background: true })).json();
      expect(started).toMatchObject({ job_id: expect.any(String) });
      // While it runs, the same content is not sent once more.
      await expect
        .poll(async () => (await client.call('job_status', { job_id: started.job_id })).json().state)
        .not.toBe('running');
      for (const other of [{ output_format: 'string' }, { files: [] }]) {
        expect((await call(other)).json()).toMatchObject({ error: `Unknown parameter '_file.${Object.keys(other)[0]}'` });
      }
      expect((await call({}, { rows_path: [rows_path, rows_path] })).json()).toMatchObject({ code: 'INVALID_REQUEST' });
      const several = { server: 'echo', tool_name: 'one_list', path: [rows_path, rows_path], data_key: 'rows' };
      const answer = await client.call('call_tool_with_file_content', { ...several, output_format: 'string' });
      expect(answer.text).toMatch(/^\{/);
      expect((answer.json() as { rows: unknown[] }).rows).toHaveLength(4);
    } finally {
      await filebridge.stop();
    }
  });

  it('sends no bytes as a text', async () => {
    const filebridge = await startFilebridge('stdio', { expose: { fileTools: true, upstreamTools: 'none' } });
    try {
      const client = await filebridge.connect('v1');
      const file = await filebridge.file('photo.bin', Uint8Array.of(0, 1, 2, 255, 254, 0, 128));
      const refused = await client.call('read_text_file', { path: file });
      expect(refused.isError, refused.text).toBe(true);
      expect(refused.text).toContain('read_media_file');
    } finally {
      await filebridge.stop();
    }
  });

  it('cuts a text, a list and a search at 10,000 tokens, and says how to go on', async () => {
    const filebridge = await startFilebridge('stdio', { expose: { fileTools: true, upstreamTools: 'none' } });
    try {
      const client = await filebridge.connect('v1');
      const file = await filebridge.file('long.txt', 'a line of a long text\n'.repeat(5_000));
      await Promise.all(Array.from({ length: 2_000 }, (_, i) => filebridge.file(`many/a file with a name, ${i}.txt`, '')));
      const many = filebridge.at('many');
      for (const [tool, args, note] of [
        ['read_text_file', { path: file }, /^Cut at 10000 tokens; go on with offset: \d+$/m],
        ['list_directory', { path: many }, /of 2000 entries are left out.* search_files with a narrower pattern/],
        ['search_files', { path: many, pattern: '*.txt' }, /of 2000 entries are left out.* search_files with a narrower pattern/],
      ] as const) {
        const { blocks, text } = await client.call(tool, args);
        expect(text, tool).toMatch(note);
        const tokens = countTokens(blocks[0]?.text ?? '');
        expect(tokens, tool).toBeLessThanOrEqual(10_000);
        expect(tokens, tool).toBeGreaterThan(5_000);
      }
    } finally {
      await filebridge.stop();
    }
  });
});
