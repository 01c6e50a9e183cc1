/** Pictures of every page in the real window, light and dark, for the README: `npm run screenshots`. */
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppHome, filebridgeHome, type StartedApp } from '../../bench/support/app.ts';
import { repository } from '../../e2e/support/cli.ts';
import { history } from './history.ts';
import { sampleFiles } from './sample-files.ts';

const place = fileURLToPath(new URL('.', import.meta.url));
/** A home with a short name, since it is read in the pictures. */
const user = path.join(os.tmpdir(), 'ann');
const documents = path.join(user, 'Documents');
const looks = ['light', 'dark'] as const;

let home: AppHome;
let window: StartedApp;
let agent: Client;

interface Bridge {
  request(name: string, input: object): Promise<{ ok: boolean; value: unknown }>;
}

const ask = <T>(page: Page, name: string, input: object = {}): Promise<T> =>
  page.evaluate(
    async ([operation, given]) => {
      const { filebridge } = window as unknown as { filebridge: Bridge };
      return (await filebridge.request(operation, given)).value;
    },
    [name, input] as const,
  ) as Promise<T>;

/** Where this very checkout lies is nobody's business: the pictures show an installed app. */
const hidePlaces = (page: Page): Promise<void> =>
  page.evaluate(
    (places) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode as Text;
        const shown = places.reduce((text, [from, to]) => text.replaceAll(from, to), node.data);
        if (shown !== node.data) node.data = shown;
      }
    },
    [
      [process.env.ELECTRON_OVERRIDE_DIST_PATH ?? repository, '/opt/Filebridge'],
      [repository.replace(/\/$/, ''), '/opt/Filebridge/resources'],
    ] as [string, string][],
  );

const visit = async (page: Page, route: string): Promise<void> => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#${route}`);
};

beforeAll(async () => {
  await rm(user, { recursive: true, force: true });
  await mkdir(path.join(user, 'Downloads'), { recursive: true });
  await mkdir(path.join(documents, 'Reports'), { recursive: true });
  await mkdir(path.join(user, '.cursor'), { recursive: true });
  await mkdir(path.join(user, '.config', 'Claude'), { recursive: true });
  await mkdir(path.join(user, '.config', 'Code', 'User'), { recursive: true });
  await writeFile(
    path.join(user, '.cursor', 'mcp.json'),
    JSON.stringify({ mcpServers: { website: { url: 'https://pages.example.org/mcp' } } }, null, 2),
  );
  for (const { name, content } of Object.values(sampleFiles)) await writeFile(path.join(documents, name), content);
  const { customers } = sampleFiles;
  await writeFile(
    path.join(documents, 'Reports', 'customers-october.csv'),
    `${customers.content.split('\n').slice(0, 2000).join('\n')}\n`,
  );
  await mkdir(path.join(user, 'servers'));
  await copyFile(path.join(place, 'database.mjs'), path.join(user, 'servers', 'database.mjs'));
  await symlink(path.join(repository, 'node_modules'), path.join(user, 'servers', 'node_modules'));
  home = await filebridgeHome(
    () => ({
      folders: [
        { path: documents, access: 'read' },
        { path: path.join(documents, 'Reports'), access: 'read-write' },
      ],
      upstreams: {
        database: { type: 'stdio', command: 'node', args: [path.join(user, 'servers', 'database.mjs')], confirm: 'always' },
        tasks: { type: 'stdio', command: 'node', args: [path.join(user, 'servers', 'database.mjs'), 'tasks'] },
        website: { type: 'http', url: 'https://pages.example.org/mcp', enabled: false },
      },
    }),
    {
      directory: path.join(user, '.filebridge'),
      env: { HOME: user, XDG_CONFIG_HOME: path.join(user, '.config'), TZ: 'UTC' },
    },
  );
  await mkdir(home.at('data'), { recursive: true });
  await writeFile(home.at('data', 'ledger.jsonl'), history(documents, new Date()));
  window = await home.open();
  const { url } = await ask<{ url: string }>(window.page, 'status.get');
  const { http } = await ask<{ http: { config: string } }>(window.page, 'agent.snippet', { reveal: true });
  agent = new Client({ name: 'Claude', version: '1.0.0' });
  const Authorization = `Bearer ${/Bearer ([^"]+)"/.exec(http.config)?.[1]}`;
  await agent.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization } } }));
});

afterAll(async () => {
  await agent?.close();
  await window?.close();
  await rm(user, { recursive: true, force: true });
});

/** What is done on a page before its picture; gives what is done after it. */
const shots: [name: string, route: string, prepare: (page: Page) => Promise<undefined | (() => Promise<void>)>][] = [
  [
    'home',
    '/',
    async (page) => {
      await page.getByText('All activity').waitFor();
      return undefined;
    },
  ],
  [
    'servers',
    '/servers',
    async (page) => {
      for (const name of ['tasks', 'database']) await ask(page, 'upstreams.check', { name });
      await page.getByRole('button', { name: 'Tools and approvals of database' }).click();
      await page.getByText('Tools', { exact: true }).waitFor();
      await page.getByText('drop_table').first().waitFor();
      return undefined;
    },
  ],
  [
    'catalogue',
    '/servers',
    async (page) => {
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByRole('tab', { name: 'Catalogue' }).click();
      await page.getByText('MarkItDown').waitFor();
      return async () => page.keyboard.press('Escape');
    },
  ],
  [
    'add-server',
    '/servers',
    async (page) => {
      await page.getByRole('button', { name: 'Add a server' }).click();
      await page.getByRole('tab', { name: 'By hand' }).click();
      await page.getByLabel('Name', { exact: true }).first().fill('memory');
      await page.getByLabel('Command', { exact: true }).fill('npx -y @modelcontextprotocol/server-memory');
      return async () => page.keyboard.press('Escape');
    },
  ],
  [
    'folders',
    '/folders',
    async (page) => {
      await page.getByText('Files that Filebridge reads').first().waitFor();
      return undefined;
    },
  ],
  [
    'preview',
    `/preview/${encodeURIComponent(encodeURIComponent(path.join(documents, 'customers.csv')))}`,
    async (page) => {
      await page.getByText('Ada Lovelace').first().waitFor();
      return undefined;
    },
  ],
  [
    'agents',
    '/agents',
    async (page) => {
      await page.getByText('Cursor').first().waitFor();
      return undefined;
    },
  ],
  [
    'activity',
    '/activity',
    async (page) => {
      await page.getByText('customers.csv').first().waitFor();
      return undefined;
    },
  ],
  [
    'settings',
    '/settings',
    async (page) => {
      await page.getByRole('combobox', { name: 'Language' }).waitFor();
      return undefined;
    },
  ],
  [
    'welcome',
    '/welcome',
    async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Suggested').waitFor();
      return undefined;
    },
  ],
  [
    'approval',
    '/',
    async (page) => {
      const call = agent
        .callTool({
          name: 'call_tool_with_file_content',
          arguments: {
            server: 'database',
            tool_name: 'bulk_insert',
            path: path.join(documents, 'customers.csv'),
            data_key: 'data',
            tool_args: { table: 'customers' },
          },
        })
        .catch(() => undefined);
      await page.getByRole('button', { name: 'Refuse' }).waitFor();
      await page.getByRole('alertdialog').getByRole('table').waitFor();
      return async () => {
        await page.getByRole('button', { name: 'Refuse' }).click();
        await call;
      };
    },
  ],
];

describe.each(looks)('%s', (appearance) => {
  beforeAll(async () => {
    await ask(window.page, 'settings.update', { changes: { app: { appearance } } });
  });

  it.each(shots)('%s', async (name, route, prepare) => {
    const { page } = window;
    await visit(page, '/nowhere');
    await visit(page, route);
    const after = await prepare(page);
    // What moves has come to rest: transitions, counts, fonts.
    await page.waitForTimeout(600);
    await hidePlaces(page);
    const picture = await page.screenshot({ path: path.join(place, `${name}-${appearance}.png`) });
    expect(picture.byteLength).toBeGreaterThan(10_000);
    await after?.();
  });
});
