/** Calls that wait for a person's word. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function approvalHandlers(_deps: HandlerDeps) {
  return { ...pending('approvals.list', 'approvals.answer') } satisfies Partial<Handlers>;
}
