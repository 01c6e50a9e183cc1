/** Stores bearer tokens of the HTTP server, one for each client, in a file only the user can read. */

import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { makeDirectoryOf, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';
import { isObject } from './json-text.ts';

const tokenSchema = z.object({ client: z.string(), token: z.string().min(32) });
/** A bad entry lets nobody in, and keeps nobody else out. What a newer version may have added stays as it is. */
const fileSchema = z.looseObject({ version: z.literal(1), tokens: z.array(z.unknown()) });
type TokensFile = z.infer<typeof fileSchema>;
export type ClientToken = z.infer<typeof tokenSchema>;

export interface TokenStore {
  readonly path: string;
  list(): readonly ClientToken[];
  /** The client's token, created if it has none. */
  issue(client: string): Promise<string>;
  /** Replaces the client's token; the old one becomes invalid. */
  rotate(client: string): Promise<string>;
}

const newToken = () => randomBytes(32).toString('base64url');

/** Opens the tokens in a directory, which other processes may share, and makes a first one for the client `default`. Throws CONFIG_INVALID for a broken file. */
export async function openTokens(directory: string): Promise<TokenStore> {
  const file = path.join(directory, 'tokens.json');
  let seen = stampOf(file);
  let known = await readTokens(file);
  let tokens = validIn(known);
  const adopt = (next: TokensFile): void => {
    known = next;
    tokens = validIn(next);
  };
  /** Reloads tokens that other processes changed. If the file cannot be read, the previous tokens stay valid. */
  const list = (): readonly ClientToken[] => {
    const now = stampOf(file);
    if (now === seen || now === undefined) return tokens;
    seen = now;
    try {
      adopt(parseTokens(readFileSync(file, 'utf8')));
    } catch {
      // Broken by hand, it is reported at the next start.
    }
    return tokens;
  };
  const issue = async (client: string): Promise<string> => {
    const issued = (): string | undefined => list().find((entry) => entry.client === client)?.token;
    return issued() ?? (await alone(async () => issued() ?? (await replace(client))));
  };
  const rotate = (client: string): Promise<string> => alone(() => replace(client));
  const replace = async (client: string): Promise<string> => {
    const token = newToken();
    list();
    const isClients = (entry: unknown) => isObject(entry) && entry.client === client;
    const entries = known.tokens.some(isClients)
      ? known.tokens.map((entry) => (isClients(entry) ? { ...(entry as object), token } : entry))
      : [...known.tokens, { client, token }];
    const next = { ...known, tokens: entries };
    await writeFileAtomic(file, `${JSON.stringify(next, null, 2)}\n`);
    adopt(next);
    seen = stampOf(file);
    return token;
  };
  /** Two processes that change one list must not lose each other's tokens. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    await makeDirectoryOf(file);
    return withFileLock(`${file}.lock`, work);
  };
  await issue('default');
  return { path: file, list, issue, rotate };
}

/** Another one for another content: each writing makes a new file. */
function stampOf(file: string): string | undefined {
  try {
    const { ino, mtimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return undefined;
  }
}

const parseTokens = (text: string): TokensFile => fileSchema.parse(JSON.parse(text));

const validIn = ({ tokens }: TokensFile): ClientToken[] =>
  tokens.flatMap((entry) => {
    const { success, data } = tokenSchema.safeParse(entry);
    return success ? [data] : [];
  });

async function readTokens(file: string): Promise<TokensFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, tokens: [] };
    throw new AppError('CONFIG_INVALID', say('tokens.unreadable', { path: file }), { cause: error });
  }
  try {
    return parseTokens(text);
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', say('tokens.invalid', { path: file }), {
      hint: say('tokens.invalid.hint'),
      cause,
    });
  }
}
