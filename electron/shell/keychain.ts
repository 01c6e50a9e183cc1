/** The system's keychain through Electron's safeStorage, or the reason why there is none. */
import { safeStorage } from 'electron';
import { type Message, say } from '../../shared/model/messages/message.ts';
import type { SecretAccess } from '../store/types.ts';

/** Asked at each use: a keychain may be unlocked, or a keyring installed, while the app runs. */
export function keychain(): SecretAccess {
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
