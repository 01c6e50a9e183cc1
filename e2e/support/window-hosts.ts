/** Opens the window in both of its hosts: a real Electron, and a real Chromium on the console. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from 'playwright';
import { expect } from 'vitest';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { cliFile, repository } from './cli.ts';
import { electronRuntime } from './electron-runtime.ts';
import { endProcess, type Home, openHome, type Setup } from './filebridge.ts';

export const hosts = ['electron', 'console'] as const;
export type Host = (typeof hosts)[number];

/**
 * For pages that are the same in both hosts: one of them, by turns of the test files' names, so that `npm test` stays short.
 * MATRIX=all takes both.
 */
export function eitherHost(): readonly Host[] {
  if (process.env.MATRIX === 'all') return hosts;
  return path.basename(expect.getState().testPath ?? '').length % 2 === 0 ? ['electron'] : ['console'];
}

export interface OpenWindow extends Home {
  /** The current page; another one after `restart`. */
  page: Page;
  /** Electron only. */
  app: ElectronApplication | undefined;
  /** Errors and warnings in the page's console, and uncaught exceptions. */
  complaints: string[];
  /** The agents' token, which the page must not show unasked. */
  token(): Promise<string>;
  /** Ends the program and restarts it in the same home. */
  restart(): Promise<Page>;
  close(): Promise<void>;
}

/**
 * Opens the window in a separate home, with the server for agents on a free port; `prepare` writes files there before the
 * start.
 */
export async function openWindow(
  host: Host,
  setup: Setup,
  prepare: (home: Home) => Promise<void> = async () => undefined,
): Promise<OpenWindow> {
  const home = await openHome({ ...setup, port: setup.port ?? 0 });
  await prepare(home);
  const complaints: string[] = [];
  const watch = (page: Page) => {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  };
  const open = () => (host === 'electron' ? openElectron(home, watch) : openConsole(home, watch));
  let opened = await open();
  return {
    ...home,
    get page() {
      return opened.page;
    },
    get app() {
      return opened.app;
    },
    complaints,
    async restart() {
      await opened.close();
      opened = await open();
      return opened.page;
    },
    async token() {
      const { tokens } = JSON.parse(await readFile(path.join(home.dataDirectory, 'tokens.json'), 'utf8'));
      return tokens[0].token;
    },
    async close() {
      await opened.close();
      await home.workspace.remove();
    },
  };
}

interface Opened {
  page: Page;
  app?: ElectronApplication | undefined;
  close(): Promise<void>;
}

async function openElectron(home: Home, watch: (page: Page) => void): Promise<Opened> {
  const app = await launchApp(home);
  app.on('window', watch);
  const page = await app.firstWindow();
  if (app.windows().length === 1) watch(page);
  return { page, app, close: () => app.close() };
}

/** A real Chromium: the system's if it has one. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    timeout: limits.wait,
    ...(existsSync('/usr/bin/chromium') ? { executablePath: '/usr/bin/chromium' } : {}),
    chromiumSandbox: process.getuid?.() !== 0,
  });

async function openConsole(home: Home, watch: (page: Page) => void): Promise<Opened> {
  const server = spawn(process.execPath, [cliFile, 'console'], { env: home.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const link = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const found = /Open (\S+)\n/.exec(said)?.[1];
      if (found) resolve(found);
    };
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    server.once('exit', (code) => reject(new Error(`console ended with ${code}: ${said}`)));
  });
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1120, height: 820 } });
  page.context().setDefaultTimeout(limits.wait);
  watch(page);
  await page.goto(link);
  return {
    page,
    async close() {
      await browser.close();
      await endProcess(server);
    },
  };
}

// Starts the desktop app in a real Electron, in a separate home directory.

interface AppStart {
  /** The app's own arguments, such as `--hidden`. */
  args?: string[];
  /** Chromium's, such as `--password-store=basic`. */
  switches?: string[];
  env?: Record<string, string>;
  /** Leaves out the switches that Playwright adds by default, which change how Chromium stores passwords. */
  untouched?: boolean;
}

/** Resolves once the app runs; its window may not exist yet. */
export async function launchApp(
  home: Home,
  { args = [], switches = [], env = {}, untouched }: AppStart = {},
): Promise<ElectronApplication> {
  // The electron package and Playwright both look here.
  const runtime = await electronRuntime();
  process.env.ELECTRON_OVERRIDE_DIST_PATH = runtime;
  const app = await _electron.launch({
    timeout: limits.wait,
    ...(untouched ? { executablePath: path.join(runtime, 'electron') } : {}),
    args: [...chromiumSwitches(home), ...switches, '.', ...args],
    cwd: repository,
    // A test without a session bus of its own gets none, so that it does not use this machine's tray, notifications and keyring.
    env: { ...home.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...env },
  });
  app.context().setDefaultTimeout(limits.wait);
  return app;
}

/** Options of every start in this home; Chromium's sandbox does not run as root. */
export const chromiumSwitches = (home: Home): string[] => [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  `--user-data-dir=${home.workspace.at('electron')}`,
];
