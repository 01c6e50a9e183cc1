import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consoleHost, type HostPort } from '../../app/host.ts';
import { type RunningApi, sealingHost, startApi } from '../fixtures/api.ts';
import { openTestHome, type TestHome } from '../fixtures/home.ts';

let home: TestHome;
let api: RunningApi;
beforeEach(async () => {
  home = await openTestHome();
});
afterEach(async () => {
  await api.close();
  await home.close();
});

const cursorFile = '.cursor/mcp.json';
const agent = async (id: string) => (await api.ask('agents.list', {})).find((view) => view.id === id);

describe('agents', () => {
  it('lists every known one, and what stands in the way', async () => {
    await home.file(cursorFile, '{"mcpServers": {}}');
    await home.file('.codex/config.toml', 'a = \n');
    api = await startApi();
    const list = await api.ask('agents.list', {});
    expect(list.map(({ id }) => id)).toContain('claude-desktop');
    expect(await agent('cursor')).toEqual({
      id: 'cursor',
      name: 'Cursor',
      state: 'not_connected',
      file: home.at('.cursor', 'mcp.json'),
      taken: false,
      problem: null,
      note: 'Restart Cursor.',
      said: { hint: { code: 'agentNote.restart', params: { app: 'Cursor' } } },
      deepLink: expect.stringMatching(/^cursor:/),
      backup: null,
    });
    expect(await agent('codex')).toMatchObject({ state: 'broken', problem: expect.stringMatching(/left alone: .* at line 1/) });
    expect(await agent('zed')).toMatchObject({ state: 'absent', deepLink: null });
  });

  it('connects, disconnects and undoes, and the pages hear of it', async () => {
    const file = await home.file(cursorFile, '{\n  "mcpServers": {}\n}\n');
    api = await startApi();
    const connected = await api.ask('agents.connect', { id: 'cursor' });
    expect(connected).toMatchObject({ state: 'connected', backup: expect.stringContaining('.filebridge-backup-') });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { filebridge: { command: 'filebridge', args: [] } } });
    expect(await api.ask('agents.disconnect', { id: 'cursor' })).toMatchObject({ state: 'not_connected' });
    expect(await readFile(file, 'utf8')).toBe('{\n  "mcpServers": {}\n}\n');
    expect(await api.ask('agents.undo', { id: 'cursor' })).toMatchObject({ state: 'connected' });
    expect(api.heard('agents.changed')).toHaveLength(3);
  });

  it("asks before it replaces another program's entry of our name", async () => {
    const theirs = '{ "mcpServers": { "filebridge": { "command": "bridge-of-files" } } }';
    const file = await home.file(cursorFile, theirs);
    api = await startApi();
    expect(await agent('cursor')).toMatchObject({ state: 'not_connected', taken: true });
    expect(await api.ask('agents.plan', { id: 'cursor' })).toMatchObject({ replaces: true });
    await expect(api.ask('agents.connect', { id: 'cursor' })).rejects.toThrow('that starts another program');
    expect(await readFile(file, 'utf8')).toBe(theirs);
    expect(await api.ask('agents.connect', { id: 'cursor', replace: true })).toMatchObject({ state: 'connected', taken: false });
    expect(JSON.parse(await readFile(file, 'utf8')).mcpServers.filebridge).toEqual({ command: 'filebridge', args: [] });
    expect(await api.ask('agents.plan', { id: 'cursor' })).toMatchObject({ replaces: false });
  });

  it('takes two requests at once one after the other', async () => {
    await home.file(cursorFile, '{}');
    api = await startApi();
    const views = await Promise.all([
      api.ask('agents.connect', { id: 'cursor' }),
      api.ask('agents.connect', { id: 'cursor' }),
      api.ask('agents.disconnect', { id: 'cursor' }),
    ]);
    expect(views.map(({ state }) => state)).toEqual(['connected', 'connected', 'not_connected']);
  });

  it('refuses to undo what somebody else has changed since', async () => {
    const file = await home.file(cursorFile, '{}');
    api = await startApi();
    await api.ask('agents.connect', { id: 'cursor' });
    await writeFile(file, '{"mcpServers": {}}');
    await expect(api.ask('agents.undo', { id: 'cursor' })).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(await readFile(file, 'utf8')).toBe('{"mcpServers": {}}');
  });

  it('names the known ones when asked for another, and does not make up an app that is not there', async () => {
    api = await startApi();
    await expect(api.ask('agents.connect', { id: 'emacs' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      hint: expect.stringContaining('claude-desktop'),
    });
    await expect(api.ask('agents.connect', { id: 'cursor' })).rejects.toMatchObject({
      message: 'Cursor was not found on this computer',
    });
    await expect(readFile(home.at('.cursor', 'mcp.json'))).rejects.toThrow('ENOENT');
  });
});

describe('the plan', () => {
  it("shows what would change, with others' secrets masked, and changes nothing", async () => {
    const content = `{
  "mcpServers": {
    "db": {
      "command": "npx",
      "args": ["-y", "db", "--api-key", "k-12345678", "--dsn=postgres://me:pass@host/x"],
      "env": { "DB_PASSWORD": "hunter2", "LEVEL": "debug", "PIN": "1", "TOKEN": "a\\"b\\\\c1" }
    }
  }
}
`;
    const file = await home.file(cursorFile, content);
    api = await startApi();
    const { lines, snippet } = await api.ask('agents.plan', { id: 'cursor' });
    expect(lines.filter(({ kind }) => kind === 'removed')).toEqual([]);
    expect(lines.filter(({ kind }) => kind === 'added').map(({ text }) => text.trim())).toEqual([
      '},',
      '"filebridge": {',
      '"command": "filebridge",',
      '"args": []',
    ]);
    const shown = lines.map(({ text }) => text).join('\n');
    expect(shown).toContain('"LEVEL": "debug"');
    for (const secret of ['k-12345678', 'pass', 'hunter2', 'b\\\\c1']) expect(shown).not.toContain(secret);
    expect(JSON.parse(snippet)).toEqual({ mcpServers: { filebridge: { command: 'filebridge', args: [] } } });
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  it.each([
    [
      cursorFile,
      'cursor',
      '{\n  // "OLD_API_KEY": "s3cr3t-of-old", "PORT": "8080"\n  /* --token=t0k3n-of-old sk-live-0123456789 */\n  "mcpServers": {}\n}\n',
    ],
    [
      '.codex/config.toml',
      'codex',
      '# OLD_API_KEY = \'s3cr3t-of-old\'\n# url = "https://me:t0k3n-of-old@host/" port = 8080 sk-live-0123456789\nmodel = "x"\n',
    ],
  ])('masks secrets in what was switched off by a comment (%s)', async (place, id, content) => {
    await home.file(place, content);
    api = await startApi();
    const { lines } = await api.ask('agents.plan', { id });
    const shown = lines.map(({ text }) => text).join('\n');
    expect(shown).toMatch(/OLD_API_KEY"?(:| =) ["']•••["']/);
    expect(shown).toContain('8080');
    for (const secret of ['s3cr3t', 't0k3n', '0123456789']) expect(shown).not.toContain(secret);
  });

  it("is in the app's own words, for a file that is there or not or cannot be changed", async () => {
    await home.file('.codex/config.toml', 'a = \n');
    api = await startApi();
    const codex = await api.ask('agents.plan', { id: 'codex' });
    expect(codex).toMatchObject({ lines: [], snippet: '[mcp_servers.filebridge]\ncommand = "filebridge"\nargs = []' });
    const goose = await api.ask('agents.plan', { id: 'goose' });
    expect(goose.snippet).toMatch(/^extensions:\n {2}filebridge:\n/);
    expect(goose.lines.every(({ kind }) => kind === 'added')).toBe(true);
  });

  it('leaves out what is far from the change', async () => {
    const history = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`line ${index}`, 'private']));
    await home.file('.claude.json', JSON.stringify({ history, mcpServers: {} }, null, 2));
    api = await startApi();
    const { lines } = await api.ask('agents.plan', { id: 'claude-code' });
    expect(lines.length).toBeLessThan(40);
    expect(lines[0]).toEqual({ kind: 'same', text: '…' });
    await api.ask('agents.connect', { id: 'claude-code' });
    expect((await api.ask('agents.plan', { id: 'claude-code' })).lines).toEqual([]);
  });
});

describe('links that add Filebridge', () => {
  it.each([
    ['cursor', cursorFile],
    ['lm-studio', '.lmstudio/mcp.json'],
  ])('%s takes the entry in base64', async (id, file) => {
    await home.file(file, '{}');
    const opened: string[] = [];
    const host: HostPort = { ...consoleHost, kind: 'desktop', openLink: async (url) => void opened.push(url) };
    api = await startApi({ host });
    await api.ask('agents.openLink', { id });
    const link = new URL(opened[0] ?? '');
    expect(link.searchParams.get('name')).toBe('filebridge');
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toEqual({ command: 'filebridge', args: [] });
    expect((await agent(id))?.deepLink).toBe(opened[0]);
  });

  it('VS Code takes it as JSON', async () => {
    const host: HostPort = { ...consoleHost, openLink: async () => undefined };
    api = await startApi({ host });
    for (const [id, scheme] of [
      ['vscode', 'vscode'],
      ['vscode-insiders', 'vscode-insiders'],
    ] as const) {
      const folder = id === 'vscode' ? 'Code' : 'Code - Insiders';
      await home.file(`.config/${folder}/User/mcp.json`, '{}');
      const link = (await agent(id))?.deepLink ?? '';
      const [start, query = ''] = link.split('?');
      expect(start).toBe(`${scheme}:mcp/install`);
      expect(JSON.parse(decodeURIComponent(query))).toEqual({ name: 'filebridge', command: 'filebridge', args: [] });
    }
  });

  it('are not opened by the console, nor for an app that has none', async () => {
    await home.file(cursorFile, '{}');
    api = await startApi();
    await expect(api.ask('agents.openLink', { id: 'cursor' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'Links can only be opened by the desktop app',
    });
    await expect(api.ask('agents.openLink', { id: 'zed' })).rejects.toThrow('Zed has no link of this kind');
  });
});

describe('servers that an agent also starts itself', () => {
  const mail = (account: string) => ({
    command: 'npx',
    args: ['-y', 'mail'],
    env: { MAIL_TOKEN: account, PLACE: 'plum-garden' },
  });

  it('are those with the same account, shown without values, and go and come back', async () => {
    const content = JSON.stringify({ mcpServers: { mine: mail('first-account'), ours: mail('second-account') } }, null, 2);
    const file = await home.file(cursorFile, content);
    api = await startApi({ host: sealingHost });
    const found = await api.ask('upstreams.found', {});
    const { imported } = await api.ask('upstreams.import', {
      ids: found.filter(({ name }) => name === 'mine').map(({ id }) => id),
    });
    expect(imported).toEqual(['mine']);
    const here = { id: 'cursor', name: 'Cursor', servers: ['mine'], takenOut: [] };
    expect(await api.ask('agents.direct', {})).toEqual([{ ...here, connected: false }]);
    const joint = await api.ask('agents.planTakeOut', { id: 'cursor', servers: ['mine'] });
    expect(joint).toMatchObject({ connects: true, entries: ['mine'] });
    expect(JSON.stringify(joint.lines)).not.toMatch(/first-account|second-account|plum-garden/);

    await api.ask('agents.connect', { id: 'cursor' });
    expect(await api.ask('agents.direct', {})).toEqual([{ ...here, connected: true }]);
    const before = await readFile(file, 'utf8');
    const plan = await api.ask('agents.planTakeOut', { id: 'cursor', servers: ['mine'] });
    expect(plan).toMatchObject({ connects: false, entries: ['mine'] });
    const shown = JSON.stringify(plan.lines);
    expect(shown).toContain('MAIL_TOKEN');
    expect(shown).not.toMatch(/first-account|second-account|plum-garden/);
    await api.ask('agents.takeOut', { id: 'cursor', servers: ['mine'], revision: plan.revision });
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).mcpServers)).toEqual(['ours', 'filebridge']);
    expect(await api.ask('agents.direct', {})).toEqual([{ ...here, connected: true, servers: [], takenOut: ['mine'] }]);
    expect(await api.ask('agents.putBack', { id: 'cursor' })).toMatchObject({ state: 'connected' });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(api.heard('agents.changed')).toHaveLength(3);
  });
});
