import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Upstream } from '../../shared/model/config.ts';
import { connect, disconnect } from './client-config.ts';
import { directServers, lastTakenOut, planTakeOut, putBack, takeOut } from './direct-servers.ts';
import { backups, openApps, type TestApps, text } from './fixtures/apps.ts';
import { shownChange } from './shown-change.ts';
import type { KnownClient } from './types.ts';

let apps: TestApps;
let directory: string;
beforeEach(async () => {
  apps = await openApps();
  directory = path.join(apps.home, 'data');
});
afterEach(() => apps.close());

/** Filebridge has the programs `npx -y files` and `npx -y mail`, and `https://wiki.example/mcp`. */
const nameOf = (upstream: Upstream): string | undefined => {
  if (upstream.type !== 'stdio') return upstream.url === 'https://wiki.example/mcp' ? 'wiki' : undefined;
  if (upstream.command !== 'npx') return undefined;
  return { '-y files': 'files', '-y mail': 'post' }[upstream.args.join(' ')];
};
const all = ['files', 'post', 'wiki'];

async function takenOut(client: KnownClient, servers = all): Promise<void> {
  const plan = await planTakeOut(client, apps.ours, nameOf, servers);
  await takeOut(client, plan, { revision: plan.revision, directory });
}

/** A file of each format before we are in it: with servers that go, servers and comments that stay. `left` is all that may be left. */
const formats: { id: string; before: string; left: string; gone: string[] }[] = [
  {
    id: 'claude-desktop',
    before:
      '{\n  "globalShortcut": "Ctrl+Space",\n  "mcpServers": {\n    "fs": {\n      "command": "npx",\n      "args": ["-y", "files"],\n      "env": { "A": "x" }\n    },\n    "other": { "command": "npx", "args": ["-y", "files", "/else"] },\n    "mail": { "command": "npx", "args": ["-y", "mail"] }\n  }\n}\n',
    left: '{\n  "globalShortcut": "Ctrl+Space",\n  "mcpServers": {\n    "other": { "command": "npx", "args": ["-y", "files", "/else"] }\n  }\n}\n',
    gone: ['files', 'post'],
  },
  {
    id: 'cursor',
    before:
      '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"fs": { "command": "npx", "args": ["-y", "files"] }, // the files\r\n\t\t"w": { "url": "https://wiki.example/mcp" },\r\n\t\t/* not this */\r\n\t\t"other": { "url": "https://else.example/mcp" },\r\n\t},\r\n}\r\n',
    left: '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t // the files\r\n\t\t/* not this */\r\n\t\t"other": { "url": "https://else.example/mcp" },\r\n\t},\r\n}\r\n',
    gone: ['files', 'wiki'],
  },
  {
    id: 'codex',
    before:
      '# mine\nmodel = "x"\n\n[mcp_servers.fs]\ncommand = "npx"\nargs = ["-y", "files"]\n\n[mcp_servers.fs.env]\nA = "x"\n\n# the other\n[mcp_servers.other]\ncommand = "else" # stays\n\n[mcp_servers."w"]\nurl = "https://wiki.example/mcp"\n\n[tools]\nweb = true\n',
    left: '# mine\nmodel = "x"\n\n# the other\n[mcp_servers.other]\ncommand = "else" # stays\n\n[tools]\nweb = true\n',
    gone: ['files', 'wiki'],
  },
  {
    id: 'goose',
    before:
      '# mine\nGOOSE_MODEL: x\nextensions:\n  developer:\n    type: builtin\n    enabled: true\n  # my files\n  fs:\n    type: stdio\n    cmd: npx\n    args: [-y, files]\n    envs:\n      A: x\n    enabled: true\n  other:\n    type: stdio\n    cmd: else # stays\n    args: []\n    enabled: true\n',
    left: '# mine\nGOOSE_MODEL: x\nextensions:\n  developer:\n    type: builtin\n    enabled: true\n  # my files\n  other:\n    type: stdio\n    cmd: else # stays\n    args: []\n    enabled: true\n',
    gone: ['files'],
  },
];

describe.each(formats)('in the settings of $id', ({ id, before, left, gone }) => {
  it('takes out the same servers alone, with a backup, and puts them back byte for byte', async () => {
    const app = await apps.given(id, before);
    await connect(app, apps.ours);
    const connected = await text(app);
    const direct = await directServers(app, apps.ours, nameOf);
    expect(direct.connected).toBe(true);
    expect(direct.entries.map(({ server }) => server)).toEqual(gone);

    await takenOut(app);
    expect((await directServers(app, apps.ours, nameOf)).entries).toEqual([]);
    expect(await readFile(path.join(path.dirname(app.file), (await backups(app)).at(-1) ?? ''), 'utf8')).toBe(connected);
    const after = await text(app);
    expect(await apps.standing(app)).toEqual({ state: 'connected' });

    await putBack(app, directory);
    expect(await text(app)).toBe(connected);
    expect(await lastTakenOut(app, directory)).toBeUndefined();

    // What is left is the file without these servers, to the last byte.
    await writeFile(app.file, after);
    await disconnect(app, apps.ours);
    expect(await text(app)).toBe(left);
  });

  it('keeps the app connected where the same change connected it and it stays', async () => {
    const app = await apps.given(id, before);
    await takenOut(app);
    expect(await apps.standing(app)).toEqual({ state: 'connected' });
    await putBack(app, directory, { stays: true });
    const again = await directServers(app, apps.ours, nameOf);
    expect(again.connected).toBe(true);
    expect(again.entries.map(({ server }) => server).sort()).toEqual([...gone].sort());
  });

  it('puts exactly those entries back into a file that has changed since', async () => {
    const app = await apps.given(id, before);
    await connect(app, apps.ours);
    const { entries } = await directServers(app, apps.ours, nameOf);
    await takenOut(app);
    const format = await changedByTheApp(app);
    const inBetween = await text(app);
    await putBack(app, directory);
    const again = await directServers(app, apps.ours, nameOf);
    expect(again.entries.map(({ keys, standard }) => [keys, standard]).sort()).toEqual(
      entries.map(({ keys, standard }) => [keys, standard]).sort(),
    );
    expect(await text(app)).toContain(format);
    // Taken out once more, they leave what the app had made of the file.
    await takenOut(app);
    expect((await text(app)).replaceAll(/\s/g, '')).toBe(inBetween.replaceAll(/\s/g, ''));
  });
});

/** The app notes something of its own; gives what it noted. */
async function changedByTheApp(app: KnownClient): Promise<string> {
  const now = await text(app);
  const noted = { json: '"noted": 1,', jsonc: '"noted": 1,', toml: 'noted = 1', yaml: 'noted: 1' }[app.format];
  await writeFile(app.file, now.startsWith('{') ? now.replace('{', `{ ${noted}`) : `${noted}\n${now}`);
  return noted;
}

const desktop = (servers: object) => JSON.stringify({ mcpServers: servers }, null, 2);
const files = { command: 'npx', args: ['-y', 'files'] };

describe('taking servers out', () => {
  it.each(formats)(
    'connects an app of $id in the same change, which else would lose them',
    async ({ id, before, left, gone }) => {
      const app = await apps.given(id, before);
      expect(await directServers(app, apps.ours, nameOf)).toMatchObject({ connected: false });
      expect(await planTakeOut(app, apps.ours, nameOf, all)).toMatchObject({ connects: true });
      await takenOut(app);
      expect(await directServers(app, apps.ours, nameOf)).toEqual({ connected: true, entries: [] });
      expect(await backups(app)).toHaveLength(1);
      await putBack(app, directory);
      expect(await text(app)).toBe(before);
      // What was taken out stays out when the app is disconnected.
      await takenOut(app);
      await disconnect(app, apps.ours);
      expect((await text(app)).trimEnd()).toBe(left.trimEnd());
      await putBack(app, directory);
      expect(await directServers(app, apps.ours, nameOf)).toMatchObject({
        connected: false,
        entries: expect.objectContaining({ length: gone.length }),
      });
    },
  );

  it("is refused where another program's entry has our name, or ours would start what is soon gone", async () => {
    const before = desktop({ fs: files, filebridge: { command: 'bridge-of-files' } });
    const app = await apps.given('claude-desktop', before);
    await expect(planTakeOut(app, apps.ours, nameOf, all)).rejects.toThrow('not connected to Filebridge');
    const fleeting = { ...apps.ours, launch: { ...apps.ours.launch, temporary: 'mount' as const } };
    const other = await apps.given('cursor', desktop({ fs: files }));
    await expect(planTakeOut(other, fleeting, nameOf, all)).rejects.toThrow('no app can start it from there later');
    expect(await text(app)).toBe(before);
  });

  it('is refused once the file has changed since it was shown', async () => {
    const app = await apps.given('claude-desktop', desktop({ fs: files }));
    await connect(app, apps.ours);
    const { revision } = await planTakeOut(app, apps.ours, nameOf, all);
    await changedByTheApp(app);
    const now = await text(app);
    const plan = await planTakeOut(app, apps.ours, nameOf, all);
    await expect(takeOut(app, plan, { revision, directory })).rejects.toThrow('after the difference was shown');
    expect(await text(app)).toBe(now);
  });

  it('takes only those that are asked for, and none that is switched off', async () => {
    const app = await apps.given(
      'claude-desktop',
      desktop({ fs: files, mail: { command: 'npx', args: ['-y', 'mail'] }, off: { ...files, disabled: true } }),
    );
    await connect(app, apps.ours);
    await takenOut(app, ['post']);
    expect(Object.keys(JSON.parse(await text(app)).mcpServers)).toEqual(['fs', 'off', 'filebridge']);
    expect((await lastTakenOut(app, directory))?.entries).toEqual([{ server: 'post', keys: ['mcpServers', 'mail'] }]);
  });

  it("finds those of Claude Code's projects, which start in their folders", async () => {
    const inProject = (upstream: Upstream) => (upstream.type === 'stdio' && upstream.cwd === apps.home ? 'files' : undefined);
    const before = JSON.stringify(
      { projects: { [apps.home]: { mcpServers: { fs: files }, history: [] } }, mcpServers: {} },
      null,
      2,
    );
    const app = await apps.given('claude-code', before);
    await connect(app, apps.ours);
    const plan = await planTakeOut(app, apps.ours, inProject, ['files']);
    await takeOut(app, plan, { revision: plan.revision, directory });
    expect(JSON.parse(await text(app)).projects).toEqual({ [apps.home]: { mcpServers: {}, history: [] } });
    await putBack(app, directory);
    expect(JSON.parse(await text(app)).projects[apps.home].mcpServers).toEqual({ fs: files });
  });

  it('leaves a file alone that is written in a way that cannot be changed safely', async () => {
    const before =
      'mcp_servers = { fs = { command = "npx", args = ["-y", "files"] }, filebridge = { url = "http://127.0.0.1:7337/mcp" } }\n';
    const app = await apps.given('codex', before);
    await expect(planTakeOut(app, apps.ours, nameOf, all)).rejects.toThrow('cannot be changed safely');
    expect(await text(app)).toBe(before);
  });

  it('makes no change that could not be put back', async () => {
    const app = await apps.given('claude-desktop', desktop({ fs: files }));
    await connect(app, apps.ours);
    const before = await text(app);
    await writeFile(directory, 'in the way of the folder');
    await expect(takenOut(app)).rejects.toThrow();
    expect(await text(app)).toBe(before);
  });
});

describe('putting servers back', () => {
  it('says which entry is in the way, and changes nothing', async () => {
    const app = await apps.given('claude-desktop', desktop({ fs: files }));
    await connect(app, apps.ours);
    await takenOut(app);
    const now = (await text(app)).replace('"mcpServers": {', '"mcpServers": { "fs": { "command": "mine" },');
    await writeFile(app.file, now);
    await expect(putBack(app, directory)).rejects.toThrow("other entries are called 'fs' now");
    expect(await text(app)).toBe(now);
  });

  it('says that the backup is gone', async () => {
    const app = await apps.given('claude-desktop', desktop({ fs: files }));
    await connect(app, apps.ours);
    await takenOut(app);
    for (const backup of await backups(app)) await rm(path.join(path.dirname(app.file), backup));
    await expect(putBack(app, directory)).rejects.toThrow('is gone or cannot be read');
  });

  it('has nothing to do where nothing was taken out, or it is back already', async () => {
    const app = await apps.given('claude-desktop', desktop({ fs: files }));
    await connect(app, apps.ours);
    const before = await text(app);
    await expect(putBack(app, directory)).rejects.toThrow('no servers to put back');
    await takenOut(app);
    await writeFile(app.file, before);
    await expect(putBack(app, directory)).rejects.toThrow('no servers to put back');
  });

  it('works after a record that cannot be read was put aside', async () => {
    const app = await apps.given('claude-desktop', desktop({ fs: files }));
    await connect(app, apps.ours);
    await takenOut(app);
    await writeFile(path.join(directory, 'taken-out.json'), '{');
    await expect(putBack(app, directory)).rejects.toThrow('cannot be read');
    await writeFile(app.file, (await text(app)).replace('"mcpServers": {', `"mcpServers": { "fs": ${JSON.stringify(files)},`));
    await takenOut(app);
    await putBack(app, directory);
    expect(JSON.parse(await text(app)).mcpServers.fs).toEqual(files);
    expect((await readdir(directory)).some((name) => name.startsWith('taken-out.broken-'))).toBe(true);
  });
});

describe('the change that is shown', () => {
  it.each([
    [
      'claude-desktop',
      '{\n  "mcpServers": {\n    "fs": {\n      "command": "npx",\n      "args": ["-y", "files"],\n      "env": {\n        "PLACE": "plum-garden",\n        "PIN": 4711\n      }\n    }\n  }\n}\n',
    ],
    [
      'codex',
      '[mcp_servers.fs]\ncommand = "npx"\nargs = ["-y", "files"]\n[mcp_servers.fs.env]\nPLACE = "plum-garden"\nPIN = "4711"\n',
    ],
    [
      'goose',
      'extensions:\n  fs:\n    type: stdio\n    cmd: npx\n    args: [-y, files]\n    envs:\n      PLACE: plum-garden\n      PIN: "4711"\n    enabled: true\n',
    ],
  ])('masks every value of the entries that go, in %s', async (id, content) => {
    const app = await apps.given(id, content);
    await connect(app, apps.ours);
    const plan = await planTakeOut(app, apps.ours, (upstream) => (upstream.type === 'stdio' ? 'files' : undefined), ['files']);
    const lines = shownChange(plan, plan.config.value, { PLACE: 'plum-garden', PIN: '4711' });
    const shown = lines.map((line) => line.text).join('\n');
    expect(shown).toContain('files');
    expect(shown).toContain('PLACE');
    expect(shown).not.toMatch(/plum|4711/);
    expect(lines.filter(({ kind }) => kind === 'removed').length).toBeGreaterThan(4);
  });

  it('does not show a server between two that go as if it went, too', async () => {
    const app = await apps.given('claude-desktop', formats[0]?.before);
    await connect(app, apps.ours);
    const plan = await planTakeOut(app, apps.ours, nameOf, all);
    const kinds = (word: string) =>
      shownChange(plan, plan.config.value).flatMap(({ kind, text }) => (text.includes(word) ? [kind] : []));
    expect(kinds('"fs"')).toEqual(['removed']);
    expect(kinds('"other"')).toEqual(['same']);
    expect(kinds('"mail"')).toEqual(['removed']);
  });
});
