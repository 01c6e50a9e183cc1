/** Desktop features for the program: dialogs, file manager, links, start at login, keychain, notifications. */
import path from 'node:path';
import { app, type BrowserWindow, dialog, shell } from 'electron';
import type { Approval } from '../../shared/contract/approvals.ts';
import type { HostPort } from '../app/host.ts';
import { keychain } from './keychain.ts';
import { loginArguments } from './launch.ts';
import { allowedLink, signInLink } from './links.ts';
import { autostartFile, linuxAutostart, type StartAtLogin } from './linux-autostart.ts';

export interface DesktopHostOptions {
  /** The parent window of dialogs. */
  window(): BrowserWindow | undefined;
  startAtLogin: StartAtLogin;
  approvalAsked(approval: Approval): void;
}

export function desktopHost({ window, startAtLogin, approvalAsked }: DesktopHostOptions): HostPort {
  return {
    kind: 'desktop',
    secrets: keychain,
    async pick(kind) {
      const options = { properties: [kind === 'folder' ? ('openDirectory' as const) : ('openFile' as const)] };
      const parent = window();
      const { filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
      return filePaths[0] ?? null;
    },
    reveal: async (place) => shell.showItemInFolder(path.normalize(place)),
    trash: (place) => shell.trashItem(path.normalize(place)),
    openLink: (link) => shell.openExternal(allowedLink(link)),
    openSignIn: (link) => shell.openExternal(signInLink(link)),
    startAtLogin,
    approvalAsked,
  };
}

/** Started so, the app stays in the tray. `args` are those this instance was started with. */
export function systemStartAtLogin(args: string[]): StartAtLogin {
  const own = app.isPackaged ? [] : [app.getAppPath()];
  const all = [...own, ...loginArguments(args)];
  // Inside an AppImage the program is in a folder that disappears when it ends.
  if (process.platform === 'linux') return linuxAutostart(autostartFile(), [process.env.APPIMAGE ?? process.execPath, ...all]);
  const entry = { path: process.execPath, args: all };
  return {
    get: async () => app.getLoginItemSettings(entry).openAtLogin,
    set: async (openAtLogin) => app.setLoginItemSettings({ ...entry, openAtLogin }),
  };
}
