/** Fingerprints of tools that a person always allows: hashes of the server's entry and of each part of the tool's definition. */

import { createHash } from 'node:crypto';
import type { ToolFingerprint, Upstream } from '../../shared/model/config.ts';
import type { UpstreamTool } from '../upstream/types.ts';

/** Why an "always" holds no longer: the parts that changed, or `unrecorded` where nothing was kept with it. */
export type Lapse = keyof ToolFingerprint | 'unrecorded';

export function toolFingerprint(upstream: Upstream, tool: UpstreamTool): ToolFingerprint {
  return {
    entry: entryFingerprint(upstream),
    description: digest([tool.title, tool.description]),
    inputSchema: digest(tool.inputSchema),
    outputSchema: digest(tool.outputSchema),
    annotations: digest(tool.annotations),
  };
}

/** The same parts as a person reads them; null for a part that the definition does not have. */
export type ToolTexts = Record<keyof ToolFingerprint, string | null>;

/** Longer texts are cut, visibly. Characters. */
const TEXT_CHARS = 20_000;

/** `place` is where calls go, with secrets masked. */
export function toolTexts(upstream: Upstream, place: { target: string; folder: string | null }, tool: UpstreamTool): ToolTexts {
  const names = Object.keys(upstream.type === 'stdio' ? upstream.env : upstream.headers).sort();
  return {
    entry: shown([place.target, place.folder, names.join(', ')].filter((line) => line !== null && line !== '').join('\n')),
    description: shown([tool.title, tool.description].filter((text) => typeof text === 'string').join('\n')),
    inputSchema: shown(tool.inputSchema),
    outputSchema: shown(tool.outputSchema),
    annotations: shown(tool.annotations),
  };
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, inKeyOrder, 2);
  const more = text.length - TEXT_CHARS;
  return more > 0 ? `${text.slice(0, TEXT_CHARS)}… (+${more})` : text;
}

/** Whether the person always allowed this tool as it is now, and if they allowed it as something else, what changed. */
export function alwaysAllowed(upstream: Upstream, tool: UpstreamTool): { allowed: boolean; lapsed: Lapse[] } {
  if (!upstream.confirmExcept?.includes(tool.name)) return { allowed: false, lapsed: [] };
  const { confirmSeen = {} } = upstream;
  const seen = Object.hasOwn(confirmSeen, tool.name) ? confirmSeen[tool.name] : undefined;
  if (seen === undefined) return { allowed: false, lapsed: ['unrecorded'] };
  const now = toolFingerprint(upstream, tool);
  const lapsed = (Object.keys(now) as (keyof ToolFingerprint)[]).filter((part) => now[part] !== seen[part]);
  return { allowed: lapsed.length === 0, lapsed };
}

export const entryFingerprint = (upstream: Upstream): string => digest(entryOf(upstream));

/** Where calls go. Values of variables and headers are left out: tokens are renewed. */
function entryOf(upstream: Upstream): unknown {
  return upstream.type === 'stdio'
    ? [upstream.type, upstream.command, upstream.args, upstream.cwd, Object.keys(upstream.env).sort()]
    : [upstream.type, upstream.url, Object.keys(upstream.headers).sort()];
}

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, inKeyOrder) ?? '')
    .digest('hex')
    .slice(0, 32);

/** A server may list the same members in another order at its next start. */
function inKeyOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
