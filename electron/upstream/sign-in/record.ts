/** The stored record of a sign-in: issuer, client, and tokens with absolute expiry times. */
import { z } from 'zod';

const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  /** Milliseconds since 1970. */
  issuedAt: z.number(),
  /** Null where the server did not say. */
  expiresAt: z.number().nullable(),
});
export type SignInTokens = z.infer<typeof tokensSchema>;

const clientSchema = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  issuer: z.string().optional(),
});
export type SignInClient = z.infer<typeof clientSchema>;

const recordSchema = z.object({
  /** The authorization server, as the program addresses it. */
  authorizationServer: z.string(),
  issuer: z.string(),
  /** The authorization server's metadata as checked at the sign-in; null where it has none. */
  metadata: z.looseObject({}).nullable(),
  /** Sent at every refresh, so that the tokens stay those for this server (RFC 8707). */
  resource: z.string().nullable(),
  /** Null once the authorization server no longer knows it. */
  client: clientSchema.nullable(),
  /** Null once they no longer hold. */
  tokens: tokensSchema.nullable(),
  /** Scopes that the server asked for besides, when it refused a call: the next sign-in asks for them. */
  wanted: z.string().optional(),
});
export type SignInRecord = z.infer<typeof recordSchema>;

/** All scopes of the lists, each once; undefined for none. */
export function scopesOf(...lists: readonly (string | undefined)[]): string | undefined {
  const all = [...new Set(lists.flatMap((list) => list?.split(/\s+/) ?? []))].filter((scope) => scope !== '');
  return all.length === 0 ? undefined : all.join(' ');
}

/** Undefined for what is no record, as after a change of this form. */
export const parseRecord = (value: unknown): SignInRecord | undefined => recordSchema.safeParse(value).data;

/** The largest part of a token's life at whose end it is renewed ahead of time. Milliseconds. */
const LONGEST_MARGIN_MS = 60_000;

/** Whether the tokens hold long enough for a request that starts now. */
export function isFresh({ issuedAt, expiresAt }: SignInTokens, now: number): boolean {
  if (expiresAt === null) return true;
  return now < expiresAt - Math.min(LONGEST_MARGIN_MS, (expiresAt - issuedAt) / 5);
}

/** Whether they hold at this moment. */
export const holds = ({ expiresAt }: SignInTokens, now: number): boolean => expiresAt === null || now < expiresAt;

/** A token answer with absolute times. `requestedAt` is when the request was sent; what an answer leaves out stays as it was. */
export function tokensOf(
  answer: {
    access_token: string;
    refresh_token?: string | undefined;
    scope?: string | undefined;
    expires_in?: number | undefined;
  },
  requestedAt: number,
  before?: SignInTokens,
): SignInTokens {
  const refreshToken = answer.refresh_token ?? before?.refresh_token;
  const scope = answer.scope ?? before?.scope;
  return {
    access_token: answer.access_token,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(scope === undefined ? {} : { scope }),
    issuedAt: requestedAt,
    expiresAt: answer.expires_in === undefined ? null : requestedAt + answer.expires_in * 1000,
  };
}
