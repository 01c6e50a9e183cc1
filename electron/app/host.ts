/** Capabilities of the host environment: the desktop shell, or a console in a browser. */
import type { Approval } from '../../shared/contract/approvals.ts';
import type { Host } from '../../shared/contract/status.ts';
import { noKeychain } from '../store/secret-store.ts';
import type { SecretAccess } from '../store/types.ts';

export interface HostPort {
  readonly kind: Host['kind'];
  /** The cipher, or why there is none, in a sentence for the user. Asked again each time: a keychain may be unlocked later. */
  secrets(): SecretAccess;
  /** The system's own dialog; absent where there is none. */
  readonly pick?: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined;
  /** Writes a file where the person says in the system's own dialog, and returns its path; null for a dialog that was closed. */
  readonly save?: ((name: string, text: string) => Promise<string | null>) | undefined;
  /** Shows a path in the system's file manager. */
  readonly reveal?: ((path: string) => Promise<void>) | undefined;
  /** Opens a file in the app that the system has for it. */
  readonly open?: ((path: string) => Promise<void>) | undefined;
  /** Puts a file into the system's trash; throws where it has none for it. */
  readonly trash?: ((path: string) => Promise<void>) | undefined;
  /** Hands a link to the system. */
  readonly openLink?: ((url: string) => Promise<void>) | undefined;
  /** Shows a sign-in page in the person's browser. */
  readonly openSignIn?: ((url: string) => Promise<void>) | undefined;
  /** The system's proxy for an address, as a PAC file answers: `PROXY host:port; DIRECT`. */
  readonly systemProxy?: ((url: string) => Promise<string>) | undefined;
  readonly startAtLogin?: { get(): Promise<boolean>; set(enabled: boolean): Promise<void> } | undefined;
  /** Tells the user that a call waits, wherever they are looking. */
  readonly approvalAsked?: ((approval: Approval) => void) | undefined;
}

/** A program without a window of its own: no dialogs, no keychain. */
export const consoleHost: HostPort = { kind: 'console', secrets: () => noKeychain };
