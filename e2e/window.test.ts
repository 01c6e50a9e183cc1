/** Home as a person meets it, in a real Electron window and in a real Chromium: the same page, the same promises. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './support/axe.ts';
import { connectAgent } from './support/steps.ts';
import { everything } from './support/upstreams.ts';
import { hosts, type OpenWindow, openWindow } from './support/window-hosts.ts';

const part = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

describe.each(hosts)('Home in %s', (host) => {
  let home: OpenWindow;
  let page: Page;

  beforeAll(async () => {
    home = await openWindow(host, { upstreams: { everything: everything() } });
    page = home.page;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
  });
  afterAll(() => home?.close());

  it('says that it runs, and what is still to be done', async () => {
    await page.getByText('Filebridge is running. Before agents can use it: connect an agent.').waitFor();
    await part(page, 'Set up in three steps').getByRole('link', { name: 'Connect an agent' }).waitFor();
    await part(page, 'Recent calls').getByText('No calls yet').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // Nothing was saved yet.
    expect(await part(page, 'Saved').count()).toBe(0);
  });

  it('shows a call while it is made by an agent, and what it saved', async () => {
    const file = await home.file('greeting.txt', 'A text that no agent has to type out. '.repeat(200));
    const agent = await connectAgent(home);
    try {
      const answer = await agent.call('call_tool_with_file_content', {
        server: 'everything',
        tool_name: 'echo',
        path: file,
        data_key: 'message',
        output_format: 'string',
      });
      expect(answer.isError).toBe(false);
      const outside = { server: 'everything', tool_name: 'echo', path: '/etc/passwd', data_key: 'message' };
      expect((await agent.call('call_tool_with_file_content', outside)).isError).toBe(true);
    } finally {
      await agent.close();
    }
    const row = part(page, 'Recent calls').getByRole('row').filter({ hasText: 'greeting.txt' });
    await row.getByText('Done').waitFor();
    expect(Number((await row.getByRole('cell').nth(3).textContent())?.replace(/\D/g, ''))).toBeGreaterThan(1000);
    const sums = part(page, 'Saved').locator('.sum-tokens');
    await expect.poll(async () => Number((await sums.first().textContent())?.replace(/\D/g, ''))).toBeGreaterThan(1000);
    await part(page, 'Set up in three steps').waitFor({ state: 'detached' });
    await page.getByText('Agents on this computer can use Filebridge: 1 folder and 1 server.').waitFor();
  });

  it('shows what agents were kept from, found in one click', async () => {
    await page.getByRole('link', { name: '1 blocked attempt today' }).click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.getByRole('row').filter({ hasText: 'passwd' }).getByText('Blocked').waitFor();
    await page.goBack();
    await part(page, 'Recent calls').getByRole('row').filter({ hasText: 'greeting.txt' }).waitFor();
  });

  it('complains of nothing, under a policy that lets nothing foreign in', async () => {
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
      await expect.poll(() => part(page, 'Recent calls').textContent()).toContain('greeting.txt');
      expect(page.url()).toBe(address);
    });
  }

  if (host === 'console') {
    it('lets nobody in without the link, keeps its key out of cookies and of the address, and survives a reload', async () => {
      const { origin } = new URL(page.url());
      expect(page.url()).toBe(`${origin}/`);
      expect(await page.context().cookies()).toEqual([]);
      expect((await fetch(`${origin}/api/events`)).status).toBe(401);
      const browser = page.context().browser();
      if (!browser) throw new Error('the page has no browser');
      for (const address of [origin, `${origin}/#link=guess`]) {
        const other = await browser.newPage();
        await other.goto(address);
        await other.getByText('This page needs its link').waitFor();
        expect(new URL(other.url()).hash).toBe('');
        await other.close();
      }
      await page.reload();
      await part(page, 'Recent calls').waitFor();
    });
  }

  it('opens its pages by keys', async () => {
    for (const [keys, name] of [
      ['Control+2', 'Preview'],
      ['Control+,', 'Settings'],
      ['Control+1', 'Home'],
    ] as const) {
      await page.keyboard.press(keys);
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
  });
});
