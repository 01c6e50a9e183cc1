/** Hands a text to the person as a file, and says where it went. */
import { visibleText } from '../../shared/lib/visible-text.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { useClient, useCommand } from '../api/use-client.ts';
import { useToast } from './feedback.tsx';
import { shortPath } from './path-text.tsx';
import { t } from './ui-texts.ts';

/** By the system's own dialog, else as the browser's download. */
export function useSaveText(): { save(name: string, type: string, text: string): Promise<void>; error: AppError | undefined } {
  const client = useClient();
  const saving = useCommand('places.save');
  const toast = useToast();
  return {
    error: saving.error,
    async save(name, type, text) {
      const { nativeDialogs, home } = await client.call('host.get', {});
      if (!nativeDialogs) {
        download(name, type, text);
        toast(t('downloaded', { name }));
        return;
      }
      const path = (await saving.run({ name, text }))?.path;
      if (path)
        toast(t('savedTo', { path: visibleText(shortPath(path, home)) }), {
          label: t('showInFolder'),
          run: () => client.call('places.reveal', { path }),
        });
    },
  };
}

function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the blob after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
