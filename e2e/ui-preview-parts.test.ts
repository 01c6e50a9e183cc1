/** What a person finds inside a file in Preview: sheets, lists, the lines around a fault; and the button for each warning. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf, workbookOf } from '../electron/engine/tables/workbook-fixture.ts';
import { askProgram } from './support/ask-program.ts';
import { accessibilityFaults } from './support/axe.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const workbook = workbookOf({
  sheets: [
    { name: 'Orders', data: rowOf('Orders of 2025') + rowOf('id', 'total') + rowOf('a', 1) + rowOf('b', 2) },
    { name: 'People', data: rowOf('one', 'two') + rowOf('name', 'age') + rowOf('Ada', '36') },
    { name: 'Empty', data: '' },
  ],
});
const shop = {
  shop: { name: 'Corner shop', open: true },
  products: Array.from({ length: 40 }, (_, i) => ({ sku: `P${i}`, price: i / 4 })),
  tags: ['a', 'b'],
};
const broken = `{\n  "a": 1,\n  "b": [1, 2,\n  "c": 3\n}\n`;
const german = 'name;price;day\nAda;1.234,50;31.12.2025\nBob;2,75;01.02.2026\n';

describe.each(eitherHost())('Preview, what is inside, in %s', (host) => {
  let home: OpenWindow;
  beforeAll(async () => {
    home = await openWindow(host, {});
    await home.file('book.xlsx', workbook);
    await home.file('shop.json', JSON.stringify(shop));
    await home.file('shop.xml', '<shop><item><sku>A</sku></item><item><sku>B</sku></item></shop>');
    await home.file('broken.json', broken);
    await home.file('german.csv', german);
    await home.file('quotes.csv', 'id,name\n1,"Ann\n2,Bob\n3,"Di"\n');
    await home.file('plain.csv', 'Report\nid,name\n1,Ada\n2,Bob\n');
    await home.page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
  });
  afterAll(() => home?.close());

  const open = async (name: string) => {
    const hash = `#/preview/${encodeURIComponent(encodeURIComponent(home.at(name)))}`;
    await home.page.evaluate((next) => {
      location.hash = next;
    }, hash);
    await home.page.getByRole('heading', { level: 1, name }).waitFor();
  };
  const heads = () => home.page.getByRole('table', { name: 'Table' }).locator('.record-name').allTextContents();
  const sheet = (name: string) => home.page.getByRole('group', { name: 'Sheet' }).getByRole('button', { name });
  const button = (name: string | RegExp) => home.page.getByRole('button', { name });

  it('has a tab for each sheet, and takes the row that is clicked as column names', async () => {
    await open('book.xlsx');
    await expect.poll(heads).toEqual(['id', 'total']);
    await expect.poll(() => sheet('Orders').getAttribute('aria-pressed')).toBe('true');
    await home.page.getByText(/row 1 above the header/i).waitFor();
    await button('Read them too').click();
    await expect.poll(async () => (await heads())[0]).toBe('Orders of 2025');
    await sheet('People').click();
    await expect.poll(heads).toEqual(['one', 'two']);
    await home.page.locator('[role=row][aria-rowindex="2"]').getByRole('cell').first().click();
    await button('Use this row as column names').click();
    await expect.poll(heads).toEqual(['name', 'age']);
    expect(await accessibilityFaults(home.page)).toEqual([]);
    await sheet('All sheets').click();
    await home.page.getByRole('cell', { name: '"two":"age"' }).or(home.page.getByText('"two":"age"')).first().waitFor();
  });

  it('has only the options of the format', async () => {
    await open('book.xlsx');
    await home.page.getByText('How it is read').click();
    expect(await home.page.getByRole('combobox', { name: 'Encoding' }).count()).toBe(0);
    expect(await home.page.getByRole('combobox', { name: 'Separator' }).count()).toBe(0);
    const forms = await home.page.getByRole('combobox', { name: 'Pass it on as' }).locator('option').allTextContents();
    expect(forms).not.toContain('HTML (documents)');
    expect(forms).not.toContain('Plain text');
  });

  it('has a button for what a warning asks for', async () => {
    await open('german.csv');
    const cells = () => home.page.locator('[role=row][aria-rowindex="2"]').getByRole('cell').allTextContents();
    await expect.poll(cells).toEqual(['Ada', '1.234,50', '31.12.2025']);
    await button('Read as numbers with a decimal comma').click();
    await expect.poll(cells).toEqual(['Ada', '1234.50', '31.12.2025']);
    // The button has gone with its warning; what is typed next goes on from there.
    expect(await home.page.evaluate(() => document.activeElement?.className)).toContain('file-facts');
    await button('Copy for an agent').waitFor();
    const forAgents = home.page.getByRole('checkbox', { name: 'Let agents read this file this way, too' });
    await forAgents.check();
    await home.page.getByText('An agent that asks for something else gets that').waitFor();
    await expect.poll(() => button('Copy for an agent').count()).toBe(0);
    const kept = () => askProgram(home.page, 'preview.reading', { path: home.at('german.csv') });
    await expect.poll(kept).toEqual({ options: { decimal: ',' } });
    await open('shop.json');
    await open('german.csv');
    await expect.poll(() => forAgents.isChecked()).toBe(true);
    await button('Write dates as 2024-12-31').click();
    await expect.poll(cells).toEqual(['Ada', '1234.50', '2025-12-31']);
    await expect.poll(kept).toEqual({ options: { decimal: ',', dates: 'iso' } });
    await expect.poll(() => button(/decimal comma/).count()).toBe(0);
    await home.page.getByRole('combobox', { name: 'Type of column name' }).selectOption('Number');
    await button('Treat “name” as text').click();
    await expect.poll(cells).toEqual(['Ada', '1234.50', '2025-12-31']);
    await forAgents.uncheck();
    await expect.poll(kept).toEqual({ options: {} });
    await expect.poll(cells).toEqual(['Ada', '1234.50', '2025-12-31']);
  });

  it('offers the lists inside an object as tables', async () => {
    await open('shop.json');
    const lists = home.page.getByRole('list', { name: '2 lists inside this file' });
    await expect.poll(() => lists.locator('.row-main').allTextContents()).toEqual(['products40 rows', 'tags2 rows']);
    await button('Read as records, products').click();
    await expect.poll(heads).toEqual(['sku', 'price']);
    await home.page.getByText('Only the list “products” is read.').waitFor();
    await home.page.locator('[role=row][aria-rowindex="3"]').getByRole('cell').first().click();
    await button('Show the whole row').click();
    const row = home.page.getByRole('dialog', { name: 'Row 2' });
    await expect.poll(() => row.locator('pre').textContent()).toBe('{\n  "sku": "P1",\n  "price": 0.25\n}');
    await home.page.keyboard.press('Escape');
    await row.waitFor({ state: 'detached' });
    await button('Back to the whole file').click();
    await lists.waitFor();
    await open('shop.xml');
    await home.page.getByRole('list', { name: 'List inside this file' }).getByText('2 rows').waitFor();
  });

  it('shows JSON that can be folded and searched', async () => {
    await open('shop.json');
    await home.page.getByRole('tab', { name: 'JSON' }).click();
    const json = home.page.getByRole('region', { name: 'JSON' });
    await json.getByText('"name": "Corner shop",').waitFor();
    await button('Contents of products').click();
    await expect.poll(() => json.getByText('"sku": "P0",').count()).toBe(0);
    await json.getByText('"products": [').waitFor();
    await home.page.getByRole('searchbox', { name: 'Search' }).fill('p39');
    await home.page.getByText('1 of 1 line').waitFor();
    await json.locator('[data-current]').getByText('P39').waitFor();
    await button('Fold all').click();
    await expect.poll(() => json.getByText('Corner shop').count()).toBe(0);
    expect(await accessibilityFaults(home.page)).toEqual([]);
  });

  it('says where an open quote begins, and reads quotes as ordinary characters', async () => {
    await open('quotes.csv');
    await home.page.getByText('The cell begins with a quote at line 2').waitFor();
    await button('Read quotes as ordinary characters').click();
    const cells = home.page.locator('[role=row][aria-rowindex="2"]').getByRole('cell');
    await expect.poll(() => cells.allTextContents()).toEqual(['1', '"Ann']);
  });

  it('shows the lines around a fault', async () => {
    await open('broken.json');
    const lines = home.page.getByRole('region', { name: 'The lines around it' });
    await expect
      .poll(() => lines.locator('code').allTextContents())
      .toEqual(['{', '  "a": 1,', '  "b": [1, 2,', '  "c": 3', '}']);
    await expect.poll(() => lines.locator('[data-marked] code').textContent()).toBe('  "c": 3');
    await expect.poll(() => button('Open in its app').count()).toBe(host === 'electron' ? 1 : 0);
    expect(await accessibilityFaults(home.page)).toEqual([]);
  });

  it('leaves no complaint', () => expect(home.complaints).toEqual([]));
});
