/** The life of the desktop window: closed into the tray, brought back by a second start, kept where it was, hidden when started so. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ElectronApplication } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from './support/cli.ts';
import { chromiumSwitches, launchApp } from './support/electron-app.ts';
import { electronRuntime } from './support/electron-runtime.ts';
import { type Home, openHome } from './support/filebridge.ts';

describe('the window', () => {
  let home: Home;
  let app: ElectronApplication;
  const windows = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => ({ shown: window.isVisible(), ...window.getBounds() })),
    );
  const shown = async () => (await windows()).filter((window) => window.shown).length;

  /** Starts the program again; resolves with its exit code. */
  async function startAgain(): Promise<number | null> {
    const second = spawn(path.join(await electronRuntime(), 'electron'), [...chromiumSwitches(home), '.'], {
      cwd: repository,
      env: { ...home.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
      stdio: 'ignore',
    });
    const [code] = await once(second, 'exit');
    return code;
  }

  beforeAll(async () => {
    home = await openHome({ upstreams: {}, port: 0, app: { welcomed: true, trayNoteShown: true } });
    app = await launchApp(home);
    const page = await app.firstWindow();
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
  });
  afterAll(async () => {
    await app?.close();
    await home?.workspace.remove();
  });

  it('closes without ending the program, and comes back with a second start, which ends', async () => {
    const { url } = await app.evaluate(({ BrowserWindow }) => ({ url: BrowserWindow.getAllWindows()[0]?.webContents.getURL() }));
    expect(url).toMatch(/^app:/);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(shown).toBe(0);
    expect(app.process().exitCode).toBeNull();
    expect(await startAgain()).toBe(0);
    await expect.poll(shown, { timeout: 10_000 }).toBe(1);
    expect(await windows()).toHaveLength(1);
  });

  it('stands where it stood, after the program was started anew', async () => {
    const place = { x: 40, y: 60, width: 900, height: 640 };
    await app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), place);
    await expect.poll(async () => (await windows())[0]).toMatchObject({ width: 900, height: 640 });
    await app.close();
    app = await launchApp(home);
    await app.firstWindow();
    await expect.poll(async () => (await windows())[0]).toMatchObject({ width: 900, height: 640 });
  });

  it('stays hidden when started with the system', async () => {
    await app.close();
    app = await launchApp(home, { args: ['--hidden'] });
    // It runs: its server for agents has announced itself.
    await expect.poll(() => app.evaluate(({ app: program }) => program.isReady())).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await shown()).toBe(0);
  });
});
