/** What persons do in the window again and again, in either host. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { askProgram } from './ask-program.ts';
import { type ClientHooks, type McpClient, openClient } from './mcp-clients.ts';
import type { OpenWindow } from './window-hosts.ts';

/** Goes to a page by its link. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Does what asks for a folder, and chooses this one: in the system's dialog, which no test can click, or in the page's own. */
export async function chooseFolder(window: OpenWindow, folder: string, ask: () => Promise<unknown>): Promise<void> {
  const { app, page } = window;
  if (app) {
    await app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = (async () => ({ canceled: false, filePaths: [chosen] })) as typeof dialog.showOpenDialog;
    }, folder);
    await ask();
    return;
  }
  await ask();
  const dialog = page.getByRole('dialog', { name: 'Choose a folder' });
  const field = dialog.getByRole('textbox', { name: 'Path' });
  // The home folder's path comes into the field when its list does: what is typed just then is put behind it.
  await expect.poll(() => field.inputValue()).not.toBe('');
  await field.fill(folder);
  await dialog.getByRole('button', { name: 'Use this folder' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Drops files and folders as the system does it. `whileHeld` runs before they are released. */
export async function dropPaths(page: Page, paths: string[], whileHeld?: () => Promise<unknown>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
  await send('dragEnter');
  await send('dragOver');
  await whileHeld?.();
  await send('drop');
  await session.detach();
}

/** An agent that is connected over HTTP, as this window tells agents to. */
export async function connectAgent(window: OpenWindow, hooks?: ClientHooks): Promise<McpClient> {
  const { url } = await askProgram(window.page, 'status.get', {});
  return openClient('v1', { url: url ?? '', token: await window.token() }, hooks);
}
