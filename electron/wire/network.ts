/** How requests leave this computer: through which proxy, and which certificate authorities they trust. */
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';
import tls from 'node:tls';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

/** Below five seconds, after which many servers close idle connections silently (milliseconds). */
const KEEP_ALIVE_MS = 4_000;

export interface NetworkOptions {
  /** Where the variables are, if not this process's. */
  env?: NodeJS.ProcessEnv | undefined;
  /** The desktop's answer for an address, as of a PAC file: `PROXY host:port; DIRECT`. Absent without a desktop. */
  systemProxy?: ((url: string) => Promise<string>) | undefined;
  /** Files of further certificate authorities, in PEM. */
  certificates?: (() => readonly string[]) | undefined;
}

/** The way to one address. */
export interface Route {
  agent: http.Agent;
  /** Null for the direct way. */
  proxy: URL | null;
  /** What a connection without the agent needs to trust the same certificates. */
  trust: { secureContext?: tls.SecureContext };
}

export type RouteFinder = (url: URL) => Promise<Route>;

export interface Network {
  /** `setting` is the server's own: `direct`, or the address of a proxy. Throws UPSTREAM_UNREACHABLE for a file of certificates that cannot be read. */
  route(url: URL, setting?: string): Promise<Route>;
  /** Variables by which programs of other makers take the same way; only those that `env` lacks. */
  variables(): Promise<NodeJS.ProcessEnv>;
}

export function createNetwork({ env = process.env, systemProxy, certificates = () => [] }: NetworkOptions = {}): Network {
  const plain = new Map<string, http.Agent>();
  /** By what they trust: those of earlier certificates go with them. */
  const secured = new WeakMap<tls.SecureContext, Map<string, http.Agent>>();
  const trusted = trustedContext(env, certificates);

  async function proxyFor(url: URL, setting: string | undefined): Promise<URL | null> {
    if (setting !== undefined) return setting === 'direct' ? null : proxyUrl(setting);
    if (isOnThisComputer(url.hostname)) return null;
    if (proxyNames.some((name) => variable(env, name) !== '')) return proxyOfVariables(url, env);
    return systemProxy ? proxyOfSystem(await systemProxy(url.href)) : null;
  }

  return {
    async route(url, setting) {
      const proxy = await proxyFor(url, setting);
      const secure = url.protocol === 'https:';
      const trust = secure || proxy?.protocol === 'https:' ? { secureContext: trusted() } : {};
      const agents = trust.secureContext ? (secured.get(trust.secureContext) ?? new Map<string, http.Agent>()) : plain;
      if (trust.secureContext) secured.set(trust.secureContext, agents);
      const key = `${url.protocol} ${proxy?.href ?? ''}`;
      const agent = agents.get(key) ?? (await agentFor(secure, proxy, trust));
      agents.set(key, agent);
      return { agent, proxy, trust };
    },
    async variables() {
      const [authority] = certificates();
      const found: NodeJS.ProcessEnv = {};
      if (authority !== undefined && !env.NODE_EXTRA_CA_CERTS) found.NODE_EXTRA_CA_CERTS = authority;
      if (!systemProxy || proxyNames.some((name) => variable(env, name) !== '')) return found;
      const proxy = proxyOfSystem(await systemProxy('https://registry.npmjs.org/'));
      if (!proxy) return found;
      const href = proxy.href.replace(/\/$/, '');
      return { ...found, HTTP_PROXY: href, HTTPS_PROXY: href, NO_PROXY: 'localhost,127.0.0.1,::1' };
    },
  };
}

async function agentFor(secure: boolean, proxy: URL | null, trust: Route['trust']): Promise<http.Agent> {
  const options = { keepAlive: true, timeout: KEEP_ALIVE_MS, ...trust };
  if (proxy === null) return secure ? new https.Agent(options) : new http.Agent(options);
  // Few need them.
  if (proxy.protocol.startsWith('socks')) return new (await import('socks-proxy-agent')).SocksProxyAgent(proxy, options);
  if (secure) return new (await import('https-proxy-agent')).HttpsProxyAgent(proxy, options);
  return new (await import('http-proxy-agent')).HttpProxyAgent(proxy, options);
}

// Which proxy

const proxyNames = ['http_proxy', 'https_proxy', 'all_proxy'];

/** In small letters first, as curl has it; case does not matter on Windows. */
const variable = (env: NodeJS.ProcessEnv, name: string): string => env[name] || env[name.toUpperCase()] || '';

const thisComputer = new BlockList();
thisComputer.addSubnet('127.0.0.0', 8);
thisComputer.addAddress('::1', 'ipv6');

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const ipKind = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** No proxy reaches these, whatever a variable says. */
function isOnThisComputer(host: string): boolean {
  const name = bare(host);
  return isIP(name) ? thisComputer.check(name, ipKind(name)) : name === 'localhost' || name.endsWith('.localhost');
}

function proxyOfVariables(url: URL, env: NodeJS.ProcessEnv): URL | null {
  if (isExcepted(url, variable(env, 'no_proxy'))) return null;
  const text = variable(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') || variable(env, 'all_proxy');
  if (text === '') return null;
  return proxyUrl(text.includes('://') ? text : `http://${text}`);
}

function proxyUrl(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw new AppError('UPSTREAM_UNREACHABLE', say('proxy.badAddress', { address: withoutPassword(address) }), {
      hint: say('proxy.badAddress.hint'),
    });
  }
}

/** NO_PROXY as curl reads it: names with all below them, `*`, addresses, networks in CIDR; each may end with a port. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bare(hostname);
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = '', wantedPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (wantedPort !== undefined && wantedPort !== ownPort) return false;
      const wanted = bare(name).replace(/^\*?\./, '');
      if (wanted === '*') return true;
      const [network = '', bits = ''] = wanted.split('/');
      if (isIP(host) !== 0 && isIP(network) !== 0 && Number(bits) <= (isIP(network) === 6 ? 128 : 32) && bits !== '') {
        const range = new BlockList();
        range.addSubnet(network, Number(bits), ipKind(network));
        return range.check(host, ipKind(host));
      }
      return host === wanted || host.endsWith(`.${wanted}`);
    });
}

/** The first of a PAC file's answers: `PROXY proxy.example:8080; DIRECT`. */
function proxyOfSystem(answer: string): URL | null {
  const [kind = '', place = ''] = answer.split(';')[0]?.trim().split(/\s+/) ?? [];
  const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https', SOCKS: 'socks', SOCKS4: 'socks4', SOCKS5: 'socks5' }[kind];
  return scheme === undefined || place === '' ? null : proxyUrl(`${scheme}://${place}`);
}

const withoutPassword = (address: string): string => address.replace(/\/\/[^@/]*@/, '//…@');

// Which certificates

/** The first bundle of these is the system's where Node cannot ask for it: Debian, Fedora, SUSE, Alpine. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Node.js 22.15 and later. */
const { getCACertificates } = tls as { getCACertificates?: (type: 'system') => string[] };

function systemAuthorities(env: NodeJS.ProcessEnv): string[] {
  if (getCACertificates) return getCACertificates('system');
  const bundle = [env.SSL_CERT_FILE, ...bundles].find((file) => file && existsSync(file));
  return process.platform === 'win32' || bundle === undefined ? [] : [readFileSync(bundle, 'utf8')];
}

/**
 * Node's own authorities, the system's, those of NODE_EXTRA_CA_CERTS (which a packaged app does not read by itself) and of
 * `files`. Read at the first secure connection, and again when the files of the configuration change.
 */
function trustedContext(env: NodeJS.ProcessEnv, files: () => readonly string[]): () => tls.SecureContext {
  let known: { key: string; context: tls.SecureContext } | undefined;
  return () => {
    const key = files().join('\0');
    if (known?.key !== key) {
      const extra = env.NODE_EXTRA_CA_CERTS;
      const ca = [...tls.rootCertificates, ...systemAuthorities(env), ...files().map(assertAuthorities)];
      if (extra && existsSync(extra)) ca.push(readFileSync(extra, 'utf8'));
      known = { key, context: tls.createSecureContext({ ca }) };
    }
    return known.context;
  };
}

/** The text of a file of certificates. Throws UPSTREAM_UNREACHABLE. */
export function assertAuthorities(file: string): string {
  const fault = (reason: string | null, cause?: unknown) =>
    new AppError('UPSTREAM_UNREACHABLE', say('certificates.unreadable', { file, reason }), {
      hint: say('certificates.unreadable.hint'),
      cause,
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw fault((error as NodeJS.ErrnoException).code ?? null, error);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw fault(null);
  try {
    tls.createSecureContext({ ca: text });
  } catch (error) {
    throw fault(null, error);
  }
  return text;
}

// Requests

/** A request that failed on its way to the proxy, or that the proxy refused. */
export class ProxyError extends Error {
  constructor(
    readonly proxy: string,
    /** The proxy's own answer; null where it gave none. */
    readonly status: number | null,
    cause?: unknown,
  ) {
    super(`the proxy ${proxy} ${status === null ? 'was not reached' : `answered ${status}`}`, { cause });
  }
}

export interface BegunRequest {
  request: http.ClientRequest;
  /** The request's error, or the ProxyError that it is. */
  told(error: Error): Error;
}

/** Begins a request that takes this route. */
export function beginRequest(url: URL, options: https.RequestOptions, { agent, proxy, trust }: Route): BegunRequest {
  const { request: begin } = url.protocol === 'https:' ? https : http;
  const request = begin(url, { ...trust, agent, ...options });
  if (proxy === null) return { request, told: (error) => error };
  const { host } = proxy;
  // An agent hands out a socket once the proxy has connected it.
  let reached = false;
  request.once('socket', () => {
    reached = true;
  });
  // Its agent would pass the refusal of a tunnel on as the server's answer.
  request.once('proxyConnect', ({ statusCode = 200 }: { statusCode?: number }) => {
    if (statusCode !== 200) request.destroy(new ProxyError(host, statusCode));
  });
  const isFailure = (error: Error) => error.name === 'SocksClientError' || 'syscall' in error;
  return { request, told: (error) => (reached || !isFailure(error) ? error : new ProxyError(host, null, error)) };
}
