/** How the program ends: when its host goes, or when it is told to, by itself, in order, and with every server it started. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { cliFile, openWorkspace } from './support/cli.ts';
import { type Home, openHome, serveHttp, startFilebridge } from './support/filebridge.ts';
import { openClient } from './support/mcp-clients.ts';
import { isRunning } from './support/session.ts';
import { fixtureServer } from './support/upstreams.ts';

interface Conversation {
  child: ChildProcessWithoutNullStreams;
  /** Lines it wrote to standard output. */
  lines: string[];
  ask(id: number, method: string, params: unknown): Promise<Record<string, unknown>>;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

/** `serve --stdio` talked to line by line, without a client that would help it to end. */
function converse(home: Home): Conversation {
  const child = spawn(process.execPath, [cliFile, 'serve', '--stdio'], { env: home.env });
  child.stderr.resume();
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return {
    child,
    lines,
    ended,
    async ask(id, method, params) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const answer = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>).find((each) => each.id === id);
      await until(() => answer() !== undefined);
      return answer() ?? {};
    },
  };
}

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const hello = { name: 'call_tool', arguments: { server: 'stubborn', tool_name: 'hello' } };

/** A home with an upstream that has to be forced to end, and the way to that upstream's process id. */
async function stubbornHome() {
  const home = await openHome();
  const pidFile = home.workspace.at('pid');
  const config = JSON.parse(await readFile(home.configFile, 'utf8')) as object;
  await home.workspace.file(
    'config.json',
    JSON.stringify({ ...config, upstreams: { stubborn: fixtureServer('stubborn.mjs', [pidFile]) } }),
  );
  return { home, upstreamPid: async () => Number(await readFile(pidFile, 'utf8')) };
}

describe('over stdio', () => {
  const ways: [string, (conversation: Conversation) => void][] = [
    ['its input ends', ({ child }) => child.stdin.end()],
    ['it is sent SIGTERM', ({ child }) => child.kill('SIGTERM')],
    ['it is sent SIGINT', ({ child }) => child.kill('SIGINT')],
  ];

  it.each(ways)('it goes by itself when %s, and takes its servers along', async (_, end) => {
    const { home, upstreamPid } = await stubbornHome();
    try {
      const conversation = converse(home);
      await conversation.ask(1, 'initialize', initialize);
      conversation.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      const { result } = await conversation.ask(2, 'tools/call', hello);
      expect(JSON.stringify(result)).toContain('hello');
      const pid = await upstreamPid();
      expect(await isRunning(pid)).toBe(true);

      end(conversation);
      expect(await conversation.ended).toEqual({ code: 0, signal: null });
      expect(await isRunning(pid)).toBe(false);
      // Nothing but protocol was ever written to standard output.
      for (const line of conversation.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    } finally {
      await home.workspace.remove();
    }
  });

  it('its servers end when it is killed, also those that would not', async () => {
    const { home, upstreamPid } = await stubbornHome();
    try {
      const conversation = converse(home);
      await conversation.ask(1, 'initialize', initialize);
      conversation.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      await conversation.ask(2, 'tools/call', hello);
      const pid = await upstreamPid();
      conversation.child.kill('SIGKILL');
      await conversation.ended;
      expect(await isRunning(pid)).toBe(true);
      await until(async () => !(await isRunning(pid)));
    } finally {
      await home.workspace.remove();
    }
  });

  // The SDK's hosts end the input, send SIGTERM after two seconds and SIGKILL after two more.
  it('it has ended its servers before a host loses patience', async () => {
    const pid = await openWorkspace();
    const filebridge = await startFilebridge('stdio', {
      upstreams: { stubborn: fixtureServer('stubborn.mjs', [pid.at('pid')]) },
    });
    try {
      const client = await filebridge.connect('v1');
      expect((await client.call(hello.name, hello.arguments)).text).toContain('hello');
    } finally {
      await filebridge.stop();
    }
    expect(await isRunning(Number(await readFile(pid.at('pid'), 'utf8')))).toBe(false);
    await pid.remove();
  });

  it('a line that is no JSON does not end it', async () => {
    const home = await openHome();
    try {
      const conversation = converse(home);
      conversation.child.stdin.write('this is not JSON\n');
      const { result } = await conversation.ask(1, 'initialize', initialize);
      expect(result).toMatchObject({ serverInfo: { name: 'filebridge' } });
      conversation.child.stdin.end();
      expect(await conversation.ended).toEqual({ code: 0, signal: null });
    } finally {
      await home.workspace.remove();
    }
  });
});

describe('over HTTP', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'it goes by itself on %s with a client connected, and takes its servers along',
    async (signal) => {
      const { home, upstreamPid } = await stubbornHome();
      try {
        const server = await serveHttp(home, () => undefined);
        const client = await openClient('v2 in its default era', server);
        expect((await client.call(hello.name, hello.arguments)).text).toContain('hello');
        const pid = await upstreamPid();
        server.child.removeAllListeners('exit');
        const ended = new Promise((resolve) => server.child.once('exit', (code, by) => resolve({ code, signal: by })));
        server.child.kill(signal);
        expect(await ended).toEqual({ code: 0, signal: null });
        expect(await isRunning(pid)).toBe(false);
        await client.close();
      } finally {
        await home.workspace.remove();
      }
    },
  );
});
