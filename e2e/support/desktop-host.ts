/** A desktop environment for tests: shows and clicks the tray's menu, and records notifications. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endProcess } from './filebridge.ts';
import type { SessionBus } from './session-bus.ts';

export interface MenuItem {
  label: string;
  enabled: boolean;
  separator: boolean;
  /** Null if the item has no check mark. */
  checked: boolean | null;
  items: MenuItem[];
}

export interface TrayItem {
  tooltip: string;
  /** Hash of the icon: equal for equal icons. */
  icon: string;
  menu: MenuItem[];
}

export interface Shown {
  id: number;
  title: string;
  body: string;
}

export interface DesktopHost {
  tray(): Promise<TrayItem[]>;
  /** Clicks the item with this label; several labels lead through submenus. */
  click(...path: string[]): Promise<void>;
  /** Clicks the icon itself. */
  activate(): Promise<void>;
  notifications(): Promise<Shown[]>;
  /** Clicks a notification. */
  open(notification: Shown): Promise<void>;
  close(): Promise<void>;
}

export async function startDesktopHost(bus: SessionBus): Promise<DesktopHost> {
  const script = fileURLToPath(new URL('desktop-host.py', import.meta.url));
  // Debian's Python: other ones lack the bindings.
  const child = spawn('/usr/bin/python3', [script], { env: { ...process.env, ...bus.env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => {
    const { value, done } = await answers.next();
    if (done) throw new Error('the desktop host has ended');
    const { ok, error } = JSON.parse(value) as { ok?: unknown; error?: string };
    if (error !== undefined) throw new Error(`the desktop host: ${error}`);
    return ok;
  };
  let last: Promise<unknown> = answer();
  const ask = <T>(command: object): Promise<T> => {
    const next = last
      .catch(() => undefined)
      .then(() => {
        child.stdin.write(`${JSON.stringify(command)}\n`);
        return answer();
      });
    last = next;
    return next as Promise<T>;
  };
  await last;
  return {
    tray: () => ask({ do: 'tray' }),
    async click(...path) {
      const { clicked, labels } = await ask<{ clicked: boolean; labels?: string[] }>({ do: 'click', path });
      if (!clicked) throw new Error(`There is no '${path.join("' → '")}' among ${labels?.join(', ')}`);
    },
    activate: () => ask({ do: 'activate' }),
    notifications: () => ask({ do: 'notifications' }),
    async open(notification) {
      const { opened } = await ask<{ opened: boolean }>({ do: 'open', id: notification.id });
      if (!opened) throw new Error(`The notification '${notification.title}' is gone`);
    },
    close: () => endProcess(child),
  };
}
