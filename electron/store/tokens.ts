/** Bearer tokens of the HTTP server, one for each client, kept in a file only the user can read. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { writeFileAtomic } from './atomic-file.ts';

const tokensSchema = z.strictObject({
  version: z.literal(1),
  tokens: z.array(z.strictObject({ client: z.string(), token: z.string().min(32) })),
});
export type ClientToken = z.infer<typeof tokensSchema>['tokens'][number];

export interface TokenStore {
  readonly path: string;
  list(): readonly ClientToken[];
  /** The client's token, made now if it has none. */
  issue(client: string): Promise<string>;
  /** Replaces the client's token; the old one opens nothing any more. */
  rotate(client: string): Promise<string>;
}

const newToken = () => randomBytes(32).toString('base64url');

/** Opens the tokens in a directory, and makes a first one for the client `default`. Throws CONFIG_INVALID for a broken file. */
export async function openTokens(directory: string): Promise<TokenStore> {
  const file = path.join(directory, 'tokens.json');
  let tokens = await readTokens(file);
  const issue = async (client: string): Promise<string> => {
    const known = tokens.find((entry) => entry.client === client);
    if (known) return known.token;
    return rotate(client);
  };
  const rotate = async (client: string): Promise<string> => {
    const token = newToken();
    const known = tokens.some((entry) => entry.client === client);
    const next = !known
      ? [...tokens, { client, token }]
      : tokens.map((entry) => (entry.client === client ? { client, token } : entry));
    await writeFileAtomic(file, `${JSON.stringify({ version: 1, tokens: next }, null, 2)}\n`);
    tokens = next;
    return token;
  };
  await issue('default');
  return { path: file, list: () => tokens, issue, rotate };
}

async function readTokens(file: string): Promise<ClientToken[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new AppError('CONFIG_INVALID', `The token file '${file}' cannot be read`, { cause: error });
  }
  try {
    return tokensSchema.parse(JSON.parse(text)).tokens;
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `The token file '${file}' is not valid`, {
      hint: 'Delete it to have a new token made; clients then need the new one',
      cause,
    });
  }
}
