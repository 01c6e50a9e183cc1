/** Files whose content went to the same tool before: noticed before they are sent, and remembered when they are. */

import type { Receipt, SentBefore } from '../../shared/model/call.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, type Message, say } from '../../shared/model/messages/message.ts';
import type { SentFile } from '../store/sent-files.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import type { PreparedPayload } from './convert.ts';
import type { OpenedFiles } from './open.ts';
import { type CallDeps, type CallerContext, type FileCallRequest, lastingOwner } from './types.ts';

/** Of one call. */
const LISTED = 20;

type Target = { server: string; tool_name: string };

interface SentFiles {
  readonly request: Pick<FileCallRequest, 'server' | 'tool_name' | 'batch'>;
  readonly tool: UpstreamTool;
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
  settings: upstreams.settingsHash(server),
  server,
  tool,
});

/** In the place of a content's hash: whatever the file at the path held, or whatever went with these arguments. */
const ofPath = (path: string): string => `path ${path}`;
const ofArguments = (hash: string): string => `arguments ${hash}`;

/** An earlier call of this client. */
export interface Earlier {
  readonly path: string;
  readonly receipt: string;
  /** Set for one with the same content and arguments whose end was not noted: it still runs, or nobody knows what became of it. */
  readonly openSince?: string | undefined;
}

/** What went to the tool before. */
interface EarlierCalls {
  /** The last time of each content, of any client. */
  readonly sentBefore: SentBefore[];
  /** This client's calls with the same files, whatever they held then; the last one first. */
  readonly earlier: Earlier[];
  /** This client's last call with the same arguments and other files. */
  readonly otherFile: Earlier | undefined;
}

export async function filesSentBefore(
  deps: CallDeps,
  caller: Pick<CallerContext, 'owner' | 'client'>,
  request: Target,
  payloads: readonly PreparedPayload[],
  opened: OpenedFiles,
  receiptId: string,
  args: string,
): Promise<EarlierCalls> {
  if (deps.sentFiles === undefined) return { sentBefore: [], earlier: [], otherFile: undefined };
  const files = contents(payloads, opened);
  const keys = [...files.map(({ sha256 }) => sha256), ...files.map(({ path }) => ofPath(path))];
  const all = await deps.sentFiles.recent(sentTo(deps, request), [...keys, ofArguments(args)], receiptId);
  const owner = lastingOwner(caller);
  const sentBefore = files.flatMap(({ path }, index): SentBefore[] => {
    const last = all[index]?.[0];
    if (last === undefined) return [];
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
  const open = new Map(openIn([...all.slice(0, files.length), ...all.slice(-1)], owner).map(({ id, time }) => [id, time]));
  const earlier = all.slice(0, -1).flatMap((list, index) =>
    list.flatMap((each): Earlier[] => {
      const { path = each.path } = files[index % files.length] ?? {};
      return each.owner === owner ? [{ path, receipt: each.id, openSince: open.get(each.id) }] : [];
    }),
  );
  const [last] = all.at(-1) ?? [];
  const isOther = last !== undefined && last.owner === owner && !earlier.some(({ receipt }) => receipt === last.id);
  return {
    sentBefore: sentBefore.slice(0, LISTED),
    earlier: [...new Map(earlier.map((each) => [each.receipt, each])).values()],
    otherFile: isOther ? { path: last.path, receipt: last.id } : undefined,
  };
}

/** The calls of this client that are in each list, and whose end is in none. */
function openIn([first = [], ...others]: readonly (readonly SentFile[])[], owner: string): SentFile[] {
  return first.filter(
    ({ id, owner: its, state }) =>
      its === owner && state === 'sending' && others.every((list) => list.some((each) => each.id === id)),
  );
}

/** Whether a call that was made before can be made again without a question: it says so, or only takes what is left, or changes nothing. */
export const mayRepeat = ({ batch }: Pick<FileCallRequest, 'batch'>, { annotations }: UpstreamTool): boolean =>
  (typeof batch === 'object' &&
    (batch.again === true || batch.ranges !== undefined || batch.start !== undefined || batch.resume !== undefined)) ||
  annotations?.readOnlyHint === true ||
  annotations?.idempotentHint === true;

/** The error for a call that was made before, and whose end is not known. */
export const madeBefore = (path: string, { id, time }: Pick<SentFile, 'id' | 'time'>): AppError =>
  new AppError('PARTLY_SENT', say('receipt.madeBefore', { path, time, id }), { hint: say('receipt.madeBefore.hint') });

/**
 * Sends, and remembers what was sent: from before the first byte on, unless the server took nothing. Throws PARTLY_SENT where the same call began
 * a little earlier: each looks for the other once both are noted, so that only the first goes on.
 */
export async function notingSentFiles<T extends { receipt: Receipt | null }>(
  deps: CallDeps,
  caller: CallerContext,
  { request, tool, payloads, receiptId, resumed, identity }: SentFiles,
  opened: OpenedFiles,
  send: () => Promise<T>,
): Promise<T> {
  const line = { id: receiptId, time: new Date().toISOString(), owner: lastingOwner(caller), client: caller.client };
  const to = sentTo(deps, request);
  const files = contents(payloads, opened);
  const lines = files.flatMap(({ path, sha256 }, index) =>
    [sha256, ofPath(path), ...(index === 0 ? [ofArguments(identity.args)] : [])].map((key) => ({ path, sha256: key, ...line })),
  );
  const note = async (state: SentFile['state']) => {
    try {
      await deps.sentFiles?.note(
        to,
        lines.map((each) => ({ ...each, state })),
      );
    } catch (error) {
      deps.log(`that files were sent could not be noted: ${toAppError(error).text}`);
    }
  };
  await note('sending');
  try {
    if (!deps.byPerson && !mayRepeat(request, tool)) {
      const keys = [...files.map(({ sha256 }) => sha256), ofArguments(identity.args)];
      const before = (await deps.sentFiles?.recent(to, keys, receiptId, 'before')) ?? [];
      for (const each of openIn(before, line.owner)) {
        const isReceipt = (await deps.receipts?.read(each.id)) !== undefined;
        if (!isReceipt || (await deps.receipts?.isOpen(each.id))) throw madeBefore(files[0]?.path ?? each.path, each);
      }
    }
    const sent = await send();
    const { recordsAccepted = 0, recordsUnknown = 0 } = sent.receipt ?? {};
    await note(recordsAccepted + recordsUnknown === 0 ? 'withdrawn' : 'sent');
    return sent;
  } catch (error) {
    if (!resumed && toAppError(error).details.mayHaveRun !== true) await note('withdrawn');
    throw error;
  }
}

export const sentBeforeMessage = ({ path, time, receipt, earlierPath }: SentBefore): Message =>
  say('sent.before', { path, earlierPath: earlierPath === path ? null : earlierPath, time, receipt });

/** In a sentence. */
export const sentBeforeText = (before: SentBefore): string => inAgentsWords(sentBeforeMessage(before));
