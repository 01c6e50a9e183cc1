import { chmod, mkdir, readFile, readlink, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../shared/model/errors.ts';
import { inAgentsWords } from '../../shared/model/messages/message.ts';
import { connect, disconnect, planConnect, planDisconnect, readClientConfig } from './client-config.ts';
import { backups, openApps, type TestApps, text } from './fixtures/apps.ts';
import type { Launch } from './types.ts';

let apps: TestApps;
beforeEach(async () => {
  apps = await openApps();
});
afterEach(() => apps.close());

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
    const app = await apps.given(id, content);
    expect(await apps.standing(app)).toEqual({ state: 'not_connected', problem: null });
    expect(await connect(app, apps.ours)).toBe(true);
    expect(await apps.standing(app)).toEqual({ state: 'connected' });
    expect(await text(app)).toContain(entry(apps.ours.launch));
    const rest = content.split(/(?=[\n,}\]])/).filter((part) => part.trim().length > 3);
    for (const part of rest) expect(await text(app)).toContain(part.trim());

    expect(await connect(app, apps.ours)).toBe(false);
    expect(await disconnect(app, apps.ours)).toBe(true);
    expect(await text(app)).toBe(content);
    expect(await disconnect(app, apps.ours)).toBe(false);
  });

  it('loses our entry alone when others have changed the file meanwhile', async () => {
    const app = await apps.given(id, content);
    await connect(app, apps.ours);
    const edited = (await text(app)).replace(/"?(?:fs|git|gh|docs|developer|hf)"?(?=[\s:\]])/, (name) =>
      name.replace(/\w+/, 'renamed'),
    );
    await writeFile(app.file, `${edited}\n`);
    await disconnect(app, apps.ours);
    expect(await text(app)).not.toContain('filebridge');
    const { broken, servers } = await readClientConfig(app);
    expect(broken).toBeNull();
    expect(Object.keys(servers)).not.toContain('filebridge');
  });

  it('is created where the app is there and its file is not', async () => {
    const app = await apps.client(id);
    await mkdir(app.traces.at(-1) ?? '', { recursive: true });
    await connect(app, apps.ours);
    expect(await apps.standing(app)).toEqual({ state: 'connected' });
    if (process.platform !== 'win32') expect((await stat(app.file)).mode & 0o777).toBe(0o600);
    await disconnect(app, apps.ours);
    await expect(text(app)).rejects.toThrow('ENOENT');
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
    const app = await apps.given(id, content);
    expect(inAgentsWords((await readClientConfig(app)).broken ?? '')).toMatch(problem);
    await expect(connect(app, apps.ours)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: expect.stringContaining(app.file),
    });
    await expect(disconnect(app, apps.ours)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await readFile(app.file)).toEqual(Buffer.from(content));
    expect(await backups(app)).toEqual([]);
  });

  it('says nothing of the content', async () => {
    const app = await apps.given('cursor', '{"env": {"API_KEY": "hunter2"');
    await expect(connect(app, apps.ours)).rejects.toMatchObject({ message: expect.not.stringContaining('hunter2') });
  });

  it('a huge file, without reading it', async () => {
    const app = await apps.given('cursor', '');
    await truncate(app.file, 64 * 1024 * 1024 * 1024);
    expect(inAgentsWords((await readClientConfig(app)).broken ?? '')).toBe(
      'it has 65536 MB, which is more than settings ever have',
    );
  });

  it('a directory, and a link that leads nowhere', async () => {
    const app = await apps.client('cursor');
    await mkdir(app.file, { recursive: true });
    expect(inAgentsWords((await readClientConfig(app)).broken ?? '')).toBe('it is not a file');
    await rm(app.file, { recursive: true });
    await symlink(path.join(apps.home, 'nowhere'), app.file);
    expect(inAgentsWords((await readClientConfig(app)).broken ?? '')).toBe('it is a link to a file that is not there');
    await expect(connect(app, apps.ours)).rejects.toThrow('left alone');
    expect(await readlink(app.file)).toBe(path.join(apps.home, 'nowhere'));
  });

  it('a read-only file', async () => {
    const app = await apps.given('cursor', '{}');
    await chmod(app.file, 0o444);
    await expect(connect(app, apps.ours)).rejects.toThrow('it is read-only');
    expect(await text(app)).toBe('{}');
  });

  it('what is written in a way that cannot be changed safely', async () => {
    const content = 'mcp_servers = { docs = { command = "x" } }\n';
    const app = await apps.given('codex', content);
    await expect(connect(app, apps.ours)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('cannot be changed safely'),
      hint: expect.stringContaining('by hand'),
    });
    const dotted = await apps.given(
      'codex',
      '[mcp_servers]\nfilebridge.command = "filebridge"\nfilebridge.args = ["serve", "--stdio"]\n',
    );
    expect(await apps.standing(dotted)).toEqual({ state: 'connected' });
    await expect(disconnect(dotted, apps.ours)).rejects.toThrow('cannot be changed safely');
  });

  it('a key that is there twice is not taken for one', async () => {
    const content = '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}';
    const app = await apps.given('cursor', content);
    await connect(app, apps.ours);
    // The last one is what the app reads.
    expect(JSON.parse(await text(app)).mcpServers).toHaveProperty('filebridge');
    expect(await text(app)).toContain('"mcpServers": {"a": {}}');
  });
});

describe('plans', () => {
  it('tell what would be written, and write nothing', async () => {
    const app = await apps.given('gemini-cli', '{ "theme": "x" }');
    const plan = await planConnect(app, apps.ours);
    expect(plan.before).toBe('{ "theme": "x" }');
    expect(JSON.parse(plan.after ?? '')).toHaveProperty('mcpServers.filebridge.command', apps.ours.launch.command);
    expect(await text(app)).toBe('{ "theme": "x" }');
    expect((await planDisconnect(app, apps.ours)).bytes).toBeUndefined();
    expect(await backups(app)).toEqual([]);
  });

  it('take out beside an entry that is there already', async () => {
    const app = await apps.given('gemini-cli', '{ "mcpServers": { "a": { "command": "x" } } }');
    await connect(app, apps.ours);
    expect((await planConnect(app, apps.ours)).bytes).toBeUndefined();
    const { after } = await planConnect(app, apps.ours, [['mcpServers', 'a']]);
    expect(Object.keys(JSON.parse(after ?? '').mcpServers)).toEqual(['filebridge']);
  });
});

it.each([
  ['diskImage', 'Move Filebridge to the Applications folder'],
  ['translocated', 'Move Filebridge to the Applications folder'],
  ['mount', 'Keep the AppImage in a folder of your own'],
] as const)('a program whose place goes away is not written into settings: %s', async (temporary, says) => {
  const [client, ours] = [await apps.client('cursor'), apps.ours];
  const refused = await connect(client, { ...ours, launch: { ...ours.launch, temporary } }).catch((error: unknown) => error);
  expect((refused as AppError).text).toContain(says);
  expect((await readClientConfig(client)).file.state).toBe('absent');
});
