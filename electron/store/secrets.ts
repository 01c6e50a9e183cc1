/** `${ENV_NAME}` references in an upstream's environment and headers. */
import type { Upstream } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * The upstream with every reference in its env or header values replaced. Arguments and URLs are left alone: they show in process
 * lists and logs. Throws CONFIG_INVALID naming the variable that is missing, never a value.
 */
export function resolveSecrets(upstream: Upstream, env: Readonly<Record<string, string | undefined>>, name?: string): Upstream {
  const shown = name ?? (upstream.type === 'stdio' ? upstream.command : new URL(upstream.url).host);
  const resolve = (values: Record<string, string>, place: string) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        value.replace(reference, (_, variable: string) => {
          const found = env[variable];
          if (found !== undefined) return found;
          throw new AppError(
            'CONFIG_INVALID',
            `Server '${shown}' needs the environment variable ${variable} for ${place} '${key}', and it is not set`,
            { hint: `Set ${variable} before starting Filebridge, or enter the value in its settings`, details: { variable } },
          );
        }),
      ]),
    );
  return upstream.type === 'stdio'
    ? { ...upstream, env: resolve(upstream.env, 'env') }
    : { ...upstream, headers: resolve(upstream.headers, 'header') };
}
