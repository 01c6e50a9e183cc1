/** Fingerprints of tools that a person always allows: hashes of the server's entry and of each part of the tool's definition. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ToolFingerprint, Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import type { OpenedFiles } from './payloads.ts';
import type { ApprovalRequest, CallDeps } from './types.ts';

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

// Ensures that a call sends exactly what was approved: it is refused if a file, the server's entry or the tool has changed since.

/** After an approval. Throws FILE_CHANGED. */
export async function refuseIfChangedSinceShown(opened: OpenedFiles): Promise<void> {
  try {
    await opened.assertUnchanged();
  } catch (cause) {
    const { details } = toAppError(cause);
    const path = typeof details.path === 'string' ? details.path : null;
    throw new AppError('FILE_CHANGED', say('approval.fileChanged', { path }), {
      hint: say('approval.fileChanged.hint'),
      details,
      cause,
    });
  }
}

/** After an approval. Throws CONFIRMATION_REFUSED, and what the server's tools throw. */
export async function refuseIfToolChangedSinceShown(
  { upstreams }: Pick<CallDeps, 'upstreams'>,
  { server, tool, fingerprint }: ApprovalRequest,
  signal: AbortSignal,
): Promise<void> {
  const now = await upstreams.tool(server, tool, { signal });
  if (isDeepStrictEqual(toolFingerprint(upstreams.config(server), now), fingerprint)) return;
  throw new AppError('CONFIRMATION_REFUSED', say('approval.toolChanged', { server, tool }), {
    hint: say('approval.toolChanged.hint'),
  });
}

/** Gives a check for the batches of one call. It throws UPSTREAM_CLOSED once they would go to another command or address. */
export function sameServerOnly({ upstreams }: Pick<CallDeps, 'upstreams'>, server: string): () => void {
  const before = entryFingerprint(upstreams.config(server));
  return () => {
    if (entryFingerprint(upstreams.config(server)) === before) return;
    throw new AppError('UPSTREAM_CLOSED', say('server.changed', { server, starting: false }));
  };
}

/** The same arguments, whose stream fails with FILE_CHANGED at its end if a file changed meanwhile: the message is never completed. */
export function unchangedToTheEnd(args: JsonStream, opened: OpenedFiles): JsonStream {
  return {
    bytes: args.bytes,
    async *json(signal, options) {
      for await (const chunk of args.json(signal, options)) yield chunk;
      await opened.assertUnchanged();
    },
  };
}
