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
  const question = () => page.getByRole('alertdialog');
  const titled = (name: string) => page.getByRole('alertdialog', { name, exact: true }).waitFor();
  /** The button that allows it, named by the act. */
  const once = () => question().getByRole('button', { name: /^(Delete for good|Move to the trash|Replace|Change|Move|Rename)$/ });
  const isRed = async () => (await once().getAttribute('class'))?.includes('button-danger');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const press = (name: string) => question().getByRole('button', { name }).click();
  const allow = async () => {
    await expect.poll(() => once().getAttribute('aria-disabled')).toBeNull();
    await once().click();
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
    await titled('Delete notes.txt for good?');
    await question().getByText('Cannot be undone').waitFor();
    expect(await isRed()).toBe(true);
    await expect.poll(focused).toBe('Refuse');
    expect(await question().getByRole('heading', { level: 3 }).allTextContents()).toEqual(['What the file holds now']);
    const text = (await question().textContent()) ?? '';
    for (const part of ['e2e-host', 'delete_file', 'Would be deleted for good', file, '23 bytes', 'first line', 'second line'])
      expect(text).toContain(part);
    expect(await question().getByRole('button', { name: 'Always allow this tool' }).count()).toBe(0);
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await press('Refuse');
    await gone();
    await page.getByText('Refused. Nothing was changed. e2e-host was told.').waitFor();
    expect((await answer).text).toContain('refused by the user');
    expect(await isThere(file)).toBe(true);
  });

  it('has what the agent sent folded away, as it was sent', async () => {
    const answer = agent.call('delete_file', { path: await home.file('raw.txt', 'raw'), permanent: true });
    await titled('Delete raw.txt for good?');
    const raw = question().getByRole('region', { name: 'Arguments as they are sent' });
    await expect.poll(() => raw.count()).toBe(0);
    await question().getByText('Details', { exact: true }).click();
    await raw.waitFor();
    await expect.poll(() => raw.textContent()).toContain('"permanent": true');
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await press('Refuse');
    expect((await answer).text).toContain('refused by the user');
    await gone();
  });

  it('is refused by Escape, and stays where it would go to the trash', async () => {
    const file = await home.file('trash.txt', 'kept');
    const answer = agent.call('delete_file', { path: file });
    await titled('Delete trash.txt?');
    await question()
      .getByText(/wants to delete this file in “.*”\. It goes to the trash/)
      .waitFor();
    expect(await question().getByText('Cannot be undone').count()).toBe(0);
    await expect.poll(() => once().textContent()).toBe('Move to the trash');
    expect(await isRed()).toBe(true);
    await expect.poll(() => once().getAttribute('aria-disabled')).toBeNull();
    await page.keyboard.press('Escape');
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
    await page.getByText('Done: gone.txt is deleted').waitFor();
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
    await titled('Change plan.txt?');
    expect(await isRed()).toBe(false);
    await expect.poll(() => question().textContent()).toContain('+new plan');
    expect(await question().getByRole('heading', { level: 3 }).allTextContents()).toEqual(['The change']);
    await allow();
    expect((await answer).text).toContain('+new plan');
    expect(await readFile(file, 'utf8')).toBe('new plan');
    expect((await agent.call('delete_file', { path: file, permanent: true })).text).toBe(`Deleted ${file}`);
  });

  it('is shown with what changes in each line, in one thing that scrolls, in both appearances', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => `${100 + n},Ada,Rome`);
    const file = await home.file('people.csv', `${lines.join('\n')}\n`);
    const edits = lines.map((line) => ({ oldText: `${line}\n`, newText: `${line.replace('Rome', 'Oslo')}\n` }));
    const answer = agent.call('edit_file', { path: file, edits });
    await titled('Change people.csv?');
    const change = question().getByRole('region', { name: 'The change' });
    await expect.poll(() => change.locator('[data-kind=removed] mark').first().textContent()).toBe('Rome');
    await expect.poll(() => change.locator('[data-kind=added] mark').first().textContent()).toBe('Oslo');
    const grounds = async () =>
      Promise.all(
        ['removed', 'added'].map((kind) =>
          change
            .locator(`[data-kind=${kind}]`)
            .first()
            .evaluate((line) => getComputedStyle(line).backgroundColor),
        ),
      );
    expect(new Set([...(await grounds()), 'rgba(0, 0, 0, 0)']).size).toBe(3);
    for (const appearance of ['dark', 'light'] as const) {
      await askProgram(page, 'settings.update', { changes: { app: { appearance } } });
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(appearance);
      expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    }
    expect(
      await question()
        .locator('*')
        .evaluateAll((all) =>
          all.flatMap((each) =>
            each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY)
              ? [each.className]
              : [],
          ),
        ),
    ).toEqual(['dialog-body']);
    await press('Refuse');
    expect((await answer).text).toContain('refused by the user');
    await gone();
  });

  it('is shown with what would be written in its place; a new file is not asked about', async () => {
    const fresh = home.at('fresh.csv');
    expect((await agent.call('write_file', { path: fresh, content: 'a\n1\n' })).isError).toBe(false);
    const answer = agent.call('write_file', { path: fresh, content: 'a\n2\n' });
    await titled('Replace fresh.csv?');
    // What is replaced is kept.
    await question().getByText('You can undo that later, on the Folders page.').waitFor();
    expect(await question().getByText('Cannot be undone').count()).toBe(0);
    expect(await isRed()).toBe(false);
    const shown = (name: string) => question().getByRole('region', { name, exact: true }).textContent();
    // As an edit is; all of the text on demand.
    expect(await shown('The change')).toBe(' a\n-1\n+2\n');
    await question().getByText('Details', { exact: true }).click();
    expect(await shown('What would be written')).toBe('a\n2\n');
    await allow();
    expect((await answer).isError).toBe(false);
    expect(await readFile(fresh, 'utf8')).toBe('a\n2\n');
  });

  it('is shown with where it would be moved', async () => {
    await goTo(page, 'Folders');
    const asks = page.getByRole('group', { name: 'What needs approval in data' });
    await asks.getByRole('switch', { name: 'moves or renames a file' }).click();
    await expect
      .poll(() => asks.getByRole('switch', { name: 'moves or renames a file' }).getAttribute('aria-checked'))
      .toBe('true');
    const file = await home.file('a.csv', 'a\n1\n');
    const folder = home.at('Archive');
    expect((await agent.call('create_directory', { path: folder })).isError).toBe(false);
    const answer = agent.call('move_file', { source: file, destination: `${folder}/a.csv` });
    await titled('Move a.csv to Archive?');
    expect(await isRed()).toBe(false);
    await expect.poll(() => question().textContent()).toContain(`${folder}/a.csv`);
    await allow();
    expect((await answer).isError).toBe(false);
    expect(await isThere(file)).toBe(false);
    expect(home.complaints).toEqual([]);
  });
});
