/** Wires the desktop app: services, window, tray, notifications, and shutdown. */
import path from 'node:path';
import { app, clipboard, dialog, nativeTheme } from 'electron';
import { createClient } from '../../shared/contract/rpc.ts';
import { pageText } from '../../shared/lib/visible-text.ts';
import { chooseLanguage, type Language } from '../../shared/model/config.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { stdioLaunch } from '../agent-apps/agent-launch.ts';
import { type Services, startServices } from '../api/services.ts';
import { agentCalledLately } from '../app/present-agents.ts';
import { dataDirectory } from '../store/paths.ts';
import { setAppMenu } from './app-menu.ts';
import { desktopHost, systemStartAtLogin } from './host.ts';
import { connectPage, tellPage } from './ipc.ts';
import type { LaunchOptions } from './launch.ts';
import { createNotices } from './notices.ts';
import { createQuestions } from './questions.ts';
import { textsIn } from './texts.ts';
import { openTray } from './tray.ts';
import { createAppWindow } from './window.ts';

export interface Desktop {
  showWindow(page?: string): void;
}

/** Maximum number of calls read to tell whether an agent is active. */
const LOOKED_THROUGH = 200;

/** Must run once the app is ready. `args` are what it was started with. */
export async function openDesktop(
  args: readonly string[],
  options: LaunchOptions,
  log: (line: string) => void,
): Promise<Desktop> {
  let services: Services | undefined;

  const settings = () => services?.runtime.config.current().app;
  const language = (): Language => chooseLanguage(settings()?.language ?? 'system', [app.getLocale()]);
  const t = () => textsIn(language());

  /** Runs an action that the person clicked, and shows its error. */
  const attempt = (work: () => Promise<unknown>) => {
    // showErrorBox would block the main process, and with it every agent, until somebody closes it.
    work().catch((error: unknown) => {
      const message = toAppError(error).text;
      log(message);
      return dialog.showMessageBox({ type: 'error', title: 'Filebridge', message: t()('failed'), detail: pageText(message) });
    });
  };
  const showWindow = (page?: string) => attempt(() => window.show(page));

  const window = createAppWindow({
    placeFile: path.join(dataDirectory(), 'window.json'),
    onClose: () => attempt(hideWindow),
    lead: (shown, page) => tellPage(shown, 'page.asked', { page }),
    log,
  });

  const questions = createQuestions(window.visible, t);

  const notices = createNotices({
    wanted: () => settings()?.notifications ?? true,
    watched: () => window.focused(),
    text: t,
    open: showWindow,
  });

  const startAtLogin = systemStartAtLogin([...args]);
  const host = desktopHost({ window: window.visible, startAtLogin, approvalAsked: notices.approvalAsked });
  const running = await startServices({ ...options, host, launch: stdioLaunch(__dirname, options), log });
  services = running;
  endInOrder(() => {
    window.end();
    return running.close();
  }, log);
  const { api, runtime } = running;
  const client = createClient({ request: api.request, subscribe: (listener) => api.subscribe(listener, { page: false }) });

  /** Says the first time that the app keeps running in the tray, and offers to quit. */
  async function hideWindow(): Promise<void> {
    if (settings()?.trayNoteShown === false && window.visible()) {
      const answer = await questions.livesOn();
      if (answer === undefined) return;
      await runtime.config.update((config) => ({ ...config, app: { ...config.app, trayNoteShown: true } }));
      if (answer === 'quit') return app.quit();
    }
    window.hide();
  }

  const agentsAreHere = async (): Promise<boolean> => {
    if (running.socket.agents() > 0) return true;
    return agentCalledLately(await client.call('ledger.recent', { limit: LOOKED_THROUGH }), Date.now());
  };

  /** Asks first if agents would lose their tools; a signal or the end of the session quits at once. */
  async function quit(): Promise<void> {
    if (!(await agentsAreHere()) || (await questions.quit()) === 'quit') app.quit();
  }

  const tray = openTray({
    client,
    startAtLogin,
    language,
    textIn: textsIn,
    log,
    actions: {
      open: showWindow,
      cancel: (id) => attempt(() => client.call('calls.cancel', { id })),
      pause: () => attempt(() => client.call('server.pause', {})),
      resume: () => attempt(() => client.call('server.resume', {})),
      copy: (text) => clipboard.writeText(text),
      setStartAtLogin: (enabled) => attempt(() => startAtLogin.set(enabled).finally(tray.refresh)),
      quit: () => attempt(quit),
    },
  });

  const follow = () => {
    nativeTheme.themeSource = settings()?.appearance ?? 'system';
    setAppMenu(t(), () => attempt(quit));
    tray.refresh();
  };
  follow();
  runtime.config.onChange(follow);

  connectPage(api);
  const status = await client.call('status.get', {});
  if (options.hidden || app.getLoginItemSettings().wasOpenedAtLogin) {
    notices.status(status);
  } else {
    notices.known(status);
    await window.show();
  }
  client.on('status.changed', notices.status);
  client.on('approvals.changed', ({ id, change }) => {
    if (change === 'closed') notices.approvalClosed(id);
  });
  return { showWindow };
}

// Shutdown in order, whatever triggered it

/** How long to wait for running work, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Ends upstream processes and finishes what is being written, once, before the app goes. */
function endInOrder(close: () => Promise<void>, log: (line: string) => void): void {
  let begun = false;
  let closed = false;
  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    if (begun) return;
    begun = true;
    setTimeout(() => {
      log('what is still being closed is left behind');
      app.exit(1);
    }, PATIENCE_MS);
    close()
      .catch((error: unknown) => log(`could not close cleanly: ${error}`))
      .finally(() => {
        closed = true;
        app.quit();
      });
  });
}
