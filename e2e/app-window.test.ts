/** The desktop app's window as a window: closed to the tray, brought back, kept in its place, and able to do no more than it should. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { repository } from './support/cli.ts';
import { type Home, openHome } from './support/filebridge.ts';
import { chromiumSwitches, launchApp } from './support/window-hosts.ts';

/** Starts the app once more, as a click on its icon would, and gives its exit code. */
async function startAgain(home: Home, ...args: string[]): Promise<number> {
  const electron: string = createRequire(import.meta.url)('electron');
  const env = { ...home.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
  const second = spawn(electron, [...chromiumSwitches(home), '.', ...args], { cwd: repository, env, stdio: 'ignore' });
  const [code] = await once(second, 'exit');
  return code;
}

const isShown = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
/** As the person's click on the window's cross. */
const closeWindow = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const boundsOf = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
const trayNoteShown = async (home: Home) => JSON.parse(await readFile(home.configFile, 'utf8')).app.trayNoteShown;

/** Answers the system's dialogs in the person's place, in turn, and gives what they said. */
async function answerDialogs(app: ElectronApplication, ...answers: number[]): Promise<() => Promise<{ message: string }[]>> {
  await app.evaluate(({ dialog }, given) => {
    const seen: unknown[] = [];
    const left = [...given];
    Reflect.set(globalThis, 'asked', seen);
    Reflect.set(dialog, 'showMessageBox', async (...question: unknown[]) => {
      seen.push(question.at(-1));
      return { response: left.shift() };
    });
  }, answers);
  return () => app.evaluate(() => Reflect.get(globalThis, 'asked'));
}

describe('closing the window', () => {
  let home: Home;
  let app: ElectronApplication;

  beforeEach(async () => {
    home = await openHome({ app: { language: 'en' }, port: 0 });
    app = await launchApp(home);
    const page = await app.firstWindow();
    await page.getByRole('main').waitFor();
    await expect.poll(() => isShown(app)).toBe(true);
    return async () => {
      await app.close();
      await home.workspace.remove();
    };
  });

  it('leaves the app running, says so the first time, and a second start brings the window back', async () => {
    const asked = await answerDialogs(app, 0);
    await closeWindow(app);
    await expect.poll(() => isShown(app)).toBe(false);
    expect(await asked()).toMatchObject([{ message: 'Filebridge keeps running', buttons: ['Keep running', 'Quit Filebridge'] }]);
    expect(await trayNoteShown(home)).toBe(true);

    expect(await startAgain(home)).toBe(0);
    await expect.poll(() => isShown(app)).toBe(true);
    await closeWindow(app);
    await expect.poll(() => isShown(app)).toBe(false);
    expect(await asked()).toHaveLength(1);
    const [page] = app.windows();
    expect((page && (await askProgram(page, 'status.get', {})))?.state).toBe('running');
  });

  it('ends the app for who says that they meant that', async () => {
    await answerDialogs(app, 1);
    const ended = once(app.process(), 'exit');
    await closeWindow(app);
    expect(await ended).toEqual([0, null]);
    expect(await trayNoteShown(home)).toBe(true);
  });

  it('does not keep the app from ending when it is told to', async () => {
    const asked = await answerDialogs(app);
    const ended = once(app.process(), 'exit');
    app.process().kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await expect(asked()).rejects.toThrow();
  });
});

describe('the window', () => {
  it('is not there when the app starts hidden, and comes with a second start', async () => {
    const home = await openHome({ port: 0 });
    const app = await launchApp(home, { args: ['--hidden'] });
    try {
      // The app is up: this file comes last.
      await expect.poll(() => readFile(path.join(home.dataDirectory, 'running.json'), 'utf8').catch(() => '')).not.toBe('');
      expect(await startAgain(home, '--hidden')).toBe(0);
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
      const opened = app.waitForEvent('window');
      expect(await startAgain(home)).toBe(0);
      await (await opened).getByRole('main').waitFor();
    } finally {
      await app.close();
      await home.workspace.remove();
    }
  });

  it('may be gone before it is ready, and no dialog holds the app up', async () => {
    const home = await openHome({ port: 0 });
    const app = await launchApp(home, { args: ['--hidden'] });
    try {
      await expect.poll(() => readFile(path.join(home.dataDirectory, 'running.json'), 'utf8').catch(() => '')).not.toBe('');
      const thrown = await app.evaluate(
        ({ app: running, dialog }) =>
          new Promise<string[]>((resolve) => {
            const shown: string[] = [];
            dialog.showErrorBox = (_title, text) => void shown.push(text);
            running.once('browser-window-created', (_event, window) => {
              setImmediate(() => {
                window.destroy();
                try {
                  window.emit('ready-to-show');
                } catch (error) {
                  shown.push(String(error));
                }
                // An exception that nobody catches, in an event handler.
                setImmediate(() => {
                  setImmediate(() => resolve(shown));
                  throw new Error('unexpected');
                });
              });
            });
            running.emit('activate');
          }),
      );
      expect(thrown).toEqual([]);
      expect(await startAgain(home)).toBe(0);
      await expect.poll(() => isShown(app)).toBe(true);
    } finally {
      await app.close();
      await home.workspace.remove();
    }
  });

  it('comes back where it was, unless no screen shows that place', async () => {
    const home = await openHome({ port: 0 });
    let app = await launchApp(home);
    try {
      const place = { x: 60, y: 70, width: 800, height: 640 };
      const kept = path.join(home.dataDirectory, 'window.json');
      await app.firstWindow();
      await app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), place);
      await expect.poll(() => boundsOf(app)).toEqual(place);
      await app.close();

      app = await launchApp(home);
      await app.firstWindow();
      expect(await boundsOf(app)).toEqual(place);
      await app.close();
      expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ ...place, maximized: false });

      await writeFile(kept, JSON.stringify({ ...place, x: 20_000, maximized: false }));
      app = await launchApp(home);
      await app.firstWindow();
      const found = await boundsOf(app);
      expect(found?.x).toBeLessThan(5_000);
    } finally {
      await app.close();
      await home.workspace.remove();
    }
  });
});

describe('what the page can reach through the window', () => {
  let home: Home;
  let app: ElectronApplication;
  let page: Page;

  beforeAll(async () => {
    home = await openHome({ port: 0 });
    app = await launchApp(home);
    page = await app.firstWindow();
    await page.getByRole('main').waitFor();
  });
  afterAll(async () => {
    await app?.close();
    await home?.workspace.remove();
  });

  it('is the path of a file that was dropped, and of no other', async () => {
    const dropped = await home.file('dropped here.csv', 'a,b\n');
    await page.evaluate(() => {
      document.addEventListener(
        'drop',
        (event) => {
          const files = [...(event.dataTransfer?.files ?? [])];
          Reflect.set(
            window,
            'found',
            files.map((file) => Reflect.get(window, 'filebridge').pathOf(file)),
          );
        },
        { capture: true, once: true },
      );
      document.addEventListener('dragenter', (event) => event.preventDefault(), { capture: true });
      document.addEventListener('dragover', (event) => event.preventDefault(), { capture: true });
    });
    const devtools = await page.context().newCDPSession(page);
    const data = { items: [], files: [dropped], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    }
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'found'))).toEqual([dropped]);
    const made = await page.evaluate(() =>
      Reflect.get(window, 'filebridge').pathOf(new File(['made by the page'], '/etc/passwd')),
    );
    expect(made).toBeNull();
    // Nothing has navigated to the file, either.
    expect(page.url()).toMatch(/^app:\/\/filebridge\//);
  });

  it('is a save dialog for its own exports, and no other download', async () => {
    const target = home.workspace.at('saved.csv');
    await app.evaluate(({ session }, place) => {
      const seen: unknown[] = [];
      Reflect.set(globalThis, 'downloads', seen);
      // Comes after the app's own listener, and picks the place that a person would.
      session.defaultSession.on('will-download', (event, item) => {
        const { defaultPath } = item.getSaveDialogOptions();
        seen.push({ refused: event.defaultPrevented, name: item.getFilename(), offered: defaultPath ?? '' });
        item.setSavePath(place);
      });
    }, target);
    const downloads = () => app.evaluate(() => Reflect.get(globalThis, 'downloads'));
    const download = (address: 'blob' | string, name: string) =>
      page.evaluate(
        ([from, as]) => {
          const link = document.createElement('a');
          link.href = from === 'blob' ? URL.createObjectURL(new Blob(['a,b\r\n1,2\r\n'], { type: 'text/csv' })) : from;
          link.download = as;
          link.click();
        },
        [address, name] as const,
      );
    await download('blob', 'calls.csv');
    await expect.poll(() => readFile(target, 'utf8').catch(() => '')).toBe('a,b\r\n1,2\r\n');
    expect(await downloads()).toEqual([{ refused: false, name: 'calls.csv', offered: expect.stringMatching(/calls\.csv$/) }]);

    await download('app://filebridge/index.html', 'page.html');
    await expect.poll(downloads).toMatchObject([{ name: 'calls.csv' }, { refused: true, name: 'page.html' }]);
    expect(await readFile(target, 'utf8')).toBe('a,b\r\n1,2\r\n');
  });

  it("is the system's own dialog for choosing, and its file manager", async () => {
    const chosen = home.at('chosen');
    await app.evaluate(({ dialog, shell }, place) => {
      Reflect.set(dialog, 'showOpenDialog', async (...given: unknown[]) => {
        Reflect.set(globalThis, 'chosenWith', given.at(-1));
        return { canceled: false, filePaths: [place] };
      });
      Reflect.set(shell, 'showItemInFolder', (shown: string) => Reflect.set(globalThis, 'revealed', shown));
    }, chosen);
    expect(await askProgram(page, 'host.get', {})).toMatchObject({ kind: 'desktop', nativeDialogs: true, canStartAtLogin: true });
    expect(await askProgram(page, 'places.pick', { kind: 'folder' })).toEqual({ path: chosen });
    expect(await app.evaluate(() => Reflect.get(globalThis, 'chosenWith'))).toEqual({ properties: ['openDirectory'] });
    await askProgram(page, 'places.reveal', { path: home.at('.keep') });
    expect(await app.evaluate(() => Reflect.get(globalThis, 'revealed'))).toBe(home.at('.keep'));
  });

  it("is the system's appearance, as the settings have it", async () => {
    const source = () => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
    expect(await source()).toBe('system');
    await askProgram(page, 'settings.update', { changes: { app: { appearance: 'dark' } } });
    await expect.poll(source).toBe('dark');
    await askProgram(page, 'settings.update', { changes: { app: { appearance: 'system' } } });
    await expect.poll(source).toBe('system');
  });

  it('is no camera, no other window, no other place, and nothing that is fetched from there', async () => {
    const address = page.url();
    const found = await page.evaluate(async () => {
      const refused = (work: Promise<unknown>) =>
        work.then(
          () => false,
          () => true,
        );
      const opened = window.open('https://example.com/');
      const camera = await refused(navigator.mediaDevices.getUserMedia({ video: true }));
      const fetched = await refused(fetch('https://example.com/'));
      location.href = 'https://example.com/';
      return { opened, camera, fetched, location: (await navigator.permissions.query({ name: 'geolocation' })).state };
    });
    expect(found).toEqual({ opened: null, camera: true, fetched: true, location: 'denied' });
    expect(page.url()).toBe(address);
    expect(app.windows()).toHaveLength(1);
  });
});
