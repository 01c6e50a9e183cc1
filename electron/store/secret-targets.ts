/** The allowed target of each stored secret, as hashes in a separate file, so that older versions can still read the secrets. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf, writeFileAtomic } from './atomic-file.ts';
import type { SecretBinding } from './types.ts';

/** Members and forms of targets that a newer version may have added stay as they are; a target of such a form allows nothing. */
const fileSchema = z.looseObject({ version: z.literal(1), targets: z.record(z.string(), z.unknown()) });
type TargetsFile = z.infer<typeof fileSchema>;

const hashOf = (target: string): string => createHash('sha256').update(target).digest('hex');

export interface SecretTargets {
  /** Whether the secret may go there, or has no target. Throws SECRET_UNAVAILABLE if unknown. */
  allows(id: string, target: string): boolean;
  /** These two run under the lock of the secrets. */
  bind(bindings: readonly SecretBinding[]): Promise<void>;
  forget(ids: ReadonlySet<string>): Promise<void>;
}

export function openSecretTargets(directory: string): SecretTargets {
  const file = path.join(directory, 'secret-targets.json');

  function read(): TargetsFile {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return { version: 1, targets: {} };
      throw unreadable(file);
    }
    try {
      return fileSchema.parse(JSON.parse(text));
    } catch {
      throw unreadable(file);
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
      return !Object.hasOwn(targets, id) || targets[id] === hashOf(target);
    },
    bind: (bindings) =>
      change((targets) => {
        for (const { id, from, to } of bindings) {
          const bound = targets.get(id);
          if (bound === undefined || (from !== undefined && bound === hashOf(from))) targets.set(id, hashOf(to));
        }
      }),
    forget: (ids) =>
      change((targets) => {
        for (const id of ids) targets.delete(id);
      }),
  };
}

function unreadable(file: string): AppError {
  return new AppError('SECRET_UNAVAILABLE', say('secret.targets', { file }), {
    hint: say('secret.targets.hint'),
  });
}
