/** Pending approvals: calls that wait for the person at the window or console. */

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Approval, ApprovalChange } from '../../shared/contract/approvals.ts';
import type { ToolFingerprint } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';

import type { ApprovalAnswer, ApprovalRequest, CallerContext, ToolTexts } from '../calls/types.ts';

export type Decision = 'once' | 'always' | 'refuse';

export interface ApprovalsOptions {
  /** Time limit of an approval (milliseconds). */
  timeoutMs: () => number;
  /** How many approvals of one client may be open at a time; four times as many of all clients. */
  maxOpen: () => number;
  /** The person does not want to be asked about this tool again, as long as it stays what it is. */
  always: (server: string, tool: string, fingerprint: ToolFingerprint, texts: ToolTexts) => Promise<void>;
  /** The tool as it was when the person last said so. */
  before?: (server: string, tool: string) => Promise<ToolTexts | undefined>;
  /** Interval of progress notifications to the waiting client (milliseconds). */
  heartbeatMs?: number;
}

export interface Approvals {
  /** For the calls: resolves with the outcome. Rejects when the call is cancelled, or too many are open already. */
  approve(request: ApprovalRequest, caller: CallerContext): Promise<ApprovalAnswer>;
  list(): Approval[];
  /** Records of a payload, by their place among those that are sent. Throws INVALID_REQUEST for a question that is no longer open. */
  records(id: string, payload: number, from: number, count: number): Promise<string[]>;
  /** Throws INVALID_REQUEST for a question that is no longer open. */
  answer(id: string, decision: Decision): Promise<void>;
  /** Hears of each change, with the approval it is about. */
  onChange(listener: (change: ApprovalChange['change'], approval: Approval) => void): () => void;
  /** Refuses all pending approvals. */
  close(): void;
}

interface Waiting {
  approval: Omit<Approval, 'leftMs'>;
  readRecords: ApprovalRequest['readRecords'];
  /** When it expires, by the monotonic clock. */
  deadline: number;
  fingerprint: ToolFingerprint;
  texts: ToolTexts;
  /** Whose it is: names may be chosen, tokens may not. */
  owner: string | null;
  settle(answer: ApprovalAnswer): void;
  /** Stops the clock while an answer is being kept; gives what starts it again. */
  hold(): () => void;
  held: boolean;
}

const HEARTBEAT_MS = 15_000;
/** Over stdio a client is a connection, of which an agent can open many. */
const CLIENTS = 4;
/** Size limit of all open approvals' texts together, because a page reads them in one answer. */
const SHOWN_CHARS = 8 * 1024 * 1024;
/** Minimum time left for an approval whose answer could not be saved. Milliseconds. */
const SECOND_CHANCE_MS = 30_000;
/** Far below any real step, so that the call's own progress goes on from it. */
const HEARTBEAT_STEP = 1e-6;

const textLength = ({
  arguments: parts,
  description,
  payloads,
  changes,
  meta = '',
  loss,
}: Pick<Approval, 'arguments' | 'description' | 'payloads' | 'changes' | 'meta' | 'loss'>): number =>
  [
    ...parts,
    description,
    meta,
    loss?.diff,
    loss?.replacement,
    ...payloads.flatMap(({ first, last }) => [...first, ...last]),
    ...changes.flatMap(({ before, after }) => [before, after]),
  ].reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);

const ownerOf = ({ owner, client }: CallerContext): string | null => owner ?? client;

export function createApprovals(options: ApprovalsOptions): Approvals {
  const waiting = new Map<string, Waiting>();
  const listeners = new Set<(change: ApprovalChange['change'], approval: Approval) => void>();
  const shown = ({ approval, deadline }: Waiting): Approval => ({
    ...approval,
    leftMs: Math.max(0, Math.round(deadline - performance.now())),
  });
  const list = () => [...waiting.values()].map(shown);
  const changed = (change: ApprovalChange['change'], held: Waiting) => {
    for (const listener of [...listeners]) listener(change, shown(held));
  };

  /** The parts that changed since the person always allowed the tool. */
  async function changesSince({ server, tool, lapsed, texts }: ApprovalRequest): Promise<Approval['changes']> {
    const before = await options.before?.(server, tool);
    if (before === undefined) return [];
    return lapsed.flatMap((part) =>
      part === 'unrecorded' || before[part] === texts[part] ? [] : [{ part, before: before[part], after: texts[part] }],
    );
  }

  function assertRoom(request: ApprovalRequest, changes: Approval['changes'], caller: CallerContext): void {
    const shown = list().reduce((sum, each) => sum + textLength(each), textLength({ ...request, changes }));
    if (waiting.size > 0 && shown > SHOWN_CHARS) {
      throw new AppError('CONFIRMATION_REFUSED', say('approval.longOnes'), {
        hint: say('approval.longOnes.hint'),
      });
    }
    const most = options.maxOpen();
    const own = [...waiting.values()].filter(({ owner }) => owner === ownerOf(caller)).length;
    if (own < most && waiting.size < most * CLIENTS) return;
    const waits = own < most ? { open: waiting.size, of: 'all' as const } : { open: own, of: 'client' as const };
    throw new AppError('CONFIRMATION_REFUSED', say('approval.many', waits), {
      hint: say('approval.many.hint'),
    });
  }

  function ask(request: ApprovalRequest, changes: Approval['changes'], caller: CallerContext): Promise<ApprovalAnswer> {
    const timeoutMs = options.timeoutMs();
    const { fingerprint, texts, readRecords, ...about } = request;
    const { client, call = null } = caller;
    const approval = { id: randomUUID(), call, asked: new Date().toISOString(), client, ...about, changes };
    return new Promise((resolve, reject) => {
      let beats = 0;
      const heartbeat = setInterval(() => {
        beats += 1;
        caller.progress({ progress: beats * HEARTBEAT_STEP, message: inAgentsWords(say('approval.waiting')) });
      }, options.heartbeatMs ?? HEARTBEAT_MS);
      const expireIn = (ms: number) => setTimeout(() => settle('unanswered'), ms);
      let expiry = expireIn(timeoutMs);
      const leave = () => {
        clearInterval(heartbeat);
        clearTimeout(expiry);
        caller.signal.removeEventListener('abort', cancel);
        waiting.delete(approval.id);
        changed('closed', held);
      };
      const settle = (answer: ApprovalAnswer) => {
        leave();
        resolve(answer);
      };
      const cancel = () => {
        leave();
        reject(new AppError('CANCELLED', say('call.cancelled')));
      };
      const held: Waiting = {
        approval,
        readRecords,
        deadline: performance.now() + timeoutMs,
        fingerprint,
        texts,
        owner: ownerOf(caller),
        settle,
        held: false,
        hold() {
          held.held = true;
          clearTimeout(expiry);
          return () => {
            held.held = false;
            if (!waiting.has(approval.id)) return;
            const left = Math.max(held.deadline - performance.now(), SECOND_CHANCE_MS);
            held.deadline = performance.now() + left;
            expiry = expireIn(left);
            changed('prolonged', held);
          };
        },
      };
      waiting.set(approval.id, held);
      caller.signal.addEventListener('abort', cancel);
      changed('asked', held);
    });
  }

  function openOne(id: string): Waiting {
    const found = waiting.get(id);
    if (found && !found.held) return found;
    throw new AppError('INVALID_REQUEST', say('approval.closed'), {
      hint: found ? say('approval.answering') : say('approval.over'),
    });
  }

  return {
    async approve(request, caller) {
      const changes = request.lapsed.length === 0 ? [] : await changesSince(request);
      caller.signal.throwIfAborted();
      assertRoom(request, changes, caller);
      return ask(request, changes, caller);
    },
    list,
    async records(id, payload, from, count) {
      return (await openOne(id).readRecords?.(payload, from, count)) ?? [];
    },
    async answer(id, decision) {
      const found = openOne(id);
      const { server, tool } = found.approval;
      if (decision === 'always' && found.approval.loss) {
        throw new AppError('INVALID_REQUEST', say('approval.onceOnly'), {
          hint: say('approval.onceOnly.hint'),
        });
      }
      if (decision === 'always') {
        // Keeping it takes a while: neither the clock nor another window may say otherwise meanwhile.
        const letGo = found.hold();
        try {
          await options.always(server, tool, found.fingerprint, found.texts);
        } catch (error) {
          letGo();
          throw error;
        }
      }
      found.settle(decision === 'refuse' ? 'refused' : 'allowed');
      if (decision !== 'always') return;
      // Other calls of the same tool wait for the same answer.
      for (const { approval, fingerprint, settle } of [...waiting.values()]) {
        const alike = approval.server === server && approval.tool === tool && isDeepStrictEqual(fingerprint, found.fingerprint);
        if (alike) settle('allowed');
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      for (const { settle } of [...waiting.values()]) settle('unanswered');
      listeners.clear();
    },
  };
}
