/** The allowed target of each stored secret, as hashes in a separate file, so that older versions can still read the secrets. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf, writeFileAtomic } from './atomic-file.ts';
import type { SecretBinding } from './types.ts';

const fileSchema = z.looseObject({ version: z.literal(1), targets: z.record(z.string(), z.string()) });
type Targets = z.infer<typeof fileSchema>['targets'];

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

  function read(): Targets {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return {};
      throw unreadable(file);
    }
    try {
      return fileSchema.parse(JSON.parse(text)).targets;
    } catch {
      throw unreadable(file);
    }
  }

  async function change(revised: (targets: Map<string, string>) => void): Promise<void> {
    const before = read();
    const targets = new Map(Object.entries(before));
    revised(targets);
    const after = Object.fromEntries(targets);
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await writeFileAtomic(file, `${JSON.stringify({ version: 1, targets: after }, null, 2)}\n`);
  }

  return {
    allows(id, target) {
      const targets = read();
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
