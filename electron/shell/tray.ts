/** The tray: its icon and menu follow what happens. */
import path from 'node:path';
import { Menu, nativeTheme, Tray } from 'electron';
import type { Client } from '../../shared/contract/rpc.ts';
import type { Language } from '../../shared/model/config.ts';
import type { StartAtLogin } from './linux-autostart.ts';
import type { Text } from './texts.ts';
import { type TrayActions, type TrayState, type TrayView, tooltip, trayMenu, trayState } from './tray-menu.ts';

export interface TrayOptions {
  client: Client;
  actions: TrayActions;
  startAtLogin: StartAtLogin;
  language(): Language;
  textIn(language: Language): Text;
  log(line: string): void;
}

export interface AppTray {
  /** Draws what has changed. */
  refresh(): void;
}

const LAST_CALLS = 5;
/** Delay that groups events, in milliseconds. */
const SETTLED_MS = 100;
/** Refresh interval in milliseconds, since no event announces a new day. */
const CLOCK_MS = 5 * 60_000;

export function openTray({ client, actions, startAtLogin, language, textIn, log }: TrayOptions): AppTray {
  let tray: Tray | undefined;
  let view: TrayView | undefined;
  let drawn = '';
  let settling = false;
  let look = 0;

  async function read(): Promise<TrayView> {
    /** Unreadable data is left out, so that the menu item for the window is always there. */
    const part = <T>(reading: Promise<T>, without: T): Promise<T> =>
      reading.catch((error: unknown) => {
        log(`the tray's menu lacks a part: ${error}`);
        return without;
      });
    const [status, recent, totals, approvals, calls, atLogin] = await Promise.all([
      client.call('status.get', {}),
      part(client.call('ledger.recent', { limit: LAST_CALLS }), []),
      part(client.call('ledger.totals', {}), null),
      part(client.call('approvals.list', {}), []),
      part(client.call('calls.running', {}), []),
      part<boolean | null>(startAtLogin.get(), null),
    ]);
    const tokensSavedToday = totals === null ? 0 : totals.today.tokensMeasured + totals.today.tokensEstimated;
    const running = calls.flatMap(({ needsApproval, id, server, tool, paths }) =>
      needsApproval ? [] : { id, server, tool, paths },
    );
    return { status, recent, tokensSavedToday, waiting: approvals.length, running, startAtLogin: atLogin };
  }

  function draw(): void {
    if (!view) return;
    const { status } = view;
    const icon = iconOf(trayState(status));
    const spoken = language();
    // A menu that is replaced while it is open closes.
    const now = JSON.stringify([view, icon, spoken]);
    if (now === drawn) return;
    drawn = now;
    const t = textIn(spoken);
    if (tray) tray.setImage(icon);
    else tray = raise(icon);
    tray.setToolTip(tooltip(view, t));
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(view, actions, t, spoken)));
  }

  function raise(icon: string): Tray {
    const raised = new Tray(icon);
    // On macOS a click opens the menu.
    if (process.platform !== 'darwin') raised.on('click', () => actions.open());
    return raised;
  }

  async function update(): Promise<void> {
    look += 1;
    const mine = look;
    const seen = await read();
    // A later read that finished earlier is newer.
    if (mine === look) view = seen;
    draw();
  }

  function refresh(): void {
    if (settling) return;
    settling = true;
    setTimeout(() => {
      settling = false;
      update().catch((error: unknown) => log(`the tray could not be drawn: ${error}`));
    }, SETTLED_MS);
  }

  client.on('status.changed', refresh);
  client.on('ledger.appended', refresh);
  client.on('approvals.changed', refresh);
  client.on('calls.changed', refresh);
  nativeTheme.on('updated', draw);
  setInterval(refresh, CLOCK_MS);
  refresh();
  return { refresh };
}

/** The ink that suits the panel; macOS inks by itself. */
function iconOf(state: TrayState): string {
  const name =
    process.platform === 'darwin'
      ? `${state}Template`
      : `${state}-on-${panelIsDark() ? 'dark' : 'light'}-${process.platform === 'win32' ? 16 : 22}`;
  return path.join(__dirname, 'icons', `${name}.png`);
}

function panelIsDark(): boolean {
  // GNOME's is dark in every theme.
  if (process.platform === 'linux' && /gnome|unity|pantheon/i.test(process.env.XDG_CURRENT_DESKTOP ?? '')) return true;
  // Windows tells its taskbar's and the programs' themes apart, Electron from 33 on.
  return nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ?? nativeTheme.shouldUseDarkColors;
}
