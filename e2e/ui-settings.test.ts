/** Settings: language, appearance, prices, port, tokens, reset; pause; and a configuration that somebody edits into nonsense. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG_VERSION, configSchema } from '../shared/model/config.ts';
import { askProgram } from './support/ask-program.ts';
import { connectAgent, goTo } from './support/steps.ts';
import { everything } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

describe.each(eitherHost())('Settings in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const field = (name: string) => page.getByRole('textbox', { name });
  const enter = async (name: string, value: string) => {
    await field(name).fill(value);
    await field(name).press('Enter');
  };
  const settings = () => askProgram(page, 'settings.get', {});
  const choose = (name: string, choice: string) => page.getByRole('combobox', { name }).selectOption(choice);
  const unfold = () => page.locator('summary', { hasText: 'Advanced' }).click();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const echo = { server: 'everything', tool_name: 'echo', tool_args: { message: 'hello' } };

  beforeAll(async () => {
    window = await openWindow(host, {
      upstreams: { everything: everything() },
      expose: { fileTools: true, upstreamTools: 'none' },
      app: { welcomed: true, language: 'en' },
    });
    page = window.page;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    await goTo(page, 'Settings');
  });
  afterAll(() => window?.close());

  it('switches to German and stays German', async () => {
    await choose('Language', 'Deutsch');
    await heading('Einstellungen');
    page = await window.restart();
    await heading('Start');
    await page.getByRole('navigation').getByRole('link', { name: 'Einstellungen' }).click();
    await choose('Sprache', 'English');
    await heading('Settings');
  });

  it('is light or dark as chosen', async () => {
    await choose('Appearance', 'Dark');
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await choose('Appearance', 'Light');
    await page.locator('html[data-theme=light]').waitFor({ state: 'attached' });
  });

  it('has what few people need folded away, and as it was left', async () => {
    await expect.poll(() => field('Port').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Forget everything' }).count()).toBe(0);
    await unfold();
    await field('Port').waitFor();
    // What loses everything is in a section of its own.
    const start = page.getByRole('region', { name: 'Forget everything' });
    await start.getByRole('button', { name: 'Forget everything' }).waitFor();
    await expect.poll(() => start.getByRole('button').count()).toBe(1);
    await goTo(page, 'Home');
    await goTo(page, 'Settings');
    await field('Port').waitFor();
    for (const [name, value] of [
      ['Longest answer of a server', '32'],
      ['Most columns of a table', '5000'],
      ['Most lists inside of lists', '64'],
      ['Memory for a transformation', '128'],
    ] as const)
      await enter(name, value);
    await expect
      .poll(async () => (await settings()).limits)
      .toMatchObject({ maxAnswerBytes: 32 << 20, maxColumns: 5000, maxNesting: 64, expressionMemoryBytes: 128 << 20 });
  });

  it('refuses a number out of bounds, and keeps a good one', async () => {
    const { limits } = await settings();
    for (const [name, wrong, bounds] of [
      ['Output price', '-1', '0 to 10,000'],
      ['Output price', 'much', '0 to 10,000'],
      ['Longest call', '0', '1 to 86,400'],
      ['Largest YAML', '513', '1 to 512'],
      ['Wait for your answer', '', '5 to 3,600'],
    ] as const) {
      await enter(name, wrong);
      await page
        .getByRole('alert')
        .filter({ hasText: `Enter a number from ${bounds}` })
        .waitFor();
      await expect.poll(() => field(name).getAttribute('aria-invalid')).toBe('true');
      await field(name).press('Escape');
      await page.getByRole('alert').waitFor({ state: 'detached' });
    }
    expect((await settings()).limits).toEqual(limits);
    await enter('Longest call', '90');
    await expect.poll(async () => (await settings()).limits).toEqual({ ...limits, callTimeoutMs: 90_000 });
  });

  it("offers agents the servers' tools as chosen", async () => {
    const agent = await connectAgent(window);
    try {
      const offered = async () => (await agent.tools()).map(({ name }) => name);
      const way = "Of your servers' tools, agents see";
      await choose(way, 'All of them');
      await expect.poll(offered).toContain('everything__echo');
      await choose(way, 'One tool that finds them');
      await expect.poll(offered).toContain('find_tools');
      expect(await offered()).not.toContain('everything__echo');
      await choose(way, 'None');
      await expect.poll(offered).not.toContain('find_tools');
      expect(await offered()).toContain('call_tool');
      expect((await settings()).expose.upstreamTools).toBe('none');
    } finally {
      await agent.close();
    }
  });

  it('turns saved tokens into money at the prices given', async () => {
    const agent = await connectAgent(window);
    try {
      const file = await window.file('letter.txt', 'A text that no agent has to type out. '.repeat(10_000));
      const given = { server: 'everything', tool_name: 'echo', path: file, data_key: 'message' };
      expect((await agent.call('call_tool_with_file_content', given)).isError).toBe(false);
    } finally {
      await agent.close();
    }
    const { all } = await askProgram(page, 'ledger.totals', {});
    const money = async (output: number, input: number) => {
      const dollars = (all.tokensTyped * output + all.tokensRead * input) / 1_000_000;
      expect(dollars).toBeGreaterThan(0.5);
      await goTo(page, 'Home');
      await page
        .locator('.sum-money')
        .first()
        .getByText(`$${dollars.toFixed(2)}`, { exact: true })
        .waitFor();
      await goTo(page, 'Settings');
    };
    const { price } = (await settings()).app;
    await money(price.output, price.input);
    await enter('Model', 'Thinker');
    await enter('Output price', '30');
    await enter('Input price', '2.5');
    await expect.poll(async () => (await settings()).app.price).toEqual({ model: 'Thinker', output: 30, input: 2.5 });
    await money(30, 2.5);
  });

  it('offers agents the file tools, unless they are switched off', async () => {
    const fileTools = page.getByRole('switch', { name: 'Let agents read and change files themselves' });
    const agent = await connectAgent(window);
    const names = async () => (await agent.tools()).map(({ name }) => name);
    try {
      await expect.poll(() => fileTools.isChecked()).toBe(true);
      expect(await names()).toEqual(expect.arrayContaining(['read_text_file', 'write_file', 'call_tool']));
      await fileTools.click();
      await expect.poll(names).not.toContain('write_file');
      expect(await names()).toEqual(expect.arrayContaining(['call_tool', 'call_tool_with_file_content']));
      await expect(agent.call('read_text_file', { path: window.configFile })).rejects.toThrow('Unknown tool');
      expect((await settings()).expose.fileTools).toBe(false);
      await fileTools.click();
      await expect.poll(names).toContain('write_file');
    } finally {
      await agent.close();
    }
  });

  it('moves to another port, and says no to one that is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    const { url } = await askProgram(page, 'status.get', {});
    await enter('Port', String(port));
    await page
      .getByRole('alert')
      .filter({ hasText: String(port) })
      .waitFor();
    expect((await askProgram(page, 'status.get', {})).url).toBe(url);
    expect((await settings()).port).toBe(0);
    await new Promise((resolve) => blocker.close(resolve));
    await enter('Port', String(port));
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

  it('is after a restart what it was before', async () => {
    const [before, token] = [await settings(), await window.token()];
    await choose('Appearance', 'Dark');
    await expect.poll(async () => (await settings()).app.appearance).toBe('dark');
    page = await window.restart();
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    await goTo(page, 'Settings');
    await unfold();
    await expect.poll(() => field('Output price').inputValue()).toBe('30');
    const shown = ['Model', 'Port', 'Longest call'].map((name) => field(name).inputValue());
    expect(await Promise.all(shown)).toEqual(['Thinker', String(before.port), '90']);
    expect(await settings()).toEqual({ ...before, app: { ...before.app, appearance: 'dark' } });
    expect(await window.token()).toBe(token);
    expect((await askProgram(page, 'status.get', {})).port).toBe(before.port);
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
    await writeFile(window.configFile, '{ "version": 1, "folders": [');
    await goTo(page, 'Home');
    await page.getByText(/not valid and was not taken over/).waitFor();
    await page.getByRole('button', { name: 'Keep the present settings' }).click();
    await page.getByText(/not valid and was not taken over/).waitFor({ state: 'detached' });
    expect(JSON.parse(await readFile(window.configFile, 'utf8'))).toEqual(JSON.parse(good));
    await goTo(page, 'Settings');
  });

  it('goes back to its defaults, and leaves folders, servers and a port whose usual one is taken', async () => {
    const { limits: usual, server } = configSchema.parse({ version: CONFIG_VERSION });
    const { port } = await settings();
    // Taken by this test, or already by a Filebridge that runs on this machine.
    const holder = createServer();
    await new Promise((resolve) => holder.once('listening', resolve).once('error', resolve).listen(server.port, '127.0.0.1'));
    await page.getByRole('button', { name: 'Reset settings' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset settings' }).click();
    await page.getByText('Settings are back to their defaults').waitFor();
    if (holder.listening) await new Promise((resolve) => holder.close(resolve));
    const after = await settings();
    expect(after.app).toMatchObject({ language: 'system', appearance: 'system', price: { output: 15 } });
    expect(after).toMatchObject({ limits: usual, port, expose: { fileTools: true } });
    expect(await askProgram(page, 'status.get', {})).toMatchObject({ state: 'running', port });
    expect(await askProgram(page, 'folders.list', {})).toHaveLength(1);
    expect(await askProgram(page, 'upstreams.list', {})).toHaveLength(1);
    expect(window.complaints).toEqual([]);
  });
});

describe.each(eitherHost())('Settings in %s, edited into nonsense before the start', (host) => {
  const nonsense = '{ "version": 1, "folders": [';
  const aside = async (window: OpenWindow) =>
    (await readdir(path.dirname(window.configFile))).filter((name) => name.startsWith('config.broken-'));
  // On the defaults, the port of a Filebridge that runs on this machine may be asked for, and that is said as well.
  const said = (page: Page) => page.getByRole('region', { name: 'What needs your attention' }).getByText(/is kept as '.*'/);
  const button = (page: Page, name: string) => page.getByRole('button', { name }).first();

  it('says on Home where they are kept, reads them again once repaired, or starts with new ones', async () => {
    let good = '';
    const window = await openWindow(host, { app: { welcomed: true, language: 'en' } }, async ({ configFile }) => {
      good = await readFile(configFile, 'utf8');
      await writeFile(configFile, nonsense);
    });
    try {
      let { page } = window;
      await said(page).waitFor();
      const [kept] = await aside(window);
      await expect.poll(() => said(page).textContent()).toContain(path.join(path.dirname(window.configFile), kept ?? 'none'));
      expect(await readFile(window.workspace.at(kept ?? ''), 'utf8')).toBe(nonsense);
      expect(await askProgram(page, 'folders.list', {})).toEqual([]);
      await writeFile(window.workspace.at(kept ?? ''), good);
      await button(page, 'Read the file again').click();
      await said(page).waitFor({ state: 'detached' });
      expect(await askProgram(page, 'folders.list', {})).toHaveLength(1);
      expect(JSON.parse(await readFile(window.configFile, 'utf8')).folders).toEqual(JSON.parse(good).folders);

      await writeFile(window.configFile, nonsense);
      await page.getByText(/not valid and was not taken over/).waitFor();
      page = await window.restart();
      await said(page).waitFor();
      await button(page, 'Keep the present settings').click();
      await said(page).waitFor({ state: 'detached' });
      expect(await askProgram(page, 'folders.list', {})).toEqual([]);
      expect(JSON.parse(await readFile(window.configFile, 'utf8')).version).toBe(1);
    } finally {
      await window.close();
    }
  });
});
