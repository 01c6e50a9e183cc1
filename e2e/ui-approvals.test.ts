/** Calls that need approval in the window: what the person sees, and what each answer does to the call. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Answer, type McpClient, openClient } from './support/mcp-clients.ts';
import { goTo } from './support/steps.ts';
import { fixtureServer } from './support/upstreams.ts';
import { eitherHost, type Host, type OpenWindow, openWindow } from './support/window-hosts.ts';

interface Scene {
  home: OpenWindow;
  page: Page;
  agent: McpClient;
  /** Calls a tool with the file. */
  send(tool: string, options?: { signal?: AbortSignal; toolArgs?: object; batch?: object; file?: string }): Promise<Answer>;
  /** Tools that were called, in order. */
  called(): Promise<string[]>;
  close(): Promise<void>;
}

async function openScene(
  host: Host,
  limits: Record<string, number>,
  onQuestion?: (params: Record<string, unknown>) => Record<string, unknown>,
): Promise<Scene> {
  const notes: Workspace = await openWorkspace();
  const calls = notes.at('calls.jsonl');
  const tools = {
    ...fixtureServer('echo-arguments.mjs'),
    env: { CALLS_FILE: calls, WITH_WIPE: '1' },
    confirm: 'always',
    confirmExcept: ['two_lists'],
    idempotencyKeys: { set_config: 'meta.key' },
  };
  const home = await openWindow(host, { upstreams: { tools }, limits });
  const { page } = home;
  await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
  const { url } = await askProgram(page, 'status.get', {});
  const agent = await openClient('v1', { url: url ?? '', token: await home.token() }, onQuestion ? { onQuestion } : {});
  const file = await home.file('people.csv', 'zip,name\n01067,Ada\n80331,Bo\n10115,\n');
  return {
    home,
    page,
    agent,
    send: (tool, { toolArgs, batch, file: other = file, ...options } = {}) =>
      agent.call(
        'call_tool_with_file_content',
        {
          server: 'tools',
          tool_name: tool,
          path: other,
          data_key: tool === 'one_list' ? 'rows' : 'first',
          ...(toolArgs ? { tool_args: toolArgs } : {}),
          ...(batch ? { batch } : {}),
        },
        options,
      ),
    async called() {
      const lines = await readFile(calls, 'utf8').catch(() => '');
      return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).name]));
    },
    async close() {
      await agent.close();
      await home.close();
      await notes.remove();
    },
  };
}

const question = (page: Page) => page.getByRole('alertdialog', { name: /^Allow / });
const button = (page: Page, name: string) => question(page).getByRole('button', { name });
const part = (page: Page, name: string) => question(page).getByRole('region', { name, exact: true });
const gone = (page: Page) => question(page).waitFor({ state: 'detached' });
const scrollToEnd = (place: Locator) => place.evaluate((element) => element.scrollTo(0, element.scrollHeight));
/** Scrolls down, part by part. */
const readAll = (page: Page) =>
  question(page)
    .locator('.end-mark')
    .evaluateAll(async (marks) => {
      for (const mark of marks) {
        mark.scrollIntoView();
        await new Promise(requestAnimationFrame);
      }
    });
/** Reads the question to its end, as a person must, and presses the button. */
async function allow(page: Page, name = 'Allow once'): Promise<void> {
  await expect
    .poll(async () => {
      await readAll(page);
      return button(page, name).getAttribute('aria-disabled');
    })
    .toBeNull();
  await button(page, name).click();
}
/** What can be scrolled up and down in the question. */
const scrolling = (page: Page) =>
  question(page)
    .locator('*')
    .evaluateAll((all) =>
      all.flatMap((each) =>
        each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY) ? [each.className] : [],
      ),
    );
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
/** The values of the agent's own, as `name: value`. */
const values = (page: Page, name = 'Values') =>
  part(page, name)
    .locator('dl > div')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent).join(': ')));
/** What the agent sent, unfolded. */
async function raw(page: Page, name = 'Arguments as they are sent'): Promise<string | null> {
  await question(page).locator('details:not([open]) > summary').click();
  return part(page, name).textContent();
}

describe.each(eitherHost())('a call that needs approval, in %s', (host) => {
  let scene: Scene;
  let page: Page;
  const agentCall = (toolArgs: object) =>
    scene.agent.call('call_tool', { server: 'tools', tool_name: 'anything', tool_args: toolArgs });
  beforeAll(async () => {
    scene = await openScene(host, {});
    page = scene.page;
  });
  afterAll(() => scene?.close());
  beforeEach(() => gone(page));

  it('is shown: by whom, to where, which file, how much and what', async () => {
    const answer = scene.send('one_list');
    await question(page).waitFor();
    const text = (await question(page).textContent()) ?? '';
    for (const part of ['e2e-host', 'one_list', 'echo-arguments.mjs', scene.home.at('people.csv'), 'Records3']) {
      expect(text).toContain(part);
    }
    await question(page).getByText('e2e-host wants to send 3 records of people.csv to one_list on tools.').waitFor();
    await expect.poll(() => question(page).getByRole('table').getByRole('row').nth(1).textContent()).toBe('01067Ada');
    expect(await part(page, 'Arguments as they are sent').count()).toBe(0);
    // Where there is nothing but the file, there is no table of values.
    expect(await part(page, 'Values').count()).toBe(0);
    for (const jargon of ['data_key', 'tool_args', 'JSON']) expect(text).not.toContain(jargon);
    expect(text).toMatch(/Refused automatically in \d:\d\d/);
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await button(page, 'Refuse').click();
    expect((await answer).json()).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
    expect(await scene.called()).toEqual([]);
  });

  it('is marked where the tool may delete, and is no failure when it is refused', async () => {
    const wipe = scene.agent.call('call_tool', { server: 'tools', tool_name: 'wipe', tool_args: { table: 'people' } });
    await question(page).getByRole('heading', { name: 'Allow “wipe”, which may delete or replace?' }).waitFor();
    await question(page).getByText('The server says that this tool may change or delete what is there.').waitFor();
    await expect.poll(() => button(page, 'Allow once').getAttribute('class')).toContain('danger');
    await question(page).getByText('e2e-host wants to use wipe on tools, with table = “people”.').waitFor();
    // Not as easy to reach as the other two.
    await expect.poll(() => button(page, 'Always allow this tool').getAttribute('class')).toContain('quiet');
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    // "Always" needs a second word, which the second click of a double click is not.
    await allow(page, 'Always allow this tool');
    await question(page).getByText('From now on it does so without asking you').waitFor();
    await expect.poll(() => focused(page)).toBe('Back');
    expect(await button(page, 'Allow once').count()).toBe(0);
    await button(page, 'Yes, always allow').dispatchEvent('click');
    await expect.poll(() => button(page, 'Yes, always allow').getAttribute('aria-disabled')).toBeNull();
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await page.keyboard.press('Escape');
    await button(page, 'Refuse').click();
    await page.getByText('Refused. Nothing was sent. e2e-host was told.').first().waitFor();
    expect((await wipe).json()).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
    await goTo(page, 'Activity');
    await page.getByRole('row').filter({ hasText: 'wipe' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'wipe' });
    await dialog.getByText('Not done').waitFor();
    await dialog.getByText('You refused it, or could not be asked.').waitFor();
    expect(await dialog.getByText('0 bytes').count()).toBe(0);
    expect(await dialog.getByText('What went wrong').count()).toBe(0);
    await page.keyboard.press('Escape');
    const harmless = scene.send('one_list');
    await question(page).getByRole('heading', { name: 'Allow this call?' }).waitFor();
    await button(page, 'Refuse').click();
    await harmless;
  });

  it('keeps its time when the clock is set', async () => {
    const answer = scene.send('one_list');
    await question(page).waitFor();
    await page.evaluate(() => {
      const real = Date.now;
      Date.now = () => real() + 365 * 86_400_000;
      Object.assign(window, { setBack: () => Object.assign(Date, { now: real }) });
    });
    const timer = question(page).getByRole('timer');
    const before = await timer.textContent();
    await expect.poll(() => timer.textContent()).not.toBe(before);
    await expect.poll(() => timer.textContent()).toMatch(/Refused automatically in \d:\d\d/);
    await page.evaluate(() => (window as unknown as { setBack(): void }).setBack());
    await button(page, 'Refuse').click();
    expect((await answer).json()).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
  });

  it('is not answered by a stray key or click', async () => {
    // Somebody is clicking just there when the question comes up.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const buttons = [...document.querySelectorAll<HTMLElement>('[role=alertdialog] button')];
        const allowing = buttons.filter(({ textContent }) => /^(Allow|Always)/.test(textContent ?? ''));
        if (allowing.length === 0) return;
        observer.disconnect();
        // The button with the focus, by a key.
        for (const each of buttons) each.click();
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    const answer = scene.send('one_list');
    await question(page).waitFor();
    await expect.poll(() => focused(page)).toBe('Refuse');
    await page.mouse.click(5, 5);
    await expect.poll(() => button(page, 'Allow once').getAttribute('aria-disabled')).toBeNull();
    await question(page).waitFor();
    // The click beside the question took the focus.
    while ((await focused(page)) !== 'Refuse') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await gone(page);
    expect((await answer).isError).toBe(true);
    expect(await scene.called()).toEqual([]);
  });

  it('is refused by Escape', async () => {
    const answer = scene.send('one_list');
    await question(page).waitFor();
    await expect.poll(() => button(page, 'Allow once').getAttribute('aria-disabled')).toBeNull();
    await page.keyboard.press('Escape');
    await gone(page);
    expect((await answer).json()).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
    expect(await scene.called()).toEqual([]);
  });

  it('says first what is asked where not all of it fits, as where it is magnified', async () => {
    const before = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await page.setViewportSize({ width: 450, height: 300 });
    const call = agentCall({ id: 77 });
    await expect.poll(() => focused(page)).toBe('Refuse');
    await expect.poll(() => question(page).evaluate((popup) => popup.scrollTop)).toBe(0);
    expect(await question(page).evaluate((popup) => popup.scrollHeight > popup.clientHeight)).toBe(true);
    await button(page, 'Refuse').click();
    expect((await call).isError).toBe(true);
    await gone(page);
    await page.setViewportSize(before);
  });

  it('shows the rows before all else in a small window, and looks disabled until they were read', async () => {
    const before = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await page.setViewportSize({ width: 900, height: 600 });
    const lines = Array.from({ length: 30 }, (_, n) => `n${n}\n`);
    const answer = scene.send('one_list', { file: await scene.home.file('small.csv', `name\n${lines.join('')}`) });
    await question(page).waitFor();
    const row = question(page).getByRole('table').getByRole('row').nth(1);
    await expect
      .poll(async () => {
        const [cell, body] = [await row.boundingBox(), await part(page, 'What would be sent').boundingBox()];
        return cell !== null && body !== null && cell.y + cell.height <= body.y + body.height;
      })
      .toBe(true);
    const allowing = button(page, 'Allow once');
    const colour = () => allowing.evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect.poll(() => allowing.getAttribute('aria-disabled')).toBe('true');
    const grey = await colour();
    await scrollToEnd(part(page, 'What would be sent'));
    await expect.poll(() => allowing.getAttribute('aria-disabled')).toBeNull();
    await expect.poll(colour).not.toBe(grey);
    await button(page, 'Refuse').click();
    expect((await answer).isError).toBe(true);
    await gone(page);
    await page.setViewportSize(before);
  });

  it('is made when allowed once, and asked about the next time', async () => {
    const first = scene.send('one_list');
    await allow(page);
    const answer = await first;
    expect(answer.isError, answer.text).toBe(false);
    expect(await scene.called()).toEqual(['one_list']);
    // What became of it, and the way to more.
    const said = page.locator('.toast').filter({ hasText: 'Done: “one_list” on tools' });
    await said.getByRole('button', { name: 'Look' }).click();
    await page.getByRole('dialog', { name: 'Send a file: one_list' }).waitFor();
    await page.keyboard.press('Escape');
    const second = scene.send('one_list');
    await button(page, 'Refuse').click();
    expect((await second).isError).toBe(true);
  });

  it('waits in line, and closes with a message when its agent cancels it', async () => {
    const leaving = new AbortController();
    const first = scene.send('one_list', { signal: leaving.signal }).catch(() => 'taken back');
    await question(page).waitFor();
    const second = scene.send('two_lists');
    await question(page).getByText('1 of 2').waitFor();
    leaving.abort();
    await page.getByText('The question about “one_list” on tools was answered elsewhere or taken back').waitFor();
    await question(page).getByText('to two_lists on tools.').waitFor();
    await expect.poll(() => focused(page)).toBe('Refuse');
    await button(page, 'Refuse').click();
    expect((await second).isError).toBe(true);
    expect(await first).toBe('taken back');
  });

  it('closes with a message when it is answered elsewhere', async () => {
    const answer = scene.send('two_lists');
    await question(page).waitFor();
    const [waiting] = await askProgram(page, 'approvals.list', {});
    await askProgram(page, 'approvals.answer', { id: waiting?.id ?? '', decision: 'once' });
    expect((await answer).isError).toBe(false);
    await page.getByText('The question about “two_lists” on tools was answered elsewhere').waitFor();
  });

  it('is not asked about again after "always", until that is taken back', async () => {
    const waiting = [scene.send('one_list'), scene.send('one_list', { toolArgs: { table: 'other' } })];
    await question(page).getByText('1 of 2').waitFor();
    await allow(page, 'Always allow this tool');
    for (const answer of await Promise.all(waiting)) expect(answer.isError, answer.text).toBe(false);
    await gone(page);
    expect((await scene.send('one_list')).isError).toBe(false);
    // Where that can be changed is said, one click away.
    await page.getByText('“one_list” on tools will not be asked about again. You can change that on').waitFor();
    await page.getByRole('button', { name: 'Open Servers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await askProgram(page, 'upstreams.askAgain', { name: 'tools', tool: 'one_list' });
    await expect
      .poll(async () => (await askProgram(page, 'upstreams.get', { name: 'tools' })).confirmExcept)
      .not.toContain('one_list');
    const asked = scene.send('one_list');
    await button(page, 'Refuse').click();
    expect((await asked).isError).toBe(true);
    await gone(page);
    const trusted = scene.agent.call('call_tool', { server: 'tools', tool_name: 'wipe', tool_args: { table: 'people' } });
    await allow(page, 'Always allow this tool');
    await allow(page, 'Yes, always allow');
    expect((await trusted).isError).toBe(false);
    await askProgram(page, 'upstreams.askAgain', { name: 'tools', tool: 'wipe' });
  });

  it('is shown with every argument beside the file, and what the server says and is', async () => {
    const answer = scene.send('one_list', { toolArgs: { table: 'DROP TABLE users', count: 12 } });
    await question(page).waitFor();
    await expect.poll(() => values(page)).toEqual(['table: DROP TABLE users', 'count: 12', 'rows: the content below']);
    expect(await raw(page)).toBe('{\n  "table": "DROP TABLE users",\n  "count": 12,\n  "rows": the content below\n}');
    const text = (await question(page).textContent()) ?? '';
    for (const each of ['Echoes (one_list)', 'What goes into “rows”', 'Calls1', 'Runs in']) expect(text).toContain(each);
    await allow(page);
    expect((await answer).isError).toBe(false);
  });

  it('is shown with the first and the last records, and the number of calls', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `n${n}\n`);
    const many = await scene.home.file('many.csv', `name\n${lines.join('')}`);
    const answer = scene.send('one_list', { file: many, batch: { size: 4 } });
    await question(page).waitFor();
    const cells = await question(page).getByRole('table').getByRole('row').allTextContents();
    const names = (from: number) => Array.from({ length: 5 }, (_, n) => `n${from + n}`);
    expect(cells).toEqual(['name', ...names(0), '… 20 records between are not shown … Show them', ...names(25)]);
    await button(page, 'Show them').click();
    await expect
      .poll(() => question(page).getByRole('table').getByRole('row').allTextContents())
      .toEqual(['name', ...Array.from({ length: 30 }, (_, n) => `n${n}`)]);
    await expect.poll(() => question(page).textContent()).toContain('Calls8');
    await question(page).getByText('wants to send 30 records of many.csv to one_list on tools, in 8 calls.').waitFor();
    await button(page, 'Refuse').click();
    expect((await answer).isError).toBe(true);
  });

  it('lets any of many records be seen', async () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => `n${n}\n`);
    const answer = scene.send('one_list', { file: await scene.home.file('thousand.csv', `name\n${lines.join('')}`) });
    await question(page).waitFor();
    const rows = () => question(page).getByRole('table').getByRole('row').allTextContents();
    await button(page, 'Show the next 50').click();
    await expect.poll(rows).toContain('n54');
    expect((await rows()).at(-6)).toContain('… 940 records between are not shown …');
    await question(page).getByRole('textbox', { name: 'From record (1 to 1,000)' }).fill('600');
    await question(page).getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(async () => (await rows())[7]).toBe('n599');
    await button(page, 'Show the 50 before').click();
    await expect.poll(async () => (await rows()).slice(6, 8)).toEqual([expect.stringContaining('… 544 records'), 'n549']);
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await allow(page);
    expect((await answer).isError).toBe(false);
  });

  it('says that each call of a batch has another idempotency key', async () => {
    const many = await scene.home.file('keys.jsonl', Array.from({ length: 6 }, (_, n) => `{"key":"k${n}"}`).join('\n'));
    const send = (batch?: object) =>
      scene.agent.call('call_tool_with_file_content', {
        server: 'tools',
        tool_name: 'set_config',
        path: many,
        data_key: 'config.database.users',
        ...(batch ? { batch } : {}),
      });
    const single = send();
    await question(page).waitFor();
    await expect.poll(() => values(page)).toContainEqual(expect.stringMatching(/^key: [0-9a-f]{8}-[0-9a-f-]{27}$/));
    expect(await question(page).getByText('has a different key').count()).toBe(0);
    await button(page, 'Refuse').click();
    await single;
    await gone(page);
    const answer = send({ size: 2 });
    await question(page).getByText('Each of the 3 calls has a different key in “meta.key”').waitFor();
    await allow(page);
    expect((await answer).isError).toBe(false);
  });

  it('says that the same content went to the tool before, and under which receipt', async () => {
    const first = await scene.home.file('once.csv', 'zip,name\n99999,Twice\n');
    const copy = await scene.home.file('twice.csv', 'zip,name\n99999,Twice\n');
    const once = scene.send('one_list', { file: first });
    await question(page).waitFor();
    expect(await question(page).getByText('Sent before', { exact: true }).count()).toBe(0);
    await allow(page);
    expect((await once).isError).toBe(false);
    const again = scene.send('one_list', { file: copy });
    await question(page).getByText('Sent before', { exact: true }).waitFor();
    const text = (await question(page).textContent()) ?? '';
    expect(text).toMatch(/twice\.csv”: .* as “.*once\.csv”, receipt [0-9a-f]{8}/);
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await allow(page);
    expect((await again).isError).toBe(false);
  });

  it('is shown with long values and many columns of its records in full', async () => {
    const long = `${'harmless '.repeat(900)}DROP TABLE users`;
    const wide = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`column${n}`, `value${n}`]));
    for (const record of [{ note: long }, wide]) {
      const file = await scene.home.file('shown.jsonl', [record, record].map((each) => JSON.stringify(each)).join('\n'));
      const answer = scene.send('one_list', { file });
      await question(page).waitFor();
      const content = part(page, 'What goes into “rows”');
      const text = (await content.textContent()) ?? '';
      for (const [name, value] of Object.entries(record)) expect(text.split(`"${name}": "${value}"`)).toHaveLength(3);
      await expect.poll(() => button(page, 'Allow once').getAttribute('aria-disabled')).toBe('true');
      await readAll(page);
      await expect.poll(() => button(page, 'Allow once').getAttribute('aria-disabled')).toBeNull();
      await button(page, 'Refuse').click();
      expect((await answer).isError).toBe(true);
      await gone(page);
    }
  });

  it('is shown with both members of one name', async () => {
    const record = '{"sql":"DROP TABLE users","sql":"SELECT 1"}';
    const answer = scene.send('one_list', { file: await scene.home.file('twice.jsonl', `${record}\n${record}`) });
    await question(page).waitFor();
    const text = (await part(page, 'What goes into “rows”').textContent()) ?? '';
    expect(text.split('"sql": "DROP TABLE users"')).toHaveLength(3);
    await button(page, 'Refuse').click();
    expect((await answer).isError).toBe(true);
  });

  it('cannot be allowed before the last column of its records was seen', async () => {
    const value = 'x'.repeat(300);
    const record = JSON.stringify(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`column${n}`, value])));
    const answer = scene.send('one_list', { file: await scene.home.file('columns.jsonl', `${record}\n${record}`) });
    await question(page).waitFor();
    await scrollToEnd(part(page, 'What would be sent'));
    await question(page).getByText('Scroll through all of it').waitFor();
    await question(page)
      .locator('.approval-table')
      .evaluate((table) => table.scrollTo(table.scrollWidth, 0));
    await question(page).getByText('Scroll through all of it').waitFor({ state: 'detached' });
    await allow(page);
    expect((await answer).isError).toBe(false);
  });

  it('is shown with the beginning and the end of a long text', async () => {
    const letter = await scene.home.file('letter.txt', `Dear Ann${' and so on'.repeat(3_000)}\u202E Yours, Bo`);
    const answer = scene.agent.call('call_tool_with_file_content', {
      server: 'tools',
      tool_name: 'anything',
      files: [{ path: letter, as: 'text', data_key: 'letter' }],
      tool_args: { to: 'everybody' },
    });
    await question(page).waitFor();
    const text = (await part(page, 'What goes into “letter”').textContent()) ?? '';
    expect(text).toMatch(/^"Dear Ann and so on.*… the middle is not shown ….*and so on⟨U\+202E⟩ Yours, Bo"$/s);
    await expect.poll(() => values(page)).toEqual(['to: everybody', 'letter: the content below']);
    await question(page)
      .getByText(/wants to send [\d.]+ KB of letter\.txt to anything on tools\./)
      .waitFor();
    await button(page, 'Refuse').click();
    expect((await answer).isError).toBe(true);
  });

  it('cannot be allowed before its long arguments were scrolled to their end', async () => {
    const before = (await scene.called()).length;
    const lines = Array.from({ length: 300 }, (_, n) => `line ${n}`);
    const answer = agentCall({ sql: lines, last: 'DROP TABLE users' });
    await question(page).waitFor();
    await question(page).getByText('Scroll through all of it').waitFor();
    const allowing = ['Allow once', 'Always allow this tool'];
    for (const name of allowing) {
      await expect.poll(() => button(page, name).getAttribute('aria-disabled')).toBe('true');
      expect(await button(page, name).getAttribute('aria-describedby')).not.toBeNull();
      await button(page, name).dispatchEvent('click');
    }
    await expect.poll(() => question(page).isVisible()).toBe(true);
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await expect.poll(() => values(page)).toContain('last: DROP TABLE users');
    // There is one thing that scrolls.
    expect(await scrolling(page)).toEqual(['dialog-body']);
    await readAll(page);
    await question(page).getByText('Scroll through all of it').waitFor({ state: 'detached' });
    await allow(page);
    expect((await answer).isError).toBe(false);
    expect((await scene.called()).length).toBe(before + 1);
  });

  it('is shown without characters that hide what is sent', async () => {
    const answer = agentCall({ 'to\u202E': 'a\u200Bb', '\u2066key': 'x\u0000y' });
    await question(page).waitFor();
    await expect.poll(() => values(page)).toEqual(['to⟨U+202E⟩: a⟨U+200B⟩b', '⟨U+2066⟩key: x⟨U+0000⟩y']);
    expect(await raw(page)).toBe('{\n  "to⟨U+202E⟩": "a⟨U+200B⟩b",\n  "⟨U+2066⟩key": "x\\u0000y"\n}');
    await button(page, 'Refuse').click();
    expect((await answer).isError).toBe(true);
  });

  it('is shown with what is sent beside the arguments', async () => {
    const answer = scene.agent.request('tools/call', {
      name: 'call_tool',
      arguments: { server: 'tools', tool_name: 'anything', tool_args: { a: 1 } },
      _meta: { 'com.example/order': 'keep\u202E' },
    });
    await question(page).waitFor();
    await expect.poll(() => values(page, 'What the agent’s app sends along')).toEqual(['com.example/order: keep⟨U+202E⟩']);
    expect(await raw(page, 'What the agent’s app sends along, as it is sent (_meta)')).toBe(
      '{\n  "com.example/order": "keep⟨U+202E⟩"\n}',
    );
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await button(page, 'Refuse').click();
    expect((await answer).isError).toBe(true);
  });

  it('says that an "always" from before no longer holds, and why', async () => {
    const answer = scene.send('two_lists');
    await question(page).getByText('“Always” no longer holds for this tool').waitFor();
    await question(page).getByText('It was allowed before Filebridge kept what a tool was').waitFor();
    expect(await accessibilityFaults(page, '[role=alertdialog]')).toEqual([]);
    await button(page, 'Refuse').click();
    expect((await answer).isError).toBe(true);
  });

  // Where the page asks for a file itself.
  if (host === 'console') {
    it('comes above another dialog', async () => {
      await page.goto(`${new URL(page.url()).origin}/#/preview`);
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await page.getByRole('dialog', { name: 'Choose a file' }).waitFor();
      const answer = scene.send('two_lists');
      await question(page).waitFor();
      await expect.poll(() => focused(page)).toBe('Refuse');
      await allow(page);
      expect((await answer).isError).toBe(false);
      await gone(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });
  }

  it('leaves no complaint', () => expect(scene.home.complaints).toEqual([]));
});

describe.each(eitherHost())('a flood of calls that need approval, in %s', (host) => {
  it('makes none of them without the person, says so, and the page still shows what comes after', async () => {
    const asked: string[] = [];
    const scene = await openScene(host, { approvalTimeoutMs: 1_500 }, (question) => {
      asked.push(String(question.message));
      return { confirm: true };
    });
    try {
      const call = { server: 'tools', tool_name: 'one_list', tool_args: { rows: [{ note: 'x'.repeat(10_000) }] } };
      const answers = await Promise.all(Array.from({ length: 100 }, () => scene.agent.call('call_tool', call)));
      expect(new Set(answers.map((answer) => (answer.json() as { code?: string }).code))).toEqual(
        new Set(['CONFIRMATION_REFUSED']),
      );
      expect(asked).toEqual([]);
      expect(await scene.called()).toEqual([]);
      await gone(scene.page);
      await scene.page.getByText('Nobody answered in time: “one_list” on tools was not called').first().waitFor();
      // Time enough for a person to answer.
      await askProgram(scene.page, 'settings.update', { changes: { limits: { approvalTimeoutMs: 120_000 } } });
      const wanted = scene.send('one_list');
      await allow(scene.page);
      expect((await wanted).isError).toBe(false);
      expect(await scene.called()).toEqual(['one_list']);
      expect(scene.home.complaints).toEqual([]);
    } finally {
      await scene.close();
    }
  });
});
