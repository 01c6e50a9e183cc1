/** Allows downloads only of files made by our page, saved where the person chooses. */
import path from 'node:path';
import { app, type Session } from 'electron';
import { isOwnPage, PAGE_ORIGIN } from './page-protocol.ts';

export function saveOwnExportsOnly(session: Session): void {
  session.on('will-download', (event, item, contents) => {
    const ours = item.getURL().startsWith(`blob:${PAGE_ORIGIN}/`) && isOwnPage(contents?.getURL() ?? '');
    if (!ours) return event.preventDefault();
    // Setting a path here would skip the save dialog.
    item.setSaveDialogOptions({ defaultPath: path.join(app.getPath('downloads'), item.getFilename()) });
  });
}
