/** References in an upstream's environment and headers: `${ENV_NAME}` to this program's environment, `${secret:ID}` to the secret store. */
import type { Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

const reference = /\$\{(?:secret:([A-Za-z0-9_-]+)|([A-Za-z_][A-Za-z0-9_]*))\}/g;
const sealedReference = /\$\{secret:([A-Za-z0-9_-]+)\}/g;

/** Where values come from. */
export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Throws SECRET_UNAVAILABLE. Absent: this program has no stored secrets. */
  reveal?: ((id: string, target: string) => string) | undefined;
}

/** How the configuration refers to a stored secret. */
export const secretReference = (id: string): string => `\${secret:${id}}`;

/** Ids of the stored secrets that a value refers to. */
export const secretIdsOf = (value: string): string[] => [...value.matchAll(sealedReference)].map((match) => match[1] ?? '');

/** The target of a server's secrets: a program with its arguments, or the origin of an address. */
export const secretTarget = (upstream: Upstream): string =>
  upstream.type === 'stdio'
    ? JSON.stringify(['command', upstream.command, ...upstream.args])
    : JSON.stringify(['origin', new URL(upstream.url).origin]);

/** Whether a person who changed one entry into the other meant the same server: the same program, or the same origin. */
export const isSameServer = (one: Upstream, other: Upstream): boolean =>
  one.type === 'stdio' && other.type === 'stdio'
    ? one.command === other.command
    : one.type !== 'stdio' && other.type !== 'stdio' && secretTarget(one) === secretTarget(other);

/** Names of the environment variables that a value refers to. */
export const variablesOf = (value: string): string[] =>
  [...value.matchAll(reference)].map((match) => match[2]).filter((name) => name !== undefined);

/** A variable or header of an entry. */
interface ValuePlace {
  kind: string;
  name: string;
}

/**
 * The upstream with every reference in its env or header values replaced. Arguments and URLs are left alone: they show in process
 * lists and logs. Throws CONFIG_INVALID for a variable that is not set, SECRET_UNAVAILABLE for a secret that cannot be read, naming
 * server and place, never a value.
 */
export function resolveSecrets(upstream: Upstream, { env, reveal }: SecretSources, name?: string): Upstream {
  const server = name ?? (upstream.type === 'stdio' ? upstream.command : new URL(upstream.url).host);
  const variable = (wanted: string, place: ValuePlace) => {
    const found = env[wanted];
    if (found !== undefined) return found;
    throw new AppError('CONFIG_INVALID', say('secret.variable', { server, variable: wanted, ...place }), {
      hint: say('secret.variable.hint', { variable: wanted }),
      details: { variable: wanted },
    });
  };
  const stored = (id: string, place: ValuePlace) => {
    try {
      if (reveal) return reveal(id, secretTarget(upstream));
      throw new AppError('SECRET_UNAVAILABLE', say('secret.keepsNone'));
    } catch (error) {
      const { asText, hintAsText } = toAppError(error);
      throw new AppError('SECRET_UNAVAILABLE', say('secret.stored', { server, ...place, reason: asText }), {
        hint: hintAsText ?? say('secret.again.hint'),
      });
    }
  };
  const resolve = (values: Record<string, string>, kind: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const place = { kind, name: key };
        const replaced = value.replace(reference, (_, id: string | undefined, wanted: string) =>
          id === undefined ? variable(wanted, place) : stored(id, place),
        );
        return [key, replaced];
      }),
    );
  return upstream.type === 'stdio'
    ? { ...upstream, env: resolve(upstream.env, 'env') }
    : { ...upstream, headers: resolve(upstream.headers, 'header') };
}
