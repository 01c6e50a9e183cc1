/** Identifies HTTP callers by bearer token, with comparisons in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto';

export interface ClientToken {
  token: string;
  client: string;
}

/** A caller with a valid token. `owner` is the token's hash, which can be stored safely. */
export interface KnownClient {
  owner: string;
  client: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token's hash, used as an identifier so that the token itself is not stored. */
export const ownerOf = (token: string): string => digest(token).toString('hex');

/** The token of an `Authorization` header; empty when it has none. */
export const bearerOf = (authorization: string | undefined): string =>
  /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? '';

/** Whether two secrets are the same, in constant time. Nothing is the same as an empty one. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other)) && one !== '';

/** Returns null when the header has no valid token. Compares hashes, which have equal lengths, and checks every token. */
export function clientOf(authorization: string | undefined, tokens: readonly ClientToken[]): KnownClient | null {
  const given = bearerOf(authorization);
  let found: KnownClient | null = null;
  for (const { token, client } of tokens) {
    if (isSameSecret(token, given)) found = { owner: ownerOf(given), client };
  }
  return found;
}
