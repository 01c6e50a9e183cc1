/**
 * Ends servers whose Filebridge was killed. A killed program runs no code of its own. A small shell is told which process groups run. When its
 * input ends, Filebridge has ended, and the shell ends the groups that have not ended by themselves. Windows has no such shell.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** What an MCP server may take to end when its input has ended (seconds). */
const GRACE_S = 2;

/** Lines of `+ GROUP` and `- GROUP`. A group's id can be given anew only after it ended, which `-` says. */
const script = `
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
alive() { for group in $groups; do kill -0 "-$group" 2>/dev/null && return 0; done; return 1; }
waits() { left=$1; while [ "$left" -gt 0 ]; do alive || exit 0; sleep 1; left=$((left - 1)); done; }
waits ${GRACE_S}
for group in $groups; do kill -TERM "-$group" 2>/dev/null; done
waits 1
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`;

let watchdog: ChildProcess | undefined;

function told(line: string): void {
  if (process.platform === 'win32') return;
  if (!watchdog) {
    // A group of its own: what ends ours must not end it.
    watchdog = spawn('/bin/sh', ['-c', script], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { PATH: process.env.PATH },
    });
    // Without a shell, as in some containers, there is no watchdog.
    watchdog.on('error', () => undefined);
    watchdog.stdin?.on('error', () => undefined);
    watchdog.unref();
    (watchdog.stdin as Socket | null)?.unref();
  }
  watchdog.stdin?.write(`${line}\n`);
}

export const watchGroup = (group: number): void => told(`+ ${group}`);
export const unwatchGroup = (group: number): void => told(`- ${group}`);
