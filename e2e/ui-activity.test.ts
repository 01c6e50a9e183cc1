/** Activity: calls of agents from outside, live; searched, looked into, exported; never what was in a file. */
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { cliFile } from './support/cli.ts';
import { downloadOf } from './support/downloads.ts';
import { type McpClient, openClient } from './support/mcp-clients.ts';
import { connectAgent, goTo } from './support/steps.ts';
import { everything } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const plainServer = fileURLToPath(new URL('../electron/upstream/fixtures/plain-server.mjs', import.meta.url));
const CONTENT = 'words that stay in the file';
const SEEDED = 20_000;
const LONG_NAME = 'quarterly-report-2026-final.txt';

describe.each(eitherHost())('Activity in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  let agent: McpClient;
  let file: string;
  const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first();
  const send = (client: McpClient, tool: string) =>
    client.call('call_tool_with_file_content', { server: 'everything', tool_name: tool, path: file, data_key: 'message' });

  const startedByAgent = () =>
    openClient('v1', {
      command: process.execPath,
      args: [cliFile, 'serve', '--stdio', '--config', window.configFile],
      env: window.env,
      onStderr: () => undefined,
    });

  beforeAll(async () => {
    window = await openWindow(host, {
      upstreams: { everything: everything(), slowly: { type: 'stdio', command: process.execPath, args: [plainServer] } },
      expose: { fileTools: true, upstreamTools: 'none' },
      app: { welcomed: true },
    });
    page = window.page;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    file = await window.file('letter.txt', `${CONTENT}. `.repeat(100));
    agent = await connectAgent(window);
    await goTo(page, 'Activity');
  });
  afterAll(async () => {
    await agent?.close();
    await window?.close();
  });

  it('says what to do while there is nothing', async () => {
    await page.getByText('No calls yet').waitFor();
  });

  it('shows a call over HTTP as it happens, with what it saved', async () => {
    expect((await send(agent, 'echo')).isError).toBe(false);
    await row('letter.txt').getByText('Done').waitFor();
    expect(Number((await row('letter.txt').getByRole('cell').nth(3).textContent())?.replace(/\D/g, ''))).toBeGreaterThan(100);
  });

  it('shows a call of a server that an agent started itself', async () => {
    const own = await startedByAgent();
    try {
      await send(own, 'no-such-tool');
    } finally {
      await own.close();
    }
    await row('no-such-tool').getByText('Failed').waitFor();
  });

  it('says what was done, and below it by which tool', async () => {
    await row('echo').getByText('Send a file', { exact: true }).waitFor();
    await row('no-such-tool').getByText('no such tool', { exact: true }).waitFor();
  });

  it('looks into a call: receipt, place, savings', async () => {
    await row('echo').click();
    const dialog = page.getByRole('dialog', { name: 'echo' });
    await dialog.getByText('message', { exact: true }).waitFor();
    await dialog.getByText(file).waitFor();
    await dialog.getByText('fingerprint (SHA-256)').click();
    await dialog.getByText(/^[0-9a-f]{64}$/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('finds by words and by outcome', async () => {
    await page.getByRole('searchbox', { name: 'Search' }).fill('no-such');
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Done');
    await page.getByText('1 call', { exact: true }).waitFor();
    await row('echo').waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('All');
    await page.getByText('2 calls').waitFor();
  });

  it('shows what the filter says, though a call came just before it was changed', async () => {
    // Holds back what the page does a moment after a call.
    await page.evaluate(() => {
      const real = globalThis.setTimeout;
      const held: (() => void)[] = [];
      const holding = (work: () => void, ms?: number) => (ms === 250 ? -held.push(work) : real(work, ms));
      Object.assign(globalThis, { held, real, setTimeout: holding });
    });
    await send(agent, 'still-no-such-tool');
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'held').length)).toBe(1);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Done');
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.evaluate(() => {
      Object.assign(globalThis, { setTimeout: Reflect.get(globalThis, 'real') });
      for (const work of Reflect.get(globalThis, 'held')) work();
    });
    // Answered after whatever the page asked then.
    await askProgram(page, 'ledger.find', { filter: {}, offset: 0, limit: 100 });
    await askProgram(page, 'ledger.find', { filter: {}, offset: 0, limit: 100 });
    await expect.poll(() => page.getByText('1 call', { exact: true }).isVisible()).toBe(true);
    expect(await row('no-such-tool').isVisible()).toBe(false);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('All');
    await page.getByText('3 calls').waitFor();
  });

  it('exports what is shown, and never what was in a file', async () => {
    const csv = await downloadOf(window, () => page.getByRole('button', { name: 'Export as CSV' }).click());
    expect(csv.name).toMatch(/^filebridge-.*\.csv$/);
    const [head, ...calls] = csv.text.trim().split('\r\n');
    expect(head).toMatch(/^When,Agent,Call,Tool,Server,Files,Outcome,Reason,/);
    expect(calls).toHaveLength(3);
    expect(csv.text).toContain('The server has no tool of that name.');
    expect(csv.text).toMatch(/\d\d:\d\d:\d\d[+-]\d\d:\d\d,/);
    if (window.app) await page.getByRole('button', { name: 'Show in folder' }).last().waitFor();
    const json = await downloadOf(window, () => page.getByRole('button', { name: 'Export as JSON' }).click());
    expect(JSON.parse(json.text)).toHaveLength(3);
    const ledger = await readFile(path.join(window.dataDirectory, 'ledger.jsonl'), 'utf8');
    for (const text of [csv.text, json.text, ledger, await page.content()]) expect(text).not.toContain(CONTENT);
  });

  it('shows what an agent read and changed itself', async () => {
    const notes = path.join(path.dirname(file), 'notes.txt');
    expect((await agent.call('write_file', { path: notes, content: CONTENT })).isError).toBe(false);
    const own = await startedByAgent();
    try {
      expect((await own.call('read_text_file', { path: notes })).text).toBe(CONTENT);
    } finally {
      await own.close();
    }
    // Both are in the list before one is clicked: none may move.
    for (const tool of ['write_file', 'read_text_file']) await row(tool).getByText('notes.txt').waitFor();
    for (const [tool, what, size] of [
      ['write_file', 'Write a file: write_file', 'Written'],
      ['read_text_file', 'Read a file: read_text_file', 'Read'],
    ] as const) {
      await row(tool).click();
      const dialog = page.getByRole('dialog', { name: what });
      await dialog.getByText(notes).waitFor();
      await dialog.getByText(size, { exact: true }).waitFor();
      expect(await dialog.getByText('Calls made').count()).toBe(0);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('is reached with one Tab, and walked through with the arrow keys', async () => {
    const reached = page.locator('.call-row[tabindex="0"]');
    await expect.poll(() => reached.count()).toBe(1);
    await reached.focus();
    await page.keyboard.press('End');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toContain('letter.txt');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('write_file');
    await expect.poll(() => reached.count()).toBe(1);
    await expect.poll(() => reached.evaluate((row) => row === document.activeElement)).toBe(true);
  });

  it('leads from a blocked call to the page that can allow it', async () => {
    const outside = path.join(window.dataDirectory, 'ledger.jsonl');
    expect((await agent.call('preview_file', { path: outside })).isError).toBe(true);
    await row('ledger.jsonl').getByText('Blocked').waitFor();
    await row('ledger.jsonl').getByText('not in your folders').waitFor();
    expect(
      await row('ledger.jsonl')
        .getByText(/bytes|KB/)
        .count(),
    ).toBe(0);
    const filter = page.getByRole('combobox', { name: 'Outcome' });
    await filter.selectOption('Blocked by Filebridge');
    await page.getByText('a folder, a switch or a pause does not allow it').waitFor();
    await page.getByText('1 call', { exact: true }).waitFor();
    await filter.selectOption('All');
    await row('ledger.jsonl').click();
    const dialog = page.getByRole('dialog', { name: 'Look at a file' });
    // Nothing was saved.
    await dialog.getByRole('heading', { name: 'Files' }).waitFor();
    expect(await dialog.getByRole('heading', { name: 'Saved' }).count()).toBe(0);
    await dialog.getByRole('link', { name: 'See why' }).click();
    await page.getByText('Agents may not read this file').waitFor();
    await goTo(page, 'Activity');
  });

  it('says of a call that was blocked what is so by now, and allows it there', async () => {
    const folder = path.join(window.user, 'reports');
    await mkdir(folder);
    const report = path.join(folder, 'report.txt');
    await writeFile(report, 'words');
    expect((await agent.call('preview_file', { path: report })).isError).toBe(true);
    await row('report.txt').click();
    const dialog = page.getByRole('dialog', { name: 'Look at a file' });
    await dialog.getByRole('button', { name: 'Allow its folder “reports”' }).click();
    await dialog.getByText('Agents may read this file now').waitFor();
    expect(await dialog.getByRole('button', { name: /^Allow/ }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect((await agent.call('write_file', { path: path.join(folder, 'new.txt'), content: 'words' })).isError).toBe(true);
    await page.keyboard.press('Escape');
    await row('new.txt').getByText('folder is read only').waitFor();
    await row('new.txt').click();
    await page.getByRole('dialog', { name: 'write_file' }).getByRole('link', { name: 'Open Folders' }).waitFor();
    await askProgram(page, 'folders.add', { path: folder, access: 'read-write' });
    await page.getByText('Agents may change files here now').waitFor();
    await page.keyboard.press('Escape');
    await askProgram(page, 'folders.remove', { path: folder });
  });

  it('scrolls to the oldest of twenty thousand', async () => {
    const ledger = path.join(window.dataDirectory, 'ledger.jsonl');
    const model = JSON.parse((await readFile(ledger, 'utf8')).trim().split('\n').at(-1) ?? '');
    const lines = Array.from({ length: SEEDED }, (_, index) =>
      JSON.stringify({ ...model, id: `seeded-${index}`, paths: [`/data/seeded-${index}.csv`] }),
    );
    await appendFile(ledger, `${lines.join('\n')}\n`);
    await page.getByText('20,008 calls').waitFor();
    await row(`seeded-${SEEDED - 1}.csv`).waitFor();
    await page.locator('.call-list-body').evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
    await row('letter.txt').waitFor();
    const place = () => page.locator('.call-list-body').evaluate((scroller) => scroller.scrollTop);
    const before = await place();
    await row('letter.txt').click();
    // Messages of the page are dialogs too.
    const dialog = page.locator('.dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await place()).toBe(before);
    expect(window.complaints).toEqual([]);
  });

  it('shows a call while it runs, on Home too, and cancels it', async () => {
    const call = agent.call('call_tool', {
      server: 'everything',
      tool_name: 'trigger-long-running-operation',
      tool_args: { duration: 50, steps: 50 },
    });
    const running = page.getByRole('region', { name: 'Running now' });
    await running.getByText('trigger-long-running-operation').waitFor();
    await running.getByText(/^for \d/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await goTo(page, 'Home');
    await running.getByText('everything', { exact: false }).first().waitFor();
    await running.getByRole('button', { name: 'Cancel trigger-long-running-operation' }).click();
    const { isError, text } = await call;
    expect(isError).toBe(true);
    expect(text).toContain('The user cancelled this call in Filebridge');
    await running.waitFor({ state: 'detached' });
    await goTo(page, 'Activity');
    await row('trigger-long-running-operation').getByText('Cancelled').waitFor();
  });

  it('shows how far a call in batches is, and sends the rest of one that was cancelled', async () => {
    const ids = await window.file('ids.csv', `id\n${Array.from({ length: 30 }, (_, id) => id).join('\n')}\n`);
    const call = agent.call('call_tool_with_file_content', {
      server: 'slowly',
      tool_name: 'slow',
      tool_args: { steps: 1, every: 100 },
      path: ids,
      data_key: 'records',
      batch: { size: 1 },
    });
    const running = page.getByRole('region', { name: 'Running now' });
    await running.getByText(/ids\.csv · [1-9]\d* of 30 records accepted/).waitFor();
    await running.getByRole('progressbar').waitFor();
    await running.getByRole('button', { name: 'Cancel slow' }).click();
    expect((await call).isError).toBe(true);
    await page.getByText('What was sent by now may have arrived').last().waitFor();
    const stoppedOn = (shown: Page) => shown.getByRole('region', { name: 'Stopped half-way' });
    await stoppedOn(page)
      .getByText(/of 30 records accepted/)
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // It is still there after a restart.
    page = await window.restart();
    agent = await connectAgent(window);
    await goTo(page, 'Activity');
    const stopped = stoppedOn(page);
    await stopped.getByRole('button', { name: /^Resume slow/ }).click();
    const again = page.getByRole('region', { name: 'Running now' });
    await again.getByText('in the background').waitFor();
    await stopped.waitFor({ state: 'detached' });
    await again.waitFor({ state: 'detached' });
    await row('ids.csv').getByText('Done').waitFor();
  });

  it('keeps the facts of a call that failed, and leads to another try in Preview', async () => {
    const target = { server: 'slowly', tool_name: 'soft_error', path: file, data_key: 'rows[0]', tool_args: { table: 'people' } };
    await agent.call('call_tool_with_file_content', target);
    await agent.call('call_tool_with_file_content', target);
    await row('soft_error').getByText('Try 2').waitFor();
    await row('soft_error').click();
    const dialog = page.getByRole('dialog', { name: 'soft_error' });
    const said = dialog.getByRole('alert');
    await said.getByText('no such table').waitFor();
    await said.getByText('Correct the arguments or the file').waitFor();
    await dialog.getByText(file).waitFor();
    await dialog.getByText('text, 6 characters').waitFor();
    expect(await dialog.getByText('people').count()).toBe(0);
    await dialog.getByRole('link', { name: 'the one before' }).click();
    await dialog.getByText('2 of the same call').waitFor({ state: 'detached' });
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'Try again in Preview' }).click();
    await page.getByRole('heading', { level: 1, name: 'letter.txt' }).waitFor();
    await page.getByRole('tab', { name: 'Send', selected: true }).waitFor();
    await page.getByText('soft_error').first().waitFor();
    await goTo(page, 'Activity');
  });

  it('says what to do where the call was refused before it was made', async () => {
    const missing = path.join(path.dirname(file), 'lettre.txt');
    await agent.call('call_tool_with_file_content', {
      server: 'everything',
      tool_name: 'echo',
      path: missing,
      data_key: 'message',
    });
    await row('lettre.txt').getByText('Failed').waitFor();
    await row('lettre.txt').click();
    const said = page.getByRole('dialog', { name: 'echo' }).getByRole('alert');
    await said
      .getByText(/lettre\.txt/)
      .first()
      .waitFor();
    await said.getByText(/Check the name/).waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps the outcome in sight in a small window, in German too', async () => {
    const before = page.viewportSize();
    await askProgram(page, 'settings.update', { changes: { app: { language: 'de' } } });
    await page.getByRole('heading', { level: 1, name: 'Verlauf' }).waitFor();
    await agent.call('preview_file', { path: await window.file(LONG_NAME, 'words') });
    await page.setViewportSize({ width: 900, height: 600 });
    const filter = page.getByRole('combobox', { name: 'Ergebnis' });
    // The arrow takes its room too.
    const isFilterCut = () =>
      filter.evaluate((select: HTMLSelectElement) => {
        const style = getComputedStyle(select);
        const pen = document.createElement('canvas').getContext('2d');
        if (pen) pen.font = style.font;
        const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
        return [...select.options].some(({ text }) => (pen?.measureText(text).width ?? 0) > room);
      });
    await expect.poll(isFilterCut).toBe(false);
    for (const place of ['Verlauf', 'Start']) {
      await page.getByRole('link', { name: place, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: place }).waitFor();
      const cell = page.getByRole('row').filter({ hasText: 'soft_error' }).first().getByText('Zurückgewiesen');
      await cell.scrollIntoViewIfNeeded();
      const box = await cell.boundingBox();
      const width = await page.evaluate(() => document.documentElement.clientWidth);
      expect((box?.x ?? width) + (box?.width ?? width)).toBeLessThanOrEqual(width);
      const isCut = (names: Element[]) => names.some((each) => each.scrollHeight > each.clientHeight + 1);
      const long = page.getByRole('row').filter({ hasText: LONG_NAME });
      await long.first().waitFor();
      expect(await long.locator('.call-cell, .call-file').evaluateAll(isCut)).toBe(false);
      if (place === 'Verlauf')
        await long
          .first()
          .getByText(/ ms$| s$/)
          .waitFor();
      expect(
        await page.evaluate(() =>
          [...document.querySelectorAll('.call-list-body, .call-table')].every(
            (each) => each.scrollWidth <= each.clientWidth + 1,
          ),
        ),
      ).toBe(true);
    }
    if (before) await page.setViewportSize(before);
  });
});
