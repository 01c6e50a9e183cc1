/** The one window: shown when it has something to show, brought forward when asked for again. */
import path from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import { PAGE_ORIGIN } from './page-protocol.ts';

let window: BrowserWindow | undefined;

export async function showWindow(): Promise<void> {
  if (window) {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    return;
  }
  window = new BrowserWindow({
    width: 1120,
    height: 820,
    minWidth: 420,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    title: 'Filebridge',
    // The page's own ground, so that nothing flashes while it loads.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14171a' : '#f6f5f1',
    webPreferences: {
      preload: path.join(__dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window?.show());
  window.once('closed', () => {
    window = undefined;
  });
  await window.loadURL(`${PAGE_ORIGIN}/`);
}
