/** An agent that has another program's entry called `filebridge`: the person sees that it goes before it does. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    await page.getByRole('button', { name: 'Put back as it was' }).click();
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

  it('says what to do while there is none, and what a set-up app still needs', async () => {
    await here().getByText('No agent has connected yet').waitFor();
    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    await page.getByRole('dialog', { name: 'Connect Cursor' }).getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Cursor is set up and has not connected yet. Restart Cursor.').waitFor();
    await goTo(page, 'Home');
    await goTo(page, 'Agents');
    await page.getByText('Cursor is set up and has not connected yet. Restart Cursor.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
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
    await cursor.getByText('Connected').waitFor();
    await other.getByText('Connected').waitFor();
    await page.getByText(/^Cursor is set up and has not/).waitFor({ state: 'detached' });
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
    await here().getByText('No agent is connected now').waitFor();
    await expect.poll(() => here().getByRole('listitem').count()).toBe(0);
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
  const dialog = () => page.getByRole('dialog', { name: 'Use these servers through Filebridge only' });

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

  it('are marked, and stay while the agent is not connected', async () => {
    await goTo(page, 'Servers');
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'everything' }) });
    await card.getByText('Cursor also starts this server itself').waitFor();
    await card.getByText('Connect Cursor first.').waitFor();
    await goTo(page, 'Agents');
    await page.getByText('Cursor starts one of your servers past Filebridge as well: everything').waitFor();
    await page.getByText('Connect Cursor first.').waitFor();
    expect(await page.getByRole('button', { name: 'Take out…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Connect Cursor' }).click();
    await page.getByRole('dialog', { name: 'Connect Cursor' }).getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Take out…' }).waitFor();
  });

  it('are taken out once the person has seen the change, and not if it is another one by then', async () => {
    await page.getByRole('button', { name: 'Take out…' }).click();
    const change = dialog().getByRole('region', { name: 'What changes' });
    await change.getByText('"every": {').waitFor();
    await change.getByText('"PLACE": "•••"').first().waitFor();
    expect(await change.textContent()).not.toContain('plum-garden');
    expect(await accessibilityFaults(page)).toEqual([]);

    const before = await readFile(file(), 'utf8');
    await writeFile(file(), before.replace('{', '{\n  "noted": 1,'));
    await dialog().getByRole('button', { name: 'Take out of Cursor' }).click();
    await dialog().getByText('were changed after the difference was shown').waitFor();
    expect(await inFile()).toContain('every');
    await change.getByText('"noted": 1,').waitFor();
    await dialog().getByRole('button', { name: 'Take out of Cursor' }).click();
    await dialog().getByText('Done: Cursor uses this through Filebridge only.').waitFor();
    expect(await inFile()).toEqual(['other', 'graph', 'filebridge']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Cursor also starts a server').waitFor({ state: 'detached' });

    page = await window.restart();
    await goTo(page, 'Agents');
    await page.getByRole('button', { name: 'More for Cursor' }).click();
    await page.getByRole('menuitem', { name: 'Put its own servers back' }).click();
    await expect.poll(() => readFile(file(), 'utf8')).toBe(before.replace('{', '{\n  "noted": 1,'));
    await page.getByRole('button', { name: 'Take out…' }).waitFor();
  });

  it("are taken out from the server's card, and put back", async () => {
    const before = await readFile(file(), 'utf8');
    await goTo(page, 'Servers');
    await page.getByRole('button', { name: 'Take out…' }).click();
    await dialog().getByRole('button', { name: 'Take out of Cursor' }).click();
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
    await dialog().getByRole('button', { name: 'Take out of Cursor' }).waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
  });

  it('are offered to be taken out after an import', async () => {
    const found = await addServers(page, 'From your agents');
    await found.getByRole('checkbox', { name: /^graph / }).check();
    await found.getByRole('button', { name: 'Add 1 server' }).click();
    await dialog().getByRole('heading', { name: 'Cursor: graph' }).waitFor();
    await dialog().getByRole('button', { name: 'Take out of Cursor' }).click();
    await dialog().getByText('Done: Cursor').waitFor();
    expect(await inFile()).toEqual(['every', 'other', 'filebridge']);
  });
});
