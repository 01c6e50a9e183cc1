/** Folders as a person keeps them: chosen, dropped in, opened for writing, taken off, missed, and refused with a reason. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { openClient } from './support/mcp-clients.ts';
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
      .filter({ has: page.getByTitle(at(name), { exact: true }) });
  const allowed = async () => (await askProgram(page, 'folders.list', {})).map((each) => [each.path, each.access]);

  beforeAll(async () => {
    window = await openWindow(
      host,
      { folders: [], upstreams: {}, app: { welcomed: true }, expose: { fileTools: true } },
      async ({ user, workspace }) => {
        for (const name of ['chosen', 'dropped', 'Documents']) await mkdir(path.join(user, name), { recursive: true });
        await workspace.file('home/chosen/people.csv', 'id\n1\n');
        await workspace.file('home/chosen/id_rsa', 'a key');
        await workspace.file('home/.config/filebridge/config.json', '{}');
      },
    );
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
    await row('chosen')
      .getByText(/^\d files?,.*Files that Filebridge reads: 1 CSV/)
      .waitFor();
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

    it('has its own dialog where the one of the system does not work', async () => {
      await window.app?.evaluate(({ dialog }) => {
        dialog.showOpenDialog = (async () => {
          throw new Error('there is no portal');
        }) as typeof dialog.showOpenDialog;
      });
      await page.getByRole('button', { name: 'Add a folder' }).click();
      const own = page.getByRole('dialog', { name: 'Choose a folder' });
      await own.getByRole('button', { name: 'Documents' }).waitFor();
      await page.keyboard.press('Escape');
      await own.waitFor({ state: 'detached' });
    });

    it('says what is wrong with one of several that are dropped, and takes the others', async () => {
      await dropPaths(page, [at('chosen', 'people.csv'), at('dropped')]);
      await row('dropped').waitFor();
      const trouble = page.getByRole('alert');
      await expect
        .poll(() => trouble.textContent())
        .toBe(`'${at('chosen', 'people.csv')}' is not a folderChoose the folder it is in`);
      await askProgram(page, 'folders.remove', { path: at('dropped') });
      await row('dropped').waitFor({ state: 'detached' });
    });

    it('asks about each of several folders of the system', async () => {
      await dropPaths(page, ['/usr/share', '/var/cache']);
      for (const name of ['share', 'cache']) {
        const question = page.getByRole('alertdialog', { name: `Let agents read “${name}”, a folder of the system?` });
        await question.getByRole('button', { name: 'Cancel' }).click();
        await question.waitFor({ state: 'detached' });
      }
      expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    });
  } else {
    it('says that a browser hides where a dropped folder is', async () => {
      await dropPaths(page, [at('dropped')]);
      await page.getByText('A browser does not tell where a dropped folder is').waitFor();
      expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    });
  }

  it('takes a usual place that it suggests', async () => {
    await page.getByRole('button', { name: 'Allow reading: Documents' }).click();
    await row('Documents').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Allow reading: Documents' }).count()).toBe(0);
    await askProgram(page, 'folders.remove', { path: at('Documents') });
    await row('Documents').waitFor({ state: 'detached' });
  });

  it('lets agents write only after a second confirmation', async () => {
    const access = row('chosen').getByRole('combobox');
    await access.selectOption('Read and write');
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    await access.selectOption('Read and write');
    await question.getByText('Without asking you, agents may create, change, and move files here.').waitFor();
    await question.getByRole('switch', { name: 'overwrites or edits a file' }).click();
    await question.getByText('Without asking you, agents may create and move files here.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await question.getByRole('button', { name: 'Allow writing' }).click();
    await expect.poll(allowed).toEqual([[at('chosen'), 'read-write']]);
    const approves = async () => (await askProgram(page, 'folders.list', {}))[0]?.approve;
    expect(await approves()).toEqual({ delete: true, overwrite: true, move: false });
    await row('chosen').getByRole('switch', { name: 'overwrites or edits a file' }).click();
    await expect.poll(approves).toEqual({ delete: true, overwrite: false, move: false });
    await access.selectOption('Read only');
    await expect.poll(allowed).toEqual([[at('chosen'), 'read']]);
  });

  it('says whether an agent may open a path, and why not', async () => {
    const verdict = page.getByRole('region', { name: 'May an agent open this?' }).locator('.callout');
    const ask = async (text: string) => {
      await page.getByRole('textbox', { name: 'Path' }).fill(text);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
    };
    const says = (...parts: string[]) => expect.poll(() => verdict.textContent()).toBe(parts.join(''));
    await ask(at('chosen', 'people.csv'));
    await says('Agents may read it', `It is in '${at('chosen')}', which is allowed for reading only.`);
    await ask(at('chosen', 'people.cvs'));
    await expect.poll(() => verdict.textContent()).toContain('There is no file');
    await ask(at('chosen', 'id_rsa'));
    await expect
      .poll(() => verdict.textContent())
      .toContain("Agents cannot open itThe name 'id_rsa' looks like that of a password");
    await verdict.getByRole('button', { name: 'Allow this one file' }).click();
    const question = page.getByRole('alertdialog', { name: 'Let agents read “id_rsa”?' });
    await question.getByText('every connected agent', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Allow this one file' }).click();
    await expect.poll(() => verdict.textContent()).toContain('Agents may read it');
    await row('chosen').getByRole('button', { name: 'Close id_rsa again' }).click();
    await expect.poll(() => verdict.textContent()).toContain('Agents cannot open it');
    // The system's own folders cannot be allowed; those inside them are asked about.
    await ask('/etc/passwd');
    await says(
      'Agents cannot open it',
      'It is in none of the allowed folders.The folder it is in stays closed to agents: it belongs to the system or to Filebridge, or holds too much.',
    );
    expect(await verdict.getByRole('button').count()).toBe(0);
    await ask('/usr/share');
    await verdict.getByRole('button', { name: 'Allow this folder “share”' }).click();
    const system = page.getByRole('alertdialog', { name: 'Let agents read “share”, a folder of the system?' });
    await system.getByRole('button', { name: 'Cancel' }).click();
    await system.waitFor({ state: 'detached' });
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    const elsewhere =
      'It is in none of the allowed folders.Allow the folder it is in if agents should reach it.Allow this folder “dropped”';
    // What is allowed meanwhile shows without asking again.
    await ask(at('dropped'));
    await says('Agents cannot open it', elsewhere);
    await askProgram(page, 'folders.add', { path: at('dropped'), access: 'read' });
    await expect.poll(() => verdict.textContent()).toContain('Agents may read it');
    await askProgram(page, 'folders.remove', { path: at('dropped') });
    await says('Agents cannot open it', elsewhere);
    // What is Filebridge's own stays closed even in a folder that is allowed.
    await askProgram(page, 'folders.add', { path: window.user, access: 'read', sure: true });
    await ask(at('.config', 'filebridge', 'config.json'));
    await says('Agents cannot open it', 'It belongs to Filebridge itself, which keeps its settings and secrets closed.');
    await askProgram(page, 'folders.remove', { path: window.user });
  });

  it('names folders as people do, and asks before it takes the whole home folder', async () => {
    await row('chosen').getByText('~/chosen', { exact: true }).waitFor();
    await chooseFolder(window, window.user, () => page.getByRole('button', { name: 'Add a folder' }).click());
    const question = page.getByRole('alertdialog', { name: 'Let agents read your whole home folder?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    await chooseFolder(window, window.user, () => page.getByRole('button', { name: 'Add a folder' }).click());
    await question.getByRole('button', { name: 'Allow all of it' }).click();
    await expect.poll(allowed).toContainEqual([window.user, 'read']);
    await askProgram(page, 'folders.remove', { path: window.user });
    await expect.poll(allowed).toEqual([[at('chosen'), 'read']]);
  });

  it('refuses what no agent may have, with the reason, until something else is chosen', async () => {
    const add = page.getByRole('button', { name: 'Add a folder' });
    const refusals = [
      ['/', "'/' is the whole disk"],
      [at('chosen', 'people.csv'), `'${at('chosen', 'people.csv')}' is not a folder`],
      [window.dataDirectory, `'${window.dataDirectory}' belongs to Filebridge itself`],
      [path.dirname(window.user), `'${path.dirname(window.user)}' holds the folders of all users`],
      ['/etc', "'/etc' belongs to the system"],
      [at('nowhere'), `There is no folder '${at('nowhere')}'`],
    ] as const;
    for (const [wrong, reason] of refusals) {
      await chooseFolder(window, wrong, () => add.click());
      await page.getByRole('alert').filter({ hasText: reason }).waitFor();
      await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    }
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    await chooseFolder(window, at('dropped'), () => add.click());
    await row('dropped').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('undoes what an agent changed in it', async () => {
    await askProgram(page, 'folders.add', { path: at('chosen'), access: 'read-write' });
    const { url } = await askProgram(page, 'status.get', {});
    const agent = await openClient('v1', { url: url ?? '', token: await window.token() });
    await agent.call('write_file', { path: at('chosen', 'people.csv'), content: 'id\n2\n' });
    await agent.call('move_file', { source: at('chosen', 'people.csv'), destination: at('chosen', 'moved.csv') });
    await agent.close();
    const changes = page.getByRole('list', { name: 'Changed by agents' });
    await changes.getByText(`Moved from ${at('chosen', 'people.csv')}`).waitFor();
    await expect.poll(() => changes.getByRole('listitem').count()).toBe(2);
    await changes.getByText('~/chosen', { exact: true }).first().waitFor();
    // Where the file is not there any more, there is no button.
    await changes.getByText('It was deleted or moved since, so this cannot be undone.').waitFor();
    await expect.poll(() => changes.getByRole('button').count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    const question = page.getByRole('alertdialog');
    await changes.getByRole('button', { name: 'Undo the change to moved.csv' }).click();
    await question.getByText('It goes back to').waitFor();
    await question.getByRole('button', { name: 'Undo' }).click();
    // Done again, and undone again.
    await changes.getByText(/^You undid this change of /).waitFor();
    await changes.getByRole('button', { name: 'Redo the change to people.csv' }).click();
    await question.getByRole('button', { name: 'Redo' }).click();
    await changes.getByRole('button', { name: 'Undo the change to moved.csv' }).click();
    await question.getByRole('button', { name: 'Undo' }).click();
    await changes.getByText(/^You undid this change of /).waitFor();
    await expect.poll(() => changes.getByRole('listitem').count()).toBe(2);
    // The name leads to the file.
    await changes.getByRole('listitem').filter({ hasText: 'Changed' }).getByRole('link', { name: 'people.csv' }).click();
    await page.getByRole('heading', { level: 1, name: 'people.csv' }).waitFor();
    // The other one from its call in Activity, where the difference is seen before.
    await goTo(page, 'Activity');
    const row = page.getByRole('row').filter({ hasText: 'write_file' }).first();
    await row.click();
    const call = page.getByRole('dialog', { name: 'write_file' });
    const difference = call.getByRole('region', { name: 'Difference' });
    await expect.poll(() => difference.textContent()).toContain('-1\n+2');
    expect(await accessibilityFaults(page)).toEqual([]);
    await call.getByRole('button', { name: 'Undo the change to people.csv' }).click();
    // The call says that it was undone, and how it is made again.
    await call.getByText(/^You undid this change of /).waitFor();
    expect(await readFile(at('chosen', 'people.csv'), 'utf8')).toBe('id\n1\n');
    await call.getByRole('button', { name: 'Redo the change to people.csv' }).click();
    await call.getByRole('button', { name: 'Undo the change to people.csv' }).click();
    await call.getByText(/^You undid this change of /).waitFor();
    expect(await readFile(at('chosen', 'people.csv'), 'utf8')).toBe('id\n1\n');
    expect(await question.count()).toBe(0);
    await page.keyboard.press('Escape');
    await goTo(page, 'Folders');
    await askProgram(page, 'folders.add', { path: at('chosen'), access: 'read' });
  });

  it('reports one that vanished, and creates or removes it at a click', async () => {
    for (const name of ['chosen', 'dropped']) await rm(at(name), { recursive: true });
    await goTo(page, 'Home');
    const problem = (name: string) => page.locator('.callout').filter({ hasText: `The folder '${at(name)}' is not there` });
    await problem('dropped').getByRole('button', { name: 'Show folders' }).click();
    await row('dropped').getByText('This folder is not there any more').waitFor();
    await goTo(page, 'Home');
    await problem('dropped').getByRole('button', { name: 'Take it off the list' }).click();
    await problem('dropped').waitFor({ state: 'detached' });
    expect(await allowed()).toEqual([[at('chosen'), 'read']]);
    await problem('chosen').getByRole('button', { name: 'Create the folder' }).click();
    await problem('chosen').waitFor({ state: 'detached' });
    expect((await stat(at('chosen'))).isDirectory()).toBe(true);
    await goTo(page, 'Folders');
    await row('chosen').getByText('0 files').waitFor();
  });

  it('takes one off the list, and brings it back as it was', async () => {
    await askProgram(page, 'folders.add', { path: at('chosen'), access: 'read-write' });
    const access = row('chosen').getByRole('combobox');
    await expect.poll(() => access.inputValue()).toBe('read-write');
    await row('chosen').getByRole('button', { name: 'More for chosen' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await row('chosen').waitFor({ state: 'detached' });
    expect(await allowed()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('chosen').waitFor();
    page = await window.restart();
    expect(await allowed()).toEqual([[at('chosen'), 'read-write']]);
    expect(window.complaints).toEqual([]);
  });
});
