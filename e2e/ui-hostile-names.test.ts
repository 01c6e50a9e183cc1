/** Names that hide or reorder what is seen, look like markup, or never end: every page shows them as what they are, and keeps its shape. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import type { McpClient } from './support/mcp-clients.ts';
import { UNSEEN } from './support/poisoned-tools.ts';
import { connectAgent, goTo } from './support/steps.ts';
import { fixtureServer } from './support/upstreams.ts';
import { type OpenWindow, openWindow } from './support/window-hosts.ts';

/** As much as a file's name may have. */
const long = 'n'.repeat(200);
const hostile = 'a\u202E\u200B<img src=x onerror="window.poisoned=1">\u001B[2J';
const shown = 'a⟨U+202E⟩⟨U+200B⟩<img src=x onerror="window.poisoned=1">⟨U+001B⟩[2J';
const tools = [`read\u202Eetirw`, 'x'.repeat(5_000)].map((name) => ({
  name,
  description: `${hostile}\u0007`,
  inputSchema: { type: 'object', properties: { rows: { type: 'array' } } },
}));
// Windows and macOS refuse some of these characters in the names of files.
const fileName = process.platform === 'linux' ? `${hostile}.csv` : 'a\u200B.csv';

let workspace: Workspace;
let window: OpenWindow;
let page: Page;
let agent: McpClient;

beforeAll(async () => {
  workspace = await openWorkspace();
  const results = Object.fromEntries(tools.map(({ name }) => [name, { content: [{ type: 'text', text: hostile }] }]));
  const script = await workspace.file('script.json', JSON.stringify({ tools, results }));
  const folder = workspace.at(`data\u202E${long}`);
  await mkdir(folder);
  const file = path.join(folder, fileName);
  await writeFile(file, 'a\n1\n');
  window = await openWindow('console', {
    folders: [
      { path: folder, access: 'read' },
      { path: workspace.at('gone\u2066folder'), access: 'read' },
    ],
    upstreams: {
      poisoned: fixtureServer('scripted.mjs', [script, workspace.at('record'), hostile.replaceAll('\u0000', '')]),
      [`s${long.slice(0, 60)}`]: { type: 'stdio', command: `no\u202Esuch`, args: [hostile] },
    },
    expose: { fileTools: true, upstreamTools: 'none' },
  });
  page = window.page;
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  agent = await connectAgent(window, { name: hostile });
  for (const { name } of tools) await agent.call('call_tool', { server: 'poisoned', tool_name: name, tool_args: {} });
  await agent.call('read_text_file', { path: file });
});
afterAll(async () => {
  await agent?.close();
  await window?.close();
  await workspace?.remove();
});

/** Everything on the page that a person reads or hears, tooltips and names for screen readers included. */
const everything = () =>
  page.evaluate(() => {
    const read = ['title', 'aria-label', 'placeholder', 'alt'];
    const elements = [...document.querySelectorAll(read.map((name) => `[${name}]`).join())];
    return [
      document.title,
      document.body.textContent,
      ...elements.flatMap((element) => read.map((name) => element.getAttribute(name) ?? '')),
    ].join('\n');
  });

/** What lies beside the window's edge, and texts that run out of their place. */
const spilled = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *, [role=dialog] *')]
      .filter((element) => {
        if (element.closest('pre, [role=table], [role=grid], table')) return false;
        const { right } = element.getBoundingClientRect();
        const shown = getComputedStyle(element);
        const out = /^(H\d|P|B|LI|DD|CODE)$/.test(element.tagName) && shown.display !== 'inline' && shown.overflowX === 'visible';
        return right > document.documentElement.clientWidth + 1 || (out && element.scrollWidth > element.clientWidth + 1);
      })
      .map((element) => `${element.tagName}.${element.className}`),
  );

async function harmless(part: string): Promise<void> {
  await expect.poll(everything).toContain(part);
  expect(await everything()).not.toMatch(UNSEEN);
  expect(await spilled()).toEqual([]);
  expect(await page.evaluate(() => 'poisoned' in globalThis)).toBe(false);
  expect(await page.locator('img[src="x"]').count()).toBe(0);
}

it.each([
  ['Home', 'read⟨U+202E⟩etirw'],
  ['Preview', '⟨U+200B⟩'],
  ['Servers', 'no⟨U+202E⟩such'],
  ['Folders', 'gone⟨U+2066⟩folder'],
  ['Activity', 'read⟨U+202E⟩etirw'],
  ['Settings', 'Settings'],
  ['Agents', 'Agents'],
])('are shown as what they are on the page %s', async (name, part) => {
  await goTo(page, name);
  await harmless(part);
});

it('are shown as what they are in the details of a server and of a call', async () => {
  await goTo(page, 'Servers');
  await page.getByRole('button', { name: 'Tools and approvals of poisoned' }).click();
  await page.getByRole('list', { name: 'Tools' }).getByText('read⟨U+202E⟩etirw').waitFor();
  await harmless('xxxx');
  await goTo(page, 'Activity');
  await page.getByText('read⟨U+202E⟩etirw').first().click();
  await page.getByRole('dialog').getByText('read⟨U+202E⟩etirw').first().waitFor();
  await harmless('read⟨U+202E⟩etirw');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it.runIf(process.platform === 'linux')('are shown as what they are in the preview of a file and where it goes', async () => {
  await goTo(page, 'Preview');
  await page.getByRole('link', { name: shown }).first().click();
  await page.getByRole('heading', { level: 1, name: shown }).waitFor();
  await harmless(shown);
});

it('leave no complaint', () => expect(window.complaints).toEqual([]));
