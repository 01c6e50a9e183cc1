/** Folders as a person keeps them: chosen, dropped in, opened for writing, taken off, missed, and refused with a reason. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { chooseFolder, dropPaths, goTo } from './support/steps.ts';
import { hosts, type OpenWindow, openWindow } from './support/window-hosts.ts';

describe.each(hosts)('Folders in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const at = (...parts: string[]) => path.join(window.user, ...parts);
  const list = () => page.getByRole('list', { name: 'Allowed folders' });
  const row = (name: string) =>
    list()
      .getByRole('listitem')
      .filter({ hasText: at(name) });
  const allowed = async () => (await askProgram(page, 'folders.list', {})).map((each) => [each.path, each.access]);

  beforeAll(async () => {
    window = await openWindow(host, { folders: [], upstreams: {}, app: { welcomed: true } }, async ({ user, workspace }) => {
      for (const name of ['chosen', 'dropped']) await mkdir(path.join(user, name), { recursive: true });
      await workspace.file('home/chosen/people.csv', 'id\n1\n');
    });
    page = window.page;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    await goTo(page, 'Folders');
  });
  afterAll(() => window?.close());

  it('says what to do while there is none', async () => {
    await page.getByText('No folder yet').waitFor();
  });

  it('takes one chosen in the dialog, for reading', async () => {
    await chooseFolder(window, at('chosen'), () => page.getByRole('button', { name: 'Add a folder' }).click());
    await row('chosen').getByText('1 files').waitFor();
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
  });

  if (host === 'electron') {
    it('takes one that is dropped as the system does it', async () => {
      await dropPaths(page, [at('dropped')]);
      await row('dropped').waitFor();
      expect(await allowed()).toContainEqual([at('dropped'), 'read']);
      await askProgram(page, 'folders.remove', { path: at('dropped') });
      await row('dropped').waitFor({ state: 'detached' });
    });
  }

  it('lets agents write only after a second word', async () => {
    const access = row('chosen').getByRole('combobox');
    await access.selectOption('Read and write');
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    await access.selectOption('Read and write');
    await question.getByRole('button', { name: 'Allow writing' }).click();
    await expect.poll(allowed).toEqual([[at('chosen'), 'read-write']]);
    await access.selectOption('Read only');
    await expect.poll(allowed).toEqual([[at('chosen'), 'read']]);
  });

  it('says why a path is refused', async () => {
    const ask = async (text: string) => {
      await page.getByRole('textbox', { name: 'Path' }).fill(text);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
    };
    await ask(at('chosen', 'people.csv'));
    await page.getByText('Agents may read it').waitFor();
    await ask('/etc/passwd');
    await page.getByText('Agents cannot open it').waitFor();
    await page.getByText('It is in none of the allowed folders.').waitFor();
  });

  it('refuses the root of the disk and a file, with words', async () => {
    for (const wrong of ['/', at('chosen', 'people.csv')]) {
      await expect(askProgram(page, 'folders.add', { path: wrong, access: 'read' })).rejects.toMatchObject({
        message: expect.stringContaining(wrong),
      });
    }
    expect(await allowed()).toHaveLength(1);
  });

  it('tells on Home of one that vanished, and makes it anew at a click', async () => {
    await rm(at('chosen'), { recursive: true });
    await goTo(page, 'Home');
    await page.getByText(`The folder '${at('chosen')}' is not there`).waitFor();
    await page.getByRole('button', { name: 'Create the folder' }).click();
    await page.getByText('is not there').waitFor({ state: 'detached' });
    await goTo(page, 'Folders');
  });

  it('takes one off the list, and brings it back', async () => {
    await row('chosen').getByRole('button', { name: 'More for chosen' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await row('chosen').waitFor({ state: 'detached' });
    expect(await allowed()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('chosen').waitFor();
    page = await window.restart();
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    expect(window.complaints).toEqual([]);
  });
});
