/** Captures files that the page saves for its user. */
import { readFile } from 'node:fs/promises';
import type { OpenWindow } from './window-hosts.ts';

/** Runs an action that saves a file, and reads that file. In Electron the save dialog is answered with a temporary path. */
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
  // The listener must exist before the action starts.
  await app.evaluate(() => undefined);
  await act();
  return { name: await name, text: await readFile(place, 'utf8') };
}
