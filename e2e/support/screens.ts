/** Before the tests, on Linux without a screen: starts a virtual screen for each worker. Windows on one screen would take each other's focus and clipboard. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Values of DISPLAY, one for each worker; none where the tests use the screen that is there. */
    screens: string[];
  }
}

/** The X server chooses a free number and writes it down once it accepts clients. */
async function startScreen(): Promise<{ server: ChildProcess; display: string }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const failed = once(server, 'error').then(([error]) => Promise.reject(error as Error));
  const ended = once(server, 'exit').then(([code]) => Promise.reject(new Error(`Xvfb ended with code ${code}`)));
  const [number] = (await Promise.race([once(server.stdio[3] as Readable, 'data'), failed, ended])) as [Buffer];
  // Both lose the race, and then end with the tests.
  for (const late of [failed, ended]) late.catch(() => undefined);
  return { server, display: `:${number.toString().trim()}` };
}

const screens: Awaited<ReturnType<typeof startScreen>>[] = [];

export async function setup(project: TestProject): Promise<void> {
  const needed = process.platform === 'linux' && !process.env.DISPLAY;
  const workers = needed ? Number(project.config.maxWorkers) : 0;
  // One after the other: at once, they would try for the same number.
  while (screens.length < workers) screens.push(await startScreen());
  project.provide(
    'screens',
    screens.map(({ display }) => display),
  );
}

export async function teardown(): Promise<void> {
  for (const { server } of screens) {
    const ended = once(server, 'exit');
    if (server.kill()) await ended;
  }
}
