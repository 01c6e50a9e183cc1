/** Desktop features for the program: dialogs, file manager, links, start at login, keychain, notifications. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { app, type BrowserWindow, dialog, safeStorage, session, shell } from 'electron';
import type { Approval } from '../../shared/contract/approvals.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { HostPort } from '../app/host.ts';
import { writeFailed } from '../files/failures.ts';
import type { SecretAccess } from '../store/types.ts';
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
    async save(name, text) {
      const options = { defaultPath: path.join(app.getPath('documents'), name) };
      const parent = window();
      const { filePath } = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options));
      if (!filePath) return null;
      await writeFile(filePath, text).catch((error: unknown) => {
        throw writeFailed(filePath, error);
      });
      return filePath;
    },
    reveal: async (place) => shell.showItemInFolder(path.normalize(place)),
    async open(place) {
      const problem = await shell.openPath(path.normalize(place));
      if (problem !== '') throw new AppError('INTERNAL', problem);
    },
    trash: (place) => shell.trashItem(path.normalize(place)),
    openLink: (link) => shell.openExternal(allowedLink(link)),
    openSignIn: (link) => shell.openExternal(signInLink(link)),
    systemProxy: (url) => session.defaultSession.resolveProxy(url),
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

// The system's keychain through Electron's safeStorage, or the reason why there is none

/** Asked at each use: a keychain may be unlocked, or a keyring installed, while the app runs. */
function keychain(): SecretAccess {
  // Chromium's fallback on Linux uses a publicly known password.
  const inClear = process.platform === 'linux' && backend() === 'basic_text';
  if (inClear || !safeStorage.isEncryptionAvailable()) return { reason: reasons[process.platform] ?? reasons.linux };
  return {
    cipher: {
      encrypt: (text) => safeStorage.encryptString(text).toString('base64'),
      decrypt: (sealed) => safeStorage.decryptString(Buffer.from(sealed, 'base64')),
    },
  };
}

/** Electron before 26 does not report the backend; it says that no encryption is available instead. */
function backend(): string | undefined {
  return typeof safeStorage.getSelectedStorageBackend === 'function' ? safeStorage.getSelectedStorageBackend() : undefined;
}

const reasons: Partial<Record<NodeJS.Platform, Message>> & { linux: Message } = {
  linux: say('secret.noKeyring'),
  darwin: say('secret.macKeychain'),
  win32: say('secret.windowsKey'),
};
