/** Ensures that a call sends exactly what was approved: it is refused if a file, the server's entry or the tool has changed since. */
import { isDeepStrictEqual } from 'node:util';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import type { ApprovalRequest, CallDeps } from './deps.ts';
import type { OpenedFiles } from './payloads.ts';
import { entryFingerprint, toolFingerprint } from './tool-fingerprint.ts';

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
