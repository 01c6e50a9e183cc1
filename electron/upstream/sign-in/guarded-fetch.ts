/**
 * The `fetch` of sign-ins, over node:http. A server's metadata names further addresses: those of a public server must not lead into the
 * person's network, and none may lead to a cloud's metadata service. Addresses are checked as they are connected to, so that a name
 * cannot change what it stands for in between. Redirects are returned, not followed.
 */
import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { beginRequest, type Route, type RouteFinder } from '../../wire/network.ts';
import type { Fetch } from '../../wire/payload-fetch.ts';

const TIMEOUT_MS = 30_000;

/** Metadata and tokens are small. Bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** IANA special-purpose registries: what the internet does not route. */
const privateRanges = blockList([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
]);

/** AWS, Azure, Google and most others; Alibaba; Oracle; AWS over IPv6. */
const cloudMetadata = blockList([
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  ['fd00:ec2::254', 128],
]);

export type Addresses = (host: string) => Promise<string[]>;

export interface Guard {
  fetch: Fetch;
  /** Throws SIGN_IN_NEEDED for an address that this server must not send anyone to. */
  assertAllowed(url: URL): Promise<void>;
}

const systemAddresses: Addresses = async (host) => (await dns.promises.lookup(host, { all: true })).map(({ address }) => address);

export interface GuardOptions {
  /** Resolves host names; default: the system's resolver. */
  addresses?: Addresses | undefined;
  route: RouteFinder;
}

/** Returns a fetch limited to the addresses that signing in to `server` may use. */
export async function guardFor(server: URL, { addresses = systemAddresses, route: routeTo }: GuardOptions): Promise<Guard> {
  const own = await addressesOf(server, addresses).catch(() => []);
  const isOutside = own.length > 0 || (await routeTo(server)).proxy !== null;
  const isPublic = isOutside && !own.some((address) => isIn(privateRanges, address));
  const ownMetadata = own.some((address) => isIn(cloudMetadata, address));

  const allowed = (found: readonly string[]) =>
    found.every((address) => !(isPublic && isIn(privateRanges, address)) && (ownMetadata || !isIn(cloudMetadata, address)));
  const assertScheme = (url: URL) => {
    const schemes = isPublic && server.protocol === 'https:' ? ['https:'] : ['https:', 'http:'];
    if (!schemes.includes(url.protocol))
      throw refused(url, say('signIn.onlyScheme', { schemes: schemes.map((each) => `${each}//`) }));
  };
  const resolved = async (url: URL, { proxy }: Route): Promise<string[]> => {
    assertScheme(url);
    const found = await addressesOf(url, addresses).catch((error: unknown) => {
      // A name that only the proxy knows leads outside.
      if (proxy) return [];
      throw error;
    });
    if (!allowed(found)) throw refused(url, say('signIn.privateNetwork'));
    return found;
  };
  return {
    async assertAllowed(url) {
      await resolved(url, await routeTo(url));
    },
    async fetch(input, init = {}) {
      const url = new URL(input);
      const route = await routeTo(url);
      return exchange(url, init, route, await resolved(url, route));
    },
  };
}

async function addressesOf(url: URL, addresses: Addresses): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? [host] : addresses(host);
}

function refused(url: URL, reason: Message): AppError {
  return new AppError('SIGN_IN_NEEDED', say('signIn.stopped', { address: `${url.protocol}//${url.host}`, reason }), {
    hint: say('signIn.stopped.hint'),
  });
}

function exchange(url: URL, init: RequestInit, route: Route, addresses: readonly string[]): Promise<Response> {
  const body = init.body === undefined || init.body === null ? undefined : Buffer.from(String(init.body));
  const headers: Record<string, string | number> = Object.fromEntries(new Headers(init.headers));
  if (body) headers['content-length'] = body.length;
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_, options, callback) => {
    const [first] = found;
    if (options.all) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
  return new Promise((resolve, reject) => {
    const signal = init.signal ? { signal: init.signal } : {};
    // A proxy looks names up itself; a connection of our own goes to the address that was checked.
    const direct = route.proxy ? {} : { lookup, agent: false as const };
    const { request, told } = beginRequest(url, { method: init.method ?? 'GET', headers, ...direct, ...signal }, route);
    const timer = setTimeout(() => request.destroy(new Error(`${url.host} did not answer in time`)), TIMEOUT_MS);
    request.once('close', () => clearTimeout(timer));
    request.once('error', (error) => reject(Object.assign(new Error(error.message, { cause: told(error) }), { host: url.host })));
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        parts.push(part);
        if (bytes > MAX_ANSWER_BYTES) request.destroy(new Error(`${url.host} answered with too much`));
      });
      response.once('error', reject);
      response.once('end', () => {
        const status = response.statusCode ?? 500;
        const answer = new Headers();
        for (const [name, value] of Object.entries(response.headers)) {
          if (value !== undefined) answer.set(name, Array.isArray(value) ? value.join(', ') : value);
        }
        const empty = status === 204 || status === 205 || status === 304;
        resolve(new Response(empty ? null : Buffer.concat(parts), { status, headers: answer }));
      });
    });
    request.end(body);
  });
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function blockList(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
