/** Downloads: files that our own page has made, saved where the person says; nothing else. */
import path from 'node:path';
import { app, type Session } from 'electron';
import { isOwnPage, PAGE_ORIGIN } from './page-protocol.ts';

export function saveOwnExportsOnly(session: Session): void {
  session.on('will-download', (event, item, contents) => {
    const ours = item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`) && isOwnPage(contents?.getURL() ?? '');
    if (!ours) return event.preventDefault();
    // A path that is set here would be written without a question.
    item.setSaveDialogOptions({ defaultPath: path.join(app.getPath('downloads'), item.getFilename()) });
  });
}
