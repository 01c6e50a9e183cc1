import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newestBackup, undo } from './backups.ts';
import { connect, disconnect, type Ours, planConnect, planDisconnect, readClientConfig } from './client-config.ts';
import { standingOf } from './entries.ts';
import { knownClients } from './known-clients.ts';
import type { KnownClient, Launch } from './types.ts';

let home: string;
let ours: Ours;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'filebridge-clients-'));
  const script = path.join(home, 'app', 'cli.js');
  await mkdir(path.dirname(script));
  await writeFile(script, '');
  const launch: Launch = { command: process.execPath, args: [script, 'serve', '--stdio'], env: { ELECTRON_RUN_AS_NODE: '1' } };
  ours = { launch, url: 'http://127.0.0.1:7337/mcp' };
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function client(id: string, platform: NodeJS.Platform = 'linux'): Promise<KnownClient> {
  const found = (await knownClients({ home, platform, env: {} })).find((candidate) => candidate.id === id);
  if (!found) throw new Error(`no client ${id}`);
  return found;
}

/** The app with its file filled so; nothing for undefined. */
async function given(id: string, content?: string | Uint8Array, platform?: NodeJS.Platform): Promise<KnownClient> {
  const app = await client(id, platform);
  await mkdir(path.dirname(app.file), { recursive: true });
  if (content !== undefined) await writeFile(app.file, content);
  return app;
}

const text = ({ file }: KnownClient) => readFile(file, 'utf8');
const standing = async (app: KnownClient) => standingOf((await readClientConfig(app)).servers, ours.launch, ours.url);
const backups = async ({ file }: KnownClient) =>
  (await readdir(path.dirname(file))).filter((name) => name.startsWith(`${path.basename(file)}.filebridge-backup-`)).sort();

/** As each app writes or documents its file, with things in it that must not be lost. */
const real: [id: string, content: string, entry: (launch: Launch) => string][] = [
  [
    'claude-desktop',
    '{\n  "globalShortcut": "Ctrl+Space",\n  "mcpServers": {\n    "fs": {\n      "command": "npx",\n      "args": ["-y", "server", "/home/me"]\n    }\n  }\n}',
    ({ command }) => `"command": ${JSON.stringify(command)}`,
  ],
  [
    'claude-code',
    '{\n  "numStartups": 41,\n  "projects": {\n    "/p": {\n      "history": [],\n      "mcpServers": {}\n    }\n  },\n  "mcpServers": {}\n}',
    () => '"type": "stdio"',
  ],
  [
    'cursor',
    '{\n  // mine\n  "mcpServers": {\n    "a": { "url": "https://a.example/mcp" }, // no comma after the last\n  }\n}\n',
    () => '"filebridge": {',
  ],
  [
    'vscode',
    '{\n\t"inputs": [{ "type": "promptString", "id": "key", "password": true }],\n\t"servers": {\n\t\t"gh": {\n\t\t\t"type": "http",\n\t\t\t"url": "https://gh.example/mcp"\n\t\t}\n\t}\n}\n',
    () => '\t\t"filebridge": {\n\t\t\t"type": "stdio",',
  ],
  [
    'vscode-insiders',
    '{\r\n    "servers": {},\r\n    "inputs": []\r\n}\r\n',
    () => '\r\n        "filebridge": {\r\n            "type": "stdio",',
  ],
  ['windsurf', '{"mcpServers":{"s":{"serverUrl":"https://s.example/mcp"}}}', () => ',"filebridge":{"command":'],
  [
    'gemini-cli',
    '{\n  "theme": "Dracula", /* dark */\n  "mcpServers": {\n    "git": { "command": "uvx" }\n  },\n}\n',
    () => '"filebridge": {',
  ],
  [
    'codex',
    'model = "o9"\n# servers\n[mcp_servers.docs]\nurl = "https://d.example/mcp"\nhttp_headers = { X = "1" }\n\n[tui]\nnotifications = true\n',
    () => '\n\n[mcp_servers.filebridge]\ncommand = "',
  ],
  [
    'zed',
    '// Zed settings\n{\n  "theme": "One Dark",\n  "context_servers": {\n    "x": { "command": "y", "args": [] },\n  },\n}\n',
    () => '"filebridge": {',
  ],
  [
    'goose',
    'GOOSE_MODEL: big # the one\nextensions:\n  developer:\n    bundled: true\n    enabled: true\n    type: builtin\n  memory:\n    enabled: false\nkeyring: true\n',
    ({ command }) =>
      `\n  filebridge:\n    name: "filebridge"\n    description: "Hands files to tools by path"\n    timeout: 300\n    type: "stdio"\n    cmd: ${JSON.stringify(command)}\n`,
  ],
  ['lm-studio', '\uFEFF{\n  "mcpServers": {\n    "hf": { "url": "https://hf.example/mcp" }\n  }\n}', () => '"filebridge": {'],
];

describe.each(real)('%s', (id, content, entry) => {
  it('is connected, keeps all it had, and is as before when it is disconnected', async () => {
    const app = await given(id, content);
    expect(await standing(app)).toEqual({ state: 'not_connected', problem: null });
    expect(await connect(app, ours)).toBe(true);
    expect(await standing(app)).toEqual({ state: 'connected' });
    expect(await text(app)).toContain(entry(ours.launch));
    const rest = content.split(/(?=[\n,}\]])/).filter((part) => part.trim().length > 3);
    for (const part of rest) expect(await text(app)).toContain(part.trim());

    expect(await connect(app, ours)).toBe(false);
    expect(await disconnect(app, ours)).toBe(true);
    expect(await text(app)).toBe(content);
    expect(await disconnect(app, ours)).toBe(false);
  });

  it('loses our entry alone when others have changed the file meanwhile', async () => {
    const app = await given(id, content);
    await connect(app, ours);
    const edited = (await text(app)).replace(/"?(?:fs|git|gh|docs|developer|hf)"?(?=[\s:\]])/, (name) =>
      name.replace(/\w+/, 'renamed'),
    );
    await writeFile(app.file, `${edited}\n`);
    await disconnect(app, ours);
    expect(await text(app)).not.toContain('filebridge');
    const { broken, servers } = await readClientConfig(app);
    expect(broken).toBeNull();
    expect(Object.keys(servers)).not.toContain('filebridge');
  });

  it('is created where the app is there and its file is not', async () => {
    const app = await client(id);
    await mkdir(app.traces.at(-1) ?? '', { recursive: true });
    await connect(app, ours);
    expect(await standing(app)).toEqual({ state: 'connected' });
    if (process.platform !== 'win32') expect((await stat(app.file)).mode & 0o777).toBe(0o600);
    await disconnect(app, ours);
    await expect(text(app)).rejects.toThrow('ENOENT');
  });
});

describe('what counts as connected', () => {
  const config = (entry: object, name = 'filebridge') => given('cursor', JSON.stringify({ mcpServers: { [name]: entry } }));
  const launched = () => ({ command: ours.launch.command, args: ours.launch.args, env: ours.launch.env });

  it('our own launch, whatever else the entry says and whatever it is called', async () => {
    expect(await standing(await config({ ...launched(), autoApprove: ['x'], disabled: false }))).toEqual({ state: 'connected' });
    expect(await standing(await config({ ...launched(), env: { ...ours.launch.env, MORE: '1' } }, 'fb'))).toEqual({
      state: 'connected',
    });
  });

  it('another copy that is there, with other options', async () => {
    const script = path.join(home, 'app', 'cli.js');
    expect(await standing(await config({ command: 'node', args: [script, 'serve', '--stdio', '/data'] }))).toEqual({
      state: 'connected',
    });
    expect(await standing(await config({ command: 'filebridge', args: ['serve', '--stdio'] }))).toEqual({ state: 'connected' });
  });

  it('our address', async () => {
    expect(await standing(await config({ url: ours.url }))).toEqual({ state: 'connected' });
    expect(await standing(await config({ url: 'https://other.example/mcp' }))).toMatchObject({ state: 'not_connected' });
  });

  it.each([
    [
      'a program that only mentions us',
      { command: 'echo', args: ['filebridge', 'serve', '--stdio'] },
      'does not start Filebridge',
    ],
    ['a copy that is gone', { command: 'node', args: ['/nowhere/cli.js', 'serve', '--stdio'] }, 'no longer there'],
    ['an app that is gone', { command: '/nowhere/Filebridge-0.1.0.AppImage', args: ['serve', '--stdio'] }, 'no longer there'],
    [
      'an archive that is gone',
      { command: 'node', args: ['/nowhere/app.asar/dist/cli.cjs', 'serve', '--stdio'] },
      'no longer there',
    ],
    ['no object', 'filebridge serve --stdio', 'does not start Filebridge'],
  ])('not %s', async (_what, entry, problem) => {
    expect(await standing(await config(entry as object))).toEqual({
      state: 'not_connected',
      problem: expect.stringContaining(problem),
    });
  });

  it('not what is switched off, and connecting switches it on', async () => {
    const app = await config({ ...launched(), disabled: true, alwaysAllow: ['preview_file'] });
    expect(await standing(app)).toEqual({ state: 'not_connected', problem: expect.stringContaining('switched off') });
    await connect(app, ours);
    expect(JSON.parse(await text(app)).mcpServers.filebridge).toEqual({ ...launched(), alwaysAllow: ['preview_file'] });
  });

  it('not the word somewhere else in the file', async () => {
    const app = await given(
      'cursor',
      '{ "note": "filebridge", "mcpServers": { "x": { "command": "y", "args": ["filebridge"] } } }',
    );
    expect(await standing(app)).toEqual({ state: 'not_connected', problem: null });
    expect(await disconnect(app, ours)).toBe(false);
  });

  it('an entry of our name that starts something else is replaced, and left alone by disconnecting', async () => {
    const app = await config({ command: 'other', secretOfTheirs: 1 });
    expect(await disconnect(app, ours)).toBe(false);
    await connect(app, ours);
    expect(JSON.parse(await text(app)).mcpServers.filebridge).toEqual(launched());
    await undo(app.file);
    expect(JSON.parse(await text(app)).mcpServers.filebridge).toEqual({ command: 'other', secretOfTheirs: 1 });
  });

  it('several of ours go together', async () => {
    const app = await given(
      'cursor',
      JSON.stringify({ mcpServers: { a: launched(), x: { command: 'y' }, filebridge: launched() } }),
    );
    await disconnect(app, ours);
    expect(JSON.parse(await text(app))).toEqual({ mcpServers: { x: { command: 'y' } } });
  });
});

describe('files that are left alone', () => {
  const broken: [what: string, id: string, content: string | Uint8Array, problem: RegExp][] = [
    ['broken JSON', 'cursor', '{\n  "mcpServers": {\n    oops\n}', /at line 3, column 5$/],
    [
      'comments where the app takes none',
      'claude-desktop',
      '{\n  // hello\n  "mcpServers": {}\n}',
      /^comments are not allowed here at line 2/,
    ],
    ['broken TOML', 'codex', 'a = 1\n[mcp_servers\n', /at line 2, column \d+$/],
    ['broken YAML', 'goose', 'a: 1\nextensions: [\n', /at line \d+, column \d+$/],
    ['null', 'cursor', 'null', /^it holds null instead of an object$/],
    ['a list', 'zed', '[]', /^it holds a list instead of an object$/],
    ['a list of servers', 'vscode', '{"servers": []}', /^'servers' holds a list instead of an object$/],
    ['a text for servers', 'goose', 'extensions: none\n', /^'extensions' holds a text instead of an object$/],
    ['tables in a list', 'codex', '[[mcp_servers]]\ncommand = "x"\n', /^'mcp_servers' holds a list instead of an object$/],
    ['UTF-16', 'cursor', Buffer.from('\uFEFF{}', 'utf16le'), /^it is not UTF-8 text$/],
    ['bytes', 'cursor', Buffer.from([0x7b, 0xff, 0x7d]), /^it is not UTF-8 text$/],
  ];
  it.each(broken)('%s (%s)', async (_what, id, content, problem) => {
    const app = await given(id, content);
    expect((await readClientConfig(app)).broken).toMatch(problem);
    await expect(connect(app, ours)).rejects.toMatchObject({ code: 'CONFIG_INVALID', hint: expect.stringContaining(app.file) });
    await expect(disconnect(app, ours)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await readFile(app.file)).toEqual(Buffer.from(content));
    expect(await backups(app)).toEqual([]);
  });

  it('says nothing of the content', async () => {
    const app = await given('cursor', '{"env": {"API_KEY": "hunter2"');
    await expect(connect(app, ours)).rejects.toMatchObject({ message: expect.not.stringContaining('hunter2') });
  });

  it('a huge file, without reading it', async () => {
    const app = await given('cursor', '');
    await truncate(app.file, 64 * 1024 * 1024 * 1024);
    expect((await readClientConfig(app)).broken).toBe('it has 65536 MB, which is more than settings ever have');
  });

  it('a directory, and a link that leads nowhere', async () => {
    const app = await client('cursor');
    await mkdir(app.file, { recursive: true });
    expect((await readClientConfig(app)).broken).toBe('it is not a file');
    await rm(app.file, { recursive: true });
    await symlink(path.join(home, 'nowhere'), app.file);
    expect((await readClientConfig(app)).broken).toBe('it is a link to a file that is not there');
    await expect(connect(app, ours)).rejects.toThrow('left alone');
    expect(await readlink(app.file)).toBe(path.join(home, 'nowhere'));
  });

  it('a read-only file', async () => {
    const app = await given('cursor', '{}');
    await chmod(app.file, 0o444);
    await expect(connect(app, ours)).rejects.toThrow('it is read-only');
    expect(await text(app)).toBe('{}');
  });

  it('what is written in a way that cannot be changed safely', async () => {
    const content = 'mcp_servers = { docs = { command = "x" } }\n';
    const app = await given('codex', content);
    await expect(connect(app, ours)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('cannot be changed safely'),
      hint: expect.stringContaining('by hand'),
    });
    const dotted = await given(
      'codex',
      '[mcp_servers]\nfilebridge.command = "filebridge"\nfilebridge.args = ["serve", "--stdio"]\n',
    );
    expect(await standing(dotted)).toEqual({ state: 'connected' });
    await expect(disconnect(dotted, ours)).rejects.toThrow('cannot be changed safely');
  });

  it('a key that is there twice is not taken for one', async () => {
    const content = '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}';
    const app = await given('cursor', content);
    await connect(app, ours);
    // The last one is what the app reads.
    expect(JSON.parse(await text(app)).mcpServers).toHaveProperty('filebridge');
    expect(await text(app)).toContain('"mcpServers": {"a": {}}');
  });
});

describe('how files are replaced', () => {
  it.runIf(process.platform !== 'win32')(
    'keeps mode and link, and puts the copy beside the link, for the user alone',
    async () => {
      const kept = path.join(home, 'dotfiles', 'cursor.json');
      await mkdir(path.dirname(kept));
      await writeFile(kept, '{}');
      await chmod(kept, 0o664);
      const app = await client('cursor');
      await mkdir(path.dirname(app.file));
      await symlink(kept, app.file);
      await connect(app, ours);
      expect((await lstat(app.file)).isSymbolicLink()).toBe(true);
      expect((await stat(kept)).mode & 0o777).toBe(0o664);
      expect(JSON.parse(await readFile(kept, 'utf8'))).toHaveProperty('mcpServers.filebridge');
      expect(await readdir(path.dirname(kept))).toEqual(['cursor.json']);
      const [backup = ''] = await backups(app);
      const copy = path.join(path.dirname(app.file), backup);
      expect(await readFile(copy, 'utf8')).toBe('{}');
      expect((await stat(copy)).mode & 0o777).toBe(0o600);
    },
  );

  it('treats an empty file as one without servers', async () => {
    for (const id of ['cursor', 'codex', 'goose', 'claude-code']) {
      const app = await given(id, '');
      await connect(app, ours);
      expect(await standing(app)).toEqual({ state: 'connected' });
      await disconnect(app, ours);
      expect(await text(app)).toBe('');
    }
  });

  it('keeps the newest few copies', async () => {
    const app = await given('cursor', '{}');
    for (let round = 0; round < 4; round += 1) {
      await connect(app, ours);
      await disconnect(app, ours);
    }
    expect(await backups(app)).toHaveLength(5);
  });

  it('does not overwrite what another program wrote at the same moment', async () => {
    const app = await given('cursor', '{}');
    const { config, bytes } = await planConnect(app, ours);
    await writeFile(app.file, '{"mine": 1}');
    const { replaceWithBackup } = await import('./backups.ts');
    await expect(replaceWithBackup(app.file, config.file, bytes ?? null)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(await text(app)).toBe('{"mine": 1}');
    expect(await backups(app)).toEqual([]);
  });
});

describe('undo', () => {
  it('goes back step by step', async () => {
    const app = await given('zed', '// mine\n{}\n');
    await connect(app, ours);
    const connected = await text(app);
    await disconnect(app, ours);
    await undo(app.file);
    expect(await text(app)).toBe(connected);
    await undo(app.file);
    expect(await text(app)).toBe('// mine\n{}\n');
    await expect(undo(app.file)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('no backup'),
    });
  });

  it('takes away a file that was not there', async () => {
    const app = await given('cursor');
    await connect(app, ours);
    await undo(app.file);
    expect(await readdir(path.dirname(app.file))).toEqual([]);
  });

  it('is refused when somebody else has changed the file since, and says where the copy is', async () => {
    const app = await given('cursor', '{}');
    await connect(app, ours);
    const changed = (await text(app)).replace('{', '{ "theirs": 1,');
    await writeFile(app.file, changed);
    const backup = await newestBackup(app.file);
    await expect(undo(app.file)).rejects.toMatchObject({
      code: 'FILE_CHANGED',
      message: expect.stringContaining('changed by another program'),
      hint: expect.stringContaining(backup ?? 'none'),
    });
    expect(await text(app)).toBe(changed);
    expect(await newestBackup(app.file)).toBe(backup);
  });
});

describe('plans', () => {
  it('tell what would be written, and write nothing', async () => {
    const app = await given('gemini-cli', '{ "theme": "x" }');
    const plan = await planConnect(app, ours);
    expect(plan.before).toBe('{ "theme": "x" }');
    expect(JSON.parse(plan.after ?? '')).toHaveProperty('mcpServers.filebridge.command', ours.launch.command);
    expect(await text(app)).toBe('{ "theme": "x" }');
    expect((await planDisconnect(app, ours)).bytes).toBeUndefined();
    expect(await backups(app)).toEqual([]);
  });
});
