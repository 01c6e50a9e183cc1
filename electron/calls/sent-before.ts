/** Files whose content went to the same tool before: noticed before they are sent, and remembered when they are. */

import type { Receipt, SentBefore } from '../../shared/model/call.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import type { PreparedPayload } from './convert.ts';
import type { OpenedFiles } from './open.ts';
import { type CallDeps, type CallerContext, lastingOwner } from './types.ts';

/** Of one call. */
const LISTED = 20;

type Target = { server: string; tool_name: string };

interface SentFiles {
  readonly request: Target;
  readonly payloads: readonly PreparedPayload[];
  readonly receiptId: string;
  readonly resumed?: unknown;
  readonly identity: { readonly args: string };
}

/** The files' hashes, without repetitions. */
function contents(payloads: readonly PreparedPayload[], opened: OpenedFiles): { path: string; sha256: string }[] {
  const byHash = new Map<string, string>();
  for (const [index, payload] of payloads.entries()) {
    for (const [file, { sha256 }] of payload.reports.entries()) {
      const path = opened.placed[index]?.files[file]?.path;
      if (path !== undefined && !byHash.has(sha256)) byHash.set(sha256, path);
    }
  }
  return [...byHash].map(([sha256, path]) => ({ path, sha256 }));
}

const sentTo = ({ upstreams }: Pick<CallDeps, 'upstreams'>, { server, tool_name: tool }: Target) => ({
  ...upstreams.target(server),
  server,
  tool,
});

/** In the place of a content's hash: whatever the file at the path held, or whatever went with these arguments. */
const ofPath = (path: string): string => `path ${path}`;
const ofArguments = (hash: string): string => `arguments ${hash}`;

/** An earlier call of this client. */
type Earlier = Pick<SentBefore, 'path' | 'receipt'>;

/**
 * The first few of the files whose content went to the tool before; this client's calls with another content of the same files; its last call
 * with the same arguments and other files.
 */
export async function filesSentBefore(
  deps: CallDeps,
  caller: Pick<CallerContext, 'owner' | 'client'>,
  request: Target,
  payloads: readonly PreparedPayload[],
  opened: OpenedFiles,
  receiptId: string,
  args: string,
): Promise<{ sentBefore: SentBefore[]; otherContent: Earlier[]; otherFile: Earlier | undefined }> {
  if (deps.sentFiles === undefined) return { sentBefore: [], otherContent: [], otherFile: undefined };
  const files = contents(payloads, opened);
  const hashes = files.map(({ sha256 }) => sha256);
  const paths = files.map(({ path }) => ofPath(path));
  const all = await deps.sentFiles.last(sentTo(deps, request), [...hashes, ...paths, ofArguments(args)], receiptId);
  const found = all.slice(0, hashes.length);
  const owner = lastingOwner(caller);
  const before = found.flatMap((last, index): SentBefore[] => {
    const path = files[index]?.path;
    if (last === undefined || path === undefined) return [];
    const own = last.owner === owner;
    return [
      {
        path,
        time: last.time,
        receipt: own ? last.id : null,
        client: own ? last.client : null,
        earlierPath: own ? last.path : null,
      },
    ];
  });
  const otherContent = all.slice(hashes.length, hashes.length + paths.length).flatMap((last, index) => {
    const path = files[index]?.path;
    const isNew = last !== undefined && last.owner === owner && last.id !== found[index]?.id;
    return isNew && path !== undefined ? [{ path, receipt: last.id }] : [];
  });
  const last = all.at(-1);
  const isOther = last !== undefined && last.owner === owner && !all.slice(0, -1).some((each) => each?.id === last.id);
  return {
    sentBefore: before.slice(0, LISTED),
    otherContent: otherContent.slice(0, LISTED),
    otherFile: isOther ? { path: last.path, receipt: last.id } : undefined,
  };
}

/** Sends, and remembers what was sent: from before the first byte on, unless the server took nothing. */
export async function notingSentFiles<T extends { receipt: Receipt | null }>(
  deps: CallDeps,
  caller: CallerContext,
  { request, payloads, receiptId, resumed, identity }: SentFiles,
  opened: OpenedFiles,
  send: () => Promise<T>,
): Promise<T> {
  const line = { id: receiptId, time: new Date().toISOString(), owner: lastingOwner(caller), client: caller.client };
  const files = contents(payloads, opened).flatMap(({ path, sha256 }, index) =>
    [sha256, ofPath(path), ...(index === 0 ? [ofArguments(identity.args)] : [])].map((key) => ({ path, sha256: key, ...line })),
  );
  const note = async (withdrawn?: boolean) => {
    try {
      await deps.sentFiles?.note(sentTo(deps, request), files, withdrawn);
    } catch (error) {
      deps.log(`that files were sent could not be noted: ${toAppError(error).text}`);
    }
  };
  await note();
  try {
    const sent = await send();
    const { recordsAccepted = 0, recordsUnknown = 0 } = sent.receipt ?? {};
    if (recordsAccepted + recordsUnknown === 0) await note(true);
    return sent;
  } catch (error) {
    if (!resumed && toAppError(error).details.mayHaveRun !== true) await note(true);
    throw error;
  }
}

/** In a sentence. */
export function sentBeforeText({ path, time, receipt, earlierPath }: SentBefore): string {
  return inAgentsWords(say('sent.before', { path, earlierPath: earlierPath === path ? null : earlierPath, time, receipt }));
}
