/** Documents as people and agents meet them: at the command line, and on the Preview page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presentationOf, shape } from '../electron/engine/documents/presentation-fixture.ts';
import { paragraph, picture, table, wordOf } from '../electron/engine/documents/word-fixture.ts';
import { accessibilityFaults } from './support/axe.ts';
import { examples, refusals } from './support/examples.ts';
import { fixtureServer } from './support/upstreams.ts';
import { hosts, type OpenWindow, openWindow } from './support/window-hosts.ts';

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

refusals('a document that cannot be read', {
  'one that is cut off': {
    file: 'plan.docx',
    input: document.subarray(0, 500),
    says: /it is not a ZIP archive, or its end is missing/,
  },
  'one whose records are asked for': {
    file: 'plan.docx',
    input: document,
    args: ['--as', 'json'],
    says: 'A document has text and no records. Leave "as" out for its text as Markdown',
  },
});

describe.each(hosts)('Preview of a document in %s', (host) => {
  let home: OpenWindow;
  beforeAll(async () => {
    home = await openWindow(host, { upstreams: { tools: fixtureServer('echo-arguments.mjs') } });
    await home.file('plan.docx', document);
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
    await page.getByText('The document has 1 image, which is left out').waitFor();
    await page.getByText('How it is read').click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Pass it on as' }).selectOption('HTML (documents)');
    await page.getByText('<h1>Plan</h1>').waitFor();
  });
});
