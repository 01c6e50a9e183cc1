/** The first run as a newcomer lives it: folders, servers, agents, and a call that is seen to work; by mouse and by keyboard alone. */
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import type { Home } from './support/filebridge.ts';
import { addServers, goTo } from './support/steps.ts';
import { fixtureServer } from './support/upstreams.ts';
import { eitherHost, type Host, type OpenWindow, openWindow } from './support/window-hosts.ts';

const people = 'id,name,zip\n1,Ada,01067\n2,Bo,80331\n3,Cy,10115\n';

/** A user with documents, and two agents of whom one has a server. */
async function newcomer({ user }: Home): Promise<void> {
  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(user, file)), { recursive: true });
    await writeFile(path.join(user, file), text);
  };
  const { command, args } = fixtureServer('echo-arguments.mjs');
  await write('Documents/people.csv', people);
  await write('Elsewhere/notes.txt', 'a note');
  await write('.cursor/mcp.json', `{\n  // mine\n  "mcpServers": { "tools": ${JSON.stringify({ command, args })} }\n}\n`);
  await write('.config/Code/User/settings.json', '{}');
}

const openNew = (host: Host) => openWindow(host, { folders: [], upstreams: {} }, newcomer);
const step = (page: Page, number: number) => page.getByText(`Step ${number} of 4`).waitFor();
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const home = (page: Page) => page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();

describe.each(eitherHost())('the first run in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const at = (...parts: string[]) => path.join(window.user, ...parts);

  beforeAll(async () => {
    window = await openNew(host);
    page = window.page;
  });
  afterAll(() => window?.close());

  it('begins by itself, with the usual folders', async () => {
    await page.getByText('Welcome to Filebridge').waitFor();
    await step(page, 1);
    await page.getByRole('button', { name: 'Allow Documents' }).click();
    const chosen = page.getByRole('region', { name: 'Chosen' });
    await chosen.getByTitle(at('Documents')).waitFor();
    await chosen.getByText('Read only').waitFor();
    await page.getByText('No more suggestions.').waitFor();
    expect(await askProgram(page, 'folders.list', {})).toMatchObject([{ path: at('Documents'), access: 'read' }]);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('takes a folder chosen in the dialog, and lets it go again', async () => {
    if (window.app) {
      await window.app.evaluate(({ dialog }, folder) => {
        dialog.showOpenDialog = (async () => ({ canceled: false, filePaths: [folder] })) as typeof dialog.showOpenDialog;
      }, at('Elsewhere'));
    }
    await page.getByRole('button', { name: 'Choose another folder' }).click();
    if (!window.app) {
      const dialog = page.getByRole('dialog', { name: 'Choose a folder' });
      await dialog.getByRole('button', { name: 'Elsewhere' }).click();
      await expect.poll(() => dialog.getByRole('textbox', { name: 'Path' }).inputValue()).toBe(at('Elsewhere'));
      await dialog.getByRole('button', { name: 'Use this folder' }).click();
    }
    await page.getByRole('region', { name: 'Chosen' }).getByTitle(at('Elsewhere')).waitFor();
    await page.getByRole('button', { name: 'Remove Elsewhere' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Remove Elsewhere' }).count()).toBe(0);
    await next(page);
  });

  it('takes over the servers of agents, and tries them on the spot', async () => {
    await step(page, 2);
    const found = page.getByRole('list', { name: 'Servers of your agents' });
    await found.getByRole('checkbox').check();
    await found.getByText('from Cursor').waitFor();
    await page.getByRole('button', { name: 'Add 1 server' }).click();
    const here = page.getByRole('list', { name: 'Your servers' });
    await here.getByText('Connected').waitFor();
    await here.getByText(/\d+ tools?/).waitFor();
    // Its own settings are a matter of the next step.
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await readFile(at('.cursor', 'mcp.json'), 'utf8')).toContain('"tools"');
  });

  it('adds a server by hand: failing, fixed, working', async () => {
    const dialog = await addServers(page, 'By hand');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
    await dialog.getByRole('textbox', { name: 'Command' }).fill('no-such-program-anywhere');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog
      .getByText(/no-such-program-anywhere/)
      .first()
      .waitFor();
    await dialog.getByRole('alert').waitFor();
    const { command, args } = fixtureServer('echo-arguments.mjs');
    await dialog.getByRole('textbox', { name: 'Command' }).fill([command, ...args].map((word) => `"${word}"`).join(' '));
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText(/It works: \d+ tools?/).waitFor();
    // One of the imported servers runs the same.
    await dialog.getByText(/You have this server already/).waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Your servers' }).getByText('Connected').count()).toBe(2);
    expect(await accessibilityFaults(page)).toEqual([]);
    await next(page);
  });

  it('shows what connecting changes, connects, and takes it back', async () => {
    await step(page, 3);
    const file = at('.cursor', 'mcp.json');
    const before = await readFile(file, 'utf8');
    await page.getByRole('button', { name: 'Show the change: Cursor' }).click();
    const plan = page.getByRole('dialog', { name: 'Connect Cursor' });
    await plan.getByText('Adds one entry to ~/.cursor/mcp.json. Nothing else changes.').waitFor();
    // As the button said.
    await plan.getByText('"filebridge"').waitFor();
    await plan.getByRole('checkbox', { name: 'Use tools only through Filebridge' }).check();
    await plan.getByText('and removes the entry “tools”').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await plan.getByRole('button', { name: 'Cancel' }).click();
    // Nothing is ticked before the person does it.
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Cursor' }).check();
    await page.getByRole('button', { name: 'Connect 1 agent' }).click();
    await page.getByText('Ready', { exact: true }).waitFor();
    const connected = await readFile(file, 'utf8');
    expect(connected).toContain('// mine');
    expect(connected).toContain('"filebridge"');
    expect((await readdir(path.dirname(file))).some((name) => name.includes('backup'))).toBe(true);
    await page.getByRole('button', { name: 'Undo: Cursor' }).click();
    await page.getByRole('button', { name: 'Connect 1 agent' }).waitFor();
    expect(await readFile(file, 'utf8')).toBe(before);
    await page.getByRole('button', { name: 'Connect 1 agent' }).click();
    await page.getByText('Ready', { exact: true }).waitFor();
    await page.getByText('Cursor also uses tools directly, past Filebridge').waitFor();
    await page.getByRole('button', { name: 'Use only through Filebridge…' }).waitFor();
    await next(page);
  });

  it('sends one file through a real call, and shows the receipt', async () => {
    await step(page, 4);
    await expect.poll(() => page.getByRole('radio', { name: /people\.csv/ }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Make the call' }).click();
    const result = page.getByRole('region', { name: 'It works' });
    await result.getByText('3 records of people.csv reached the tool.').waitFor();
    await page.getByRole('button', { name: 'Make the call again' }).waitFor();
    await result.getByText(/Use Filebridge to send ~\/Documents\/people\.csv to the tool “.+” of the server “tools”\./).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const [entry] = await askProgram(page, 'ledger.recent', { limit: 1 });
    expect(entry).toMatchObject({ outcome: 'ok', records: 3, paths: [at('Documents', 'people.csv')] });
  });

  it('ends at Home, and does not come back', async () => {
    await page.getByRole('button', { name: 'Go to Home' }).click();
    await home(page);
    await page.getByText('people.csv').first().waitFor();
    expect(JSON.parse(await readFile(window.configFile, 'utf8')).app.welcomed).toBe(true);
    page = await window.restart();
    await home(page);
    expect(await askProgram(page, 'folders.list', {})).toMatchObject([{ path: at('Documents') }]);
    expect((await askProgram(page, 'upstreams.list', {})).map(({ name }) => name)).toEqual(['tools', 'second']);
    expect((await askProgram(page, 'agents.list', {})).find(({ name }) => name === 'Cursor')?.state).toBe('connected');
    expect(window.complaints).toEqual([]);
  });

  it("copies an agent's entry, and says so", async () => {
    await goTo(page, 'Agents');
    await page.getByRole('button', { name: 'More for VS Code' }).click();
    await page.getByRole('menuitem', { name: 'Copy the text' }).click();
    await page.getByText(/The text was copied|The clipboard could not be reached/).waitFor();
    expect(window.complaints).toEqual([]);
  });
});

describe.each(eitherHost())('the first run on a computer with nothing on it, in %s', (host) => {
  it('ticks no step that was skipped, names the apps that it knows, and has a file to try with', async () => {
    const window = await openWindow(host, { folders: [], upstreams: {} });
    try {
      const { page } = window;
      await page.evaluate(() => {
        location.hash = '#/welcome';
      });
      for (const number of [1, 2]) {
        await step(page, number);
        await page.getByRole('button', { name: 'Skip this step' }).click();
      }
      await step(page, 3);
      await page.getByText(/^Filebridge knows: .*Cursor.*VS Code/).waitFor();
      await mkdir(path.join(window.user, '.cursor'), { recursive: true });
      await page.getByRole('button', { name: 'Look again' }).click();
      await page.getByRole('checkbox', { name: 'Cursor' }).waitFor();
      await page.getByRole('button', { name: 'Skip this step' }).click();
      await step(page, 4);
      await expect.poll(() => page.locator('.welcome-steps [data-done]').count()).toBe(0);
      await page.getByRole('button', { name: 'Take a sample file' }).click();
      await page.getByRole('button', { name: 'Make the call' }).click();
      await page.getByText('200 records of orders.csv reached the tool.').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(window.complaints).toEqual([]);
    } finally {
      await window.close();
    }
  });
});

describe.each(eitherHost())('what is ticked in the first run, in %s', (host) => {
  it('is added by the button that goes on, and the example is a table that reads well', async () => {
    const window = await openWindow(host, { folders: [], upstreams: {} }, async (opened) => {
      await newcomer(opened);
      const file = (name: string) => path.join(opened.user, 'Documents', name);
      // Newer ones, of which one is broken, and more than are shown.
      for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await writeFile(file(name), 'a note');
      await writeFile(file('broken.csv'), 'a,b\n1,2\n3,4,5\n');
      await utimes(file('people.csv'), 1_000_000_000, 1_000_000_000);
    });
    try {
      const { page } = window;
      await step(page, 1);
      await page.getByRole('button', { name: 'Skip this step' }).waitFor();
      await page.getByRole('button', { name: 'Allow Documents' }).click();
      await next(page);
      await step(page, 2);
      await page.getByRole('button', { name: 'Skip this step' }).waitFor();
      await page.getByRole('list', { name: 'Servers of your agents' }).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Add and go on' }).click();
      await step(page, 3);
      await page.getByRole('button', { name: 'Skip this step' }).waitFor();
      expect((await askProgram(page, 'upstreams.list', {})).map(({ name }) => name)).toEqual(['tools']);
      for (const name of ['Cursor', 'VS Code']) await page.getByRole('checkbox', { name, exact: false }).check();
      await page.getByRole('checkbox', { name: 'Use tools only through Filebridge' }).check();
      // What it does is said before.
      await page.getByText('and removes the entry “tools”').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Connect and go on' }).click();
      await step(page, 4);
      const entries = await readFile(path.join(window.user, '.cursor', 'mcp.json'), 'utf8');
      expect(entries).toContain('"filebridge"');
      expect(entries).not.toContain('echo-arguments');
      const agents = (await askProgram(page, 'agents.list', {})).filter(({ state }) => state === 'connected');
      expect(agents.map(({ name }) => name)).toEqual(['Cursor', 'VS Code']);
      await expect.poll(() => page.locator('.welcome-steps [data-done]').count()).toBe(3);

      await expect.poll(() => page.getByRole('radio', { name: /people\.csv/ }).isChecked()).toBe(true);
      await page.getByText('4 of 6 files in your folders are shown.').waitFor();
      await page.getByRole('radio', { name: /people\.csv/ }).waitFor();
      await page.getByRole('button', { name: 'Go to Home' }).click();
      await home(page);
      const say = page.getByRole('region', { name: 'Say this to your agent' });
      await say
        .getByText(/^Use Filebridge to send ~\/Documents\/people\.csv to the tool “.+” of the server “tools”\.$/)
        .waitFor();
      expect(await page.getByRole('region', { name: 'Saved' }).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(window.complaints).toEqual([]);
    } finally {
      await window.close();
    }
  });
});

describe.each(eitherHost())('a server that cannot be added in the first run, in %s', (host) => {
  it('is said once, and does not hold up the next step', async () => {
    const window = await openWindow(host, { folders: [], upstreams: {} }, newcomer);
    try {
      const { page } = window;
      await step(page, 1);
      await page.getByRole('button', { name: 'Skip this step' }).click();
      await step(page, 2);
      const found = page.getByRole('list', { name: 'Servers of your agents' });
      await found.getByRole('checkbox').check();
      // Its entry is another one by then.
      const file = path.join(window.user, '.cursor/mcp.json');
      await writeFile(file, JSON.stringify({ mcpServers: { tools: { command: 'another-one' } } }));
      await page.getByRole('button', { name: 'Add and go on' }).click();
      const trouble = page.getByRole('alert').filter({ hasText: 'tools was not added' });
      await trouble.waitFor();
      await expect.poll(() => trouble.count()).toBe(1);
      await page.getByRole('button', { name: 'Skip this step' }).click();
      await step(page, 3);
    } finally {
      await window.close();
    }
  });
});

/** What has the focus, as assistive technology names it, and whether a ring shows it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const label =
      element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent;
    const ring = getComputedStyle(element);
    return { name: (label ?? '').trim(), ringed: ring.outlineStyle !== 'none' && ring.outlineWidth !== '0px' };
  });

/** Tabs on until something of this name has the focus, which must always be seen. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (name.test(now.name)) {
      expect(now).toMatchObject({ ringed: true });
      return;
    }
  }
  throw new Error(`nothing named ${name} can be reached by Tab`);
}

describe.each(eitherHost())('the first run by keyboard alone, in %s', (host) => {
  it('goes through every step', async () => {
    const window = await openNew(host);
    try {
      const { page } = window;
      await step(page, 1);
      await page.getByRole('button', { name: 'Allow Documents' }).waitFor();
      await tabTo(page, /^Allow Documents$/);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Chosen' }).waitFor();
      await tabTo(page, /^Next$/);
      await page.keyboard.press('Enter');
      await step(page, 2);
      await tabTo(page, /from Cursor/);
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Add 1 server' }).waitFor();
      await tabTo(page, /^Add 1 server$/);
      await page.keyboard.press('Space');
      await page.getByRole('list', { name: 'Your servers' }).getByText('Connected').waitFor();
      await tabTo(page, /^Add a server$/);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Add a server' }).waitFor();
      await tabTo(page, /^Paste how to add/);
      await page.keyboard.type('typed');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Add a server' }).waitFor({ state: 'detached' });
      // The focus is back where it came from.
      expect((await focused(page)).name).toBe('Add a server');
      await tabTo(page, /^Next$/);
      await page.keyboard.press('Enter');
      await step(page, 3);
      await page.getByRole('checkbox', { name: 'VS Code' }).waitFor();
      await tabTo(page, /^VS Code/);
      await page.keyboard.press('Space');
      await tabTo(page, /^Connect 1 agent$/);
      await page.keyboard.press('Enter');
      await page.getByText('Ready', { exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'VS Code' }).waitFor();
      await tabTo(page, /^Next$/);
      await page.keyboard.press('Enter');
      await step(page, 4);
      await page.getByRole('radio', { name: /people\.csv/ }).waitFor();
      await tabTo(page, /^Make the call$/);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'It works' }).waitFor();
      await tabTo(page, /^Go to Home$/);
      await page.keyboard.press('Enter');
      await home(page);
    } finally {
      await window.close();
    }
  });
});
