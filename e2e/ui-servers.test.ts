/** Servers as a person keeps them: added, failing, fixed, switched tool by tool, asked about, looked into, taken away. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest, writeBundle } from '../electron/adding/bundle-fixture.ts';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { downloadOf } from './support/downloads.ts';
import { changeConfig } from './support/filebridge.ts';
import { fixture, isRunning } from './support/session.ts';
import { addServers, connectAgent, dropPaths, goTo } from './support/steps.ts';
import { fixtureServer } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const secret = 'sk-test-9f8e7d6c5b4a39281706';
const entryOf = (file: string) => JSON.parse(file) as { upstreams: Record<string, Record<string, unknown>> };

describe.each(eitherHost())('Servers in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  const card = (name: string): Locator =>
    page
      .getByRole('list', { name: 'Your servers' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) });
  const state = (name: string) => card(name).getByRole('status').first();
  const choose = async (name: string, action: string) => {
    await card(name)
      .getByRole('button', { name: `More for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const configured = async (name: string) => entryOf(await readFile(window.configFile, 'utf8')).upstreams[name];

  beforeAll(async () => {
    window = await openWindow(host, {
      upstreams: {
        keeper: {
          ...fixtureServer('echo-arguments.mjs', ['--label', 'plain']),
          env: { API_KEY: secret, REGION: 'eu', FROM_OUTSIDE: `\${PATH}` },
        },
        // Reads what it is told, and never says a word.
        silent: { type: 'stdio', command: process.execPath, args: ['-e', 'process.stdin.resume()'] },
      },
    });
    page = window.page;
    await goTo(page, 'Servers');
  });
  afterAll(() => window?.close());

  it('says what is missing in a new one, before anything is tried', async () => {
    const dialog = await addServers(page, 'By hand');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Give it a name').waitFor();
    await dialog.getByText('Enter the command').waitFor();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
    await expect.poll(() => dialog.getByText('Give it a name').count()).toBe(0);
    // A slip is put right at one click.
    const command = dialog.getByRole('textbox', { name: 'Command' });
    await command.fill('nod --fast');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByRole('button', { name: 'Use “node”' }).click();
    await expect.poll(() => command.inputValue()).toBe('node --fast');
    await command.fill('no-such-program-here --fast');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText("Server 'second' could not be started: command 'no-such-program-here' was not found").waitFor();
    // One who knows better may.
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await configured('second')).toMatchObject({ command: 'no-such-program-here', args: ['--fast'] });
  });

  it('says nothing of what was entered before, and keeps what is typed through a click beside it', async () => {
    const dialog = await addServers(page, 'By hand');
    const command = dialog.getByRole('textbox', { name: 'Command' });
    const test = dialog.getByRole('button', { name: 'Test' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('third');
    /** Enters and tests a server that never says a word; its process once it runs. */
    const startSilent = async (name: string) => {
      const file = window.at(name);
      const silent = `require('fs').writeFileSync('${file}',String(process.pid));setInterval(()=>{},1000)`;
      await command.fill(`"${process.execPath}" -e "${silent}"`);
      await test.click();
      await dialog.getByText('Starting the server').waitFor();
      const pid = async () => Number(await readFile(file, 'utf8').catch(() => ''));
      await expect.poll(pid).toBeGreaterThan(0);
      return await pid();
    };
    const first = await startSilent('first');
    await command.fill('no-such-program-here');
    await expect.poll(() => dialog.getByText('Starting the server').count()).toBe(0);
    await test.click();
    const found = dialog.getByText("command 'no-such-program-here' was not found");
    await found.waitFor();
    await expect.poll(() => isRunning(first)).toBe(false);
    // Answered after what ended before.
    await askProgram(page, 'upstreams.list', {});
    await askProgram(page, 'upstreams.list', {});
    await found.waitFor();
    expect(await dialog.getByText(/cancelled/).count()).toBe(0);

    await page.mouse.click(5, 5);
    await expect.poll(() => command.inputValue()).toBe('no-such-program-here');
    const last = await startSilent('last');
    expect(await isRunning(last)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => isRunning(last)).toBe(false);
  });

  it('says in plain words why one fails, and is well as soon as it is fixed', async () => {
    await choose('second', 'Test');
    const trouble = card('second').getByRole('alert');
    await trouble.getByText("command 'no-such-program-here' was not found").waitFor();
    // Which folders were searched is nothing that a person can use.
    const hint = /Install it, or give its full path\.?$/;
    await trouble.getByText(hint).waitFor();
    await state('second')
      .getByText(/Not working|Trying again soon/)
      .waitFor();
    await goTo(page, 'Home');
    await page.getByText("The server 'second' does not work").waitFor();
    await page.locator('.callout').filter({ hasText: "The server 'second' does not work" }).getByText(hint).waitFor();
    await page.getByRole('button', { name: 'Change its settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await trouble.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “second”' });
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('no-such-program-here --fast');
    await dialog.getByRole('textbox', { name: 'Command' }).fill(`"${process.execPath}" "${fixture('echo-arguments.mjs')}"`);
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('It works: 11 tools').waitFor();
    await dialog.getByText(/^anything, insert_records, .*one_list, two_lists/).waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => trouble.count()).toBe(0);
    await choose('second', 'Test');
    await state('second').getByText('Connected').waitFor();
    await state('second').getByText('11 tools').waitFor();
    const names = (await askProgram(page, 'status.get', {})).problems.map((problem) =>
      'server' in problem ? problem.server : null,
    );
    expect(names).not.toContain('second');
  });

  it('hides a tool from agents at once, and gives it back', async () => {
    const agent = await connectAgent(window);
    try {
      const seen = async () => (await agent.call('list_upstream_tools', { server: 'second' })).text;
      await expect.poll(seen).toContain('one_list');
      await card('second').getByRole('button', { name: 'Tools and approvals of second' }).click();
      const control = card('second').getByRole('switch', { name: 'Allow one_list' });
      await expect.poll(() => control.isChecked()).toBe(true);
      await control.click();
      await expect.poll(seen).not.toContain('one_list');
      expect(await seen()).toContain('two_lists');
      const answer = await agent.call('call_tool', { server: 'second', tool_name: 'one_list', tool_args: {} });
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('one_list');
      await expect.poll(() => control.isChecked()).toBe(false);
      await control.click();
      await expect.poll(seen).toContain('one_list');
      const allowed = await agent.call('call_tool', { server: 'second', tool_name: 'one_list', tool_args: { table: 'x' } });
      expect(allowed.isError, allowed.text).toBe(false);
    } finally {
      await agent.close();
    }
  });

  it('finds a tool among many', async () => {
    const search = card('second').getByRole('searchbox', { name: 'Search tools' });
    await search.fill('push');
    const tools = card('second').getByRole('list', { name: 'Tools' }).getByRole('listitem');
    await expect.poll(() => tools.count()).toBe(1);
    await expect.poll(() => tools.textContent()).toContain('push_files');
    await expect.poll(() => tools.textContent()).toContain('Takes a file in: files, files[].content');
    await search.fill('puhs files');
    await expect.poll(() => tools.first().textContent()).toContain('push_files');
    await search.fill('xyzzy');
    await card('second').getByText('No tool', { exact: false }).waitFor();
    await expect.poll(() => tools.count()).toBe(0);
    await search.fill('');
    await expect.poll(() => tools.count()).toBe(11);
  });

  it('asks before calls while its setting says so', async () => {
    // The file is written a moment before the program applies it: a call in between would go by the old setting.
    const inForce = (mode: string) =>
      expect
        .poll(async () => (await askProgram(page, 'upstreams.list', {})).find(({ name }) => name === 'second')?.confirm)
        .toBe(mode);
    await card('second').getByRole('combobox', { name: 'Ask me before a call' }).selectOption('Always');
    await inForce('always');
    await card('second').getByText('Filebridge shows you every call before it goes out, and waits for your approval.').waitFor();
    await page.getByText('You are asked before every call of second').first().waitFor();
    // The switch is in one line with the name, however much is said of the server.
    await page.setViewportSize({ width: 900, height: 600 });
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
    const apart = async () =>
      Math.abs(
        (await top(card('second').getByRole('switch').first())) - (await top(card('second').getByRole('heading', { level: 2 }))),
      );
    await expect.poll(apart).toBeLessThan(30);
    await card('second').getByText('You are asked before every call', { exact: true }).waitFor();
    expect(
      await card('keeper')
        .getByText(/^You are asked before/)
        .count(),
    ).toBe(0);
    const agent = await connectAgent(window);
    try {
      const question = page.getByRole('alertdialog', { name: 'Allow this call?' });
      const answer = agent.call('call_tool', { server: 'second', tool_name: 'one_list', tool_args: {} });
      await question.getByRole('button', { name: 'Refuse' }).click();
      expect((await answer).json()).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
      await question.waitFor({ state: 'detached' });
      await card('second').getByRole('combobox', { name: 'Ask me before a call' }).selectOption('Never');
      await inForce('never');
      await card('second').getByText('Calls go out at once. You are not asked.').waitFor();
      await page.getByText('second is used without asking you').first().waitFor();
      await expect.poll(() => card('second').getByText('You are asked before every call', { exact: true }).count()).toBe(0);
      expect((await agent.call('call_tool', { server: 'second', tool_name: 'one_list', tool_args: {} })).isError).toBe(false);
    } finally {
      await agent.close();
    }
  });

  it('restarts one, and keeps its log', async () => {
    await choose('second', 'Restart');
    await state('second').getByText('Connected').waitFor();
    await choose('second', 'Show log');
    const log = page.getByRole('dialog', { name: 'Log of second' });
    await expect.poll(async () => (await log.textContent())?.split('Connected: echo-arguments').length).toBeGreaterThan(2);
    await page.keyboard.press('Escape');
    await log.waitFor({ state: 'detached' });
  });

  it('never tells the page a secret', async () => {
    const said: string[] = [];
    for (const query of ['upstreams.get', 'upstreams.tools', 'upstreams.log'] as const) {
      said.push(JSON.stringify(await askProgram(page, query, { name: 'keeper' })));
    }
    for (const query of ['upstreams.list', 'upstreams.export', 'upstreams.found', 'status.get', 'settings.get'] as const) {
      said.push(JSON.stringify(await askProgram(page, query, {})));
    }
    expect(said.join()).not.toContain(secret);
    await choose('keeper', 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit “keeper”' });
    const field = dialog.getByLabel('Value API_KEY');
    await expect.poll(() => field.inputValue()).toBe('');
    await expect.poll(() => field.getAttribute('type')).toBe('password');
    await expect.poll(() => field.getAttribute('placeholder')).toBe('Stored. Leave empty to keep it');
    await expect.poll(() => dialog.getByLabel('Value REGION').inputValue()).toBe('eu');
    expect(await page.content()).not.toContain(secret);
    // Saved without being typed anew, it is kept.
    await dialog.getByLabel('Value REGION').fill('us');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await configured('keeper')).toMatchObject({ env: { API_KEY: secret, REGION: 'us', FROM_OUTSIDE: `\${PATH}` } });
  });

  it('exports all of them without secrets', async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export servers' });
    await dialog.getByText('mcpServers').waitFor();
    const { name, text } = await downloadOf(window, () => dialog.getByRole('button', { name: 'Save as a file' }).click());
    expect(name).toBe('servers.json');
    expect(text).not.toContain(secret);
    const { mcpServers } = JSON.parse(text);
    expect(Object.keys(mcpServers)).toEqual(['keeper', 'silent', 'second']);
    expect(mcpServers.keeper.env).toEqual({ API_KEY: `\${API_KEY}`, REGION: 'us', FROM_OUTSIDE: `\${PATH}` });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('takes over what is pasted, and says what it does not take', async () => {
    const dialog = await addServers(page, 'From your agents');
    await dialog.getByText('No server was found').waitFor();
    await dialog.getByRole('tab', { name: 'Paste' }).click();
    const field = dialog.getByRole('textbox', { name: 'Paste how to add a server' });
    await field.fill('{ "mcpServers": { "half": ');
    await dialog.getByRole('button', { name: 'Check the pasted text' }).click();
    await dialog.getByRole('alert').waitFor();
    const { command, args } = fixtureServer('echo-arguments.mjs');
    const paste = async (more: string[]) => {
      await field.fill(JSON.stringify({ mcpServers: { pasted: { command, args: [...args, ...more] } } }));
      await dialog.getByRole('button', { name: 'Check the pasted text' }).click();
      const shown = dialog.getByRole('list', { name: 'Servers in the pasted text' });
      await shown.getByText([command, ...args, ...more].join(' ')).waitFor();
      expect(await configured('pasted')).toBeUndefined();
    };
    const add = (count: number) => dialog.getByRole('button', { name: `Add ${count} server` });
    await paste([]);
    await dialog.getByText('Already here as “second”').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await expect.poll(() => dialog.getByRole('button', { name: 'Add the chosen servers' }).isDisabled()).toBe(true);
    await dialog.getByText('Tick a server first').waitFor();
    expect(await add(0).count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'pasted' }).check();
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.fill('second');
    await dialog.getByRole('alert').getByText('You have a server of this name').waitFor();
    await expect.poll(() => add(1).isDisabled()).toBe(true);
    await name.fill('second again');
    await add(1).click();
    await dialog.waitFor({ state: 'detached' });
    await card('second again').waitFor();
    await choose('second again', 'Remove');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await card('second again').waitFor({ state: 'detached' });
    await addServers(page, 'Paste');
    await paste(['--pasted']);
    await add(1).click();
    await dialog.waitFor({ state: 'detached' });
    await card('pasted').waitFor();
  });

  it('says by hand too that a server is there already, which name it may have, and where secrets are kept', async () => {
    const dialog = await addServers(page, 'By hand');
    const { command, args } = fixtureServer('echo-arguments.mjs');
    await dialog.getByText('Up to 64 letters, digits, spaces or other signs').waitFor();
    // The advice comes with the first variable: before a secret is typed, and not without need.
    expect(await dialog.getByText('cannot be kept here').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Add a variable' }).click();
    await expect.poll(() => dialog.getByText(/keychain|cannot be kept/i).count()).toBe(1);
    await dialog.getByRole('button', { name: 'Remove Name' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('my notes!');
    const quoted = [command, ...args].map((word) => `"${word}"`).join(' ');
    await dialog.getByRole('textbox', { name: 'Command' }).fill(`${quoted} --other`);
    await dialog.getByRole('button', { name: 'Save', exact: true }).waitFor();
    await dialog.getByRole('textbox', { name: 'Command' }).fill(quoted);
    await dialog.getByText('You have this server already, as “second”').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByText('More settings').click();
    await dialog.getByRole('textbox', { name: 'File with variables' }).fill(window.at('my.env'));
    await expect.poll(() => dialog.getByText('You have this server already').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await configured('my notes!')).toMatchObject({ args, envFile: window.at('my.env') });
    await choose('my notes!', 'Edit');
    const edit = page.getByRole('dialog', { name: 'Edit “my notes!”' });
    await edit.getByText('More settings').click();
    const file = edit.getByRole('textbox', { name: 'File with variables' });
    await expect.poll(() => file.inputValue()).toBe(window.at('my.env'));
    await file.fill('');
    await edit.getByRole('button', { name: 'Save', exact: true }).click();
    await edit.waitFor({ state: 'detached' });
    expect(await configured('my notes!')).not.toHaveProperty('envFile');
    await choose('my notes!', 'Remove');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await card('my notes!').waitFor({ state: 'detached' });
  });

  it('asks for the values that a pasted command leaves open, and tests it before it is added', async () => {
    const dialog = await addServers(page, 'Paste');
    const { command, args } = fixtureServer('echo-arguments.mjs');
    const quoted = [command, ...args].map((word) => `"${word}"`).join(' ');
    const field = dialog.getByRole('textbox', { name: 'Paste how to add a server' });
    await field.fill(`claude mcp add filled --env API_KEY=<your key> -- ${quoted} --region <region>`);
    await dialog.getByRole('button', { name: 'Check the pasted text' }).click();
    const shown = dialog.getByRole('list', { name: 'Servers in the pasted text' });
    await shown.getByText('--region ‹Region›').waitFor();
    const add = dialog.getByRole('button', { name: 'Add 1 server' });
    await expect.poll(() => add.isDisabled()).toBe(true);
    await dialog
      .getByText(/^Still to fill in: .*Region/)
      .first()
      .waitFor();
    await expect.poll(() => dialog.getByText(/keychain|cannot be kept/i).count()).toBe(1);
    await shown.getByRole('textbox', { name: 'Region' }).fill('eu');
    const key = shown.getByLabel('API_KEY', { exact: true });
    await expect.poll(() => key.getAttribute('type')).toBe('password');
    await key.fill(`${secret}-pasted`);
    await shown.getByRole('button', { name: 'Test' }).click();
    await shown.getByText('It works').first().waitFor();
    expect(await configured('filled')).toBeUndefined();
    // This computer has no keychain.
    await add.click();
    await dialog.getByText('has secrets (API_KEY) that cannot be kept here').waitFor();
    expect(await configured('filled')).toBeUndefined();
    await field.fill(`claude mcp add filled -- ${quoted} --region <region>`);
    await dialog.getByRole('button', { name: 'Check the pasted text' }).click();
    await shown.getByRole('textbox', { name: 'Region' }).fill('eu');
    await add.click();
    await dialog.waitFor({ state: 'detached' });
    await card('filled').waitFor();
    expect(await configured('filled')).toMatchObject({ args: [...args, '--region', 'eu'] });
    await choose('filled', 'Remove');
    await page.getByRole('alertdialog', { name: 'Remove “filled”?' }).getByRole('button', { name: 'Remove' }).click();
    await card('filled').waitFor({ state: 'detached' });
  });

  if (host === 'electron') {
    it('takes a bundle that is dropped on it or on Preview, and says why it does not take another file', async () => {
      const script = await readFile(fileURLToPath(new URL('../electron/upstream/fixtures/plain-server.mjs', import.meta.url)));
      const user_config = { town: { type: 'string', title: 'Town', description: 'Where you are', required: true } };
      const args = ['${__dirname}/server/index.mjs', '${user_config.town}'];
      const server = { type: 'node', entry_point: 'server/index.mjs', mcp_config: { command: 'node', args } };
      const bundle = await writeBundle(window.at('weather.mcpb'), manifest({ user_config, server }), [
        { name: 'server/index.mjs', content: script },
      ]);
      await window.file('other.csv', 'a\n1\n');
      await dropPaths(page, [window.at('other.csv')]);
      await page.getByText('That is not a server').waitFor();
      const dialog = page.getByRole('dialog', { name: 'Add a server' });
      for (const place of ['Servers', 'Preview']) {
        await goTo(page, place);
        await dropPaths(page, [bundle]);
        await dialog.getByText('The Weather').first().waitFor();
        await dialog.getByRole('textbox', { name: 'Town' }).waitFor();
        if (place === 'Servers') await page.keyboard.press('Escape');
        if (place === 'Servers') await dialog.waitFor({ state: 'detached' });
      }
      const add = dialog.getByRole('button', { name: 'Add 1 server' });
      await expect.poll(() => add.isDisabled()).toBe(true);
      await dialog.getByRole('textbox', { name: 'Town' }).fill('Ulm');
      expect(await accessibilityFaults(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Test' }).click();
      await dialog.getByText('It works').waitFor();
      await add.click();
      await dialog.waitFor({ state: 'detached' });
      await card('weather').waitFor();
      await choose('weather', 'Remove');
      await page.getByRole('alertdialog', { name: 'Remove “weather”?' }).getByRole('button', { name: 'Remove' }).click();
      await card('weather').waitFor({ state: 'detached' });
    });
  }

  it("takes over agents' servers that are ticked, and shows none of their keys", async () => {
    const { command, args } = fixtureServer('echo-arguments.mjs');
    const agents = {
      first: { command, args: [...args, '--found', '--api-key', secret] },
      unwanted: { command, args: [...args, '--unwanted'] },
      known: { command, args: [...args, '--pasted'] },
    };
    await window.workspace.file('home/.cursor/mcp.json', `// mine\n${JSON.stringify({ mcpServers: agents })}`);
    const dialog = await addServers(page, 'From your agents');
    const found = (name: string) => dialog.getByRole('listitem').filter({ hasText: `${name} from Cursor` });
    const tick = (name: string) => found(name).getByRole('checkbox');
    await found('known').getByText('Already here as “pasted”').waitFor();
    await expect.poll(() => tick('known').isDisabled()).toBe(true);
    // Nothing is ticked but by the person.
    await expect.poll(() => tick('first').isChecked()).toBe(false);
    await found('first').getByText('echo-arguments.mjs --found --api-key').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await tick('first').check();
    await dialog.getByRole('button', { name: 'Add 1 server' }).click();
    await dialog.waitFor({ state: 'detached' });
    const direct = page.getByRole('dialog', { name: 'Use servers only through Filebridge' });
    await direct.getByText(/^Connects Cursor to Filebridge: adds one entry to .*, and removes the entry “first”\./).waitFor();
    await direct.getByRole('button', { name: 'Not now' }).click();
    await card('first').getByText('Cursor uses this server directly').waitFor();
    expect(await configured('first')).toMatchObject(agents.first);
    expect(await configured('unwanted')).toBeUndefined();
    await choose('first', 'Test');
    await state('first').getByText('Connected').waitFor();
    for (const query of ['upstreams.found', 'upstreams.list', 'upstreams.export'] as const) {
      expect(JSON.stringify(await askProgram(page, query, {}))).not.toContain(secret);
    }
    expect(JSON.stringify(await askProgram(page, 'upstreams.log', { name: 'first' }))).not.toContain(secret);
    expect(await page.content()).not.toContain(secret);
  });

  it('lets one that never answers neither block the page nor hold its switch', async () => {
    await choose('silent', 'Test');
    await state('silent').getByText('Connecting…').waitFor();
    await choose('pasted', 'Test');
    await state('pasted').getByText('Connected').waitFor();
    await expect.poll(() => state('silent').textContent()).toContain('Connecting…');
    const control = card('silent').getByRole('switch', { name: 'Use silent' });
    await control.click();
    await state('silent').getByText('Switched off').waitFor();
    expect(await configured('silent')).toMatchObject({ enabled: false });
    expect(await card('silent').getByRole('alert').count()).toBe(0);
  });

  it('ends the test of one that greets and then says nothing, with words', async () => {
    const dialog = await addServers(page, 'By hand');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('mute');
    await dialog.getByRole('textbox', { name: 'Command' }).fill(`"${process.execPath}" "${fixture('mute.mjs')}"`);
    await dialog.getByText('More settings').click();
    await dialog.getByRole('textbox', { name: 'Longest call, in seconds' }).fill('1');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('Starting the server and asking for its tools…').waitFor();
    const trouble = dialog.getByRole('alert');
    await trouble.getByText("Server 'mute' did not say within 1 s which tools it has").waitFor();
    await dialog.getByText('What the server said', { exact: true }).click();
    await dialog.getByText('Waiting for a database that never comes', { exact: true }).waitFor();
    expect(await dialog.getByText('Starting the server').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await configured('mute')).toBeUndefined();
  });

  it('offers to ask about tools that say that they destroy', async () => {
    const { upstreams } = JSON.parse(await readFile(window.configFile, 'utf8'));
    const wiper = { ...fixtureServer('echo-arguments.mjs'), env: { WITH_WIPE: '1' } };
    await changeConfig(window, { upstreams: { ...upstreams, wiper } });
    await choose('wiper', 'Test');
    await card('wiper').getByText('“wipe” may delete or replace, and agents use it without asking you').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await card('wiper').getByRole('button', { name: 'Ask me before changes' }).click();
    await expect.poll(() => card('wiper').getByText('may delete or replace, and').count()).toBe(0);
    expect(await configured('wiper')).toMatchObject({ confirm: 'writes' });
    await changeConfig(window, { upstreams });
    await card('wiper').waitFor({ state: 'detached' });
  });

  it('removes one after a question', async () => {
    await choose('second', 'Remove');
    const question = page.getByRole('alertdialog', { name: 'Remove “second”?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => card('second').count()).toBe(1);
    await choose('second', 'Remove');
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('second removed').first().waitFor();
    await expect.poll(() => card('second').count()).toBe(0);
    expect(await configured('second')).toBeUndefined();
  });

  it('keeps the settings after a restart', async () => {
    await card('pasted').getByRole('button', { name: 'Tools and approvals of pasted' }).click();
    await card('pasted').getByRole('combobox', { name: 'Ask me before a call' }).selectOption('When it may change something');
    await card('pasted').getByRole('switch', { name: 'Allow picky' }).click();
    await expect.poll(() => configured('pasted')).toMatchObject({ confirm: 'writes', tools: { deny: ['picky'] } });
    page = await window.restart();
    await goTo(page, 'Servers');
    expect(await card('silent').getByRole('switch', { name: 'Use silent' }).isChecked()).toBe(false);
    await card('pasted').getByRole('button', { name: 'Tools and approvals of pasted' }).click();
    await expect.poll(() => card('pasted').getByRole('combobox', { name: 'Ask me before a call' }).inputValue()).toBe('writes');
    expect(await card('pasted').getByRole('switch', { name: 'Allow picky' }).isChecked()).toBe(false);
    await expect.poll(() => card('pasted').getByRole('switch', { name: 'Allow one_list' }).isChecked()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('leaves no complaint', () => expect(window.complaints).toEqual([]));
});
