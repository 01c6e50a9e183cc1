/** The tray as a person meets it: what its menu says, what its items do, and what notifications lead to. Linux only: the desktop is ours. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopHost, type MenuItem, startDesktopHost, type TrayItem } from './support/desktop-host.ts';
import { type Home, openHome } from './support/filebridge.ts';
import { type McpClient, openClient } from './support/mcp-clients.ts';
import { type SessionBus, startSessionBus } from './support/session-bus.ts';
import { skippedFor } from './support/skipping.ts';
import { everything } from './support/upstreams.ts';
import { launchApp } from './support/window-hosts.ts';

const notLinux = process.platform === 'linux' ? undefined : 'the tray of this system cannot be read from outside';

describe.skipIf(notLinux)(`the tray${skippedFor(notLinux)}`, () => {
  let bus: SessionBus;
  let desktop: DesktopHost;
  let home: Home;
  let app: ElectronApplication;
  let agent: McpClient | undefined;

  beforeAll(async () => {
    bus = await startSessionBus();
    desktop = await startDesktopHost(bus);
    const asks = { ...everything(), confirm: 'always' };
    home = await openHome({ upstreams: { everything: everything(), asks }, app: { language: 'en' }, port: 0 });
    app = await launchApp(home, {
      args: ['--hidden'],
      env: { ...bus.env, XDG_CONFIG_HOME: home.workspace.at('xdg') },
    });
  });
  afterAll(async () => {
    await agent?.close();
    await app?.close();
    await desktop?.close();
    await bus?.close();
    await home?.workspace.remove();
  });

  const tray = async (): Promise<TrayItem | undefined> => (await desktop.tray())[0];
  const labels = async () => (await tray())?.menu.map(({ label, separator }) => (separator ? '—' : label)) ?? [];
  const item = async (label: string): Promise<MenuItem | undefined> => (await tray())?.menu.find((one) => one.label === label);
  const connect = async (): Promise<McpClient> => {
    const url = await app.evaluate(async ({ clipboard }) => clipboard.readText());
    const { tokens } = JSON.parse(await readFile(path.join(home.dataDirectory, 'tokens.json'), 'utf8'));
    return openClient('v1', { url, token: tokens[0].token });
  };

  /** Nobody looks at the window any more: the system tells of it a while after it was asked to hide it. */
  const hideWindow = async () => {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await expect
      .poll(() =>
        app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((one) => one.isVisible() || one.isFocused())),
      )
      .toBe(false);
  };
  /** A call that waits for an approval; its answer is taken later, also where something else fails before. */
  const asking = () => {
    const call = agent?.call('call_tool', { server: 'asks', tool_name: 'echo', tool_args: { message: 'hello' } });
    call?.catch(() => undefined);
    return call;
  };

  it('says that it runs and what can be done', async () => {
    await expect
      .poll(labels)
      .toEqual([
        expect.stringMatching(/^Running on 127\.0\.0\.1:\d+$/),
        '—',
        'Open Filebridge',
        'Pause',
        '—',
        'No calls yet',
        'Saved today: 0 tokens',
        '—',
        'Copy address',
        'Start at login',
        '—',
        'Quit Filebridge',
      ]);
    expect((await tray())?.tooltip).toContain('Running on 127.0.0.1');
    expect((await item('Start at login'))?.checked).toBe(false);
    expect(app.windows()).toHaveLength(0);
  });

  it('pauses and resumes, and shows it', async () => {
    const running = (await tray())?.icon;
    await desktop.click('Pause');
    await expect.poll(labels).toContain('Paused: calls are refused');
    const paused = (await tray())?.icon;
    expect(paused).not.toBe(running);
    await desktop.click('Resume');
    await expect.poll(labels).toContain('Pause');
    expect((await tray())?.icon).toBe(running);
  });

  it('copies the address, at which an agent then finds Filebridge; its call is listed', async () => {
    await desktop.click('Copy address');
    await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    agent = await connect();
    const file = await home.file('a_letter & more.txt', 'A text that no agent has to type out. '.repeat(300));
    const answer = await agent.call('call_tool_with_file_content', {
      server: 'everything',
      tool_name: 'echo',
      path: file,
      data_key: 'message',
      as: 'text',
    });
    expect(answer.isError).toBe(false);
    await expect
      .poll(async () => (await item('Last calls'))?.items.map(({ label }) => label))
      .toEqual([expect.stringMatching(/^✓ .*echo · everything · a_letter & more\.txt$/)]);
    expect((await labels()).find((label) => label.startsWith('Saved today'))).toMatch(/^Saved today: [\d,]{4,} tokens$/);
  });

  it('opens the window at a call that is clicked', async () => {
    const [call] = (await item('Last calls'))?.items ?? [];
    const opened = app.waitForEvent('window');
    await desktop.click('Last calls', call?.label ?? '');
    const page = await opened;
    await page.getByRole('dialog').filter({ hasText: 'a_letter & more.txt' }).waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#\/activity\/.+/);
  });

  it('shows a call while it runs, and cancels it', async () => {
    const call = agent?.call('call_tool', {
      server: 'everything',
      tool_name: 'trigger-long-running-operation',
      tool_args: { duration: 50, steps: 50 },
    });
    await expect.poll(labels).toContain('1 call is running');
    expect((await tray())?.tooltip).toContain('1 call is running');
    await desktop.click('1 call is running', 'Cancel trigger-long-running-operation · everything');
    expect((await call)?.text).toContain('The user cancelled this call in Filebridge');
    await expect.poll(labels).not.toContain('1 call is running');
  });

  it('starts at login when ticked', async () => {
    const entry = home.workspace.at('xdg', 'autostart', 'filebridge.desktop');
    await desktop.click('Start at login');
    await expect.poll(async () => (await item('Start at login'))?.checked).toBe(true);
    expect(await readFile(entry, 'utf8')).toMatch(/^Exec=".*electron.*" ".*" "--hidden"$/m);
    await desktop.click('Start at login');
    await expect.poll(async () => (await item('Start at login'))?.checked).toBe(false);
    await expect(readFile(entry)).rejects.toThrow();
  });

  it('tells of a call that waits, and brings it up', async () => {
    await hideWindow();
    const call = asking();
    await expect.poll(desktop.notifications).toEqual([
      expect.objectContaining({
        title: 'A call needs your approval',
        body: `'e2e-host' wants to use echo on asks. Open Filebridge to see what it would send.`,
      }),
    ]);
    await expect.poll(labels).toContain('1 call needs your approval…');
    const [notice] = await desktop.notifications();
    if (notice) await desktop.open(notice);
    await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())).toBe(true);
    const [page] = app.windows();
    const answered = await page?.evaluate(async () => {
      const { request } = Reflect.get(window, 'filebridge');
      const { value } = await request('approvals.list', {});
      return request('approvals.answer', { id: value[0].id, decision: 'once' });
    });
    expect(answered).toMatchObject({ ok: true });
    expect((await call)?.isError).toBe(false);
    await expect.poll(labels).not.toContain('1 call needs your approval…');
  });

  it('takes a notification back when the call was answered elsewhere', async () => {
    await hideWindow();
    const call = asking();
    await expect.poll(async () => (await desktop.notifications()).length).toBe(1);
    await app.windows()[0]?.evaluate(async () => {
      const { request } = Reflect.get(window, 'filebridge');
      const { value } = await request('approvals.list', {});
      await request('approvals.answer', { id: value[0].id, decision: 'refuse' });
    });
    expect((await call)?.isError).toBe(true);
    await expect.poll(desktop.notifications).toEqual([]);
  });

  it('speaks German when the settings do', async () => {
    await app
      .windows()[0]
      ?.evaluate(() => Reflect.get(window, 'filebridge').request('settings.update', { changes: { app: { language: 'de' } } }));
    await expect.poll(labels).toContain('Filebridge beenden');
    expect(await labels()).toContain('Filebridge öffnen');
  });

  it('asks before it takes the tools away from agents, and then quits', async () => {
    const asked = () => app.evaluate(() => Reflect.get(globalThis, 'asked') as { message: string; detail: string }[]);
    await app.evaluate(({ dialog }) => {
      const seen: unknown[] = [];
      const answers = [1, 0];
      Reflect.set(globalThis, 'asked', seen);
      Reflect.set(dialog, 'showMessageBox', async (...given: unknown[]) => {
        seen.push(given.at(-1));
        return { response: answers.shift() };
      });
    });
    await desktop.click('Filebridge beenden');
    await expect.poll(asked).toMatchObject([{ message: 'Filebridge beenden?' }]);
    await agent?.close();
    agent = undefined;
    expect(await labels()).toContain('Filebridge beenden');
    const ended = new Promise((resolve) => app.process().once('exit', resolve));
    await desktop.click('Filebridge beenden');
    expect(await ended).toBe(0);
    await expect.poll(desktop.tray).toEqual([]);
  });
});

describe.skipIf(notLinux)(`the tray when something is wrong${skippedFor(notLinux)}`, () => {
  let bus: SessionBus;
  let desktop: DesktopHost;
  let home: Home;
  let app: ElectronApplication | undefined;

  beforeAll(async () => {
    bus = await startSessionBus();
    desktop = await startDesktopHost(bus);
  });
  afterAll(async () => {
    await desktop?.close();
    await bus?.close();
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
    await home?.workspace.remove();
  });

  const start = async (notifications: boolean) => {
    home = await openHome({ folders: [{ path: '/not/there', access: 'read' }], app: { language: 'en', notifications }, port: 0 });
    app = await launchApp(home, { args: ['--hidden'], env: bus.env });
    return app;
  };
  const firstLine = async () => (await desktop.tray())[0]?.menu[0];

  it('says so in a line and a notification, both of which lead to Home', async () => {
    const running = await start(true);
    await expect
      .poll(firstLine)
      .toMatchObject({ label: expect.stringMatching(/^Needs attention: .*\/not\/there/), enabled: true });
    await expect.poll(desktop.notifications).toMatchObject([{ title: 'Filebridge needs attention' }]);
    const [notice] = await desktop.notifications();
    expect(notice?.body).toContain('/not/there');
    const opened = running.waitForEvent('window');
    if (notice) await desktop.open(notice);
    await (await opened).getByRole('heading', { level: 1 }).waitFor();
  });

  it('leaves notifications alone where they are not wanted', async () => {
    const running = await start(false);
    await expect.poll(firstLine).toMatchObject({ label: expect.stringContaining('Needs attention') });
    const opened = running.waitForEvent('window');
    await desktop.activate();
    await (await opened).getByRole('heading', { level: 1 }).waitFor();
    expect(await desktop.notifications()).toEqual([]);
  });
});
