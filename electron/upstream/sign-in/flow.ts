/** One OAuth sign-in from link to tokens: the SDK's `auth` with an in-memory provider, and the page on 127.0.0.1 that it returns to. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type http from 'node:http';
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientInformationContext,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  refreshAuthorization,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { type Message, say, type Text } from '../../../shared/model/messages/message.ts';
import { openHttpServer } from '../../wire/http-server.ts';
import { unreached } from '../network-failures.ts';
import { type Guard, type GuardOptions, guardFor } from './guarded-fetch.ts';
import { type SignInClient, type SignInRecord, type SignInTokens, scopesOf, tokensOf } from './record.ts';

/** The SDK calls it; Node before 18.17 (Electron 25) lacks it. */
URL.canParse ??= (url, base) => {
  try {
    new URL(url, base);
    return true;
  } catch {
    return false;
  }
};

export interface FlowOptions {
  /** The server's name, for errors. */
  name: string;
  url: URL;
  /** The record of an earlier sign-in, whose registration is reused. */
  before: SignInRecord | undefined;
  /** What the person registered with the authorization server, for one that registers no program by itself. */
  client?: SignInClient | undefined;
  /** Gets the address that the person opens. */
  onLink: (link: string) => void;
  signal: AbortSignal;
  reach: GuardOptions;
  now: () => number;
}

/** Signs in. Throws SIGN_IN_NEEDED with the reason, or what `signal` was aborted with. */
export async function signIn(options: FlowOptions): Promise<SignInRecord> {
  const guard = await guardFor(options.url, options.reach);
  const asked = await challengeOf(options, guard);
  const { wanted, tokens: held } = options.before ?? {};
  const scope = wanted === undefined ? asked.scope : scopesOf(asked.scope, held?.scope, wanted);
  const challenge = { ...asked, ...(scope === undefined ? {} : { scope }) };
  const given = options.client && { issuer: undefined, client: options.client };
  let known: Known | undefined =
    given ?? (options.before?.client ? { issuer: options.before.issuer, client: options.before.client } : undefined);
  for (;;) {
    const attempt = new Attempt(known);
    const record = await oneAttempt(options, guard, challenge, attempt).catch((error: unknown) => {
      if (options.signal.aborted) throw options.signal.reason;
      // The authorization server forgot the registration: it is made again, once.
      if (attempt.clientRefused && given)
        throw new AppError('SIGN_IN_NEEDED', say('signIn.clientRefused', { server: options.name }), {
          hint: say('signIn.clientRefused.hint', { redirects: redirectUris }),
          cause: error,
        });
      if (attempt.clientRefused && attempt.reused) return undefined;
      throw attempt.unregistered(error, options.name, challenge.isOpen) ?? readable(error, options.name);
    });
    if (record) return record;
    known = undefined;
  }
}

type Challenge = ReturnType<typeof extractWWWAuthenticateParams> & {
  /** Whether the server answers without a sign-in. */
  isOpen: boolean;
};

/** Asks the server without a token and returns what its challenge says about signing in. */
async function challengeOf({ url, name, signal }: FlowOptions, { fetch }: Guard): Promise<Challenge> {
  const greeting = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'filebridge', version: '1' } },
  };
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(greeting), signal });
    // Some greet everyone, and want a sign-in for what comes next.
    return { isOpen: response.ok, ...extractWWWAuthenticateParams(response) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw readable(error, name);
  }
}

async function oneAttempt(
  { name, url, onLink, signal, now }: FlowOptions,
  guard: Guard,
  { resourceMetadataUrl, scope }: Challenge,
  attempt: Attempt,
): Promise<SignInRecord> {
  const loopback = await openLoopback(attempt.expectedState);
  try {
    attempt.redirectUrl = loopback.redirectUri;
    const options = {
      serverUrl: url,
      fetchFn: guard.fetch,
      ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
      ...(scope === undefined ? {} : { scope }),
    };
    await auth(attempt, options);
    attempt.assertProofs(name);
    const link = attempt.link ?? missing();
    if (link.protocol !== 'https:' && link.protocol !== 'http:')
      throw refusal(name, say('signIn.notOpened', { protocol: link.protocol }));
    await guard.assertAllowed(link);
    onLink(link.href);
    const answer = await loopback.answer(signal);
    const fault = answer.get('error');
    if (fault !== null) {
      attempt.clientRefused = fault === 'invalid_client' || fault === 'unauthorized_client';
      throw refusal(name, [fault, answer.get('error_description')].filter(Boolean).join(': '));
    }
    const requestedAt = now();
    const iss = answer.get('iss');
    await auth(attempt, { ...options, authorizationCode: answer.get('code') ?? '', ...(iss === null ? {} : { iss }) });
    return attempt.record(requestedAt);
  } finally {
    await loopback.close();
  }
}

/** A registration. Undefined issuer: the person's, for whichever server asks. */
interface Known {
  issuer: string | undefined;
  client: SignInClient;
}

class Attempt implements OAuthClientProvider {
  readonly expectedState = randomBytes(32).toString('base64url');
  redirectUrl = '';
  link: URL | undefined;
  reused = false;
  clientRefused = false;
  #known: Known | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;
  #resource: string | null = null;
  #tokens: StoredOAuthTokens | undefined;

  constructor(known: Known | undefined) {
    this.#known = known;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Filebridge',
      redirect_uris: [...redirectUris],
      // Without the second, many servers hand out no refresh token.
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    if (this.#known === undefined) return undefined;
    this.#known.issuer ??= context?.issuer;
    if (context?.issuer !== this.#known.issuer) return undefined;
    this.reused = true;
    return this.#known.client as StoredOAuthClientInformation;
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    this.#known = { issuer: context?.issuer ?? '', client: client as SignInClient };
  }

  tokens(): undefined {
    // A person who signs in gets new ones.
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(link: URL): void {
    this.link = link;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(found: OAuthDiscoveryState): void {
    this.#discovery = found;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (what !== 'client' && what !== 'all') return;
    this.clientRefused = true;
    this.#known = undefined;
  }

  /** OAuth 2.1 wants proof that the one who asked is the one who gets the tokens (PKCE); a server that says it cannot check it is refused. */
  assertProofs(name: string): void {
    const metadata = this.#discovery?.authorizationServerMetadata;
    if (metadata && !metadata.code_challenge_methods_supported?.includes('S256')) throw refusal(name, say('signIn.noProofs'));
  }

  /** The error where no program can be registered, or nothing tells where to sign in; undefined for another. */
  unregistered(error: unknown, name: string, isOpen: boolean): AppError | undefined {
    const metadata = this.#discovery?.authorizationServerMetadata;
    if (this.#known !== undefined || this.#discovery === undefined || error instanceof AppError) return undefined;
    const isRejected = error instanceof Error && 'submittedMetadata' in error;
    if (metadata === undefined) {
      if (!isRejected) return undefined;
      const said = isOpen ? 'signIn.notNeeded' : 'signIn.nowhere';
      return new AppError('SIGN_IN_NEEDED', say(said, { server: name }), { hint: say(`${said}.hint`), cause: error });
    }
    if (metadata.registration_endpoint !== undefined && !isRejected) return undefined;
    return new AppError('SIGN_IN_NEEDED', say('signIn.noRegistration', { server: name }), {
      hint: say('signIn.noRegistration.hint', { server: name, redirects: redirectUris }),
      cause: error,
    });
  }

  record(requestedAt: number): SignInRecord {
    const { authorizationServerUrl, authorizationServerMetadata } = this.#discovery ?? missing();
    const { issuer, client } = this.#known ?? missing();
    return {
      authorizationServer: String(authorizationServerUrl),
      issuer: issuer ?? '',
      metadata: authorizationServerMetadata ?? null,
      resource: this.#resource,
      client,
      tokens: tokensOf(this.#tokens ?? missing(), requestedAt),
    };
  }
}

export type Renewal = { tokens: SignInTokens } | { refused: 'tokens' | 'client' };

/** Refreshes tokens at the authorization server that issued them. Rejects when it is unreachable. */
export async function renew(
  url: URL,
  record: SignInRecord & { client: SignInClient; tokens: SignInTokens },
  refreshToken: string,
  { reach, now }: { reach: GuardOptions; now: () => number },
): Promise<Renewal> {
  const { fetch } = await guardFor(url, reach);
  const requestedAt = now();
  try {
    const answer = await refreshAuthorization(record.authorizationServer, {
      ...(record.metadata
        ? { metadata: record.metadata as NonNullable<OAuthDiscoveryState['authorizationServerMetadata']> }
        : {}),
      clientInformation: record.client as StoredOAuthClientInformation,
      refreshToken,
      ...(record.resource === null ? {} : { resource: record.resource }),
      fetchFn: fetch,
    });
    return { tokens: tokensOf(answer, requestedAt, record.tokens) };
  } catch (error) {
    const code = error instanceof OAuthError ? String(error.code) : undefined;
    if (code === 'invalid_grant') return { refused: 'tokens' };
    if (code === 'invalid_client' || code === 'unauthorized_client') return { refused: 'client' };
    throw error;
  }
}

/** Ends the refresh token at the server (RFC 7009). False where it could not be ended; not every server can. */
export async function revoke(url: URL, { metadata, client, tokens }: SignInRecord, reach: GuardOptions): Promise<boolean> {
  const endpoint = metadata?.revocation_endpoint;
  const token = tokens?.refresh_token ?? tokens?.access_token;
  if (typeof endpoint !== 'string' || token === undefined || !client) return false;
  const hint = tokens?.refresh_token === undefined ? 'access_token' : 'refresh_token';
  const asked = new URLSearchParams({ token, token_type_hint: hint, client_id: client.client_id });
  if (client.client_secret !== undefined) asked.set('client_secret', client.client_secret);
  try {
    const { fetch } = await guardFor(url, reach);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await fetch(new URL(endpoint), { method: 'POST', headers, body: asked.toString() })).ok;
  } catch {
    return false;
  }
}

const refusal = (name: string, reason: Text, cause?: unknown, hint: Message = say('signIn.failed.hint')): AppError =>
  new AppError('SIGN_IN_NEEDED', say('signIn.failed', { server: name, reason }), {
    hint,
    cause,
  });

/** The SDK's errors may quote an answer, but no token: those come with a status that is no error. */
function readable(error: unknown, name: string): AppError {
  const failure = toAppError(error);
  if (failure.code !== 'INTERNAL') return failure;
  const network = unreached(error);
  return network ? refusal(name, network.why, error, network.hint) : refusal(name, failure.asText, error);
}

function missing(): never {
  throw new Error('the authorization server left a step out');
}

// The redirect target (RFC 8252): one page on 127.0.0.1, on one of a few fixed ports, for one `state`

/**
 * Fixed, because an authorization server may compare redirect addresses with their port. Outside the ephemeral ranges.
 * FILEBRIDGE_SIGN_IN_PORTS, a list by commas, names others.
 */
const PORTS = (process.env.FILEBRIDGE_SIGN_IN_PORTS ?? '28637,28638,28639,28640,28641').split(',').map(Number);

const redirectUri = (port: number): string => `http://127.0.0.1:${port}/callback`;

/** All of them are registered, so that any free one can be used. */
export const redirectUris: readonly string[] = PORTS.map(redirectUri);

export interface Loopback {
  redirectUri: string;
  /** The parameters of the one redirect that carries the right `state`. Rejects when `signal` fires. */
  answer(signal: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Throws SIGN_IN_NEEDED where every port is taken. */
export async function openLoopback(state: string): Promise<Loopback> {
  let arrived = (_: URLSearchParams) => {};
  const answer = new Promise<URLSearchParams>((resolve) => {
    arrived = resolve;
  });
  const { server } = openHttpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOurs = request.method === 'GET' && url.pathname === '/callback' && isLoopbackHost(request.headers.host);
    if (!isOurs) return page(response, 404, 'There is nothing here.');
    const { searchParams } = url;
    if (searchParams.getAll('state').length !== 1 || !same(searchParams.get('state') ?? '', state))
      return page(response, 400, 'This is not the sign-in that Filebridge waits for. Start it again in Filebridge.');
    if (!searchParams.has('code') && !searchParams.has('error')) return page(response, 400, 'The answer is not complete.');
    page(
      response,
      200,
      searchParams.has('error')
        ? 'The sign-in was refused. You can close this page; Filebridge shows why.'
        : 'Filebridge has the answer. You can close this page.',
    );
    arrived(searchParams);
  });
  const port = await firstFree(server);
  return {
    redirectUri: redirectUri(port),
    answer: (signal) =>
      new Promise((resolve, reject) => {
        const giveUp = () => reject(signal.reason);
        if (signal.aborted) giveUp();
        signal.addEventListener('abort', giveUp, { once: true });
        void answer.then((found) => {
          signal.removeEventListener('abort', giveUp);
          resolve(found);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

async function firstFree(server: http.Server): Promise<number> {
  for (const port of PORTS) {
    const free = await new Promise<boolean>((resolve) => {
      const taken = () => resolve(false);
      server.once('error', taken);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', taken);
        resolve(true);
      });
    });
    if (free) return port;
  }
  throw new AppError('SIGN_IN_NEEDED', say('signIn.noPort', { ports: PORTS }), {
    hint: say('signIn.noPort.hint'),
  });
}

/** A page that leads here under another name (DNS rebinding) is not the browser's way back. */
const isLoopbackHost = (host: string | undefined): boolean => /^(127\.0\.0\.1|localhost):\d+$/.test(host ?? '');

/** In constant time: what was compared first shows nothing about the rest. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** As the window looks, light or dark. */
const STYLE = `
:root{color-scheme:light dark}
body{display:grid;place-items:center;min-height:90vh;margin:0;background:light-dark(#f7f6f3,#131618);color:light-dark(#1b2124,#e9ebe8);font:16px/1.5 "Segoe UI",system-ui,sans-serif}
main{max-width:34rem;padding:2rem;border:1px solid light-dark(#e2dfd6,#2e3538);border-radius:12px;background:light-dark(#fff,#1b2022)}
h1{margin:0 0 .5rem;font-size:1.25rem;color:light-dark(#0c665a,#58c7b2)}
p{margin:0}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

function page(response: http.ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  const head = `<meta name="viewport" content="width=device-width"><title>Filebridge</title><style>${STYLE}</style>`;
  response.end(`<!doctype html><html lang="en">${head}<main><h1>Filebridge</h1><p>${text}</p></main></html>\n`);
}
