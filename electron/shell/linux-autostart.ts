/**
 * Starting at login on Linux: a desktop entry in the user's autostart folder (XDG Desktop Application Autostart
 * and Desktop Entry Specification 1.5).
 */
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errnoOf, writeFileAtomic } from '../store/atomic-file.ts';

export interface StartAtLogin {
  get(): Promise<boolean>;
  set(enabled: boolean): Promise<void>;
}

/** XDG says that a relative path in its variables is to be ignored. */
export function autostartFile(env: Readonly<Record<string, string | undefined>> = process.env, home = os.homedir()): string {
  const config = env.XDG_CONFIG_HOME;
  return path.join(config && path.isAbsolute(config) ? config : path.join(home, '.config'), 'autostart', 'filebridge.desktop');
}

/** `command` is the program and its arguments. */
export function linuxAutostart(file: string, command: readonly string[]): StartAtLogin {
  return {
    async get() {
      try {
        const entry = await readFile(file, 'utf8');
        // The desktop's own settings switch an entry off by these.
        if (/^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(entry)) return false;
        // One that starts a program of another place, such as an AppImage since moved, starts nothing, or not this one.
        const [program = ''] = command;
        return entry.split('\n').some((line) => `${line} `.startsWith(`Exec=${execArgument(program)} `));
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return false;
        throw error;
      }
    },
    async set(enabled) {
      if (enabled) await writeFileAtomic(file, desktopEntry(command), 0o644);
      else await rm(file, { force: true });
    },
  };
}

function desktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Filebridge',
    `Exec=${command.map(execArgument).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quoted for Exec, then escaped as every string of a desktop entry is. A percent sign would be a field code. */
function execArgument(argument: string): string {
  const quoted = `"${argument.replaceAll(/["`$\\]/g, '\\$&')}"`;
  return quoted.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\n', '\\n');
}
