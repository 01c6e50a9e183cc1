/** The app's window: shown on request, restored to its position, and hidden instead of closed while the app runs in the tray. */
import path from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import { errnoOf } from '../store/atomic-file.ts';
import { PAGE_ORIGIN } from './page-protocol.ts';
import { readPlace, visiblePlace, writePlace } from './window-place.ts';

export interface AppWindow {
  /** Brings the window up, at a page such as `/activity` if one is named. */
  show(page?: string): Promise<void>;
  /** Parent for dialogs; undefined while no window is visible. */
  visible(): BrowserWindow | undefined;
  /** Whether the person is looking at it. */
  focused(): boolean;
  hide(): void;
  /** Closes it for good, without waiting for its page, which may hang. */
  end(): void;
}

export interface WindowOptions {
  /** Where the window's place is kept. */
  placeFile: string;
  /** The person has closed the window, which stays open until it is hidden. */
  onClose(): void;
  /** Navigates the visible page to another one. */
  lead(window: BrowserWindow, page: string): void;
  log(line: string): void;
}

const usual = { width: 1120, height: 820 };
/** A page that fails again this soon is not shown again by itself. Milliseconds. */
const FAILS_AGAIN_MS = 30_000;

export function createAppWindow({ placeFile, onClose, lead, log }: WindowOptions): AppWindow {
  let window: BrowserWindow | undefined;
  let lastCrash = Number.NEGATIVE_INFINITY;

  async function open(page: string | undefined): Promise<void> {
    const place = visiblePlace(
      readPlace(placeFile),
      screen.getAllDisplays().map(({ workArea }) => workArea),
    );
    const opened = new BrowserWindow({
      ...usual,
      ...(place ? { x: place.x, y: place.y, width: place.width, height: place.height } : {}),
      minWidth: 420,
      minHeight: 480,
      show: false,
      autoHideMenuBar: true,
      title: 'Filebridge',
      // The page's own ground, so that nothing flashes while it loads.
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#14171a' : '#f6f5f1',
      ...(process.platform === 'linux' ? { icon: path.join(__dirname, 'icons', 'window.png') } : {}),
      webPreferences: {
        preload: path.join(__dirname, 'preload.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    });
    window = opened;
    if (place?.maximized) opened.maximize();
    // The event comes a tick later than its cause: the window may be destroyed by then.
    opened.once('ready-to-show', () => {
      if (!opened.isDestroyed()) opened.show();
    });
    opened.on('close', (event) => {
      event.preventDefault();
      keepPlace(opened);
      onClose();
    });
    opened.once('closed', () => {
      if (window === opened) window = undefined;
    });
    opened.webContents.on('render-process-gone', (_event, { reason }) => replaceCrashed(opened, reason));
    await load(opened, page);
  }

  async function load(into: BrowserWindow, page: string | undefined): Promise<void> {
    try {
      await into.loadURL(page === undefined ? `${PAGE_ORIGIN}/` : `${PAGE_ORIGIN}/#${page}`);
    } catch (error) {
      // The app ends while its window opens, or another page was asked for meanwhile: nobody waits for this one any more.
      if (!into.isDestroyed() && errnoOf(error) !== 'ERR_ABORTED') throw error;
    }
  }

  function keepPlace(kept: BrowserWindow): void {
    try {
      writePlace(placeFile, { ...kept.getNormalBounds(), maximized: kept.isMaximized() });
    } catch (error) {
      log(`the window's place could not be kept: ${error}`);
    }
  }

  /** A window whose page failed would stay blank, even after hiding and showing it. */
  function replaceCrashed(crashed: BrowserWindow, reason: string): void {
    if (reason === 'clean-exit') return;
    log(`the window's page ended: ${reason}`);
    const wasShown = crashed.isVisible();
    const again = performance.now() - lastCrash < FAILS_AGAIN_MS;
    lastCrash = performance.now();
    crashed.destroy();
    if (wasShown && !again) open(undefined).catch((error: unknown) => log(`the window could not be opened: ${error}`));
  }

  return {
    async show(page) {
      if (!window) return open(page);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      if (page === undefined) return;
      if (window.webContents.isLoading()) await load(window, page);
      else lead(window, page);
    },
    visible: () => (window?.isVisible() ? window : undefined),
    focused: () => window?.isFocused() === true,
    hide() {
      if (!window) return;
      // macOS would leave the empty full screen behind.
      if (!window.isFullScreen()) return window.hide();
      window.once('leave-full-screen', () => window?.hide());
      window.setFullScreen(false);
    },
    end() {
      if (!window) return;
      keepPlace(window);
      window.destroy();
    },
  };
}
