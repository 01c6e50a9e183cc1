/** Home as a person meets it, in a real Electron window and in a real Chromium: the same page, the same promises. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from './support/cli.ts';
import { openClient } from './support/mcp-clients.ts';
import { everything } from './support/upstreams.ts';
import { hosts, type OpenWindow, openWindow } from './support/window-hosts.ts';

const pictures = path.join(repository, 'test-results');
const part = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function picture(page: Page, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}.png`), fullPage: true });
  }
}

/** The address that the page tells agents to use. */
async function shownAddress(page: Page): Promise<string> {
  return (await page.locator('.address code').textContent()) ?? '';
}

describe.each(hosts)('Home in %s', (host) => {
  let home: OpenWindow;
  let page: Page;

  beforeAll(async () => {
    home = await openWindow(host, { upstreams: { everything: everything() } });
    page = home.page;
    await page.getByRole('status').filter({ hasText: 'Ready for agents' }).waitFor();
  });
  afterAll(() => home?.close());

  it('says that it runs and where, and what agents may touch', async () => {
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Filebridge');
    expect(await shownAddress(page)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const folder = part(page, 'Folders').getByRole('listitem');
    expect(await folder.textContent()).toBe(`${home.at('')}Read and write`);
    expect(await part(page, 'Recent calls').textContent()).toContain('No calls yet');
  });

  it('checks a server when asked and shows what came of it', async () => {
    const server = part(page, 'Servers').getByRole('listitem');
    await server.getByText('Starts when needed').waitFor();
    await server.getByRole('button', { name: 'Check everything' }).press('Enter');
    await server.getByText('Connected').waitFor();
    expect(await server.textContent()).toMatch(/\d+ tools/);
  });

  it('shows a call while it is made by an agent, and what it saved', async () => {
    const file = await home.file('greeting.txt', 'A text that no agent has to type out. '.repeat(200));
    const agent = await openClient('v1', { url: await shownAddress(page), token: await home.token() });
    try {
      const answer = await agent.call('call_tool_with_file_content', {
        server: 'everything',
        tool_name: 'echo',
        path: file,
        data_key: 'message',
        as: 'text',
      });
      expect(answer.isError).toBe(false);
    } finally {
      await agent.close();
    }
    const call = part(page, 'Recent calls').getByRole('row').filter({ hasText: 'greeting.txt' });
    await call.waitFor();
    expect(await call.textContent()).toMatch(/echo.*on everything.*Done/);
    const today = part(page, 'Tokens saved').locator('.saved').first();
    await expect.poll(() => today.textContent()).toMatch(/Today[1-9][\d,]* tokens.*1 call/);
  });

  it('shows the token only when asked', async () => {
    const token = await home.token();
    const connect = part(page, 'Connect an agent');
    expect(await page.content()).not.toContain(token);
    await connect.getByRole('button', { name: 'Show token' }).click();
    await connect.getByText(`Bearer ${token}`).waitFor();
    await connect.getByRole('button', { name: 'Hide token' }).click();
    await expect.poll(() => page.content()).not.toContain(token);
  });

  it('can be walked with the keyboard', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const reached: string[] = [];
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      );
    }
    expect(reached).toEqual(
      expect.arrayContaining(['Copy the address', 'Check everything', 'Copy the program block', 'Show token']),
    );
  });

  it('fits a narrow window', async () => {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 420, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);
    await picture(page, `home-${host}-narrow`);
    await page.setViewportSize(before ?? { width: 1120, height: 820 });
  });

  it('complains of nothing, under a policy that lets nothing foreign in', async () => {
    await picture(page, `home-${host}`);
    expect(home.complaints).toEqual([]);
    const policy = await page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy'));
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const tries = await page.evaluate(async () => {
      const refused = (attempt: () => unknown) => {
        try {
          attempt();
          return false;
        } catch {
          return true;
        }
      };
      const outside = await fetch('https://example.com/').then(
        () => false,
        () => true,
      );
      // Not here and now: what a debugger evaluates is let off the policy.
      const code = await new Promise<boolean>((resolve) => setTimeout(() => resolve(refused(() => new Function('return 1')))));
      return { code, markup: refused(() => document.body.insertAdjacentHTML('beforeend', '<b>')), outside };
    });
    expect(tries).toEqual({ code: true, markup: true, outside: true });
  });

  if (host === 'electron') {
    it('has no way out of the window', async () => {
      const address = page.url();
      const found = await page.evaluate(() => {
        const opened = window.open('https://example.com/');
        location.href = 'https://example.com/';
        return {
          opened: opened === null,
          node: 'require' in window || 'process' in window,
          bridge: Object.keys(Reflect.get(window, 'filebridge')),
        };
      });
      expect(found).toEqual({ opened: true, node: false, bridge: ['request', 'subscribe', 'pathOf'] });
      // A navigation that was let through would have begun by the time another answer is back.
      expect(await part(page, 'Recent calls').textContent()).toContain('greeting.txt');
      expect(page.url()).toBe(address);
    });
  }

  if (host === 'console') {
    it('lets nobody in by the used link or without the cookie', async () => {
      const { origin } = new URL(page.url());
      expect(page.url()).toBe(`${origin}/`);
      expect((await fetch(`${origin}/`)).status).toBe(401);
      expect((await fetch(`${origin}/?token=guess`)).status).toBe(403);
    });
  }
});

describe.each(hosts)('Home in %s with nothing set up yet', (host) => {
  it('says what to do next', async () => {
    const home = await openWindow(host, { folders: [], upstreams: {} });
    try {
      const { page } = home;
      for (const title of ['Servers', 'Folders']) {
        const empty = part(page, title);
        await empty.getByText(home.configFile).waitFor();
        expect(await empty.textContent()).toMatch(/^\w+No (server|folder) yet/);
      }
      await picture(page, `empty-${host}`);
      expect(home.complaints).toEqual([]);
    } finally {
      await home.close();
    }
  });
});
