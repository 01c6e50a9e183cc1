/** Handlers for pending approvals. */
import type { Handlers } from '../../../shared/contract/rpc.ts';
import type { Decision } from '../../app/approvals.ts';
import type { HandlerDeps } from './deps.ts';

export function approvalHandlers({ approvals }: HandlerDeps) {
  return {
    'approvals.list': async () => approvals.list(),
    'approvals.answer': async ({ id, decision }: { id: string; decision: Decision }) => {
      await approvals.answer(id, decision);
      return {};
    },
  } satisfies Partial<Handlers>;
}
