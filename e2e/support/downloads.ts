/** What the page hands to its user as a file. */
import { readFile } from 'node:fs/promises';
import type { OpenWindow } from './window-hosts.ts';

/** Does what saves a file, and reads what was saved. In Electron, the system's dialog is answered by a place of the test's own. */
export async function downloadOf(window: OpenWindow, act: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const { app, page } = window;
  if (!app) {
    const saving = page.waitForEvent('download');
    await act();
    const download = await saving;
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }
  const place = window.workspace.at('downloaded');
  const name = app.evaluate(
    ({ BrowserWindow }, path) =>
      new Promise<string>((resolve, reject) => {
        BrowserWindow.getAllWindows()[0]?.webContents.session.once('will-download', (_event, item) => {
          item.setSavePath(path);
          item.once('done', (_done, state) =>
            state === 'completed' ? resolve(item.getFilename()) : reject(new Error(`the download was ${state}`)),
          );
        });
      }),
    place,
  );
  // The listener must be there before there is something to save.
  await app.evaluate(() => undefined);
  await act();
  return { name: await name, text: await readFile(place, 'utf8') };
}
