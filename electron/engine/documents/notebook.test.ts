import { expect, it } from 'vitest';
import { failureOf, parsedOf } from '../fixtures/conversion-fixture.ts';

const notebook = {
  metadata: { language_info: { name: 'python' } },
  cells: [
    { cell_type: 'markdown', source: ['# Title\n', 'words'] },
    {
      cell_type: 'code',
      source: 'print(1)',
      outputs: [
        { output_type: 'stream', text: ['1\n'] },
        { output_type: 'display_data', data: { 'image/png': 'x', 'text/plain': '<Figure>' } },
        { output_type: 'execute_result', data: { 'text/html': '<table><tr><td>a</td></tr></table>', 'text/plain': 'a' } },
        { output_type: 'error', ename: 'ValueError', evalue: 'bad' },
      ],
    },
    { cell_type: 'code', source: '', outputs: [] },
  ],
};
const file = JSON.stringify(notebook);

it('a notebook is a value, and a text with its outputs where text is asked for', async () => {
  expect(await parsedOf('a.ipynb', file)).toEqual(notebook);
  const text =
    '# Title\nwords\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\n<Figure>\n```\n\n| a |\n| --- |\n\n```\nValueError: bad\n```';
  expect(await parsedOf('a.ipynb', file, { as: 'text' })).toBe(text);
  expect(await parsedOf('a.ipynb', file, { as: 'markdown' })).toBe(text);
  expect(await parsedOf('a.json', file, { as: 'text' })).toBe(file);
  expect(await failureOf('a.ipynb', '{}', { as: 'text' })).toMatchObject({ code: 'PARSE_FAILED' });
});
