/** Common user actions in the window, in either host. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { askProgram } from './ask-program.ts';
import { type ClientHooks, type McpClient, openClient } from './mcp-clients.ts';
import type { OpenWindow } from './window-hosts.ts';

/** Opens a page by its link. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Opens the dialog that adds servers, at one of its ways. */
export async function addServers(page: Page, way: 'Paste' | 'Catalogue' | 'By hand' | 'From your agents'): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a server' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByRole('tab', { name: way }).click();
  return dialog;
}

/**
 * Runs an action that asks for a folder, and chooses this one: in Electron by replacing the system's dialog, in the
 * console in the page's dialog.
 */
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
  // The home folder's path fills the field when its list loads: text typed before would be appended to it.
  await expect.poll(() => field.inputValue()).not.toBe('');
  await field.fill(folder);
  await dialog.getByRole('button', { name: 'Use this folder' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Drops files and folders as the system does. `whileHeld` runs before they are released. */
export async function dropPaths(page: Page, paths: string[], whileHeld?: () => Promise<unknown>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 600, y: 300, data });
  const held = page.locator('.drop-place[data-over]');
  // A page that is still being drawn may miss the first of them, and refuse the drop.
  await expect
    .poll(async () => {
      await send('dragEnter');
      await send('dragOver');
      return held.count();
    })
    .toBe(1);
  await whileHeld?.();
  await send('drop');
  await held.waitFor({ state: 'detached' });
  await session.detach();
}

/** An agent connected over HTTP with the details that the window shows. */
export async function connectAgent(window: OpenWindow, hooks?: ClientHooks): Promise<McpClient> {
  const { url } = await askProgram(window.page, 'status.get', {});
  return openClient('v1', { url: url ?? '', token: await window.token() }, hooks);
}
