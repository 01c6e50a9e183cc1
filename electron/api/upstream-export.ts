/** The servers as a standard `mcpServers` block, with `${NAME}` where secrets were. */
import type { Upstream } from '../../shared/model/config.ts';
import { secretIdsOf } from '../store/secrets.ts';
import { MASK, maskedArguments, maskedUrl } from '../upstream/masking.ts';
import { isSecretValue, valuesOf } from './upstream-draft.ts';

export function exportText(upstreams: Readonly<Record<string, Upstream>>): string {
  const names = referenceNames(upstreams);
  const servers = Object.entries(upstreams).map(([name, upstream]) => [name, exported(name, upstream, names)]);
  return `${JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)}\n`;
}

function exported(server: string, upstream: Upstream, names: ReferenceNames): object {
  const values = Object.fromEntries(
    Object.entries(valuesOf(upstream)).map(([name, value]) => [
      name,
      isSecretValue(name, value) ? withReference(value, names.of(server, name, upstream.type)) : value,
    ]),
  );
  const some = Object.keys(values).length > 0;
  const disabled = upstream.enabled ? {} : { disabled: true };
  if (upstream.type !== 'stdio') {
    const url = unmasked(maskedUrl(upstream.url), server);
    return { type: upstream.type, url, ...(some ? { headers: values } : {}), ...disabled };
  }
  return {
    command: upstream.command,
    args: maskedArguments(upstream.args).map((arg) => unmasked(arg, server)),
    ...(some ? { env: values } : {}),
    ...(upstream.cwd === null ? {} : { cwd: upstream.cwd }),
    ...disabled,
  };
}

/** Keeps what stands around a stored secret, or before a token: `Bearer ${NAME}`. */
function withReference(value: string, name: string): string {
  const reference = `\${${name}}`;
  if (secretIdsOf(value).length > 0) return value.replace(/\$\{secret:[^}]*\}/g, () => reference);
  const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? '';
  return `${scheme}${reference}`;
}

const unmasked = (text: string, server: string) => text.replaceAll(MASK, () => `\${${upperName(server)}_SECRET}`);

interface ReferenceNames {
  of(server: string, variable: string, type: Upstream['type']): string;
}

/** A variable's own name where it is a secret of one server only; with the server's name before it otherwise. */
function referenceNames(upstreams: Readonly<Record<string, Upstream>>): ReferenceNames {
  const uses = new Map<string, number>();
  for (const upstream of Object.values(upstreams)) {
    if (upstream.type !== 'stdio') continue;
    for (const name of Object.keys(upstream.env)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  return {
    of(server, variable, type) {
      if (type === 'stdio' && uses.get(variable) === 1 && /^[A-Za-z_]\w*$/.test(variable)) return variable;
      const what = /^authorization$/i.test(variable) ? 'TOKEN' : upperName(variable.replace(/^x-/i, ''));
      return `${upperName(server)}_${what}`;
    },
  };
}

/** As environment variables are called: `My server` → `MY_SERVER`. */
function upperName(text: string): string {
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return /^[A-Z]/.test(name) ? name : `_${name}`;
}
