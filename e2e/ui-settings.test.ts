/** Settings: language, appearance, prices, port, tokens, reset; pause; and a configuration that somebody edits into nonsense. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { connectAgent, goTo } from './support/steps.ts';
import { everything } from './support/upstreams.ts';
import { hosts, type OpenWindow, openWindow } from './support/window-hosts.ts';

describe.each(hosts)('Settings in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const field = (name: string) => page.getByRole('textbox', { name });
  const choose = (name: string, choice: string) => page.getByRole('combobox', { name }).selectOption(choice);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const echo = { server: 'everything', tool_name: 'echo', tool_args: { message: 'hello' } };

  beforeAll(async () => {
    window = await openWindow(host, { upstreams: { everything: everything() }, app: { welcomed: true, language: 'en' } });
    page = window.page;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    await goTo(page, 'Settings');
  });
  afterAll(() => window?.close());

  it('speaks German when told to, and keeps to it', async () => {
    await choose('Language', 'Deutsch');
    await heading('Einstellungen');
    page = await window.restart();
    await heading('Start');
    await page.getByRole('navigation').getByRole('link', { name: 'Einstellungen' }).click();
    await choose('Sprache', 'English');
    await heading('Settings');
  });

  it('is light or dark as told', async () => {
    await choose('Appearance', 'Dark');
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await choose('Appearance', 'Light');
    await page.locator('html[data-theme=light]').waitFor({ state: 'attached' });
  });

  it('refuses a number out of bounds, and keeps a good one', async () => {
    await field('Output price').fill('-1');
    await field('Output price').press('Enter');
    await page.getByText('Enter a number from 0 to 10,000').waitFor();
    await field('Output price').fill('30');
    await field('Output price').press('Enter');
    await expect.poll(async () => (await askProgram(page, 'settings.get', {})).app.price.output).toBe(30);
  });

  it('moves to another port, and says no to one that is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    const { url } = await askProgram(page, 'status.get', {});
    await field('Port').fill(String(port));
    await field('Port').press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: String(port) })
      .waitFor();
    expect((await askProgram(page, 'status.get', {})).url).toBe(url);
    await new Promise((resolve) => blocker.close(resolve));
    await field('Port').fill('0');
    await field('Port').press('Enter');
    await field('Port').fill(String(port));
    await field('Port').press('Enter');
    await expect.poll(async () => (await askProgram(page, 'status.get', {})).port).toBe(port);
  });

  it('renews a token: the old one opens nothing any more', async () => {
    const old = await window.token();
    await page.getByRole('button', { name: 'Renew: default' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Renew' }).click();
    await page.getByText('Token renewed').waitFor();
    const { url } = await askProgram(page, 'status.get', {});
    const knock = (token: string) => fetch(url ?? '', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect((await knock(old)).status).toBe(401);
    expect((await knock(await window.token())).status).not.toBe(401);
  });

  it('refuses calls while paused', async () => {
    const agent = await connectAgent(window);
    try {
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'Paused' }).waitFor();
      const refused = await agent.call('call_tool', echo);
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Filebridge is paused by the user') });
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
      expect((await agent.call('call_tool', echo)).isError).toBe(false);
    } finally {
      await agent.close();
    }
  });

  it('says on Home that the configuration was edited into nonsense, and keeps what is in force', async () => {
    const good = await readFile(window.configFile, 'utf8');
    await writeFile(window.configFile, '{ "version": 1, "folders": "all" }');
    await goTo(page, 'Home');
    await page.getByText(/not valid and was not taken over/).waitFor();
    await page.getByRole('button', { name: 'Keep the present settings' }).click();
    await page.getByText(/not valid and was not taken over/).waitFor({ state: 'detached' });
    expect(JSON.parse(await readFile(window.configFile, 'utf8'))).toEqual(JSON.parse(good));
    await goTo(page, 'Settings');
  });

  it('goes back to its defaults, and leaves folders and servers', async () => {
    await page.getByRole('button', { name: 'Reset settings' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset settings' }).click();
    await page.getByText('Settings are back to their defaults').waitFor();
    expect((await askProgram(page, 'settings.get', {})).app.price.output).toBe(15);
    expect(await askProgram(page, 'upstreams.list', {})).toHaveLength(1);
    expect(window.complaints).toEqual([]);
  });
});
