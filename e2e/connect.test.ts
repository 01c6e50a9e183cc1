/** `filebridge connect`, as a person runs it: into the files of real agents' apps, back again, and the entry started as the app would. */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliFile, openWorkspace, runCli, type Workspace } from './support/cli.ts';
import { openClient } from './support/mcp-clients.ts';

let home: Workspace;
beforeEach(async () => {
  home = await openWorkspace();
});
afterEach(() => home.remove());

/** Nothing of the machine's own is seen: the home is the workspace, and variables that move settings are empty. */
const env = () => ({
  HOME: home.root,
  USERPROFILE: home.root,
  APPDATA: '',
  LOCALAPPDATA: '',
  XDG_CONFIG_HOME: '',
  CODEX_HOME: '',
  CLAUDE_CONFIG_DIR: '',
  FILEBRIDGE_CONFIG: home.at('filebridge', 'config.json'),
  FILEBRIDGE_DATA: home.at('filebridge', 'data'),
});

async function connect(...args: string[]): Promise<{ out: string; err: string; code: number | null }> {
  const { stdout, stderr, code } = await runCli(['connect', ...args], { env: env() });
  return { out: stdout.toString('utf8'), err: stderr, code };
}

const read = (name: string) => readFile(home.at(name), 'utf8');

/** What an agent's app would start, on the same configuration and data. */
const launch = () => ({
  command: process.execPath,
  args: [cliFile, 'serve', '--stdio', '--config', home.at('filebridge', 'config.json')],
  env: { FILEBRIDGE_DATA: home.at('filebridge', 'data') },
});

describe('filebridge connect', () => {
  it('lists the agents, and which of them is connected', async () => {
    await home.file('.cursor/mcp.json', '{}');
    await home.file('.claude.json', '{');
    await connect('cursor');
    const { out, code } = await connect();
    expect(code).toBe(0);
    expect(out).toMatch(/^connected +cursor +\S+mcp\.json$/m);
    expect(out).toMatch(/^not changeable +claude-code +\S+\.claude\.json\n +Its configuration is left alone: .* at line 1/m);
    expect(out).toMatch(/^Not found on this computer: .*zed/m);

    const json = await connect('--json');
    const { clients } = JSON.parse(json.out) as { clients: { id: string; state: string }[] };
    expect(clients.find(({ id }) => id === 'cursor')).toMatchObject({ state: 'connected' });
    expect(clients.find(({ id }) => id === 'claude-code')).toMatchObject({ state: 'broken' });
    expect(clients.find(({ id }) => id === 'codex')).toMatchObject({ state: 'absent' });
  });

  it('connects an agent, whose app then has our tools', async () => {
    await home.file('.claude.json', '{\n  "numStartups": 3,\n  "mcpServers": {}\n}\n');
    const { out, err, code } = await connect('Claude Code');
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toMatch(/^Claude Code is connected: /);
    expect(out).toContain('Start a new session of Claude Code.');
    const { numStartups, mcpServers } = JSON.parse(await read('.claude.json'));
    expect(numStartups).toBe(3);
    expect(mcpServers.filebridge).toEqual({ type: 'stdio', ...launch() });

    const { command, args } = mcpServers.filebridge as { command: string; args: string[] };
    const client = await openClient('v1', { command, args, env: { PATH: process.env.PATH ?? '' }, onStderr: () => undefined });
    try {
      expect((await client.tools()).map(({ name }) => name)).toContain('call_tool_with_file_content');
    } finally {
      await client.close();
    }
    expect((await connect('claude-code')).out).toMatch(/^Claude Code is connected already: /);
  });

  it('shows what would change, and changes nothing', async () => {
    const content = '[mcp_servers.gh]\ncommand = "npx"\nenv = { GITHUB_TOKEN = "ghp_0123456789" }\n';
    await home.file('.codex/config.toml', content);
    const { out, code } = await connect('codex', '--print');
    expect(code).toBe(0);
    expect(out).toContain('\n+ [mcp_servers.filebridge]\n');
    expect(out).toContain('\n  env = { GITHUB_TOKEN = "•••" }\n');
    expect(await read('.codex/config.toml')).toBe(content);
    expect(await readdir(home.at('.codex'))).toEqual(['config.toml']);
    const plan = JSON.parse((await connect('codex', '--print', '--json')).out) as { lines: { kind: string }[]; snippet: string };
    expect(plan.lines.some(({ kind }) => kind === 'added')).toBe(true);
    expect(plan.snippet).toContain(JSON.stringify(cliFile));
  });

  it('disconnects, and undoes what it did', async () => {
    const content = '// mine\n{\n  "theme": "x",\n}\n';
    const file = process.platform === 'win32' ? 'AppData/Roaming/Zed/settings.json' : '.config/zed/settings.json';
    await home.file(file, content);
    await connect('zed');
    const connected = await read(file);
    expect(connected).toContain('"context_servers"');
    expect((await connect('zed', '--disconnect', '--print')).out).toContain('-   "context_servers": {');
    expect((await connect('zed', '--disconnect')).out).toMatch(/^Zed is disconnected: /);
    expect(await read(file)).toBe(content);
    expect((await connect('zed', '--undo')).out).toMatch(/^Zed is as it was before: /);
    expect(await read(file)).toBe(connected);
    expect((await connect('zed', '--undo', '--json')).out).toContain('"state":"not_connected"');
    expect(await read(file)).toBe(content);
    expect(await readdir(path.dirname(home.at(file)))).toEqual(['settings.json']);
  });

  it("asks before it replaces another program's entry of our name", async () => {
    const theirs = '{ "mcpServers": { "filebridge": { "command": "bridge-of-files" } } }';
    await home.file('.cursor/mcp.json', theirs);
    const refused = await connect('cursor');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^filebridge: Cursor has an entry 'filebridge' that starts another program\. .*--replace/);
    expect(await read('.cursor/mcp.json')).toBe(theirs);
    expect((await connect('cursor', '--print')).out).toContain("The entry 'filebridge' starts another program");
    expect((await connect('cursor', '--replace')).out).toMatch(/^Cursor is connected: /);
    expect(JSON.parse(await read('.cursor/mcp.json')).mcpServers.filebridge).toEqual(launch());
    expect((await connect('cursor', '--undo')).code).toBe(0);
    expect(await read('.cursor/mcp.json')).toBe(theirs);
  });

  it.skipIf(process.platform !== 'linux')('asks a person at a terminal', async () => {
    const theirs = '{ "mcpServers": { "filebridge": { "command": "bridge-of-files" } } }';
    await home.file('.cursor/mcp.json', theirs);
    const command = [process.execPath, cliFile, 'connect', 'cursor'].map((word) => `'${word}'`).join(' ');
    /** At a terminal, which `script` makes. */
    const answering = (answer: string) =>
      spawnSync('script', ['-qec', command, '/dev/null'], { env: { ...process.env, ...env() }, input: answer, encoding: 'utf8' });
    const no = answering('n\n');
    expect(no.stdout).toContain('Replace it? [y/N]');
    expect(no.status).toBe(1);
    expect(await read('.cursor/mcp.json')).toBe(theirs);
    const yes = answering('y\n');
    expect(yes.stdout).toContain('bridge-of-files');
    expect({ status: yes.status, out: yes.stdout }).toMatchObject({
      status: 0,
      out: expect.stringContaining('Cursor is connected'),
    });
    expect(JSON.parse(await read('.cursor/mcp.json')).mcpServers.filebridge).toEqual(launch());
  });

  it('tells doctor', async () => {
    await mkdir(home.at('.cursor'));
    const doctor = async () => (await runCli(['doctor'], { env: env() })).stdout.toString('utf8');
    expect(await doctor()).toContain("client Cursor: does not know Filebridge yet. Use 'filebridge connect cursor'");
    await connect('cursor');
    expect(await doctor()).toContain(`ok       client Cursor: starts Filebridge, by ${home.at('.cursor', 'mcp.json')}`);
  });

  it.each([
    ['an agent nobody knows', ['emacs'], 2, /There is no client 'emacs'; known are claude-desktop, /],
    ['a folder that is not there', ['codex', 'absent'], 1, /There is no folder '.*absent'/],
    ['a folder without connecting', ['codex', 'absent', '--undo'], 2, /DIR goes with connecting/],
    ['no agent to undo', ['--undo'], 2, /Name the CLIENT/],
    ['two things at once', ['cursor', '--undo', '--disconnect'], 2, /--undo goes alone/],
    ['replacing without connecting', ['cursor', '--undo', '--replace'], 2, /--replace goes with connecting/],
    ['an unknown option', ['cursor', '--force'], 2, /--force/],
    ['an agent that is not installed', ['cursor'], 1, /Cursor was not found on this computer/],
    ['nothing to undo', ['codex', '--undo'], 1, /There is no backup/],
    ['a broken file', ['gemini-cli'], 1, /Gemini CLI are left alone: .* at line 1, column \d+\. Fix /],
  ])('refuses %s', async (_what, args, code, message) => {
    await home.file('.gemini/settings.json', '{"mcpServers": ');
    await mkdir(home.at('.codex'));
    const run = await connect(...args);
    expect(run.code).toBe(code);
    expect(run.out).toBe('');
    expect(run.err).toMatch(message);
    expect(run.err.trim().split('\n')).toHaveLength(1);
    expect(await read('.gemini/settings.json')).toBe('{"mcpServers": ');
  });

  it('shows the entry to add by hand where the file cannot be changed', async () => {
    await home.file('.gemini/settings.json', '{"mcpServers": ');
    const { out, err, code } = await connect('gemini-cli', '--print');
    expect(code).toBe(1);
    expect(JSON.parse(out.slice(out.indexOf('{')))).toEqual({
      mcpServers: { filebridge: launch() },
    });
    expect(err).toMatch(/cannot be changed/);
  });
});
