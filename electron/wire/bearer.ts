/** Who is calling over HTTP: bearer tokens, compared so that timing tells nothing. */
import { createHash, timingSafeEqual } from 'node:crypto';

export interface ClientToken {
  token: string;
  client: string;
}

/** A caller that showed a valid token. `owner` stands for the token where the token itself must not be kept. */
export interface KnownClient {
  owner: string;
  client: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What stands for a token where the token itself must not be kept. */
export const ownerOf = (token: string): string => digest(token).toString('hex');

/** Null where the header holds no valid token. Every token is compared, and by its hash, which always has the same length. */
export function clientOf(authorization: string | undefined, tokens: readonly ClientToken[]): KnownClient | null {
  const given = digest(/^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? '');
  let found: KnownClient | null = null;
  for (const { token, client } of tokens) {
    if (timingSafeEqual(digest(token), given) && token !== '') found = { owner: given.toString('hex'), client };
  }
  return found;
}
