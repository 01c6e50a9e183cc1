/** Preview as a person meets it: a file dropped or chosen, looked at, read otherwise, tried on a tool, sent. */
import { rm } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { openClient } from './support/mcp-clients.ts';
import { dropPaths } from './support/steps.ts';
import { fixtureServer } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const ROWS = 200_000;
const people = 'zip;age;member;note\n01067;36;true;\n80331;7;false;""\n10115;41;true;x, y\n';

/** Chooses a file in the page's own dialog. */
async function chooseFile(page: Page, path: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Choose a file' });
  await dialog.getByRole('textbox', { name: 'Path' }).fill(path.slice(0, path.lastIndexOf('/')));
  await dialog.getByRole('button', { name: 'Open' }).first().click();
  await dialog.getByRole('button', { name: new RegExp(`^${path.slice(path.lastIndexOf('/') + 1)}`) }).dblclick();
  await dialog.waitFor({ state: 'detached' });
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const table = (page: Page) => page.getByRole('table', { name: 'Table' });
const cells = (page: Page, row: number) =>
  table(page)
    .locator(`[role=row][aria-rowindex="${row + 1}"]`)
    .getByRole('cell')
    .allTextContents();
/** Whether nothing has to be scrolled to see it. */
const isInView = (shown: Locator) =>
  shown.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
const fact = (page: Page, label: string) =>
  page
    .locator('.facts > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()
    .textContent();

describe.each(eitherHost())('Preview in %s', (host) => {
  let outside: Workspace;
  let home: OpenWindow;
  let page: Page;

  beforeAll(async () => {
    outside = await openWorkspace();
    home = await openWindow(host, {
      upstreams: {
        tools: fixtureServer('echo-arguments.mjs'),
        narrow: { ...fixtureServer('echo-arguments.mjs'), env: { DELAY_MS: '300' }, maxMessageBytes: 4096 },
      },
    });
    page = home.page;
    await home.file('people.csv', people);
    await home.file('empty.csv', '');
    await home.file('broken.csv', 'a,b\n1,2\n3,4,5\n');
    await home.file('object.json', '{"name":"Ada","id":12345678901234567890,"none":null}');
    await home.file('note.txt', 'Line one\n"two"\n');
    await home.file('mixed.jsonl', '{"a":1}\n[2,3]\n"four"\n');
    await home.file(
      'binary.bin',
      Uint8Array.from({ length: 256 }, (_, i) => i),
    );
    await home.file('many.csv', `id,name\n${Array.from({ length: ROWS }, (_, i) => `${i},Person ${i}`).join('\n')}\n`);
    await home.file('wide.csv', `${Array.from({ length: 2000 }, (_, i) => `c${i}`).join(',')}\n${'1,'.repeat(1999)}last\n`);
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    await page.getByRole('link', { name: 'Preview' }).click();
    await heading(page, 'Preview').waitFor();
  });
  afterAll(async () => {
    await home?.close();
    await outside?.remove();
  });

  /** Opens a file of the allowed folder as a link from another page would. */
  const open = async (name: string) => {
    const hash = `#/preview/${encodeURIComponent(encodeURIComponent(home.at(name)))}`;
    await page.evaluate((next) => {
      location.hash = next;
    }, hash);
    await heading(page, name).waitFor();
  };

  it('offers the newest files of allowed folders', async () => {
    await page.getByRole('list', { name: 'Recent files' }).getByRole('link', { name: 'people.csv' }).click();
    await heading(page, 'people.csv').waitFor();
    await page.getByRole('link', { name: 'Preview' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  if (host === 'electron') {
    it('takes a file as the system drops it, and says why it does not take others', async () => {
      await dropPaths(page, [home.at('')]);
      await page.getByText('That is a folder').waitFor();
      await dropPaths(page, [home.at('people.csv'), home.at('many.csv')]);
      await page.getByText('One file at a time').waitFor();
      await dropPaths(page, [home.at('people.csv')]);
      await heading(page, 'people.csv').waitFor();
      // Also where a file is open already.
      await dropPaths(page, [home.at('object.json')]);
      await heading(page, 'object.json').waitFor();
      // Also where the page changes below the held file.
      await dropPaths(page, [home.at('people.csv')], () => open('note.txt'));
      await heading(page, 'people.csv').waitFor();
    });
  } else {
    it('says that a browser hides where a dropped file lies, and takes one that is chosen', async () => {
      await dropPaths(page, [home.at('people.csv')]);
      await page.getByText('A browser does not tell where a dropped file lies').waitFor();
      await page.getByRole('button', { name: 'Choose a file' }).first().click();
      await chooseFile(page, home.at('people.csv'));
      await heading(page, 'people.csv').waitFor();
    });
  }

  it('shows facts and rows as a tool would get them', async () => {
    await page.getByText('Agents may read this file').waitFor();
    expect(await fact(page, 'Records')).toBe('3');
    expect(await fact(page, 'Separator')).toBe('Semicolon');
    await expect.poll(() => cells(page, 1)).toEqual(['01067', '36', 'true', 'null']);
    expect(await cells(page, 2)).toEqual(['80331', '7', 'false', '""']);
    await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe('4');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'JSON' }).click();
    const lines = page.getByRole('region', { name: 'JSON' }).locator('.json-line');
    const record = ['[', '{', '"zip": "01067",', '"age": 36,', '"member": true,', '"note": null', '},'];
    await expect.poll(async () => (await lines.allTextContents()).slice(0, record.length)).toEqual(record);
  });

  it('reads a column as another type, says where a cell does not fit, and takes that back', async () => {
    await page.getByRole('tab', { name: 'Table' }).click();
    const type = (name: string) => page.getByRole('combobox', { name: `Type of column ${name}` });
    await type('age').selectOption('Text');
    await expect.poll(() => cells(page, 1)).toEqual(['01067', '36', 'true', 'null']);
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByText('"age": "36"').waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    await type('note').selectOption('Number');
    const trouble = page.getByRole('alert').filter({ hasText: "column 'note' is not a number" });
    await expect.poll(() => trouble.textContent()).toContain('line 4');
    await trouble.getByRole('button', { name: 'Undo the change' }).click();
    await trouble.waitFor({ state: 'detached' });
    await expect.poll(() => type('age').inputValue()).toBe('string');
    await page.getByText('How it is read').click();
    await page.getByRole('button', { name: 'Back to automatic' }).click();
    await expect.poll(() => type('age').inputValue()).toBe('');
    await page.getByRole('checkbox', { name: 'The table has a header row' }).uncheck();
    await expect.poll(() => cells(page, 1)).toEqual(['zip', 'age', 'member', 'note']);
    // What was chosen is kept for the next time.
    await page.getByRole('button', { name: 'Back to automatic' }).click();
    await expect.poll(() => cells(page, 1)).toEqual(['01067', '36', 'true', 'null']);
  });

  it('reads German numbers and dates, and marks of missing values, when that is chosen', async () => {
    await home.file('german.csv', 'Datum;Betrag;Text\n31.12.2024;1.234,56;a\n1.1.2025;-0,5;NA\n');
    await open('german.csv');
    await expect.poll(() => cells(page, 1)).toEqual(['31.12.2024', '1.234,56', 'a']);
    await page.getByText('Numbers with a decimal comma stay text').waitFor();
    await page.locator('details.reading-options').evaluate((details: HTMLDetailsElement) => details.setAttribute('open', ''));
    await page.getByRole('checkbox', { name: 'Numbers have a decimal comma' }).check();
    await page.getByRole('checkbox', { name: 'Write dates as' }).check();
    await page.getByText('Rarely needed').click();
    await page.getByLabel('Text that means no value').selectOption('NA');
    await expect.poll(() => cells(page, 1)).toEqual(['2024-12-31', '1234.56', 'a']);
    await expect.poll(async () => (await cells(page, 2)).slice(0, 2)).toEqual(['2025-01-01', '-0.5']);
  });

  it('reads a file again as it was chosen before, and says so', async () => {
    await home.file('kept.csv', 'a;b\n1;2\n');
    await open('kept.csv');
    const how = () => page.getByText('How it is read');
    await how().click();
    await page.getByRole('combobox', { name: 'Separator' }).selectOption({ label: 'Comma' });
    await expect.poll(() => fact(page, 'Columns')).toBe('1');
    await open('people.csv');
    await open('kept.csv');
    await expect.poll(() => fact(page, 'Columns')).toBe('1');
    await page.getByText('Changed by hand').waitFor();
    await how().click();
    await page.getByText('until Filebridge is closed').waitFor();
    await page.getByRole('button', { name: 'Back to automatic' }).click();
    await expect.poll(() => fact(page, 'Columns')).toBe('2');
  });

  it('says what to do with each kind of trouble', async () => {
    await open('empty.csv');
    await page.getByText('This file is empty').waitFor();
    await open('binary.bin');
    await page.getByRole('button', { name: 'Pass on its bytes (Base64)' }).click();
    await page.getByText('AAECAwQF').waitFor();
    await open('broken.csv');
    await page.getByText(/at line 3/).waitFor();
    await page.getByRole('button', { name: 'Keep the extra cells' }).click();
    await expect.poll(() => cells(page, 2)).toEqual(['3', '4', '["5"]']);
    await rm(home.at('broken.csv'));
    await page.getByRole('button', { name: 'Read the file again' }).first().click();
    await page.getByText(/broken\.csv' does not exist or is not readable/).waitFor();
    await page.getByText('It may have been moved').waitFor();
  });

  it('shows what is no table, every digit of it', async () => {
    await open('object.json');
    await page.getByRole('cell', { name: '12345678901234567890' }).waitFor();
    await open('note.txt');
    await expect.poll(() => page.getByRole('region', { name: 'Text' }).locator('pre').textContent()).toBe('Line one\n"two"\n');
    await open('mixed.jsonl');
    await expect.poll(() => cells(page, 1)).toEqual(['1', '', '']);
    expect(await cells(page, 3)).toEqual(['', '', '"four"'].map((each) => each.replaceAll('"', '')));
  });

  it('scrolls to the end of very many rows and columns', async () => {
    await open('many.csv');
    await page.getByText('Read completely').waitFor();
    await expect.poll(() => table(page).getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
    const scroller = page.locator('.record-table');
    await scroller.focus();
    await page.keyboard.press('End');
    await expect.poll(() => cells(page, ROWS)).toEqual([String(ROWS - 1), `Person ${ROWS - 1}`]);
    // Only what is in view is drawn.
    await expect.poll(() => table(page).getByRole('row').count()).toBeLessThan(100);
    await page.keyboard.press('PageUp');
    const below = () => scroller.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    await expect.poll(below).toBeGreaterThan(100);
    await scroller.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2;
    });
    await expect.poll(() => cells(page, ROWS / 2)).toEqual([String(ROWS / 2 - 1), `Person ${ROWS / 2 - 1}`]);
    await page.keyboard.press('Home');
    await expect.poll(() => cells(page, 1)).toEqual(['0', 'Person 0']);
    await open('wide.csv');
    await expect.poll(() => cells(page, 1).then((found) => found.length)).toBeGreaterThan(3);
    expect((await cells(page, 1)).length).toBeLessThan(50);
    await scroller.evaluate((element) => {
      element.scrollLeft = element.scrollWidth;
    });
    await expect.poll(() => cells(page, 1).then((found) => found.at(-1))).toBe('last');
  });

  it('tells whether a file fits a tool, and marks columns that do not', async () => {
    await open('many.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('combobox', { name: 'Server' }).selectOption('tools');
    const tool = page.getByRole('combobox', { name: 'Tool', exact: true });
    await tool.fill('insert');
    await page.getByRole('option', { name: 'insert_records' }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    // Enter takes the first tool that fits what is typed.
    await tool.fill('insert_rec');
    await page.getByRole('option', { name: 'insert_records' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => tool.inputValue()).toBe('insert_records');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    // What is needed is told once, with a way to its field.
    await page.getByText('2 fields are still to be filled in').first().waitFor();
    for (const name of ['zip', 'table']) {
      await page.locator('.to-fields').getByRole('button', { name, exact: true }).click();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('[data-send-field]')?.getAttribute('data-send-field')))
        .toBe(name);
    }
    await page.getByText('The tool does not know the column “name”').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'Table' }).click();
    const head = table(page).getByRole('columnheader').filter({ hasText: 'name' });
    await expect.poll(() => head.textContent()).toContain('The tool does not know this column');
    await home.file('extra.csv', 'zip,colour\n01067,red\n');
    await open('extra.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    // The form begins at the top.
    await expect.poll(() => page.locator('main').evaluate((main) => main.scrollTop)).toBeGreaterThan(100);
    await expect.poll(() => isInView(page.getByRole('combobox', { name: 'Server' }))).toBe(true);
    await page.getByRole('button', { name: 'Leave it out' }).click();
    const others = page.getByRole('checkbox', { name: /^Leave out/ });
    await expect.poll(() => others.isChecked()).toBe(true);
    await others.uncheck();
  });

  it('sends a file to a tool after one more question, and gives the receipt', async () => {
    await open('people.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    // The tool chosen for the last file.
    const place = page.getByRole('combobox', { name: 'Where the file goes' });
    await place.waitFor();
    await page.getByRole('textbox', { name: 'table' }).fill('people');
    await page.getByText('The file fits this tool').waitFor();
    expect(await fact(page, 'Goes to')).toBe('records');
    // The tool's schema keeps what the file alone would make null.
    await expect.poll(() => page.getByRole('region', { name: /arguments/ }).textContent()).toContain('"zip": "01067"');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await expect.poll(() => question.textContent()).toMatch(/Send to “insert_records” on tools\?.*3 records of people\.csv/);
    await question.getByRole('button', { name: 'Send', exact: true }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText('Done').waitFor();
    // Nobody has to look for it.
    await expect.poll(() => isInView(receipt.getByRole('heading', { name: 'Receipt' }))).toBe(true);
    await page.getByText('3 records sent to insert_records').first().waitFor();
    const said = (await receipt.textContent()) ?? '';
    expect(said).toMatch(/Accepted3Failed0/);
    expect(said).toMatch(/[0-9a-f]{64}/);
    expect(said).toContain('"table":"people"');
    const again = page.getByRole('button', { name: 'Send again', exact: true });
    await expect.poll(() => again.isDisabled()).toBe(false);
    await again.click();
    await expect.poll(() => question.textContent()).toMatch(/Sent before.*it may be there twice.*people\.csv/);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await receipt.getByRole('link', { name: 'See it in Activity' }).click();
    await page.getByText('insert_records').first().waitFor();
  });

  it("puts the file's columns into the tool's, as a person chooses", async () => {
    await home.file('german.csv', 'PLZ;Alter;Ort\n01067;36;Dresden\n80331;7;München\n');
    await open('german.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('textbox', { name: 'table' }).fill('mapped');
    const zip = page.getByRole('combobox', { name: 'zip', exact: true });
    await zip.selectOption('PLZ');
    await page.getByRole('combobox', { name: /^age/ }).selectOption('Alter');
    await page.getByRole('checkbox', { name: 'Leave out the other column' }).check();
    await page.getByText('The file fits this tool').waitFor();
    const sample = page.getByRole('region', { name: /arguments/ });
    await expect.poll(() => sample.textContent()).toContain('"zip": "01067"');
    await expect.poll(() => sample.textContent()).not.toContain('Dresden');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText('"age":7').or(receipt.getByText('"age": 7')).first().waitFor();
    // Its content went there: the next time, the button says so.
    await page.getByRole('button', { name: 'Send again' }).waitFor();
    if (host === 'console') await page.context().grantPermissions(['clipboard-write', 'clipboard-read']);
    await page.getByText('For your agent', { exact: true }).click();
    await page.getByRole('button', { name: /Copy a sentence for your agent/ }).click();
    await page.getByText('Copied').waitFor();
    const field = page.getByRole('textbox', { name: 'table' });
    await field.fill('');
    await field.press('ControlOrMeta+v');
    await expect
      .poll(() => field.inputValue())
      .toMatch(
        /Use Filebridge to send .*german\.csv to the tool “insert_records” of the server “tools”.*\{"table":"mapped"\}.*"rename":\{"PLZ":"zip".*Do not read or type/,
      );
  });

  it('offers a column of nearly the same name, and tells each value that does not fit with its line', async () => {
    await home.file('near.jsonl', '{"Zip":"01067","age":36}\n{"Zip":"80331","age":"7"}\n{"Zip":"10115","age":"8"}\n');
    await open('near.jsonl');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('textbox', { name: 'table' }).fill('near');
    await page.getByRole('button', { name: 'Take “Zip”?' }).click();
    await page.getByText('2 things to look at').waitFor();
    for (const line of [2, 3]) await page.getByText(`Line ${line}, column “age”: must be integer`).waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'zip', exact: true }).inputValue()).toBe('Zip');
  });

  it('gives every record the same, for a column that the file does not have', async () => {
    await home.file('codes.csv', 'Code\n01067\n80331\n');
    await open('codes.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('textbox', { name: 'table' }).fill('same');
    await page.getByRole('combobox', { name: 'zip', exact: true }).selectOption('Code');
    await page.getByRole('combobox', { name: /^age/ }).selectOption('The same for every record …');
    const same = page.getByRole('textbox', { name: 'Every record’s “age”' });
    await same.fill('many');
    await page.getByText('Write a whole number').waitFor();
    await same.fill('36');
    await page.getByText('The file fits this tool').waitFor();
    const sample = page.getByRole('region', { name: /arguments/ });
    await expect.poll(() => sample.textContent()).toMatch(/"zip": "01067",\s*"age": 36[\s\S]*"zip": "80331",\s*"age": 36/);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('gives each record its number, and says where all would get the same key', async () => {
    await home.file('plain.csv', 'post_code,years\n01067,36\n80331,7\n');
    await open('plain.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('textbox', { name: 'table' }).fill('numbered');
    // All that fit, at one click.
    await page.getByRole('button', { name: 'Take what fits: zip ← post_code, age ← years' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'zip', exact: true }).inputValue()).toBe('post_code');
    const age = page.getByRole('combobox', { name: /^age/ });
    await age.selectOption('The number of the row: 1, 2, 3 …');
    const sample = page.getByRole('region', { name: /arguments/ });
    await expect.poll(() => sample.textContent()).toMatch(/"zip": "01067"[\s\S]*"age": 1[\s\S]*"zip": "80331"[\s\S]*"age": 2/);
    // The button that sends stays in reach.
    await expect.poll(() => isInView(page.getByRole('button', { name: 'Send', exact: true }))).toBe(true);
    // What is sent beside the file is said before.
    await page.getByText('The file fits this tool').or(page.getByText('look at the notes')).first().waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('age gets the number of the row: 1, 2, 3 …').waitFor();
    await question.getByText('With these values: table = numbered.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await age.selectOption('The same for every record …');
    await page.getByRole('textbox', { name: 'Every record’s “age”' }).fill('5');
    await page.getByText('The file fits this tool').or(page.getByText('look at the notes')).first().waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await question.getByText('Every record gets the same: age = 5.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('keeps what was filled in when the page is left, which then begins at its top', async () => {
    await open('plain.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('textbox', { name: 'table' }).fill('kept');
    await page.getByRole('combobox', { name: /^age/ }).selectOption('years');
    const scrolled = () => page.locator('main').evaluate((main) => main.scrollTop);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await page.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Settings').waitFor();
    await expect.poll(scrolled).toBe(0);
    await open('plain.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'table' }).inputValue()).toBe('kept');
    await expect.poll(() => page.getByRole('combobox', { name: /^age/ }).inputValue()).toBe('years');
  });

  it('offers no columns for what is one object', async () => {
    await open('object.json');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('textbox', { name: 'table' }).waitFor();
    await page.getByText('does not fit').first().waitFor();
    expect(await page.getByRole('group', { name: /columns/i }).count()).toBe(0);
  });

  it('copies the call that an agent can then make', async () => {
    await open('people.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('textbox', { name: 'table' }).fill('from an agent');
    await page.getByText('The file fits this tool').waitFor();
    if (host === 'console') await page.context().grantPermissions(['clipboard-write']);
    await page.getByText('For your agent', { exact: true }).click();
    await page.getByRole('button', { name: /Copy the call for an agent/ }).click();
    await page.getByText('Copied').waitFor();
    const { url } = await askProgram(page, 'status.get', {});
    const agent = await openClient('v1', { url: url ?? '', token: await home.token() });
    try {
      // As one pastes it.
      const field = page.getByRole('textbox', { name: 'table' });
      await field.fill('');
      await field.press('ControlOrMeta+v');
      const call = JSON.parse(await field.inputValue());
      const answer = await agent.call('call_tool_with_file_content', call);
      expect(answer.isError, answer.text).toBe(false);
      expect(answer.text).toContain('from an agent');
    } finally {
      await agent.close();
    }
  });

  it('shows how far a long sending is, and sends the rest of one that was cancelled', async () => {
    await home.file('ids.csv', `id\n${Array.from({ length: 4000 }, (_, id) => id).join('\n')}\n`);
    await open('ids.csv');
    await page.getByRole('tab', { name: 'Send to a tool' }).click();
    await page.getByRole('combobox', { name: 'Server' }).selectOption('narrow');
    const tool = page.getByRole('combobox', { name: 'Tool', exact: true });
    await tool.fill('one_list');
    await page.getByRole('option', { name: 'one_list' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click();
    const running = page.getByRole('region', { name: 'Running now' });
    await running.getByText(/[1-9]\d* of 4,000 records accepted/).waitFor();
    await running.getByRole('button', { name: 'Cancel one_list' }).click();
    const stopped = page.getByRole('region', { name: 'Stopped half-way' });
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.waitFor();
    // What to do next is the button, and no words for an agent.
    expect(await receipt.textContent()).not.toMatch(/resume/);
    expect(await receipt.textContent()).not.toMatch(/Accepted4,000/);
    await stopped.getByRole('button', { name: /^Resume one_list/ }).click();
    await stopped.waitFor({ state: 'detached' });
    await expect.poll(() => receipt.textContent()).toMatch(/Accepted[\d,]+Failed0(?!.*Not sent)/);
    const [, ...counts] = /Accepted([\d,]+)Failed0(?:Unknown([\d,]+))?/.exec((await receipt.textContent()) ?? '') ?? [];
    const all = counts.reduce((sum, count) => sum + Number((count ?? '0').replaceAll(',', '')), 0);
    expect(all).toBe(4000);
  });

  it('says when agents may not read a file, and lets them', async () => {
    const file = await outside.file('elsewhere.csv', 'a\n1\n');
    await page.evaluate(
      (next) => {
        location.hash = next;
      },
      `#/preview/${encodeURIComponent(encodeURIComponent(file))}`,
    );
    await page.getByText('Agents may not read this file').waitFor();
    await expect.poll(() => cells(page, 1)).toEqual(['1']);
    await page.getByRole('button', { name: /^Allow its folder/ }).click();
    await page.getByText('Agents may read this file').waitFor();
  });

  it('leaves no complaint', () => expect(home.complaints).toEqual([]));
});

describe.each(eitherHost())('Preview in %s without a server', (host) => {
  it('says where to get one', async () => {
    const home = await openWindow(host, {});
    try {
      const { page } = home;
      await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
      const file = await home.file('people.csv', people);
      await page.evaluate(
        (next) => {
          location.hash = next;
        },
        `#/preview/${encodeURIComponent(encodeURIComponent(file))}`,
      );
      await page.getByRole('tab', { name: 'Send to a tool' }).click();
      await page.getByText('No server to send to yet').waitFor();
      await page.getByRole('link', { name: 'Go to Servers' }).click();
      await heading(page, 'Servers').waitFor();
    } finally {
      await home.close();
    }
  });
});
