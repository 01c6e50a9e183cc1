import { expect, it } from 'vitest';
import { fencedDiff } from './edit-diff.ts';
import { applyEdits } from './edits.ts';

const edit = (text: string, oldText: string, newText: string, { replaceAll = false, maxBytes = 1e9 } = {}) =>
  applyEdits(Buffer.from(text), [{ oldText, newText, replaceAll }], { maxBytes }).then(({ after }) => after);

it('keeps the indentation where only the space around lines differs', async () => {
  const text = 'if x:\n\t\ta()\n\t\tb()\nelse:\n    a()\n    b()\n';
  expect(await edit(text, 'a() \n b()', 'c()\n  d()', { replaceAll: true })).toBe(
    'if x:\n\t\tc()\n\t\t d()\nelse:\n    c()\n     d()\n',
  );
  await expect(edit(text, 'a() \n b()', 'c()')).rejects.toThrow('is there 2 times');
});

it('searches texts that repeat themselves in linear time', async () => {
  const lines = 'same\n'.repeat(1_000_000);
  await expect(edit(lines, `${' same\n'.repeat(100_000)}other`, 'x')).rejects.toThrow('Could not find exact match');
  await expect(edit('a'.repeat(20_000_000), `b${'a'.repeat(1_000_000)}`, 'x')).rejects.toThrow('Could not find exact match');
});

it('stops before a small edit at many places fills the memory', async () => {
  const text = ' a\n'.repeat(500_000);
  const long = 'x'.repeat(1_000_000);
  await expect(edit(text, '\ta', long, { replaceAll: true, maxBytes: 10_000_000 })).rejects.toThrow('The file would grow');
});

it('fences a diff of backticks', () => {
  const ticks = '`'.repeat(200_000);
  expect(fencedDiff('a', `${ticks}\n`, 'b\n').startsWith(`${ticks}\`diff\n`)).toBe(true);
});
