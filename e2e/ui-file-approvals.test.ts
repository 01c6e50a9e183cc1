/** Changes by the file tools that need approval: what the person sees, what happens to the file, and the switch on the Folders page. */
import { access, readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { type McpClient, openClient } from './support/mcp-clients.ts';
import { goTo } from './support/steps.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

describe.each(eitherHost())('a file that an agent would delete or change, in %s', (host) => {
  let home: OpenWindow;
  let page: Page;
  let agent: McpClient;
  const question = () => page.getByRole('alertdialog', { name: 'Allow this change?' });
  const press = (name: string) => question().getByRole('button', { name }).click();
  const allow = async () => {
    const button = question().getByRole('button', { name: 'Allow once' });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBeNull();
    await button.click();
    await gone();
  };
  const gone = () => question().waitFor({ state: 'detached' });
  beforeAll(async () => {
    home = await openWindow(host, { expose: { fileTools: true, upstreamTools: 'none' } });
    page = home.page;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    const { url } = await askProgram(page, 'status.get', {});
    agent = await openClient('v1', { url: url ?? '', token: await home.token() });
  });
  afterAll(async () => {
    await agent?.close();
    await home?.close();
  });

  it('is shown with what would be lost, and stays when the person refuses', async () => {
    const file = await home.file('notes.txt', 'first line\nsecond line\n');
    const answer = agent.call('delete_file', { path: file, permanent: true });
    await question().waitFor();
    const text = (await question().textContent()) ?? '';
    for (const part of ['e2e-host', 'delete_file', 'Would be deleted for good', file, '23 bytes', 'first line', 'second line'])
      expect(text).toContain(part);
    expect(await question().getByRole('button', { name: 'Always for this tool' }).count()).toBe(0);
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await press('Refuse');
    await gone();
    expect((await answer).text).toContain('refused by the user');
    expect(await isThere(file)).toBe(true);
  });

  it('is deleted when the person allows it', async () => {
    const file = await home.file('gone.txt', 'gone');
    const answer = agent.call('delete_file', { path: file, permanent: true });
    await question().waitFor();
    await allow();
    expect((await answer).text).toBe(`Deleted ${file}`);
    expect(await isThere(file)).toBe(false);
  });

  it('is asked about as the switches on the Folders page say', async () => {
    const file = await home.file('plan.txt', 'old plan');
    await goTo(page, 'Folders');
    const asks = page.getByRole('group', { name: 'What needs approval in data' });
    const toggle = (name: string) => asks.getByRole('switch', { name });
    const state = (name: string) => toggle(name).getAttribute('aria-checked');
    await asks.waitFor();
    expect([await state('deletes a file'), await state('overwrites or edits a file')]).toEqual(['true', 'false']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await toggle('deletes a file').click();
    await expect.poll(() => state('deletes a file')).toBe('false');
    await toggle('overwrites or edits a file').click();
    await expect.poll(() => state('overwrites or edits a file')).toBe('true');
    const answer = agent.call('edit_file', { path: file, edits: [{ oldText: 'old', newText: 'new' }] });
    await question().waitFor();
    await expect.poll(() => question().textContent()).toContain('+new plan');
    await allow();
    expect((await answer).text).toContain('+new plan');
    expect(await readFile(file, 'utf8')).toBe('new plan');
    expect((await agent.call('delete_file', { path: file, permanent: true })).text).toBe(`Deleted ${file}`);
    expect(home.complaints).toEqual([]);
  });
});
