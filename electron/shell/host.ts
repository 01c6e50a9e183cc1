/** Desktop features for the program: dialogs, file manager, links, start at login, keychain, notifications. */
import path from 'node:path';
import { app, type BrowserWindow, dialog, safeStorage, shell } from 'electron';
import type { Approval } from '../../shared/contract/approvals.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { HostPort } from '../app/host.ts';
import type { SecretAccess } from '../store/types.ts';
import { loginArguments } from './launch.ts';
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

const schemes = new Set([
  'https:',
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'windsurf:',
  'zed:',
  'goose:',
  'lmstudio:',
  'claude:',
]);

/** The link as the system is given it. Throws INVALID_REQUEST. */
export function allowedLink(link: string): string {
  const address = parsed(link);
  if (address && schemes.has(address.protocol)) return address.href;
  throw new AppError('INVALID_REQUEST', say('agent.otherLink'), {
    hint: say('agent.otherLink.hint'),
  });
}

/** A server's sign-in page as the system is given it: a web page, over http too, since a server in the own network may have no other. */
export function signInLink(link: string): string {
  const address = parsed(link);
  if (address && (address.protocol === 'https:' || address.protocol === 'http:')) return address.href;
  throw new AppError('INVALID_REQUEST', say('signIn.badLink'), { hint: say('signIn.badLink.hint') });
}

/** Decides which links the system may open: pages over https, and known agents' apps. Any other link could start any program. */
function parsed(link: string): URL | undefined {
  try {
    return new URL(link);
  } catch {
    return undefined;
  }
}
