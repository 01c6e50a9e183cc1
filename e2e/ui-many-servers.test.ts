/** A page of many servers: those that need the person first, found by what is typed, in the order one chooses. */

import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './support/axe.ts';
import { goTo } from './support/steps.ts';
import { fixtureServer } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const well = (name: string) => [name, fixtureServer('echo-arguments.mjs', ['--label', name])] as const;
const few = Object.fromEntries(['tasks', 'mail', 'notes', 'shop', 'maps', 'files'].map(well));

describe.each(eitherHost())('many servers in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const names = () => page.getByRole('list', { name: 'Your servers' }).getByRole('heading', { level: 2 }).allTextContents();
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `More for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  };

  beforeAll(async () => {
    window = await openWindow(host, {
      app: { welcomed: true },
      upstreams: {
        ...few,
        zebra: { type: 'stdio', command: 'no-such-program-here' },
        asleep: { ...fixtureServer('echo-arguments.mjs'), enabled: false },
      },
    });
    page = window.page;
    await page.setViewportSize({ width: 900, height: 600 });
    await goTo(page, 'Servers');
  });
  afterAll(() => window?.close());

  it('shows those with problems first, and those that are off last', async () => {
    await page.getByRole('status').getByText('8 servers', { exact: true }).waitFor();
    await expect.poll(names).toEqual(['files', 'mail', 'maps', 'notes', 'shop', 'tasks', 'zebra', 'asleep']);
    await page.getByRole('button', { name: 'More for zebra' }).click();
    await page.getByRole('menuitem', { name: 'Test' }).click();
    await expect.poll(async () => (await names())[0]).toBe('zebra');
    await page.getByText('8 servers · 1 needs your attention').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('sorts them otherwise, and finds them by name and command', async () => {
    const order = page.getByRole('combobox', { name: 'Order' });
    await order.selectOption('As added');
    await expect.poll(names).toEqual([...Object.keys(few), 'zebra', 'asleep']);
    await order.selectOption('By name');
    await expect.poll(async () => (await names())[0]).toBe('asleep');
    const search = page.getByRole('searchbox', { name: 'Search servers' });
    await search.fill('no-such');
    await expect.poll(names).toEqual(['zebra']);
    await page.getByText('1 of 8 servers').waitFor();
    await search.fill('nowhere');
    await page.getByText('No server has this in its name').waitFor();
    await search.fill('');
    await expect.poll(async () => (await names()).length).toBe(8);
  });

  it('leaves the search out where there are few', async () => {
    await remove('asleep');
    await expect.poll(names).toEqual([...Object.keys(few), 'zebra']);
    expect(await page.getByRole('searchbox', { name: 'Search servers' }).count()).toBe(0);
  });
});
