/**
 * Stores tokens and registrations of sign-ins to remote servers, by server address: sealed by the keychain, in memory where there is
 * none, or in a file only the user can read where the person chose that.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf, storeWriteFailed, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';
import { bound } from './secret-store.ts';
import type { SecretAccess } from './types.ts';

/** A refresh is one request and its answer. Milliseconds. */
const REFRESH_WAIT_MS = 60_000;

/** `file`: in clear text, readable by the user only. `process`: in memory, until the program ends. */
export type SignInKeeping = 'keychain' | 'file' | 'process';

const entrySchema = z.union([z.object({ sealed: z.string() }), z.object({ plain: z.string() })]);
/** Members and forms of entries that a newer version may have added stay as they are. */
const fileSchema = z.looseObject({ version: z.literal(1), servers: z.record(z.string(), z.unknown()) });
type SignInsFile = z.infer<typeof fileSchema>;
type Entries = SignInsFile['servers'];

/** The address is sealed too, so that an entry moved to another server's place is noticed. */
const contentSchema = z.object({ server: z.string(), value: z.unknown() });

export interface SignInStore {
  /** Undefined where nothing is stored. Throws SECRET_UNAVAILABLE for what cannot be read here. */
  read(server: string): unknown;
  /** Where it is stored; undefined where nothing is. */
  keeping(server: string): SignInKeeping | undefined;
  /** `file` must be chosen by the person; without it the entry stays where it was, or goes to the keychain, or else into memory. */
  write(server: string, value: unknown, choice?: 'file'): Promise<SignInKeeping>;
  /** False where nothing was stored. */
  forget(server: string): Promise<boolean>;
  /** Runs `work` while no other process of the user works on the same server's sign-in. */
  alone<T>(server: string, work: () => Promise<T>): Promise<T>;
}

/** `access` is asked at each use: a keychain may be unlocked later. */
export function openSignInStore(directory: string, access: () => SecretAccess): SignInStore {
  const file = path.join(directory, 'sign-ins.json');
  const inMemory = new Map<string, string>();
  /** What the file holds, until it changes: each request asks for a token. */
  let known = { stamp: '', servers: noSignIns.servers, values: new Map<string, unknown>() };

  function current(): typeof known {
    const stamp = stampOf(file);
    if (stamp !== known.stamp || stamp === '') known = { stamp, servers: (read(file) ?? noSignIns).servers, values: new Map() };
    return known;
  }

  const entryOf = (server: string) => {
    const { servers } = current();
    const key = keyOf(server);
    return Object.hasOwn(servers, key) ? entrySchema.safeParse(servers[key]).data : undefined;
  };

  function unsealed(server: string, sealed: string): unknown {
    const { values } = current();
    if (values.has(server)) return values.get(server);
    const found = access();
    if (!('cipher' in found)) {
      throw new AppError('SECRET_UNAVAILABLE', say('signIn.sealed', { reason: found.reason }), {
        hint: say('signIn.sealed.hint'),
      });
    }
    const value = parse(bound(found.cipher).decrypt(sealed), server);
    values.set(server, value);
    return value;
  }

  async function revise(change: (entries: Entries) => Entries): Promise<void> {
    await makeDirectory(directory, file);
    await withFileLock(`${file}.lock`, async () => {
      const before = read(file);
      if (before === null) await rename(file, path.join(directory, `sign-ins.broken-${Date.now()}.json`));
      const kept = before ?? noSignIns;
      const content = { ...kept, servers: change(kept.servers) };
      await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`);
    });
  }

  const without = (entries: Entries, server: string): Entries =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => key !== keyOf(server)));

  return {
    read(server) {
      const kept = inMemory.get(server);
      if (kept !== undefined) return parse(kept, server);
      const entry = entryOf(server);
      if (entry === undefined) return undefined;
      return 'plain' in entry ? parse(entry.plain, server) : unsealed(server, entry.sealed);
    },
    keeping(server) {
      if (inMemory.has(server)) return 'process';
      const entry = entryOf(server);
      return entry && ('plain' in entry ? 'file' : 'keychain');
    },
    async write(server, value, choice) {
      const content = JSON.stringify({ server, value });
      const found = access();
      const inClear = choice === 'file' || (choice === undefined && this.keeping(server) === 'file');
      if (!inClear && !('cipher' in found)) {
        inMemory.set(server, content);
        return 'process';
      }
      const entry = inClear || !('cipher' in found) ? { plain: content } : { sealed: bound(found.cipher).encrypt(content) };
      await revise((entries) => ({ ...entries, [keyOf(server)]: entry }));
      inMemory.delete(server);
      return inClear ? 'file' : 'keychain';
    },
    async forget(server) {
      const held = inMemory.delete(server);
      if (entryOf(server) === undefined) return held;
      await revise((entries) => without(entries, server));
      return true;
    },
    async alone(server, work) {
      await makeDirectory(directory, file);
      return withFileLock(path.join(directory, `sign-in-${keyOf(server).slice(0, 16)}.lock`), work, { waitMs: REFRESH_WAIT_MS });
    },
  };
}

/** An address may contain a secret. */
const keyOf = (server: string): string => createHash('sha256').update(server).digest('hex');

function parse(text: string, server: string): unknown {
  const { success, data } = contentSchema.safeParse(JSON.parse(text));
  return success && data.server === server ? data.value : undefined;
}

async function makeDirectory(directory: string, file: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw storeWriteFailed(file, cause);
  });
}

const noSignIns: SignInsFile = { version: 1, servers: {} };

/** Changes with each write of the file; empty where it cannot be looked at. */
function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return '';
  }
}

/** Null for a file that is not valid. */
function read(file: string): SignInsFile | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return noSignIns;
    throw new AppError('SECRET_UNAVAILABLE', say('signIn.unreadable', { file }), {
      hint: say('signIn.unreadable.hint'),
      cause: error,
    });
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
