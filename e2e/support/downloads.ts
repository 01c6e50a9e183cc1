/** Captures files that the page saves for its user. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OpenWindow } from './window-hosts.ts';

/** Runs an action that saves a file, and reads that file. In Electron the save dialog is answered with a temporary path. */
export async function downloadOf(window: OpenWindow, act: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const { app, page } = window;
  if (!app) {
    const saving = page.waitForEvent('download');
    await act();
    const download = await saving;
    await page.getByText(`${download.suggestedFilename()} is in your browser’s downloads`).last().waitFor();
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }
  const place = window.workspace.at(`saved-${randomUUID()}`);
  const offered = app.evaluate(
    ({ dialog }, filePath) =>
      new Promise<string>((resolve) => {
        const real = dialog.showSaveDialog;
        dialog.showSaveDialog = (async (...given: { defaultPath?: string }[]) => {
          dialog.showSaveDialog = real;
          resolve(given.at(-1)?.defaultPath ?? '');
          return { canceled: false, filePath };
        }) as typeof dialog.showSaveDialog;
      }),
    place,
  );
  // The dialog must be replaced before the action starts.
  await app.evaluate(() => undefined);
  await act();
  const name = path.basename(await offered);
  await page.getByText(`Saved to ${place}`).waitFor();
  return { name, text: await readFile(place, 'utf8') };
}
