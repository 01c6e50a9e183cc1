/** Stores secrets of servers in a file only the user can read, sealed by the host's cipher; without a cipher, nothing is stored. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Config, Upstream } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { errnoOf, makeDirectoryOf, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';
import { isSameServer, secretIdsOf, secretReference, secretTarget } from './secrets.ts';
import type { ConfigStore, SecretAccess, SecretBinding, SecretCipher, SecretStore } from './types.ts';

/** Members and forms of secrets that a newer version may have added stay as they are. */
const fileSchema = z.looseObject({ version: z.literal(1), secrets: z.record(z.string(), z.unknown()) });
type SecretsFile = z.infer<typeof fileSchema>;
type Sealed = SecretsFile['secrets'];

/** For programs that run beside the desktop app. */
export const noKeychain: SecretAccess = {
  reason: say('secret.desktopOnly'),
};

/** The store of a data directory. `access` is asked at each use: a keychain may be unlocked later. */
export function openSecretStore(directory: string, access: () => SecretAccess): SecretStore {
  const file = path.join(directory, 'secrets.json');
  const targets = openSecretTargets(directory);

  const cipher = (): SecretCipher => {
    const found = access();
    if ('cipher' in found) return found.cipher;
    throw new AppError('SECRET_UNAVAILABLE', say('secret.notHere', { reason: found.reason }), {
      hint: say('secret.notHere.hint'),
    });
  };

  const sealedAs = (id: string): string => {
    const found = read(file);
    if (found === null) throw unreadable(say('secret.fileInvalid', { file }));
    const sealed = Object.hasOwn(found.secrets, id) ? found.secrets[id] : undefined;
    if (typeof sealed !== 'string') throw unreadable(say('secret.notStored'));
    return sealed;
  };

  /** Runs alone among all processes that share the directory. */
  async function revise(change: (secrets: Sealed) => Sealed | null): Promise<void> {
    await makeDirectoryOf(file);
    await withFileLock(`${file}.lock`, async () => {
      const before = read(file);
      // An unreadable file cannot be unsealed either; it is kept so that a person can repair it.
      if (before === null) await rename(file, path.join(directory, `secrets.broken-${Date.now()}.json`));
      const kept = before ?? noSecrets;
      const secrets = change(kept.secrets);
      if (secrets !== null) await writeFileAtomic(file, `${JSON.stringify({ ...kept, secrets }, null, 2)}\n`);
    });
  }

  const assertFor = (id: string, target: string | undefined): void => {
    if (target === undefined || targets.allows(id, target)) return;
    throw new AppError('SECRET_UNAVAILABLE', say('secret.otherTarget'), {
      hint: say('secret.otherTarget.hint'),
    });
  };

  return {
    async seal(values) {
      if (values.length === 0) return [];
      const { encrypt } = bound(cipher());
      const added = values.map((value) => [randomBytes(9).toString('hex'), encrypt(value)] as const);
      await revise((secrets) => ({ ...secrets, ...Object.fromEntries(added) }));
      return added.map(([id]) => secretReference(id));
    },
    check(id, target) {
      assertFor(id, target);
      cipher();
      sealedAs(id);
    },
    async bind(bindings) {
      if (bindings.length === 0) return;
      await makeDirectoryOf(file);
      await withFileLock(`${file}.lock`, () => targets.bind(bindings));
    },
    reveal(id, target) {
      assertFor(id, target);
      const { decrypt } = bound(cipher());
      return decrypt(sealedAs(id));
    },
    async forget(ids) {
      const gone = new Set(ids);
      if (gone.size === 0) return;
      await revise((secrets) => {
        const rest = Object.entries(secrets).filter(([id]) => !gone.has(id));
        return rest.length === Object.keys(secrets).length ? null : Object.fromEntries(rest);
      });
      await withFileLock(`${file}.lock`, () => targets.forget(gone));
    },
  };
}

/** Before texts that were sealed with their hash; earlier versions sealed the text alone. */
const CHECKED = 'checked:';
const HASH_CHARS = 32;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);

/**
 * Wraps the cipher's errors in ours, which never quote the sealed text. A hash is sealed with the text: Chromium's cipher on Linux does
 * not authenticate, so that one wrong key in about 256 gives other bytes in place of an error.
 */
export function bound(cipher: SecretCipher): SecretCipher {
  const guarded = (work: () => string, reason: Message) => {
    try {
      return work();
    } catch {
      // No cause: a keychain's message may contain the text.
      throw unreadable(reason);
    }
  };
  const decrypted = (sealed: string): string => {
    if (!sealed.startsWith(CHECKED)) return cipher.decrypt(sealed);
    const whole = cipher.decrypt(sealed.slice(CHECKED.length));
    const text = whole.slice(HASH_CHARS);
    if (whole.slice(0, HASH_CHARS) !== hashOf(text)) throw new Error('sealed with another key');
    return text;
  };
  return {
    encrypt: (text) => guarded(() => CHECKED + cipher.encrypt(hashOf(text) + text), say('secret.notSealed')),
    decrypt: (sealed) => guarded(() => decrypted(sealed), say('secret.otherUser')),
  };
}

function unreadable(reason: Message): AppError {
  return new AppError('SECRET_UNAVAILABLE', say('secret.unreadable', { reason }), {
    hint: say('secret.unreadable.hint'),
  });
}

const noSecrets: SecretsFile = { version: 1, secrets: {} };

/** Null for an invalid file. Small and rarely read, so it is not cached. */
function read(file: string): SecretsFile | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return noSecrets;
    throw unreadable(say('secret.fileUnreadable', { file }));
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Changes the configuration together with its secrets: seals `values` and hands their references to `change`, which gets the newest
 * configuration. Afterwards, secrets that the change left without a reference are gone; if it fails, those just sealed are.
 */
export async function changeConfig(
  { config, secrets }: { config: ConfigStore; secrets: SecretStore },
  values: readonly string[],
  change: (config: Config, references: readonly string[]) => Config,
): Promise<Config> {
  const references = await secrets.seal(values);
  let before = new Set<string>();
  let upstreamsBefore: Config['upstreams'] = {};
  let after: Config;
  try {
    after = await config.update((current) => {
      before = idsIn(current);
      upstreamsBefore = current.upstreams;
      return change(current, references);
    });
  } catch (error) {
    await secrets.forget(references.flatMap(secretIdsOf));
    throw error;
  }
  await secrets.bind(bindingsOf(upstreamsBefore, after.upstreams, new Set(references.flatMap(secretIdsOf))));
  const kept = idsIn(after);
  const gone = [...before, ...references.flatMap(secretIdsOf)].filter((id) => !kept.has(id));
  await secrets.forget(gone);
  return after;
}

const idsOf = (upstream: Upstream): string[] =>
  Object.values(upstream.type === 'stdio' ? upstream.env : upstream.headers).flatMap(secretIdsOf);

const idsIn = (config: Config): Set<string> => new Set(Object.values(config.upstreams).flatMap(idsOf));

/** Where the secrets of these servers go: new ones, and those that follow a server whose arguments or path changed. */
function bindingsOf(before: Config['upstreams'], after: Config['upstreams'], sealed: ReadonlySet<string>): SecretBinding[] {
  return Object.values(after).flatMap((upstream) => {
    const to = secretTarget(upstream);
    return idsOf(upstream).flatMap((id): SecretBinding[] => {
      if (sealed.has(id)) return [{ id, to }];
      const previous = Object.values(before).find((each) => idsOf(each).includes(id) && isSameServer(each, upstream));
      const from = previous && secretTarget(previous);
      return from === undefined || from === to ? [] : [{ id, from, to }];
    });
  });
}

/** Ties secrets that an older version stored to the servers that have them now. */
export async function bindStored({ config, secrets }: { config: ConfigStore; secrets: SecretStore }): Promise<void> {
  const bindings = Object.values(config.current().upstreams).flatMap((upstream) =>
    idsOf(upstream).map((id) => ({ id, to: secretTarget(upstream) })),
  );
  if (bindings.length > 0) await secrets.bind(bindings);
}

// The allowed target of each stored secret, as hashes in a separate file, so that older versions can still read the secrets.

/** Members and forms of targets that a newer version may have added stay as they are; a target of such a form allows nothing. */
const targetsSchema = z.looseObject({ version: z.literal(1), targets: z.record(z.string(), z.unknown()) });
type TargetsFile = z.infer<typeof targetsSchema>;

const targetHash = (target: string): string => createHash('sha256').update(target).digest('hex');

interface SecretTargets {
  /** Whether the secret may go there, or has no target. Throws SECRET_UNAVAILABLE if unknown. */
  allows(id: string, target: string): boolean;
  /** These two run under the lock of the secrets. */
  bind(bindings: readonly SecretBinding[]): Promise<void>;
  forget(ids: ReadonlySet<string>): Promise<void>;
}

function openSecretTargets(directory: string): SecretTargets {
  const file = path.join(directory, 'secret-targets.json');

  function read(): TargetsFile {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return { version: 1, targets: {} };
      throw targetsUnreadable(file);
    }
    try {
      return targetsSchema.parse(JSON.parse(text));
    } catch {
      throw targetsUnreadable(file);
    }
  }

  async function change(revised: (targets: Map<string, unknown>) => void): Promise<void> {
    const before = read();
    const targets = new Map(Object.entries(before.targets));
    revised(targets);
    const after = Object.fromEntries(targets);
    if (JSON.stringify(after) === JSON.stringify(before.targets)) return;
    await writeFileAtomic(file, `${JSON.stringify({ ...before, targets: after }, null, 2)}\n`);
  }

  return {
    allows(id, target) {
      const { targets } = read();
      return !Object.hasOwn(targets, id) || targets[id] === targetHash(target);
    },
    bind: (bindings) =>
      change((targets) => {
        for (const { id, from, to } of bindings) {
          const bound = targets.get(id);
          if (bound === undefined || (from !== undefined && bound === targetHash(from))) targets.set(id, targetHash(to));
        }
      }),
    forget: (ids) =>
      change((targets) => {
        for (const id of ids) targets.delete(id);
      }),
  };
}

function targetsUnreadable(file: string): AppError {
  return new AppError('SECRET_UNAVAILABLE', say('secret.targets', { file }), {
    hint: say('secret.targets.hint'),
  });
}
