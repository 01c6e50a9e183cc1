/** Servers taken over from installed agents and from pasted text. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function upstreamImportHandlers(_deps: HandlerDeps) {
  return { ...pending('upstreams.found', 'upstreams.import', 'upstreams.importText') } satisfies Partial<Handlers>;
}
