/** Folders: allowed, suggested, looked into, judged. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function folderHandlers({ runtime }: HandlerDeps) {
  return {
    'folders.list': async () =>
      (await runtime.files.folders()).map(({ path, access, realPath }) => ({
        path,
        access,
        exists: realPath !== null,
        fixed: runtime.fixed.folders,
      })),
    ...pending(
      'folders.suggest',
      'folders.glance',
      'paths.explain',
      'places.browse',
      'folders.add',
      'folders.remove',
      'places.pick',
      'places.reveal',
    ),
  } satisfies Partial<Handlers>;
}
