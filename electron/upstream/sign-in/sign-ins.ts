/** Sign-in, token renewal and sign-out for remote servers. Loads the SDK on first use. */
import type { Upstream } from '../../../shared/model/config.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { createNetwork, type RouteFinder } from '../../wire/network.ts';
import type { Addresses } from './guarded-fetch.ts';
import { holds, isFresh, parseRecord, type SignInRecord, scopesOf } from './record.ts';

/** How long the person may take in the browser. Milliseconds. */
const PATIENCE_MS = 10 * 60_000;

type Keeping = 'keychain' | 'file' | 'process';

/** Where records are kept, and the lock that all processes of the user share. */
export interface SignInRecords {
  read(server: string): unknown;
  keeping(server: string): Keeping | undefined;
  write(server: string, value: unknown, choice?: 'file'): Promise<Keeping>;
  forget(server: string): Promise<boolean>;
  alone<T>(server: string, work: () => Promise<T>): Promise<T>;
}

export interface SignInState {
  /** When the access token ends, in milliseconds since 1970; null where the server did not say. */
  until: number | null;
  /** Whether it is renewed then without the person. */
  renews: boolean;
  kept: Keeping;
}

/** The tokens of one server, as its connections use them. */
export interface Authorization {
  /** Undefined where nobody signed in. Throws SIGN_IN_NEEDED where the sign-in has ended. */
  token(): Promise<string | undefined>;
  /** Another one for one that the server refused; undefined where there is none. */
  renewed(refused: string): Promise<string | undefined>;
  /** The error for a call that the server refused for want of these scopes: the next sign-in asks for them too. */
  lacking(scopes: string): Promise<AppError>;
}

export interface SignInOptions {
  onLink: (link: string) => void;
  signal?: AbortSignal | undefined;
  /** Keeps the tokens in a file only the user can read. */
  store?: 'file' | undefined;
  /** Id and secret of a registration that the person made, where the server makes none by itself. */
  client?: { id: string; secret?: string | undefined } | undefined;
}

export interface SignIns {
  signIn(name: string, url: string, options: SignInOptions): Promise<SignInState>;
  /** Forgets the tokens, and ends them at the server where it can. False where nobody was signed in. */
  signOut(url: string): Promise<boolean>;
  /** Null where nobody is signed in, or the sign-in has ended. Throws SECRET_UNAVAILABLE. */
  state(url: string): SignInState | null;
  authorization(name: string, url: string): Authorization;
}

export interface SignInsOptions {
  records: SignInRecords;
  /** The address as it is used, of one with placeholders. Throws CONFIG_INVALID. */
  filled?: ((url: string) => string) | undefined;
  /** Resolves host names; default: the system's resolver. */
  addresses?: Addresses | undefined;
  /** The way to what the sign-in to a server leads to; default: this process's variables. */
  routeFor?: ((server: string) => RouteFinder) | undefined;
  now?: () => number;
}

export function openSignIns(options: SignInsOptions): SignIns {
  const { records, filled = (url) => url, addresses, now = Date.now } = options;
  const own = createNetwork();
  const { routeFor = () => (url) => own.route(url) } = options;
  const reachFor = (server: string) => ({ addresses, route: routeFor(server) });
  const recordOf = (url: string) => parseRecord(records.read(url));

  /** Renews under the lock, unless another process just did. `stale` is the token that will not do. */
  const renewal = (name: string, url: string, stale: string): Promise<string | undefined> =>
    records.alone(url, async () => {
      const record = recordOf(url);
      if (!record?.tokens) return undefined;
      const { client, tokens } = record;
      if (tokens.access_token !== stale && holds(tokens, now())) return tokens.access_token;
      if (tokens.refresh_token === undefined || !client) return undefined;
      const { renew } = await import('./flow.ts');
      const answer = await renew(new URL(url), { ...record, client, tokens }, tokens.refresh_token, {
        reach: reachFor(url),
        now,
      }).catch((cause: unknown) => {
        throw new AppError('UPSTREAM_UNREACHABLE', say('signIn.notRenewed', { server: name }), {
          hint: say('signIn.notRenewed.hint', { server: name }),
          cause,
        });
      });
      if ('tokens' in answer) {
        await records.write(url, { ...record, tokens: answer.tokens });
        return answer.tokens.access_token;
      }
      const ended: SignInRecord = { ...record, tokens: null, client: answer.refused === 'client' ? null : client };
      await records.write(url, ended);
      return undefined;
    });

  return {
    async signIn(name, configured, { onLink, signal, store, client }) {
      const url = filled(configured);
      const { signIn } = await import('./flow.ts');
      const ending = new AbortController();
      const giveUp = () => ending.abort(new AppError('CANCELLED', say('signIn.cancelled')));
      if (signal?.aborted) giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      const timer = setTimeout(() => {
        ending.abort(
          new AppError('SIGN_IN_NEEDED', say('signIn.unfinished', { server: name }), { hint: say('signIn.startAgain') }),
        );
      }, PATIENCE_MS);
      try {
        const record = await signIn({
          name,
          url: new URL(url),
          before: readableRecord(url),
          client: client && { client_id: client.id, ...(client.secret === undefined ? {} : { client_secret: client.secret }) },
          onLink,
          signal: ending.signal,
          reach: reachFor(configured),
          now,
        });
        const kept = await records.alone(url, () => records.write(url, record, store));
        return stateOf(record, kept) ?? { until: null, renews: false, kept };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      }
    },
    async signOut(configured) {
      const url = filled(configured);
      const record = readableRecord(url);
      const wasSignedIn = await records.forget(url);
      if (record?.tokens) {
        const { revoke } = await import('./flow.ts');
        await revoke(new URL(url), record, reachFor(configured));
      }
      return wasSignedIn;
    },
    state(configured) {
      const url = filled(configured);
      const kept = records.keeping(url);
      const record = kept === undefined ? undefined : recordOf(url);
      return record && kept ? stateOf(record, kept) : null;
    },
    authorization: (name, configured) => ({
      async token() {
        const url = filled(configured);
        const record = recordOf(url);
        if (!record) return undefined;
        const { tokens } = record;
        if (!tokens) throw ended(name);
        if (isFresh(tokens, now())) return tokens.access_token;
        try {
          const token = await renewal(name, url, tokens.access_token);
          if (token !== undefined) return token;
        } catch (error) {
          // Renewed ahead of time: it still holds.
          if (holds(tokens, now())) return tokens.access_token;
          throw error;
        }
        if (recordOf(url)?.tokens && holds(tokens, now())) return tokens.access_token;
        throw ended(name);
      },
      renewed: async (refused) => renewal(name, filled(configured), refused),
      async lacking(scopes) {
        const url = filled(configured);
        await records.alone(url, async () => {
          const record = recordOf(url);
          if (record) await records.write(url, { ...record, wanted: scopesOf(record.wanted, scopes) });
        });
        return new AppError('SIGN_IN_NEEDED', say('signIn.scopes', { server: name, scopes }), { hint: howToSignIn(name) });
      },
    }),
  };

  /** An unreadable record is replaced by the next sign-in. */
  function readableRecord(url: string): SignInRecord | undefined {
    try {
      return recordOf(url);
    } catch {
      return undefined;
    }
  }

  function stateOf({ tokens }: SignInRecord, kept: Keeping): SignInState | null {
    if (!tokens) return null;
    const renews = tokens.refresh_token !== undefined;
    return renews || holds(tokens, now()) ? { until: tokens.expiresAt, renews, kept } : null;
  }
}

/** Whether the person gave the server credentials of their own, which a sign-in does not replace. */
export const hasCredentials = (upstream: Upstream): boolean =>
  upstream.type === 'stdio' || Object.keys(upstream.headers).some((header) => header.toLowerCase() === 'authorization');

/** Tells the person what to do, in the app or a terminal. */
export const howToSignIn = (name: string): Message => say('signIn.how', { server: name });

const ended = (name: string): AppError =>
  new AppError('SIGN_IN_NEEDED', say('signIn.expired', { server: name }), { hint: howToSignIn(name) });
