/** Previews: opened, looked into, bound, sent. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function previewHandlers(_deps: HandlerDeps) {
  return {
    ...pending(
      'preview.get',
      'preview.rows',
      'preview.json',
      'preview.bind',
      'preview.open',
      'preview.close',
      'preview.send',
      'welcome.verify',
    ),
  } satisfies Partial<Handlers>;
}
