/** Every page for everybody: nothing for a checker of accessibility to find, light and dark; usable in a small window and at twice the size. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewLink } from '../renderer/ui/path-links.ts';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { addServers } from './support/steps.ts';
import { everything } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

interface Look {
  name: string;
  route(home: OpenWindow): string;
  /** Resolves when the page shows what it is for. */
  ready(page: Page): Promise<unknown>;
  /** Closes what it opened. */
  leave?(page: Page): Promise<unknown>;
}

const looks: Look[] = [
  { name: 'Home', route: () => '/', ready: (page) => page.getByRole('link', { name: 'All activity' }).waitFor() },
  { name: 'Preview', route: () => '/preview', ready: (page) => page.getByRole('link', { name: /people\.csv/ }).waitFor() },
  {
    name: 'Preview of a file',
    route: (home) => previewLink(home.at('people.csv')),
    ready: (page) => page.getByRole('cell', { name: 'Ada' }).waitFor(),
  },
  {
    name: 'the list of tools that a file can be sent to',
    route: (home) => previewLink(home.at('people.csv')),
    async ready(page) {
      await page.getByRole('tab', { name: 'Send to a tool' }).click();
      await page.getByRole('button', { name: 'Show the tools' }).click();
      await page.getByRole('option', { name: /^echo/ }).waitFor();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'Servers',
    route: () => '/servers',
    async ready(page) {
      const unfold = page.getByRole('button', { name: 'Tools and approvals of everything' });
      await unfold.waitFor();
      if ((await unfold.getAttribute('aria-expanded')) === 'false') await unfold.click();
      await page.getByRole('switch', { name: 'Allow echo' }).waitFor();
    },
  },
  {
    name: 'the form of a server',
    route: () => '/servers',
    async ready(page) {
      const dialog = await addServers(page, 'By hand');
      await dialog.getByRole('button', { name: 'Add a variable' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Give it a name').waitFor();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'the import of servers',
    route: () => '/servers',
    async ready(page) {
      await (await addServers(page, 'From your agents')).getByText('No server was found').waitFor();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'the catalogue of servers',
    route: () => '/servers',
    async ready(page) {
      await (await addServers(page, 'Catalogue')).getByText('MarkItDown').waitFor();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'a server of the catalogue',
    route: () => '/servers',
    async ready(page) {
      const dialog = await addServers(page, 'Catalogue');
      await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('gitlab');
      await page.keyboard.press('Enter');
      await dialog.getByText('Address of the API').waitFor();
    },
    leave: (page) => page.keyboard.press('Escape'),
  },
  { name: 'Folders', route: () => '/folders', ready: (page) => page.getByText('Files that Filebridge reads').first().waitFor() },
  { name: 'Agents', route: () => '/agents', ready: (page) => page.getByText('It takes an address').waitFor() },
  { name: 'Activity', route: () => '/activity', ready: (page) => page.getByText('people.csv').first().waitFor() },
  {
    name: 'a call',
    route: () => '/activity/seen-1',
    ready: (page) => page.getByRole('dialog').getByText('Saved', { exact: true }).waitFor(),
    leave: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'Settings',
    route: () => '/settings/advanced',
    ready: (page) => page.getByRole('button', { name: 'Renew: default' }).waitFor(),
  },
  { name: 'Welcome', route: () => '/welcome', ready: (page) => page.getByText('Step 1 of 4').waitFor() },
  {
    name: 'an address without a page',
    route: () => '/nowhere',
    ready: (page) => page.getByRole('link', { name: 'Go to Home' }).waitFor(),
  },
];

const line = (id: number, outcome: string) =>
  JSON.stringify({
    id: `seen-${id}`,
    time: new Date(Date.now() - id * 60_000).toISOString(),
    client: 'Claude',
    kind: 'file_call',
    server: 'everything',
    tool: 'echo',
    paths: ['/data/people.csv'],
    inputBytes: 100,
    sentBytes: 200,
    records: 3,
    calls: 1,
    durationMs: 12,
    outcome,
    errorCode: outcome === 'ok' ? null : 'UPSTREAM_FAILED',
    savings: { arguments: { count: 100, method: 'measured' }, answer: { count: 1, method: 'estimated' } },
    storedPath: null,
  });

describe.each(eitherHost())('the pages in %s', (host) => {
  let home: OpenWindow;
  let page: Page;

  beforeAll(async () => {
    home = await openWindow(host, { upstreams: { everything: everything() }, app: { welcomed: true } }, async (prepared) => {
      await prepared.file('people.csv', 'id,name\n1,Ada\n2,Bo\n');
      await prepared.workspace.file(`${path.basename(prepared.dataDirectory)}/ledger.jsonl`, '');
      await writeFile(path.join(prepared.dataDirectory, 'ledger.jsonl'), `${line(2, 'failed')}\n${line(1, 'ok')}\n`);
    });
    page = home.page;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
  });
  afterAll(() => home?.close());

  async function visit({ route, ready }: Look): Promise<void> {
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#${route(home)}`,
    );
    await ready(page);
  }

  describe.each(['light', 'dark'] as const)('%s', (appearance) => {
    beforeAll(async () => {
      await askProgram(page, 'settings.update', { changes: { app: { appearance } } });
      await page.locator(`html[data-theme=${appearance}]`).waitFor({ state: 'attached' });
    });

    it.each(looks)('leaves nothing to be found on $name', async (look) => {
      await visit(look);
      expect(await accessibilityFaults(page)).toEqual([]);
      await look.leave?.(page);
    });
  });

  it.each([
    ['900×600', 900, 600],
    ['twice the size', 450, 300],
  ])('cuts nothing off sideways at %s', async (_name, width, height) => {
    await page.setViewportSize({ width, height });
    for (const look of looks) {
      await visit(look);
      const tooWide = await page.evaluate(() => {
        const scrollers = [...document.querySelectorAll<HTMLElement>('.content, .welcome-main, .dialog-body')];
        return [document.documentElement, ...scrollers]
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map((element) => `${element.className || element.tagName}: ${element.scrollWidth} > ${element.clientWidth}`);
      });
      expect({ page: look.name, tooWide }).toEqual({ page: look.name, tooWide: [] });
      await look.leave?.(page);
    }
  });

  it('made no page complain', () => expect(home.complaints).toEqual([]));
});
