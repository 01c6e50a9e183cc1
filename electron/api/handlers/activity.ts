/** The ledger, searched and summed. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function activityHandlers({ runtime }: HandlerDeps) {
  return {
    'ledger.recent': ({ limit }: { limit: number }) => runtime.ledger.recent(limit),
    'ledger.totals': () => runtime.ledger.totals(),
    ...pending('ledger.find', 'ledger.get', 'ledger.days', 'ledger.names', 'ledger.export'),
  } satisfies Partial<Handlers>;
}
