/**
 * Keeps calls that stopped half-way, with what is needed to go on with them after a restart: sealed by the keychain where there is one, else in a
 * file that only the user can read, and then only what holds nothing that looks like a secret.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { type StoppedCall, stoppedCallSchema } from '../../shared/model/call.ts';
import { AppError } from '../../shared/model/errors.ts';
import { errnoOf, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';
import { bound, noKeychain } from './secret-store.ts';
import type { SecretAccess } from './types.ts';

/** Calls that are kept; the oldest go first. */
const KEPT = 20;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** `request`: what is sent again, as the one who goes on with it wrote it; `sealed`: its JSON, encrypted. */
const keptSchema = z.object({
  call: stoppedCallSchema,
  by: z.enum(['agent', 'person']),
  request: z.unknown().optional(),
  sealed: z.string().optional(),
});
export type KeptCall = z.infer<typeof keptSchema>;

export interface StoppedCallsFile {
  /** The oldest first. */
  read(): Promise<KeptCall[]>;
  put(kept: KeptCall): Promise<void>;
  drop(receipt: string): Promise<void>;
  /** The request, opened. Throws SECRET_UNAVAILABLE. */
  requestOf(kept: KeptCall): unknown;
}

/** Several processes write the file; each changes its own entries. Nothing throws: a file that cannot be written costs a card after the next start. */
export function openStoppedCalls(
  directory: string,
  log: (line: string) => void,
  access: () => SecretAccess = () => noKeychain,
): StoppedCallsFile {
  const file = path.join(directory, 'stopped-calls.json');

  /** As it goes to disk; none of what must not lie there in clear. */
  function written({ call, by, request }: KeptCall): KeptCall[] {
    const found = access();
    if ('cipher' in found) return [{ call, by, sealed: bound(found.cipher).encrypt(JSON.stringify(request)) }];
    return holdsSecret(request) ? [] : [{ call, by, request }];
  }

  async function read(): Promise<KeptCall[]> {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') log(`stopped calls cannot be read: ${error}`);
      return '[]';
    });
    let entries: unknown;
    try {
      entries = JSON.parse(text);
    } catch {
      log(`stopped calls cannot be read: ${file} is damaged`);
    }
    const isFresh = ({ endedAt }: StoppedCall) => Date.now() - Date.parse(endedAt) < KEPT_MS;
    return (Array.isArray(entries) ? entries : [])
      .flatMap((entry) => keptSchema.safeParse(entry).data ?? [])
      .filter(({ call }) => isFresh(call));
  }

  async function change(how: (kept: KeptCall[]) => KeptCall[]): Promise<void> {
    try {
      await withFileLock(`${file}.lock`, async () => {
        const before = await read();
        const after = how(before);
        if (JSON.stringify(after) !== JSON.stringify(before)) await writeFileAtomic(file, JSON.stringify(after));
      });
    } catch (error) {
      log(`stopped calls cannot be kept: ${error}`);
    }
  }

  const others = (kept: readonly KeptCall[], receipt: string) => kept.filter(({ call }) => call.receipt !== receipt);
  return {
    read,
    put: (kept) => change((before) => [...others(before, kept.call.receipt), ...written(kept)].slice(-KEPT)),
    drop: (receipt) => change((before) => others(before, receipt)),
    requestOf({ request, sealed }) {
      if (sealed === undefined) return request;
      const found = access();
      if (!('cipher' in found)) throw new AppError('SECRET_UNAVAILABLE', found.reason);
      return JSON.parse(bound(found.cipher).decrypt(sealed));
    },
  };
}

/** Ours for a place in the arguments, which is no key of another kind. */
const placeNames: ReadonlySet<string> = new Set(['data_key', 'dataKey']);

/** Whether something in it looks like a secret, by its name or by itself; JSON inside of texts is looked into. */
function holdsSecret(value: unknown, name = ''): boolean {
  if (typeof value === 'string') {
    if (looksSecret(name, value)) return true;
    try {
      const inside: unknown = JSON.parse(value);
      return typeof inside === 'object' && inside !== null && holdsSecret(inside);
    } catch {
      return false;
    }
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) =>
    holdsSecret(member, Array.isArray(value) ? name : placeNames.has(key) ? '' : key),
  );
}
