/** Documents as people and agents meet them: at the command line, and on the Preview page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfOf } from '../electron/engine/documents/pdf-fixture.ts';
import { presentationOf, shape } from '../electron/engine/documents/presentation-fixture.ts';
import { paragraph, picture, table, wordOf } from '../electron/engine/documents/word-fixture.ts';
import { zipOf } from '../electron/engine/input/zip-fixture.ts';
import { accessibilityFaults } from './support/axe.ts';
import { examples, refusals } from './support/examples.ts';
import { fixtureServer } from './support/upstreams.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

const document = wordOf({
  body: paragraph('Plan', 'heading1') + paragraph('Two steps.') + table(['Step', 'Who'], ['Ask', 'Ann']) + picture('A map'),
});

examples('a Word document becomes text', {
  'as Markdown': {
    file: 'plan.docx',
    input: document,
    json: JSON.stringify('# Plan\n\nTwo steps.\n\n| Step | Who |\n| --- | --- |\n| Ask | Ann |\n\n![A map]'),
    warning: /The document has 1 image, which is left out/,
  },
  'as plain text': {
    file: 'plan.docm',
    input: document,
    args: ['--as', 'text'],
    json: JSON.stringify('Plan\nTwo steps.\nStep\tWho\nAsk\tAnn'),
    warning: /1 image/,
  },
  'by format, whatever its name': {
    file: 'plan.bin',
    input: wordOf({ body: paragraph('x') }),
    args: ['--format', 'docx', '--as', 'html'],
    json: '"<p>x</p>"',
  },
});

examples('a presentation becomes text', {
  'a heading per slide, with its notes': {
    file: 'talk.pptx',
    input: presentationOf([{ shapes: shape(['Plan'], 'title') + shape(['Ask', 'Wait'], ''), notes: shape(['Smile.'], 'body') }]),
    json: JSON.stringify('## Plan\n\n- Ask\n- Wait\n\n> Smile.'),
  },
});

const report = pdfOf([
  { texts: [{ x: 50, y: 700, text: 'First page' }] },
  { texts: [{ x: 50, y: 700, text: 'Second page' }] },
  { texts: [] },
]);

examples('a PDF becomes text', {
  'a heading per page, and which pages have no text': {
    file: 'report.pdf',
    input: report,
    json: JSON.stringify('## Page 1\n\nFirst page\n\n## Page 2\n\nSecond page'),
    warning: /Page 3 has no text/,
  },
  'some of its pages as plain text': {
    file: 'report.pdf',
    input: report,
    args: ['--pages', '2', '--as', 'text'],
    json: '"Second page"',
  },
});

const archive = zipOf([
  { name: 'data/users.csv', content: 'id,zip\n1,01067\n' },
  { name: 'readme.txt', content: 'hello' },
]);

examples('an archive becomes a list, or one of its files', {
  'one of its files': {
    file: 'export.zip',
    input: archive,
    args: ['--entry', 'data/users.csv'],
    json: '[{"id":1,"zip":"01067"}]',
  },
});

refusals('a document that cannot be read', {
  'a file that an archive does not have': {
    file: 'export.zip',
    input: archive,
    args: ['--entry', 'data/user.csv'],
    says: "The archive has no file 'data/user.csv'. Did you mean 'data/users.csv'?",
  },
  'a page that a PDF does not have': {
    file: 'report.pdf',
    input: report,
    args: ['--pages', '9'],
    says: '--pages 9 lies beyond the end: the document has 3 pages',
  },
  'one that is cut off': {
    file: 'plan.docx',
    input: document.subarray(0, 500),
    says: /it is not a ZIP archive, or its end is missing/,
  },
  'one whose records are asked for': {
    file: 'plan.docx',
    input: document,
    args: ['--as', 'json'],
    says: 'A document has text and no records. Leave --as out for its text as Markdown',
  },
});

describe.each(eitherHost())('Preview of a document in %s', (host) => {
  let home: OpenWindow;
  beforeAll(async () => {
    home = await openWindow(host, { upstreams: { tools: fixtureServer('echo-arguments.mjs') } });
    await home.file('plan.docx', document);
    await home.file('report.pdf', report);
    await home.file('export.zip', archive);
  });
  afterAll(() => home?.close());

  it('shows its text as Markdown, and as HTML when that is chosen', async () => {
    const { page } = home;
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#/preview/${encodeURIComponent(encodeURIComponent(home.at('plan.docx')))}`,
    );
    await page.getByText('| Step | Who |').waitFor();
    await page.getByText("The document has 1 image, which is left out (at 'Plan')").waitFor();
    await page.getByText('How it is read').click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Pass it on as' }).selectOption('HTML (documents)');
    await page.getByText('<h1>Plan</h1>').waitFor();
  });

  it('lists its tables, reads one as records that can be sent, and goes back to the text', async () => {
    const { page } = home;
    await page.getByRole('combobox', { name: 'Pass it on as' }).selectOption('Automatic');
    const tables = page.getByRole('region', { name: 'Table in the document' });
    await expect.poll(() => tables.getByRole('listitem').textContent()).toContain('1. Step · Who2 × 2 cells');
    await tables.getByRole('button', { name: 'Read as records, table 1' }).click();
    await page.getByRole('cell', { name: 'Ann' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}-table-${host}.png` });
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('region', { name: 'JSON' }).getByText('"Step": "Ask",').waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    await tables.getByRole('button', { name: 'Back to the text' }).click();
    await page.getByText('| Step | Who |').waitFor();
  });

  it('shows the text of a PDF by page, and only the pages that are chosen', async () => {
    const { page } = home;
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#/preview/${encodeURIComponent(encodeURIComponent(home.at('report.pdf')))}`,
    );
    await page.getByText('First page').waitFor();
    await page.getByText('Page 3 has no text').waitFor();
    expect(await page.getByText('Second page').count()).toBe(0);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Second page').waitFor();
    expect(await page.getByText('First page').count()).toBe(0);
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}-pages-${host}.png` });
    const shown = page.getByRole('combobox', { name: 'Page', exact: true });
    expect(await shown.locator('option').allTextContents()).toEqual(['Page 1', 'Page 2']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await shown.selectOption('Page 1');
    await page.getByText('First page').waitFor();
    const reading = page.locator('details.reading-options');
    if ((await reading.getAttribute('open')) === null) await page.getByText('How it is read').click();
    await page.getByRole('combobox', { name: 'Pages' }).selectOption('Other…');
    await page.getByRole('textbox', { name: 'Numbers, e.g. 3-5' }).fill('1');
    await page.getByRole('textbox', { name: 'Numbers, e.g. 3-5' }).press('Enter');
    await page.getByRole('button', { name: 'Next' }).waitFor({ state: 'detached' });
    await page.getByText('First page').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('lists the files of an archive, and reads the one that is chosen', async () => {
    const { page } = home;
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#/preview/${encodeURIComponent(encodeURIComponent(home.at('export.zip')))}`,
    );
    await page.getByRole('cell', { name: 'readme.txt' }).waitFor();
    const reading = page.locator('details.reading-options');
    if ((await reading.getAttribute('open')) === null) await page.getByText('How it is read').click();
    const chooser = page.getByRole('combobox', { name: 'File in the archive' });
    await chooser.selectOption('data/users.csv');
    await page.getByRole('cell', { name: '01067' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}-${host}.png` });
    await chooser.selectOption('None: list the files');
    await page.getByRole('cell', { name: 'readme.txt' }).waitFor();
  });
});
