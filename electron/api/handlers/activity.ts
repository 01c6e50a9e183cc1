/** The ledger, searched, summed and exported; running calls; pending approvals. */
import type { ActivityFilter, ChangeView } from '../../../shared/contract/activity.ts';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Decision } from '../../app/approvals.ts';
import { outcomesOf } from '../../calls/receipts.ts';
import type { HandlerDeps } from './deps.ts';

export function activityHandlers({ runtime, search }: HandlerDeps) {
  return {
    'calls.running': async () => runtime.running.list(),
    'calls.cancel': async ({ id }: { id: string }) => {
      runtime.running.cancel(id);
      return {};
    },
    'calls.stopped': async () => runtime.stopped.list(),
    'calls.outcomes': async ({ id }: { id: string }) => {
      const stored = await runtime.callDeps.receipts?.read(id);
      if (stored === undefined) return null;
      const outcomes = outcomesOf(stored);
      return {
        accepted: outcomes.count('accepted'),
        refused: outcomes.count('refused'),
        notSent: outcomes.count('not_sent'),
        unknown: outcomes.count('unknown'),
      };
    },
    'calls.resume': async ({ id }: { id: string }) => {
      await runtime.stopped.resume(id);
      return {};
    },
    'calls.dismiss': async ({ id }: { id: string }) => {
      runtime.stopped.forget(id);
      return {};
    },
    'changes.list': async () =>
      (await runtime.changes.list()).map(({ id, time, client, change, hindrance, undone = false, call = id }): ChangeView => {
        const { kind, path } = change;
        return { id, time, client, call, kind, path, from: change.kind === 'moved' ? change.from : null, undone, hindrance };
      }),
    'changes.diff': async ({ id }: { id: string }) => ({ diff: await runtime.changes.diff(id) }),
    'changes.undo': async ({ id }: { id: string }) => {
      await runtime.changes.undo(id);
      return {};
    },
    'ledger.recent': ({ limit }: { limit: number }) => runtime.ledger.recent(limit),
    'ledger.totals': () => runtime.ledger.totals(),
    'ledger.find': ({ filter, offset, limit }: { filter: ActivityFilter; offset: number; limit: number }) =>
      search.find(filter, offset, limit),
    'ledger.get': async ({ id }: { id: string }) => {
      const entry = await search.get(id);
      if (!entry) throw new AppError('INVALID_REQUEST', say('ledger.gone'));
      return { entry, ...(runtime.lastWords.of(id) ?? { message: null, trouble: null }) };
    },
    'ledger.days': ({ days }: { days: number }) => search.days(days),
    'ledger.names': () => search.names(),
    'ledger.export': async ({ filter }: { filter: ActivityFilter }) => {
      // All at once: a call that comes between two parts would shift the second.
      const { entries } = await search.find(filter, 0, Number.MAX_SAFE_INTEGER);
      return { entries };
    },
  } satisfies Partial<Handlers>;
}

export function approvalHandlers({ approvals }: HandlerDeps) {
  return {
    'approvals.list': async () => approvals.list(),
    'approvals.records': ({ id, payload, from, count }: { id: string; payload: number; from: number; count: number }) =>
      approvals.records(id, payload, from, count),
    'approvals.answer': async ({ id, decision }: { id: string; decision: Decision }) => {
      await approvals.answer(id, decision);
      return {};
    },
  } satisfies Partial<Handlers>;
}
