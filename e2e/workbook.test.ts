/** Workbooks as people and agents meet them: at the command line, in a call, and on the Preview page. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowOf, workbookOf } from '../electron/engine/tables/workbook-fixture.ts';
import { accessibilityFaults } from './support/axe.ts';
import { examples, refusals } from './support/examples.ts';
import { fixtureServer } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const people = `${rowOf('zip', 'age', 'since')}${rowOf('01067', 36).replace('</row>', '<c s="1"><v>45353</v></c></row>')}`;
const workbook = workbookOf({
  sheets: [
    { name: 'People', data: people },
    { name: 'Totals', data: rowOf('sum') + rowOf(12.5) },
  ],
  formats: ['dd.mm.yyyy'],
});

examples('a workbook becomes the records of a sheet', {
  'the first, with dates and texts as they are': {
    file: 'people.xlsx',
    input: workbook,
    json: '[{"zip":"01067","age":36,"since":"2024-03-02"}]',
    warning: /Sheet 'People' was read\. The workbook has 1 other sheet: 'Totals'/,
  },
  'one by its name': { file: 'people.xlsx', input: workbook, args: ['--sheet', 'Totals'], json: '[{"sum":12.5}]' },
  'one by its number': { file: 'people.xlsm', input: workbook, args: ['--sheet', '2'], json: '[{"sum":12.5}]' },
  'all of them': {
    file: 'people.xlsx',
    input: workbook,
    args: ['--sheet', '*'],
    json: '{"People":[{"zip":"01067","age":36,"since":"2024-03-02"}],"Totals":[{"sum":12.5}]}',
  },
  'a part of it': {
    file: 'people.xlsx',
    input: workbook,
    args: ['--range', 'B:C', '--sheet', '1'],
    json: '[{"age":36,"since":"2024-03-02"}]',
  },
});

refusals('a workbook that cannot be read', {
  'a sheet that is not there': {
    file: 'people.xlsx',
    input: workbook,
    args: ['--sheet', 'Nope'],
    says: /The workbook has no sheet 'Nope'/,
  },
  'one that is cut off': {
    file: 'people.xlsx',
    input: workbook.subarray(0, 500),
    says: /it is not a ZIP archive, or its end is missing/,
  },
});

describe.each(eitherHost())('Preview of a workbook in %s', (host) => {
  let home: OpenWindow;
  beforeAll(async () => {
    home = await openWindow(host, { upstreams: { tools: fixtureServer('echo-arguments.mjs') } });
    await home.file('people.xlsx', workbook);
  });
  afterAll(() => home?.close());

  it('shows the first sheet, and another one that is chosen', async () => {
    const { page } = home;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#/preview/${encodeURIComponent(encodeURIComponent(home.at('people.xlsx')))}`,
    );
    await page.getByRole('cell', { name: '2024-03-02' }).waitFor();
    await page.getByText('How it is read').click();
    const sheet = (name: string) => page.getByRole('group', { name: 'Sheet' }).getByRole('button', { name });
    await sheet('Totals').click();
    await page.getByRole('cell', { name: '12.5' }).waitFor();
    await expect.poll(() => sheet('Totals').getAttribute('aria-pressed')).toBe('true');
    expect(await accessibilityFaults(page)).toEqual([]);
    await sheet('All sheets, by name').click();
    await page.getByText('One object').waitFor();
    await page.getByRole('button', { name: 'Back to automatic' }).click();
    await page.getByRole('cell', { name: '2024-03-02' }).waitFor();
    await enterOther('Cells', 'Such as A5:Z', 'B:B');
    await page.getByRole('columnheader', { name: /zip/ }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '36', exact: true }).waitFor();
  });

  it('shows a table of a database, another one that is chosen, and what a query gives', async () => {
    const { page } = home;
    const file = await home.file('shop.sqlite', gunzipSync(readFileSync('electron/engine/tables/fixtures/shop.db.gz')));
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#/preview/${encodeURIComponent(encodeURIComponent(file))}`,
    );
    await page.getByRole('cell', { name: '80331' }).waitFor();
    const table = page.getByRole('group', { name: 'Table' }).getByRole('button', { name: 'order items' });
    await table.click();
    await page.getByRole('cell', { name: 'tea' }).first().waitFor();
    await page.getByText('How it is read').click();
    await enterOther('Query (SQL)', 'SELECT …', 'SELECT count(*) AS people FROM users');
    await page.getByRole('columnheader', { name: /people/ }).waitFor();
    // A query names its tables itself.
    await expect.poll(() => table.count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  /** Chooses what is not in a list, and enters it. */
  async function enterOther(label: string, field: string, text: string): Promise<void> {
    const { page } = home;
    await page.getByRole('combobox', { name: label, exact: true }).selectOption('other');
    await page.getByRole('textbox', { name: field }).fill(text);
    await page.getByRole('button', { name: 'Use', exact: true }).click();
  }
});
