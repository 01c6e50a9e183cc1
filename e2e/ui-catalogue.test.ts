/** The catalogue as a person without a server meets it: looked through by mouse and keyboard, and a real server from npm added and called. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../shared/lib/fixtures/limits.ts';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import type { Home } from './support/filebridge.ts';
import { addServers, chooseFolder, connectAgent, goTo } from './support/steps.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

/** What npm has fetched before need not be fetched again for an empty home. */
async function withNpmCache({ user }: Home): Promise<void> {
  const cache = path.join(os.homedir(), '.npm');
  await mkdir(cache, { recursive: true });
  await symlink(cache, path.join(user, '.npm'));
}

describe.each(eitherHost())('the catalogue in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const catalogue = () => page.getByRole('dialog', { name: 'Add a server' });
  const shown = () => catalogue().getByRole('list', { name: 'Servers in the catalogue' }).getByRole('listitem');
  const search = () => catalogue().getByRole('searchbox', { name: 'Search the catalogue' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const open = async () => {
    await addServers(page, 'Catalogue');
    await shown().first().waitFor();
  };

  beforeAll(async () => {
    window = await openWindow(host, { upstreams: {}, app: { welcomed: true } }, withNpmCache);
    page = window.page;
    await page.setViewportSize({ width: 900, height: 600 });
    await goTo(page, 'Servers');
  });
  afterAll(() => window?.close());

  it('is offered where there is no server, and shows what each is for and needs', async () => {
    await open();
    await expect.poll(() => shown().count()).toBeGreaterThanOrEqual(50);
    const notion = shown().filter({ hasText: 'Finds, reads and writes pages and databases in Notion.' });
    await notion.getByText('Needs sign-in', { exact: true }).waitFor();
    await shown().filter({ hasText: 'Brave Search' }).getByText('Needs a key', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const cut = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(cut).toBe(false);
  });

  it('is searched, and shows one category', async () => {
    const all = await shown().count();
    await search().fill('sql files');
    await expect.poll(() => shown().count()).toBeLessThan(6);
    await search().fill('xyzzy');
    await catalogue().getByText('Nothing in the catalogue fits “xyzzy”').waitFor();
    await search().fill('');
    await catalogue().getByRole('button', { name: 'Databases', exact: true }).click();
    await expect.poll(() => shown().count()).toBeLessThan(all / 2);
    await shown().filter({ hasText: 'MongoDB' }).waitFor();
    await catalogue().getByRole('button', { name: 'All', exact: true }).click();
  });

  it('is searched in a person’s own words, with typing errors', async () => {
    const first = () => shown().first().textContent();
    const said = catalogue().getByRole('status');
    for (const [typed, name] of [
      ['spreadsheet', 'Excel'],
      ['send email', 'Google Workspace'],
      ['postgress', 'SQL databases'],
      ['E-Mail', 'Google Workspace'],
    ] as const) {
      await search().fill(typed);
      await expect.poll(first).toContain(name);
      await expect.poll(() => said.textContent()).toBe('');
    }
    await search().fill('gihtub');
    await expect.poll(() => said.textContent()).toBe('Nothing is called “gihtub”. Near it:');
    await expect.poll(first).toContain('GitHub');
    await catalogue().getByRole('button', { name: 'Databases', exact: true }).click();
    await search().fill('todoist');
    await expect.poll(() => said.textContent()).toBe('Nothing in this category fits “todoist”. In the others:');
    await expect.poll(first).toContain('Todoist');
    await search().fill('');
    await catalogue().getByRole('button', { name: 'All', exact: true }).click();
  });

  it('says plainly what it does not have, what is near, and how to go on', async () => {
    const said = catalogue().getByRole('status');
    const next = catalogue().getByRole('region', { name: 'Add one that is not in the catalogue' });
    await search().fill('dropbox');
    await expect.poll(() => said.textContent()).toBe('The catalogue does not have “dropbox”. These come nearest:');
    await expect.poll(() => shown().first().textContent()).toContain('Google Workspace');
    await next.getByText('Look on its maker’s page for “MCP”').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await next.getByRole('button', { name: 'Enter it by hand' }).click();
    await catalogue().getByRole('textbox', { name: 'Command' }).waitFor();
    await catalogue().getByRole('tab', { name: 'Catalogue' }).click();
    await search().fill('xyzzy');
    await next.getByRole('button', { name: 'Paste what its page gives' }).click();
    await catalogue().getByRole('textbox', { name: 'Paste how to add a server' }).waitFor();
    await catalogue().getByText('Paste something first').waitFor();
    await catalogue().getByRole('tab', { name: 'Catalogue' }).click();
    await search().fill('github');
    await expect.poll(() => next.count()).toBe(0);
    await search().fill('');
  });

  it('shows those that work at once', async () => {
    const all = await shown().count();
    const atOnce = catalogue().getByRole('button', { name: 'Works at once' });
    await atOnce.click();
    await expect.poll(() => shown().count()).toBeLessThan(all);
    await shown().filter({ hasText: 'DeepWiki' }).waitFor();
    expect(
      await shown()
        .getByText(/^(Needs|Install) /)
        .count(),
    ).toBe(0);
    await search().fill('tavily');
    await catalogue().getByText('None of these works at once. Each says what it needs:').waitFor();
    await shown().getByText('Needs a key').waitFor();
    await search().fill('');
    await atOnce.click();
    await expect.poll(() => shown().count()).toBe(all);
  });

  it('keeps the height of the dialog while one types and goes from one way to another', async () => {
    const height = async () => Math.round((await catalogue().boundingBox())?.height ?? 0);
    const before = await height();
    for (const typed of ['xyzzy', 'dropbox', '']) {
      await search().fill(typed);
      await expect.poll(() => search().inputValue()).toBe(typed);
      expect(await height()).toBe(before);
    }
    for (const way of ['Paste', 'By hand', 'From your agents', 'Catalogue']) {
      await catalogue().getByRole('tab', { name: way }).click();
      await catalogue().getByRole('tab', { name: way, selected: true }).waitFor();
      expect(await height()).toBe(before);
    }
  });

  it('is gone through with the keyboard alone', async () => {
    await search().focus();
    await page.keyboard.type('linear');
    await expect.poll(() => shown().count()).toBe(1);
    await page.keyboard.press('Enter');
    await catalogue().getByText('You sign in in your browser').waitFor();
    await page.getByRole('button', { name: 'Back to the catalogue' }).press('Enter');
    // Where one left it.
    await expect.poll(focused).toContain('Linear');
    await search().fill('');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('Files on this computer');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('AntV charts');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toContain('Excel');
    await page.keyboard.press('Escape');
    await catalogue().waitFor({ state: 'detached' });
  });

  it('has a form for what a server needs, in which folders are chosen', async () => {
    await open();
    await shown()
      .getByRole('button', { name: /Files on this computer/ })
      .click();
    const form = catalogue();
    await form.getByText('Runs on this computer with Node.js, which is installed.').waitFor();
    const add = form.getByRole('button', { name: 'Add', exact: true });
    await expect.poll(() => add.isDisabled()).toBe(true);
    await expect.poll(() => form.getByText('Still to fill in: Folders').count()).toBe(2);
    await chooseFolder(window, window.at(''), () => form.getByRole('button', { name: 'Choose…: Folders' }).click());
    const folders = form.getByRole('textbox', { name: 'Folders' });
    await expect.poll(async () => (await folders.inputValue()).replace(/\/$/, '')).toBe(window.at('').replace(/\/$/, ''));
    await expect.poll(() => add.isEnabled()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Back to the catalogue' }).click();
    await catalogue().waitFor();
  });

  it('says where a key comes from', async () => {
    await search().fill('tavily');
    await shown()
      .getByRole('button', { name: /Tavily/ })
      .click();
    const form = catalogue();
    await expect.poll(() => form.getByLabel('API key', { exact: true }).getAttribute('type')).toBe('password');
    const link = form.getByRole('link', { name: 'Open app.tavily.com' });
    await expect.poll(() => link.getAttribute('href')).toBe('https://app.tavily.com');
    await form.getByRole('button', { name: 'Back to the catalogue' }).click();
  });

  it('says in plain words which program is missing, and where to get it', async (test) => {
    const all = await askProgram(page, 'upstreams.catalogue', {});
    const lacking = all.find(({ program }) => program?.found === false && program.site !== null);
    if (lacking === undefined) return test.skip('this computer has every program that a server needs');
    await search().fill(lacking.title.en);
    const entry = shown().filter({ hasText: lacking.purpose.en });
    await entry.getByText(/^Install .+ first$/).waitFor();
    await entry.getByRole('button').click();
    const form = catalogue();
    await form.getByText('Filebridge cannot install it.').waitFor();
    const link = form.getByRole('link', { name: `Open ${new URL(lacking.program?.site ?? '').host}` });
    await expect.poll(() => link.getAttribute('href')).toBe(lacking.program?.site);
    await form.getByRole('button', { name: 'Back to the catalogue' }).click();
  });

  it('adds a server from npm, which is then called with a file', async () => {
    await search().fill('memory');
    await shown().getByRole('button', { name: /^Me/ }).first().click();
    const form = catalogue();
    await form.getByRole('textbox', { name: 'File for what it remembers (optional)' }).fill(window.at('memory.jsonl'));
    await form.getByRole('button', { name: 'Test' }).click();
    // npm fetches it first.
    await form.getByText('It works: 9 tools').waitFor({ timeout: limits.endToEndTest });
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    const card = page.getByRole('list', { name: 'Your servers' }).getByRole('listitem').filter({ hasText: 'memory' });
    await card.getByText('Connected').waitFor();
    const people = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
    await writeFile(window.at('people.json'), JSON.stringify(people));
    const agent = await connectAgent(window);
    try {
      const answer = await agent.call('call_tool_with_file_content', {
        server: 'memory',
        tool_name: 'create_entities',
        path: window.at('people.json'),
        data_key: 'entities',
      });
      expect(answer.isError, answer.text).toBe(false);
    } finally {
      await agent.close();
    }
    expect(await readFile(window.at('memory.jsonl'), 'utf8')).toContain('wrote the first program');
  });

  it('knows what is there, and asks for another name for a second one', async () => {
    await open();
    await search().fill('memory');
    const entry = shown().filter({ hasText: 'Remembers people' });
    await entry.getByText('Already here').waitFor();
    await entry.getByRole('button').click();
    const form = catalogue();
    const add = form.getByRole('button', { name: 'Add', exact: true });
    await expect.poll(() => add.isDisabled()).toBe(true);
    await form.locator('.button-why').getByText('You have a server of this name').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill('work memory');
    await add.click();
    await form.waitFor({ state: 'detached' });
    const names = (await askProgram(page, 'upstreams.list', {})).map(({ name }) => name);
    expect(names).toEqual(['memory', 'work memory']);
  });
});

describe('the catalogue in German', () => {
  let window: OpenWindow;
  let page: Page;
  beforeAll(async () => {
    window = await openWindow('electron', { upstreams: {}, folders: [], app: { language: 'de' } });
    page = window.page;
    await page.setViewportSize({ width: 900, height: 600 });
  });
  afterAll(() => window?.close());

  it('gives a newcomer a first server', async () => {
    await page.evaluate(() => {
      location.hash = '#/welcome';
    });
    await page.getByText('Schritt 1 von 4').waitFor();
    await page.getByRole('button', { name: /^(Weiter|Schritt überspringen)$/ }).click();
    await page.getByRole('button', { name: 'Server hinzufügen' }).first().click();
    await page.getByRole('tab', { name: 'Katalog' }).click();
    const catalogue = page.getByRole('dialog', { name: 'Server hinzufügen' });
    await catalogue.getByRole('searchbox').fill('xyzzy');
    await catalogue.getByText('Nichts im Katalog passt zu „xyzzy“').waitFor();
    await catalogue.getByRole('searchbox').fill('Dropbox');
    await catalogue.getByText('„Dropbox“ gibt es im Katalog nicht. Am nächsten kommen:').waitFor();
    await catalogue.getByRole('button', { name: 'Einfügen, was dort steht' }).waitFor();
    await catalogue.getByRole('searchbox').fill('kalender');
    await catalogue.getByText('Gmail, Kalender, Drive').waitFor();
    await catalogue.getByRole('searchbox').fill('deepwiki');
    await catalogue.getByRole('button', { name: /DeepWiki/ }).click();
    await catalogue.getByText('Läuft bei mcp.deepwiki.com').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await catalogue.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
    await page
      .getByRole('list', { name: /Server/ })
      .getByText('deepwiki', { exact: true })
      .waitFor();
  });
});
