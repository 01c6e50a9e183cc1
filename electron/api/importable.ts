/** Describes what a server would run or connect to, to be shown before it is added. */
import type { ImportableUpstream } from '../../shared/contract/upstreams.ts';
import { scalarText } from '../../shared/lib/scalar-text.ts';
import type { Upstream } from '../../shared/model/config.ts';
import type { ReadEntry } from '../agent-apps/server-entries.ts';
import { exactTarget, maskedArguments, maskedUrl } from '../upstream/masking.ts';
import { valuesOf } from './upstream-draft.ts';
import { isSameServer, secretNames } from './upstream-import.ts';

export function importable(
  name: string,
  { standard, upstream }: Pick<ReadEntry, 'standard' | 'upstream'>,
  configured: readonly Upstream[],
): ImportableUpstream {
  const address = scalarText(standard.url ?? standard.serverUrl ?? standard.httpUrl ?? '');
  const words = [standard.command, ...(Array.isArray(standard.args) ? standard.args.flat() : [])].map(scalarText).filter(Boolean);
  return {
    name,
    type: upstream?.type ?? (standard.command === undefined ? 'http' : 'stdio'),
    target: upstream ? exactTarget(upstream) : address === '' ? maskedArguments(words).join(' ') : maskedUrl(address),
    folder: upstream?.type === 'stdio' ? (upstream.cwd ?? null) : null,
    variables: upstream ? Object.keys(valuesOf(upstream)) : [],
    secrets: upstream ? secretNames(upstream) : [],
    present: upstream !== null && configured.some((other) => isSameServer(upstream, other)),
  };
}
