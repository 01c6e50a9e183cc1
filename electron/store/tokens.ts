/** Stores bearer tokens of the HTTP server, one for each client, in a file only the user can read. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { makeDirectoryOf, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';

const tokensSchema = z.strictObject({
  version: z.literal(1),
  tokens: z.array(z.strictObject({ client: z.string(), token: z.string().min(32) })),
});
export type ClientToken = z.infer<typeof tokensSchema>['tokens'][number];

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
  let tokens = await readTokens(file);
  /** Reloads tokens that other processes changed. If the file cannot be read, the previous tokens stay valid. */
  const list = (): readonly ClientToken[] => {
    const now = stampOf(file);
    if (now === seen || now === undefined) return tokens;
    seen = now;
    try {
      tokens = parseTokens(readFileSync(file, 'utf8'));
    } catch {
      // Broken by hand, it is reported at the next start.
    }
    return tokens;
  };
  const issue = async (client: string): Promise<string> => {
    const known = (): string | undefined => list().find((entry) => entry.client === client)?.token;
    return known() ?? (await alone(async () => known() ?? (await replace(client))));
  };
  const rotate = (client: string): Promise<string> => alone(() => replace(client));
  const replace = async (client: string): Promise<string> => {
    const token = newToken();
    const before = list();
    const known = before.some((entry) => entry.client === client);
    const next = !known
      ? [...before, { client, token }]
      : before.map((entry) => (entry.client === client ? { client, token } : entry));
    await writeFileAtomic(file, `${JSON.stringify({ version: 1, tokens: next }, null, 2)}\n`);
    tokens = next;
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

const parseTokens = (text: string) => tokensSchema.parse(JSON.parse(text)).tokens;

async function readTokens(file: string): Promise<ClientToken[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new AppError('CONFIG_INVALID', `The token file '${file}' cannot be read`, { cause: error });
  }
  try {
    return parseTokens(text);
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `The token file '${file}' is not valid`, {
      hint: 'Delete it to have a new token made; clients then need the new one',
      cause,
    });
  }
}
