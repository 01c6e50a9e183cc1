/** An agent that has another program's entry called `filebridge`: the person sees that it goes before it does. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from './support/axe.ts';
import { goTo } from './support/steps.ts';
import { hosts, type OpenWindow, openWindow } from './support/window-hosts.ts';

const theirs = '{\n  "mcpServers": { "filebridge": { "command": "bridge-of-files" } }\n}\n';

describe.each(hosts)('an entry of our name in %s', (host) => {
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
    expect(await tick.isDisabled()).toBe(true);
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
    await page.getByText('Cursor is connected').first().waitFor();
    expect(await readFile(file(), 'utf8')).not.toContain('bridge-of-files');
    await page.getByRole('button', { name: 'Put back as it was' }).click();
    await expect.poll(() => readFile(file(), 'utf8')).toBe(theirs);
  });
});
