/** Settings, tokens, reset. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function settingsHandlers(_deps: HandlerDeps) {
  return {
    ...pending('settings.get', 'settings.update', 'settings.setStartAtLogin', 'tokens.rotate', 'settings.reset'),
  } satisfies Partial<Handlers>;
}
