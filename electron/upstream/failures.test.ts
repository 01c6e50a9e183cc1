/** What people get to read when a server cannot be started or reached, from real processes and addresses. */
import type { ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { type HttpFixture, listen, sessionServer, sseServer } from './fixtures/http-servers.ts';
import { fixture, fixturePath, poolOf, remote } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool | undefined;
const servers: { close(): Promise<void> | unknown }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await pool?.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function failureOf(upstream: Parameters<typeof poolOf>[0][string], connectTimeoutMs = limits.wait): Promise<string> {
  pool = poolOf({ db: upstream }, { connectTimeoutMs });
  return await pool.tools('db').then(
    () => 'it did not fail',
    (error: unknown) => toAppError(error).text.replace("Server 'db' ", ''),
  );
}

/** What is said of a server whose time to start runs out once `ready`. */
async function timedOut(pool: UpstreamPool, ready = () => true): Promise<string> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let failure: string | undefined;
  pool.tools('db').catch((error: unknown) => {
    failure = toAppError(error).text.replace("Server 'db' ", '');
  });
  // First the probe's time, then that of the older greeting.
  let ms = 3_000;
  await expect
    .poll(() => {
      if (ready()) {
        vi.advanceTimersByTime(ms);
        ms = limits.wait;
      }
      return failure;
    })
    .toBeDefined();
  vi.useRealTimers();
  return failure as unknown as string;
}

const run = (command: string, ...args: string[]) => failureOf(fixture('', { command, args }));
const node = (script: string) => run(process.execPath, '-e', script);

describe('a command', () => {
  it('that is missing is named, with where it comes from', async () => {
    const search = process.env.PATH;
    process.env.PATH = '/nowhere';
    try {
      expect(await run('uvx', 'some-server')).toMatch(
        /command 'uvx' was not found\. It comes with uv: .*https:\/\/docs\.astral\.sh\/uv.* none of the folders of PATH: \/nowhere$/,
      );
      expect(await run('nod', 'server.js')).toMatch(/command 'nod' was not found\. Did you mean 'node'\? If not, install it/);
      expect(await run('npx', '-y', 'some-server')).toMatch(/command 'npx' was not found\. It comes with Node\.js/);
    } finally {
      process.env.PATH = search;
    }
    expect(await run('/opt/no-such/server')).toBe(
      "could not be started: command '/opt/no-such/server' was not found. There is no such file; check the path",
    );
  });

  it('that holds its arguments as well is taken apart', async () => {
    expect(await run('npx -y some-server')).toContain("Give 'npx' as the command, and '-y', 'some-server' as its arguments");
  });

  it('that ends is told with its exit code and its last words', async () => {
    expect(await node('console.error("cannot open the database"); process.exit(3)')).toBe(
      'could not be started: it ended before it was ready (exit code 3). It said: cannot open the database',
    );
    expect(await node('console.log("Usage: server FILE"); process.exit(2)')).toBe(
      'could not be started: it ended before it was ready (exit code 2). It wrote: Usage: server FILE',
    );
    expect(await run('sh', '-c', 'exit 5')).toMatch(/could not be started: \/\S+\/sh ended before it was ready \(exit code 5\)/);
    expect(await node('process.exit(4)')).toMatch(/exit code 4\)\. Run '.*process\.exit\(4\)' in a terminal/);
  });

  it('whose program is missing is told by its path', async () => {
    expect(await run(process.execPath, '/no/such/server.mjs')).toBe(
      "could not be started: Node.js did not find the program '/no/such/server.mjs'. Check the path in the arguments",
    );
  });

  it('whose program lacks a module is told so, not that the program is missing', async () => {
    expect(await node('require("no-such-module")')).toMatch(/exit code 1.*Cannot find module 'no-such-module'/);
  });

  it("that fetches a package shows the registry's answer, not its footnotes", async () => {
    const said = [
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.npmjs.org/@a%2fno-such - Not found',
      'npm error 404',
      "npm error 404  The requested resource '@a/no-such@*' could not be found or you do not have permission to access it.",
      'npm error 404',
      'npm error 404 Note that you can also install from a',
      'npm error 404 tarball, folder, http url, or git url.',
      'npm error A complete log of this run can be found in: /home/ann/.npm/_logs/x.log',
    ];
    expect(await node(`console.error(${JSON.stringify(said.join('\n'))}); process.exit(1)`)).toBe(
      "could not be started: the npm registry has no package '@a/no-such'. Check its name in the arguments",
    );
  });

  it.each([
    [
      'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'Docker is installed but does not run',
    ],
    [
      'docker: Error response from daemon: pull access denied for no/such, repository does not exist or may require',
      "no Docker image 'no/such'",
    ],
    [
      '  × Because no-such-server was not found in the package registry and you require',
      "the Python registry has no package 'no-such-server'",
    ],
    ['npm error code ENOTFOUND\nnpm error syscall getaddrinfo', 'npx could not reach the npm registry'],
    ["python3: can't open file '/srv/x.py': [Errno 2] No such file or directory", "Python did not find the program '/srv/x.py'"],
  ])('that complains "%s" is put plainly', async (complaint, words) => {
    expect(await node(`console.error(${JSON.stringify(complaint)}); process.exit(1)`)).toContain(words);
  });

  it('that is no MCP server is found out by what it writes', async () => {
    // The pipe of its errors is read after that of its output.
    const script = 'console.log("Listening on port 3000"); console.error("ready"); setInterval(() => {}, 1000)';
    pool = poolOf({ db: fixture('', { args: ['-e', script] }) });
    const text = await timedOut(pool, () => pool?.log('db').some((line) => line.text === 'ready') ?? false);
    expect(text).toMatch(/does not speak MCP over its standard output\. .*Listening on port 3000/);
  });

  it('that writes without end is ended soon', async () => {
    expect(await node('for (;;) require("fs").writeSync(1, "y\\n".repeat(1000))')).toMatch(/does not speak MCP.*It wrote: y/);
  });

  it('that stays silent is not waited for longer than it says', async () => {
    const text = await failureOf(fixture('', { args: ['-e', 'setInterval(() => {}, 1000)'] }), 50);
    expect(text).toContain('did not finish starting within 50 ms');
  });

  it('that hangs at the newer greeting is greeted the older way next time', async () => {
    // Reads the first message only, unless that is the older greeting. Both may arrive at once where the process starts slowly.
    const script = `process.stdin.once('data', (line) => { if (/^[^\\n]*"initialize"/.test(line)) import(${JSON.stringify(fixturePath('plain-server.mjs'))}).then(() => process.stdin.emit('data', line)); })`;
    pool = poolOf({ db: fixture('', { args: ['-e', script] }) });
    expect(await timedOut(pool)).toContain('did not finish starting');
    expect((await pool.tools('db', { refresh: true })).length).toBeGreaterThan(5);
  });
});

describe('a server that is asked for its tools', () => {
  const asked = async (answer: string, timeoutMs: number = limits.wait) => {
    const greeting = `{ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'db', version: '1' } }`;
    const script = `const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') send({ id, result: ${greeting} });
        else if (method === 'tools/list') { ${answer} }
        else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
      });`;
    pool = poolOf({ db: fixture('', { args: ['-e', script], timeoutMs }) });
    const error: unknown = await pool.tools('db').catch((thrown: unknown) => thrown);
    const { code, text } = toAppError(error);
    return [code, text];
  };

  it('and stays silent is told so', async () => {
    expect(await asked('', 50)).toEqual([
      'UPSTREAM_TIMEOUT',
      "Server 'db' did not say within 50 ms which tools it has. Restart it; where it stays silent, its own instructions may tell what it waits for",
    ]);
  });

  it('and ends is told with its exit code and its last words', async () => {
    expect(await asked(`console.error('no such table'); process.exit(3)`)).toEqual([
      'UPSTREAM_CLOSED',
      "Server 'db' ended when asked for its tools (exit code 3). It said: no such table",
    ]);
  });

  it('and refuses is told with its reason', async () => {
    expect(await asked(`send({ id, error: { code: -32000, message: 'not signed in' } })`)).toEqual([
      'UPSTREAM_FAILED',
      "Server 'db' did not say which tools it has: not signed in",
    ]);
    await pool?.close();
    expect((await asked(`send({ id, result: {} })`))[0]).toBe('UPSTREAM_FAILED');
  });
});

describe('an address', () => {
  const answering = async (status: number, body = '', type = 'text/plain') => {
    const server = await listen((request, response: ServerResponse) => {
      request.resume();
      response.writeHead(status, { 'content-type': type }).end(body);
    });
    servers.push(server);
    return server.url;
  };
  const at = (type: 'http' | 'sse', url: string, connectTimeoutMs?: number) => failureOf(remote(type, url), connectTimeoutMs);

  it.each([
    [401, '', 'asks for a sign-in that was not given (HTTP 401)'],
    [302, '', 'sends to another address (HTTP 302)'],
    [400, '{"error":{"message":"No valid session"}}', 'did not understand the greeting (HTTP 400: No valid session)'],
    [429, '', 'is asked too often (HTTP 429)'],
    [503, 'down for maintenance', 'is not available at the moment (HTTP 503: down for maintenance)'],
    [500, '<html>Internal error</html>', 'answered with HTTP 500.'],
  ])('that answers %i', async (status, body, words) => expect(await at('http', await answering(status, body))).toContain(words));

  it.each(['http', 'sse'] as const)('of a web page is found out by %s', async (type) => {
    const url = await answering(200, '<html>hello</html>', 'text/html');
    expect(await at(type, url)).toMatch(/^answers, but not as an MCP server does\. .*web page/);
  });

  it('of some other interface is found out', async () => {
    expect(await at('http', await answering(200, '{"hello":1}', 'application/json'))).toMatch(
      /^answers, but not as an MCP server does/,
    );
  });

  it.each(['http', 'sse'] as const)('where nothing listens is told by %s', async (type) => {
    const free = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    expect(await at(type, `http://127.0.0.1:${port}/mcp`)).toBe(
      `could not be reached: nothing listens at http://127.0.0.1:${port}. Start the server, or correct its URL`,
    );
  });

  it.each(['http', 'sse'] as const)('that breaks off is told by %s', async (type) => {
    const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    expect(await at(type, `http://127.0.0.1:${port}/`)).toMatch(/broke the connection\. .*try https:/);
  });

  it.each(['http', 'sse'] as const)('that does not speak https is told by %s', async (type) => {
    const url = (await answering(200)).replace('http:', 'https:');
    expect(await at(type, url)).toMatch(/does not speak https\. Try http:/);
  });

  it('of the other type is told which to try', async () => {
    const sessions: HttpFixture = await sessionServer();
    const events = await sseServer();
    servers.push(sessions, events);
    expect(await at('sse', `${sessions.url}/mcp`)).toMatch(/try type "http"/i);
    expect(await at('http', `${events.url}/sse`, 900)).toMatch(/Try type "sse"/);
  });
});
