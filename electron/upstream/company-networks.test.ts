import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Upstream } from '../../shared/model/config.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { createNetwork, type NetworkOptions } from '../wire/network.ts';
import { type HttpFixture, modernServer } from './fixtures/http-servers.ts';
import { corpName, httpProxy, socksProxy, type TestProxy } from './fixtures/proxies.ts';
import { argumentsOf, fixture, fixturePath, poolOf, remote, textOf } from './fixtures/support.ts';
import { openSignIns } from './sign-in/sign-ins.ts';
import type { UpstreamPool } from './types.ts';
import { childEnvironment } from './upstream-process.ts';

let pool: UpstreamPool | undefined;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await pool?.close();
  pool = undefined;
  for (const each of open.splice(0)) await each.close();
});
function running<T extends HttpFixture | TestProxy>(started: T): T {
  open.push(started);
  return started;
}

const pem = (name: string) => fixturePath(`certificates/${name}`);
const authority = pem('authority.pem');
const secured = (certificate = 'server') =>
  modernServer({ cert: readFileSync(pem(`${certificate}.pem`)), key: readFileSync(pem('server.key')) });

/** The address of a server by its name in the company's network, which only its proxy knows. */
const inCorp = ({ url }: HttpFixture) => url.replace('127.0.0.1', corpName);

interface Way {
  env?: NodeJS.ProcessEnv;
  systemProxy?: NetworkOptions['systemProxy'];
  certificates?: string[];
  server?: Partial<Upstream>;
}

async function echoed(url: string, { env = {}, systemProxy, certificates = [authority], server = {} }: Way): Promise<string> {
  pool = poolOf(
    { web: remote('http', url, server) },
    { network: createNetwork({ env, systemProxy, certificates: () => certificates }) },
  );
  return textOf(await pool.callTool('web', 'echo', argumentsOf({ a: 1 })));
}

async function failed(url: string, way: Way): Promise<string> {
  const error = await echoed(url, way).then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  return (error as AppError).text;
}

describe('a proxy', () => {
  it.each([
    ['https_proxy', (host: string) => ({ https_proxy: `http://${host}` })],
    ['HTTPS_PROXY without a scheme', (host: string) => ({ HTTPS_PROXY: host })],
    ['ALL_PROXY', (host: string) => ({ ALL_PROXY: `http://${host}`, HTTP_PROXY: 'http://nowhere.example' })],
  ])('of %s is asked for secure servers', async (_, env) => {
    const [server, proxy] = [running(await secured()), running(await httpProxy())];
    expect(await echoed(inCorp(server), { env: env(proxy.host) })).toBe('{"a":1}');
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${new URL(inCorp(server)).host}`]));
  });

  it('of HTTP_PROXY is asked for others', async () => {
    const [server, proxy] = [running(await modernServer()), running(await httpProxy())];
    expect(await echoed(inCorp(server), { env: { HTTP_PROXY: `http://${proxy.host}` } })).toBe('{"a":1}');
    expect(proxy.asked[0]).toBe(`POST ${inCorp(server)}/`);
  });

  it('that speaks SOCKS is asked too', async () => {
    const [server, proxy] = [running(await secured()), running(await socksProxy())];
    expect(await echoed(inCorp(server), { env: { ALL_PROXY: `socks5h://${proxy.host}` } })).toBe('{"a":1}');
    expect(proxy.asked[0]).toBe(`CONNECT ${new URL(inCorp(server)).host}`);
  });

  it('of the desktop is asked where no variable names one', async () => {
    const [server, proxy] = [running(await secured()), running(await httpProxy())];
    const asked: string[] = [];
    const systemProxy = async (url: string) => {
      asked.push(url);
      return `PROXY ${proxy.host}; DIRECT`;
    };
    expect(await echoed(inCorp(server), { systemProxy })).toBe('{"a":1}');
    expect(asked).toContain(`${inCorp(server)}/`);
  });

  it('of the server goes before all others', async () => {
    const [server, proxy] = [running(await secured()), running(await httpProxy({ user: 'ann:secret' }))];
    const env = { HTTPS_PROXY: 'http://nowhere.example:1' };
    expect(await echoed(inCorp(server), { env, server: { proxy: `http://ann:secret@${proxy.host}` } })).toBe('{"a":1}');
  });

  it('is left out for servers on this computer, for NO_PROXY and for "direct"', async () => {
    const proxy = running(await httpProxy());
    const env = { HTTP_PROXY: `http://${proxy.host}`, HTTPS_PROXY: `http://${proxy.host}` };
    expect(await echoed(running(await modernServer()).url, { env })).toBe('{"a":1}');
    await pool?.close();
    const server = running(await modernServer());
    expect(await failed(inCorp(server), { env: { ...env, NO_PROXY: 'corp.example' } })).toContain('is not known');
    await pool?.close();
    expect(await failed(inCorp(server), { env, server: { proxy: 'direct' } })).toContain('is not known');
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    ['corp.example', true],
    ['.corp.example', true],
    ['*.corp.example', true],
    ['mcp.corp.example:9443', true],
    ['mcp.corp.example:443', false],
    ['example.org, other.example', false],
    ['orp.example', false],
    ['*', true],
  ])('is left out by NO_PROXY=%s: %s', async (NO_PROXY, excepted) => {
    const network = createNetwork({ env: { ALL_PROXY: 'http://proxy.example:8080', NO_PROXY } });
    const { proxy } = await network.route(new URL('https://mcp.corp.example:9443/mcp'));
    expect(proxy === null).toBe(excepted);
  });

  it('is left out for networks that NO_PROXY names', async () => {
    const NO_PROXY = '10.0.0.0/8,fd00::/8,11.0.0.0/99';
    const network = createNetwork({ env: { ALL_PROXY: 'http://proxy.example:8080', NO_PROXY } });
    const proxied = async (url: string) => (await network.route(new URL(url))).proxy !== null;
    expect([await proxied('https://10.1.2.3/'), await proxied('https://[fd00::1]/'), await proxied('https://11.1.2.3/')]).toEqual(
      [false, false, true],
    );
  });
});

describe('what goes wrong at a proxy is told as such', () => {
  it('when it does not run', async () => {
    const proxy = await httpProxy();
    await proxy.close();
    const server = running(await secured());
    for (const url of [inCorp(server), inCorp(server).replace('https', 'http')]) {
      expect(await failed(url, { env: { ALL_PROXY: `http://${proxy.host}` } })).toMatch(
        new RegExp(`the proxy ${proxy.host} was not reached: nothing listens at ${proxy.host}. Check the proxy`),
      );
      await pool?.close();
    }
  });

  it('when it wants a password, or does not let the connection through', async () => {
    const server = running(await secured());
    const locked = running(await httpProxy({ user: 'ann:secret' }));
    expect(await failed(inCorp(server), { env: { HTTPS_PROXY: locked.host } })).toContain(
      'the proxy asks for a user and a password',
    );
    await pool?.close();
    const plain = inCorp(server).replace('https', 'http');
    expect(await failed(plain, { env: { HTTP_PROXY: locked.host } })).toContain('the proxy asks for a user and a password');
    await pool?.close();
    const strict = running(await httpProxy({ refuses: 403 }));
    expect(await failed(inCorp(server), { env: { HTTPS_PROXY: strict.host } })).toContain(
      `the proxy ${strict.host} does not let connections to ${inCorp(server)} through (HTTP 403)`,
    );
  });

  it('when its address cannot be one', async () => {
    expect(await failed('https://mcp.corp.example/', { env: { HTTPS_PROXY: 'http://user:pass word@:::' } })).toMatch(
      /^The proxy 'http:\/\/…@:::' is no address\. Correct the proxy of the server, HTTPS_PROXY/,
    );
    await pool?.close();
    expect(await failed('https://mcp.corp.example/', { server: { proxy: 'http://user:secret@:::' } })).toMatch(
      /^The proxy 'http:\/\/…@:::' is no address/,
    );
  });

  it('in a sign-in too', async () => {
    const strict = running(await httpProxy({ refuses: 403 }));
    const network = createNetwork({ env: { HTTPS_PROXY: strict.host } });
    const records = { read: () => null, forget: async () => false } as never;
    const signIns = openSignIns({ records, routeFor: () => (url) => network.route(url) });
    const signing = signIns.signIn('web', 'https://mcp.corp.example/mcp', { onLink: () => undefined });
    await expect(signing).rejects.toMatchObject({
      text: expect.stringMatching(/failed: the proxy 127\.0\.0\.1:\d+ does not let connections to mcp\.corp\.example through/),
    });
  });
});

describe('a certificate', () => {
  const at = async (certificate: string) => {
    const [server, proxy] = [running(await secured(certificate)), running(await httpProxy())];
    return { url: inCorp(server), env: { HTTPS_PROXY: proxy.host } };
  };

  it("of a company's authority is trusted once its file is named", async () => {
    const { url, env } = await at('server');
    expect(await failed(url, { env, certificates: [] })).toMatch(
      /the certificate of https:\/\/mcp\.corp\.example:\d+ is vouched for by nobody that this computer knows\. A company, .*NODE_EXTRA_CA_CERTS/,
    );
    await pool?.close();
    expect(await echoed(url, { env: { ...env, NODE_EXTRA_CA_CERTS: authority }, certificates: [] })).toBe('{"a":1}');
    await pool?.close();
    expect(await echoed(url, { env, certificates: [authority] })).toBe('{"a":1}');
  });

  // Later versions of Node.js ask the system themselves.
  it.skipIf('getCACertificates' in tls || process.platform === 'win32')("of the system's store is trusted", async () => {
    const { url, env } = await at('server');
    expect(await echoed(url, { env: { ...env, SSL_CERT_FILE: authority }, certificates: [] })).toBe('{"a":1}');
  });

  it('is refused for what is wrong with it', async () => {
    const expired = await at('expired');
    expect(await failed(expired.url, expired)).toMatch(/the certificate of .* has expired\. Check this computer's clock/);
    await pool?.close();
    const other = await at('other-name');
    expect(await failed(other.url, other)).toMatch(/the certificate of .* is for another name\. Check the URL/);
    await pool?.close();
    const own = await at('self-signed');
    expect(await failed(own.url, own)).toMatch(/is vouched for by nobody/);
    await pool?.close();
    expect(await echoed(own.url, { ...own, certificates: [pem('self-signed.pem')] })).toBe('{"a":1}');
  });

  it('whose file cannot be read is told by the file', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-pem-'));
    const empty = path.join(folder, 'empty.pem');
    await writeFile(empty, 'no certificate');
    const { url, env } = await at('server');
    for (const [file, why] of [
      [path.join(folder, 'gone.pem'), ' \\(ENOENT\\)'],
      [empty, ''],
    ]) {
      expect(await failed(url, { env, certificates: [file ?? ''] })).toMatch(
        new RegExp(`^The certificates in '${file}' cannot be read${why}\\. It has to be a PEM file`),
      );
      await pool?.close();
    }
    await rm(folder, { recursive: true });
  });
});

describe("a server's program gets", () => {
  it('the variables by which programs of its language reach the network', () => {
    const passed = {
      HTTPS_PROXY: 'p',
      no_proxy: 'n',
      ALL_PROXY: 'a',
      REQUESTS_CA_BUNDLE: 'r',
      NODE_EXTRA_CA_CERTS: 'c',
      npm_config_registry: 'https://npm.corp.example',
      NPM_CONFIG_CAFILE: 'f',
      UV_INDEX_URL: 'u',
      PIP_INDEX_URL: 'i',
      DOCKER_HOST: 'd',
      DISPLAY: ':0',
    };
    const held = { npm_config_local_prefix: '/here', AWS_SECRET_ACCESS_KEY: 's', GITHUB_TOKEN: 't', OPENAI_API_KEY: 'k' };
    expect(childEnvironment({ ...passed, ...held }, {})).toEqual(passed);
  });

  it('the proxy of the desktop and the certificates of the configuration', async () => {
    const network = createNetwork({
      env: {},
      systemProxy: async () => 'PROXY proxy.corp.example:3128',
      certificates: () => [authority],
    });
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];
    const telling = `console.error(${JSON.stringify(names)}.map((name) => process.env[name]).join(' '))`;
    const local = fixture('', { command: process.execPath, args: ['-e', telling] });
    pool = poolOf({ local }, { network, env: async () => ({ PATH: process.env.PATH }) });
    const proxy = 'http://proxy.corp.example:3128';
    await expect(pool.tools('local')).rejects.toMatchObject({
      text: expect.stringContaining(`It said: ${proxy} ${proxy} localhost,127.0.0.1,::1 ${authority}`),
    });
  });

  it('its own where it has some', async () => {
    const network = createNetwork({
      env: { HTTPS_PROXY: 'http://mine.example' },
      systemProxy: async () => 'PROXY proxy.example:1',
    });
    expect(await network.variables()).toEqual({});
  });
});
