/** An agent that has another program's entry called `filebridge`: the person sees that it goes before it does. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { cliFile } from './support/cli.ts';
import { openClient } from './support/mcp-clients.ts';
import { addServers, connectAgent, goTo } from './support/steps.ts';
import { everything, knowledgeGraph } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const theirs = '{\n  "mcpServers": { "filebridge": { "command": "bridge-of-files" } }\n}\n';

describe.each(eitherHost())('an entry of our name in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const file = () => path.join(window.user, '.cursor', 'mcp.json');

  beforeAll(async () => {
    window = await openWindow(host, { upstreams: {}, app: { welcomed: true } }, async ({ user }) => {
      await mkdir(path.join(user, '.cursor'));
      await writeFile(path.join(user, '.cursor', 'mcp.json'), theirs);
    });
    page = window.page;
  });
  afterAll(() => window?.close());

  it('is not among those that the first-run steps connect together', async () => {
    await page.evaluate(() => {
      location.hash = '#/welcome';
    });
    for (const step of [1, 2]) {
      await page.getByText(`Step ${step} of 4`).waitFor();
      await page.getByRole('button', { name: /^(Next|Skip this step)$/ }).click();
    }
    const tick = page.getByRole('checkbox', { name: 'Cursor' });
    await tick.waitFor();
    expect(await tick.isChecked()).toBe(false);
    await expect.poll(() => tick.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Connect \d/ }).count()).toBe(0);
    await page.getByText("It has an entry 'filebridge' that does not start Filebridge").waitFor();
    await page.getByRole('button', { name: 'Skip the set-up' }).click();
  });

  it('is replaced once the person was shown that it goes, and comes back', async () => {
    await goTo(page, 'Agents');
    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    const plan = page.getByRole('dialog', { name: 'Connect Cursor' });
    await plan.getByText('Another program’s entry is replaced').waitFor();
    await plan.getByText(/^Replaces the entry “filebridge” in ~.\.cursor.mcp\.json\. Nothing else changes\./).waitFor();
    await plan.getByText('bridge-of-files').waitFor();
    expect(await plan.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    // Long lines scroll by themselves, below a warning that is seen whole.
    const body = page.locator('.dialog-body');
    expect(await body.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(1);
    await plan.getByRole('button', { name: 'Cancel' }).click();
    await plan.waitFor({ state: 'detached' });
    expect(await readFile(file(), 'utf8')).toBe(theirs);

    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    await plan.getByRole('button', { name: 'Replace and connect' }).click();
    await page.getByText('Cursor is set up').first().waitFor();
    expect(await readFile(file(), 'utf8')).not.toContain('bridge-of-files');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => readFile(file(), 'utf8')).toBe(theirs);
  });
});

describe.each(eitherHost())('agents that are here, in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const here = () => page.getByRole('region', { name: 'Connected now' });

  beforeAll(async () => {
    window = await openWindow(host, { upstreams: { everything: everything() }, app: { welcomed: true } }, async ({ user }) => {
      await mkdir(path.join(user, '.cursor'));
      await writeFile(path.join(user, '.cursor', 'mcp.json'), '{}\n');
    });
    page = window.page;
    await goTo(page, 'Agents');
  });
  afterAll(() => window?.close());

  const row = () =>
    page
      .getByRole('list', { name: 'On this computer' })
      .getByRole('listitem')
      .filter({ hasText: /^Cursor/ });
  const menu = async () => {
    await page.getByRole('button', { name: 'More for Cursor' }).click();
    await page.getByRole('menuitem').first().waitFor();
    const items = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    return items.map((item) => item.replaceAll(/\s*\n\s*/g, ' – '));
  };

  it('lists the apps of this computer first, and no agents until one has connected', async () => {
    await row().getByText('Not connected', { exact: true }).waitFor();
    await row().getByText('~/.cursor/mcp.json').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'On this computer',
      'Connect another agent by hand',
    ]);
    const address = page.getByRole('region', { name: 'Connect another agent by hand' });
    await address.getByText(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/).waitFor();
  });

  it('offers what applies, and says what it does', async () => {
    const byHand = 'Copy the text to connect it by hand – To paste into ~/.cursor/mcp.json.';
    const inTheApp = 'Connect in Cursor itself – Opens Cursor, which asks whether to add Filebridge.';
    // A page in a browser cannot open other apps.
    expect(await menu()).toEqual(host === 'electron' ? [inTheApp, byHand] : [byHand]);
  });

  it('says in a sentence what connecting changes, and what a set-up app still needs', async () => {
    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    const plan = page.getByRole('dialog', { name: 'Connect Cursor' });
    await plan.getByText('Adds one entry to ~/.cursor/mcp.json. Nothing else changes. A copy of the file is kept.').waitFor();
    const change = plan.getByRole('region', { name: 'What changes' });
    expect(await change.isVisible()).toBe(false);
    await plan.getByText('Show the change').click();
    await change.getByText('"filebridge"').waitFor();
    // Nothing is lost of what was there on one line.
    expect(await change.locator('[data-kind="removed"]').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await plan.getByRole('button', { name: 'Connect', exact: true }).click();
    await row().getByText('Set up – not connected yet').waitFor();
    await row().getByText('Next step: Restart Cursor.').waitFor();
    await goTo(page, 'Home');
    await goTo(page, 'Agents');
    await row().getByText('Next step: Restart Cursor.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await menu()).toEqual([
      'Undo the last change to its settings – Brings ~/.cursor/mcp.json back as it was before.',
      'Disconnect from Filebridge – Removes the entry of Filebridge from ~/.cursor/mcp.json.',
    ]);
  });

  it('shows agents over HTTP and stdio, with their calls and savings, until they leave', async () => {
    const file = await window.file('letter.txt', 'words. '.repeat(200));
    const agent = await connectAgent(window);
    const start = {
      command: process.execPath,
      args: [cliFile, 'serve', '--stdio', '--config', window.configFile],
      env: window.env,
      onStderr: () => undefined,
    };
    const own = await openClient('v1', start, { name: 'cursor-vscode' });
    const cursor = here().getByRole('listitem').filter({ hasText: 'starts Filebridge itself' });
    const other = here().getByRole('listitem').filter({ hasText: 'by address' });
    await cursor.getByText('Cursor', { exact: true }).waitFor();
    await cursor.getByText('Connected now').waitFor();
    await other.getByText('Connected now').waitFor();
    await row().getByText('Connected now').waitFor();
    await row().getByText('Next step').waitFor({ state: 'detached' });
    await agent.call('call_tool_with_file_content', { server: 'everything', tool_name: 'echo', path: file, data_key: 'message' });
    await other.getByText(/^1 call · [≈ ]*\d+ tokens saved$/).waitFor();
    await here().getByText('2 agents are connected').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await Promise.all([agent.close(), own.close()]);
    const before = page.getByRole('region', { name: 'Here before' });
    await before
      .getByRole('listitem')
      .filter({ hasText: 'starts Filebridge itself' })
      .getByText(/^Last seen /)
      .waitFor();
    // “Connected now” means now.
    await here().waitFor({ state: 'detached' });
    await row().getByText('Ready – not connected now').waitFor();
  });
});

describe.each(eitherHost())('servers that an agent also starts itself, in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const file = () => path.join(window.user, '.cursor', 'mcp.json');
  const inFile = async (): Promise<string[]> => Object.keys(JSON.parse(await readFile(file(), 'utf8')).mcpServers);
  const server = { ...everything(), env: { PLACE: 'plum-garden' } };
  /** Another server of the same program, which Filebridge does not have. */
  const other = { ...everything(), env: { PLACE: 'elsewhere' } };
  const dialog = () => page.getByRole('dialog', { name: 'Use servers only through Filebridge' });
  const look = () => page.getByRole('button', { name: 'Use only through Filebridge…' });
  const takeOut = () => dialog().getByRole('button', { name: 'Use only through Filebridge' });

  beforeAll(async () => {
    window = await openWindow(
      host,
      { upstreams: { everything: server }, app: { welcomed: true } },
      async ({ user, workspace }) => {
        await mkdir(path.join(user, '.cursor'));
        const servers = { every: server, other, graph: knowledgeGraph(path.join(workspace.root, 'graph.jsonl')) };
        await writeFile(path.join(user, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: servers }, null, 2));
      },
    );
    page = window.page;
  });
  afterAll(() => window?.close());

  it('are marked, and taken out of an app that is connected by the same change', async () => {
    await goTo(page, 'Servers');
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'everything' }) });
    await card.getByText('Cursor uses this server directly').waitFor();
    await goTo(page, 'Agents');
    await page.getByText('Cursor uses everything directly, past Filebridge').waitFor();
    const before = await readFile(file(), 'utf8');
    const both =
      'Connects Cursor to Filebridge: adds one entry to ~/.cursor/mcp.json, and removes the entry “every”. Nothing else changes.';
    const connect = page.getByRole('dialog', { name: 'Connect Cursor' });
    const only = connect.getByRole('checkbox', { name: 'Use everything only through Filebridge' });
    // One dialog, whichever button one came from, with one difference.
    await look().click();
    await connect.getByText(both).waitFor();
    await expect.poll(() => only.isChecked()).toBe(true);
    await expect.poll(() => connect.getByText('Show the change').count()).toBe(1);
    await only.uncheck();
    await connect.getByText('Adds one entry to ~/.cursor/mcp.json.').waitFor();
    await connect.getByRole('button', { name: 'Cancel' }).click();
    await connect.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    await expect.poll(() => only.isChecked()).toBe(false);
    await only.check();
    await connect.getByText(both).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await connect.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Cursor is set up, and uses everything only through Filebridge').first().waitFor();
    expect(await inFile()).toEqual(['other', 'graph', 'filebridge']);
    // One undo for both. Where it fails, its toast says so, on whichever page one is.
    const after = await readFile(file(), 'utf8');
    await writeFile(file(), after.replace('"mcpServers": {', '"mcpServers": { "every": { "command": "mine" },'));
    const toasts = page.locator('.toasts');
    await goTo(page, 'Home');
    await toasts.getByRole('button', { name: 'Undo' }).click();
    await toasts.getByText("other entries are called 'every' now").first().waitFor();
    await writeFile(file(), after);
    await askProgram(page, 'agents.putBack', { id: 'cursor' });
    await expect.poll(() => readFile(file(), 'utf8')).toBe(before);
    await goTo(page, 'Agents');
    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    await connect.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Agents then see those tools twice.').waitFor();
  });

  it('are mentioned on Home', async () => {
    await goTo(page, 'Home');
    await page.getByText('Cursor also uses everything directly, past Filebridge').waitFor();
    await look().click();
    await dialog()
      .getByText(/^Removes the entry “every” from /)
      .waitFor();
    await dialog().getByRole('button', { name: 'Not now' }).click();
    await goTo(page, 'Agents');
  });

  it('are taken out once the person has seen the change, and not if it is another one by then', async () => {
    await look().click();
    await dialog()
      .getByText('Removes the entry “every” from ~/.cursor/mcp.json. Nothing else changes. A copy of the file is kept.')
      .waitFor();
    const change = dialog().getByRole('region', { name: 'What changes' });
    expect(await change.isVisible()).toBe(false);
    await dialog().getByText('Show the change').click();
    await change.getByText('"every": {').waitFor();
    await change.getByText('"PLACE": "•••"').first().waitFor();
    expect(await change.textContent()).not.toContain('plum-garden');
    expect(await accessibilityFaults(page)).toEqual([]);

    const before = await readFile(file(), 'utf8');
    await writeFile(file(), before.replace('{', '{\n  "noted": 1,'));
    await takeOut().click();
    await dialog().getByText('were changed after the difference was shown').waitFor();
    expect(await inFile()).toContain('every');
    await change.getByText('"noted": 1,').waitFor();
    await takeOut().click();
    // Said to those who do not see it, and the focus is where one goes on.
    const status = dialog().getByRole('region', { name: 'Cursor' }).getByRole('status');
    await status.getByText('Done: Cursor uses everything only through Filebridge.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Close');
    expect(await inFile()).toEqual(['other', 'graph', 'filebridge']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await look().waitFor({ state: 'detached' });

    page = await window.restart();
    await goTo(page, 'Agents');
    await page.getByRole('button', { name: 'More for Cursor' }).click();
    await page.getByRole('menuitem', { name: 'Let it use its servers directly again' }).click();
    await expect.poll(() => readFile(file(), 'utf8')).toBe(before.replace('{', '{\n  "noted": 1,'));
    await look().waitFor();
  });

  it("are taken out from the server's card, and put back", async () => {
    const before = await readFile(file(), 'utf8');
    await goTo(page, 'Servers');
    await look().click();
    await takeOut().click();
    await dialog().getByRole('button', { name: 'Undo' }).waitFor();
    expect(await inFile()).not.toContain('every');
    // The app has given the name to something else: that is said, and stays.
    const after = await readFile(file(), 'utf8');
    await writeFile(file(), after.replace('"mcpServers": {', '"mcpServers": { "every": { "command": "mine" },'));
    await dialog().getByRole('button', { name: 'Undo' }).click();
    await dialog().getByText("other entries are called 'every' now").waitFor();
    await writeFile(file(), after);
    await dialog().getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => readFile(file(), 'utf8')).toBe(before);
    await takeOut().waitFor();
    await dialog().getByRole('button', { name: 'Not now' }).click();
  });

  it('are offered to be taken out after an import', async () => {
    const found = await addServers(page, 'From your agents');
    await found.getByRole('checkbox', { name: /^graph / }).check();
    await found.getByRole('button', { name: 'Add 1 server' }).click();
    await dialog().getByText('Removes the entry “graph” from').waitFor();
    await takeOut().click();
    await dialog().getByText('Done: Cursor').waitFor();
    expect(await inFile()).toEqual(['every', 'other', 'filebridge']);
  });
});
