/** Starts the built desktop app, or a minimal app, in a separate home directory, for measuring. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { repository } from '../../e2e/support/cli.ts';
import { electronRuntime } from '../../e2e/support/electron-runtime.ts';

export interface StartedApp {
  page: Page;
  app: ElectronApplication;
  /** From spawning the process until the heading is visible. Milliseconds. */
  startMs: number;
  close(): Promise<void>;
}

const flags = () => [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'];

async function start(target: string, env: Record<string, string>, userData: string): Promise<StartedApp> {
  process.env.ELECTRON_OVERRIDE_DIST_PATH = await electronRuntime();
  const began = performance.now();
  const app = await _electron.launch({
    args: [...flags(), `--user-data-dir=${userData}`, target],
    cwd: repository,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  const page = await app.firstWindow();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const startMs = performance.now() - began;
  return {
    page,
    app,
    startMs,
    async close() {
      const { pid } = app.process();
      // Closing the window leaves the tray running, so the process is ended.
      if (pid !== undefined) process.kill(pid, 'SIGTERM');
      await new Promise((resolve) => app.process().once('exit', resolve));
    },
  };
}

export interface AppHome {
  directory: string;
  at(...parts: string[]): string;
  open(): Promise<StartedApp>;
  remove(): Promise<void>;
}

/** A configured home directory for Filebridge, temporary unless one is named. */
export async function filebridgeHome(
  config: (at: (...parts: string[]) => string) => object,
  { directory: named, env: more = {} }: { directory?: string; env?: Record<string, string> } = {},
): Promise<AppHome> {
  const directory = named ?? (await mkdtemp(path.join(os.tmpdir(), 'filebridge-bench-')));
  const at = (...parts: string[]) => path.join(directory, ...parts);
  await mkdir(directory, { recursive: true });
  await writeFile(at('config.json'), JSON.stringify({ version: 1, server: { port: 0 }, app: { welcomed: true }, ...config(at) }));
  const env = { FILEBRIDGE_CONFIG: at('config.json'), FILEBRIDGE_DATA: at('data'), ...more };
  return {
    directory,
    at,
    open: () => start('.', env, at('electron')),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** An app with one window and one heading: the cost of the runtime itself. */
export async function bareHome(): Promise<AppHome> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bare-bench-'));
  const at = (...parts: string[]) => path.join(directory, ...parts);
  await writeFile(at('package.json'), '{ "name": "bare", "main": "main.cjs" }');
  await writeFile(
    at('main.cjs'),
    `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow({ width: 1120, height: 820 }).loadURL('data:text/html,<h1>Ready</h1>'));
app.on('window-all-closed', () => app.quit());`,
  );
  return {
    directory,
    at,
    open: () => start(directory, {}, at('electron')),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Proportional set size of a process and all its descendants, in bytes: shared pages are counted once. Linux only. */
export async function memoryOf(pid: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = /\) \S (\d+)/.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const descends = (id: number): boolean => id === pid || (parents.has(id) && descends(parents.get(id) as number));
  let bytes = 0;
  for (const id of parents.keys()) {
    if (!descends(id)) continue;
    const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    bytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  }
  return bytes;
}

/** Starts recording the time between frames in the page. */
export const watchFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const gaps: number[] = [];
    let last = performance.now();
    const tick = (now: number) => {
      gaps.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame((now) => {
      last = now;
      requestAnimationFrame(tick);
    });
    Object.assign(window, { frameGaps: gaps });
  });

/** The times between frames since the last request. Milliseconds. */
export const frameGaps = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { frameGaps: number[] }).frameGaps.splice(0));
