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

/** Returns null when the header has no valid token. Compares hashes, which have equal lengths, and checks every token. */
export function clientOf(authorization: string | undefined, tokens: readonly ClientToken[]): KnownClient | null {
  const given = digest(/^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? '');
  let found: KnownClient | null = null;
  for (const { token, client } of tokens) {
    if (timingSafeEqual(digest(token), given) && token !== '') found = { owner: given.toString('hex'), client };
  }
  return found;
}
