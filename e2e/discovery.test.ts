/** Servers that agents start beside a running app: through it where it works with the same things, alone where not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../shared/lib/fixtures/eventually.ts';
import { cliFile, runCli } from './support/cli.ts';
import { endProcess, type Home, openHome } from './support/filebridge.ts';
import { type ClientHooks, clientKinds, type McpClient, openClient } from './support/mcp-clients.ts';
import { everything, fixtureServer } from './support/upstreams.ts';
import { launchApp } from './support/window-hosts.ts';

/** Its upstream says whose child it is: the variable differs between the programs. */
const tellingHome = (): Promise<Home> => {
  const telling = { ...everything(), env: { WHO: '${WHO}' } };
  const upstreams = { telling, asks: { ...telling, confirm: 'always' } };
  return openHome({ upstreams, responses: { spillOverTokens: 100_000_000 }, port: 0 });
};

interface Agent {
  client: McpClient;
  stderr(): string;
}

async function startAgent(home: Home, args: string[] = [], kind = clientKinds[0], hooks: ClientHooks = {}): Promise<Agent> {
  let stderr = '';
  const client = await openClient(
    kind ?? 'v1',
    {
      command: process.execPath,
      args: [cliFile, 'serve', '--stdio', ...args],
      env: { ...home.env, WHO: 'agent' },
      onStderr: (text) => {
        stderr += text;
      },
    },
    hooks,
  );
  return { client, stderr: () => stderr };
}

/** Which program's child answered. */
async function whoAnswers({ client }: Agent): Promise<string> {
  const { text } = await client.call('call_tool', {
    server: 'telling',
    tool_name: 'get-env',
    output_format: 'string',
  });
  return JSON.parse(text).WHO;
}

const runningFile = (home: Home) => path.join(home.dataDirectory, 'running.json');
const sockets = async (home: Home) => (await readdir(home.dataDirectory)).filter((name) => name.endsWith('.sock'));

describe('an agent beside the desktop app', () => {
  let home: Home;
  let app: ElectronApplication;
  let page: Page;
  const agents: Agent[] = [];

  beforeAll(async () => {
    home = await tellingHome();
    app = await launchApp(home, { env: { WHO: 'app' } });
    page = await app.firstWindow();
    await eventually(() => readFile(runningFile(home)));
  });
  afterAll(async () => {
    for (const { client } of agents) await client.close();
    await app?.close();
    await home?.workspace.remove();
  });

  const connect = async (...given: Parameters<typeof startAgent> extends [Home, ...infer R] ? R : never): Promise<Agent> => {
    const agent = await startAgent(home, ...given);
    agents.push(agent);
    return agent;
  };
  const ask = (name: string, input: object = {}) =>
    page.evaluate(([operation, given]) => Reflect.get(window, 'filebridge').request(operation, given), [name, input] as const);

  it.each(clientKinds)('calls through it, under its own name (%s)', async (kind) => {
    const agent = await connect([], kind);
    expect(await whoAnswers(agent)).toBe('app');
    expect(agent.stderr()).toBe('');
    const { value } = await ask('ledger.recent', { limit: 1 });
    expect(value[0]).toMatchObject({ client: 'e2e-host', server: 'telling', tool: 'get-env', outcome: 'ok' });
  });

  it('is asked about in the app', async () => {
    const { client } = await connect();
    const call = client.call('call_tool', { server: 'asks', tool_name: 'echo', tool_args: { message: 'hello' } });
    await expect
      .poll(async () => (await ask('approvals.list')).value)
      .toEqual([expect.objectContaining({ client: 'e2e-host', tool: 'echo' })]);
    const { value } = await ask('approvals.list');
    expect(await ask('approvals.answer', { id: value[0].id, decision: 'once' })).toMatchObject({ ok: true });
    expect((await call).text).toContain('hello');
  });

  it('carries messages of many megabytes both ways', async () => {
    const { client } = await connect();
    const message = 'ä'.repeat(2_000_000);
    const { text } = await client.call('call_tool', {
      server: 'telling',
      tool_name: 'echo',
      tool_args: { message },
      output_format: 'string',
    });
    expect(text.length).toBe('Echo: '.length + message.length);
    expect(text.endsWith(message)).toBe(true);
  });

  it('opens its own runtime with other folders, or another version', async () => {
    expect(await whoAnswers(await connect([home.at('')]))).toBe('agent');
    const told = await readFile(runningFile(home), 'utf8');
    try {
      await writeFile(runningFile(home), told.replace(/"version":"[^"]+"/, '"version":"99.0.0"'));
      const other = await connect();
      expect(await whoAnswers(other)).toBe('agent');
      expect(other.stderr()).toContain('Filebridge 99.0.0 is running');
    } finally {
      await writeFile(runningFile(home), told);
    }
  });

  it('gets nowhere without the token, and then works by itself', async () => {
    const told = await readFile(runningFile(home), 'utf8');
    try {
      await writeFile(runningFile(home), told.replace(/"token":"[^"]+"/, '"token":"guess"'));
      const agent = await connect();
      expect(await whoAnswers(agent)).toBe('agent');
      expect(agent.stderr()).toContain('does not answer');
    } finally {
      await writeFile(runningFile(home), told);
    }
  });

  it('ends cleanly, saying why, when the app ends; nothing is left of it, and the next one works by itself', async () => {
    const child = spawn(process.execPath, [cliFile, 'serve', '--stdio'], { env: { ...home.env, WHO: 'agent' } });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    const greeting = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: greeting })}\n`);
    await once(child.stdout, 'data');
    for (const { client } of agents.splice(0)) await client.close();

    const ended = once(child, 'exit');
    await app.close();
    expect(await ended).toEqual([0, null]);
    expect(said).toContain('the Filebridge app has ended');
    await expect(readFile(runningFile(home))).rejects.toThrow('ENOENT');
    expect(await sockets(home)).toEqual([]);
    expect(await whoAnswers(await connect())).toBe('agent');
  });
});

describe('an agent beside a console', () => {
  it('does not approve its own calls where it started first, or has other folders; without the console it may', async () => {
    const home = await openHome({ upstreams: { asks: { ...fixtureServer('echo-arguments.mjs'), confirm: 'writes' } }, port: 0 });
    let asked = 0;
    const hooks: ClientHooks = {
      onQuestion: () => {
        asked += 1;
        return { confirm: true };
      },
    };
    const agents = [await startAgent(home, [], 'v1', hooks)];
    const call = ({ client }: Agent) =>
      client.call('call_tool', { server: 'asks', tool_name: 'anything', tool_args: { message: 'hello' } });
    const start = async () => {
      const console = spawn(process.execPath, [cliFile, 'console'], { env: home.env, stdio: ['ignore', 'pipe', 'inherit'] });
      await once(console.stdout, 'data');
      return console;
    };
    let console = await start();
    try {
      agents.push(await startAgent(home, [home.at('')], 'v1', hooks));
      for (const agent of agents) {
        expect((await call(agent)).json()).toMatchObject({
          code: 'CONFIRMATION_REFUSED',
          error: expect.stringContaining('only the person at the open Filebridge window may give'),
        });
      }
      expect(asked).toBe(0);
      await endProcess(console);
      for (const agent of agents) expect((await call(agent)).text).toContain('hello');
      expect(asked).toBe(2);
      console = await start();
      // What a console that was killed leaves does not count.
      const died = once(console, 'exit');
      console.kill('SIGKILL');
      await died;
      for (const agent of agents) expect((await call(agent)).text).toContain('hello');
    } finally {
      for (const { client } of agents) await client.close();
      await endProcess(console);
      await home.workspace.remove();
    }
  });

  it('has a new link for the person who closed its tab', async () => {
    const home = await openHome({ port: 0 });
    const console = spawn(process.execPath, [cliFile, 'console'], { env: home.env, stdio: ['ignore', 'pipe', 'inherit'] });
    const page = (link: string) => new URL(link.trim().replace('Open ', '')).origin;
    try {
      const [first] = await once(console.stdout, 'data');
      const again = await runCli(['console'], { env: home.env });
      expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('a new link to the console that runs already') });
      expect(page(again.stdout.toString())).toBe(page(String(first)));
      expect(again.stdout.toString()).not.toBe(String(first));
    } finally {
      await endProcess(console);
      await home.workspace.remove();
    }
  });

  it('calls through it, and is not misled by what one that was killed has left', async () => {
    const home = await tellingHome();
    const console = spawn(process.execPath, [cliFile, 'console'], {
      env: { ...home.env, WHO: 'console' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const agents: Agent[] = [];
    try {
      await once(console.stdout, 'data');
      agents.push(await startAgent(home));
      expect(await Promise.all(agents.map(whoAnswers))).toEqual(['console']);

      const told = await readFile(runningFile(home), 'utf8');
      const died = once(console, 'exit');
      console.kill('SIGKILL');
      await died;
      expect(await sockets(home)).toHaveLength(1);
      const alone = await startAgent(home);
      agents.push(alone);
      expect(await whoAnswers(alone)).toBe('agent');
      await expect(readFile(runningFile(home))).rejects.toThrow('ENOENT');
      expect(await sockets(home)).toEqual([]);

      // Its process number went to a program that runs and listens nowhere: this one.
      const holder = { ...JSON.parse(told).holder, pid: process.pid };
      await writeFile(runningFile(home), JSON.stringify({ ...JSON.parse(told), holder }));
      const again = await startAgent(home);
      agents.push(again);
      expect(await whoAnswers(again)).toBe('agent');
      await expect(readFile(runningFile(home))).rejects.toThrow('ENOENT');
    } finally {
      for (const { client } of agents) await client.close();
      await endProcess(console);
      await home.workspace.remove();
    }
  });
});
