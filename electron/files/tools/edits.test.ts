import { expect, it } from 'vitest';
import { fencedDiff } from './edit-diff.ts';
import { applyEdits } from './edits.ts';

const edit = (text: string, oldText: string, newText: string, { replaceAll = false, maxBytes = 1e9 } = {}) =>
  applyEdits(Buffer.from(text), [{ oldText, newText, replaceAll }], { maxBytes }).then(({ after }) => after);

it('moves the new text by as much as the lines are indented otherwise', async () => {
  const python = 'class A:\n    def f(self):\n        if x:\n            a()\n        return 1\n';
  // A block as it would stand at the left margin.
  expect(await edit(python, 'if x: \n    a()\nreturn 1', 'if y:\n    b()\n\n    c()\nreturn 2')).toBe(
    'class A:\n    def f(self):\n        if y:\n            b()\n\n            c()\n        return 2\n',
  );
  // Indented more than in the file.
  expect(await edit('if x:\n  a()\n', '    if x:\n      a()', '    if y:\n      b()')).toBe('if y:\n  b()\n');
  const tabs = 'if x:\n\t\ta()\n\t\tb()\nelse:\n\ta()\n\tb()\n';
  expect(await edit(tabs, 'a() \nb()', 'c()\n\td()', { replaceAll: true })).toBe(
    'if x:\n\t\tc()\n\t\t\td()\nelse:\n\tc()\n\t\td()\n',
  );
  await expect(edit(tabs, 'a() \nb()', 'c()')).rejects.toThrow('is there 2 times');
});

it('repeats no more than the beginning of a long text that it could not find', async () => {
  const failure = edit('text\n', 'x'.repeat(100_000), '');
  await expect(failure).rejects.toThrow(/^Could not find exact match for edit:\nx{1999}…$/);
});

it('refuses what is indented otherwise in each line', async () => {
  const refusal = 'only with other indentation';
  await expect(edit('\tif x:\n\t\ta()\n', 'if x: \n    a()', 'b()')).rejects.toThrow(refusal);
  await expect(edit('if x:\n    a()\n', ' if x:\n   a()', 'b()')).rejects.toThrow(refusal);
  await expect(edit('if x:\n  a()\n', '  if x:\n    a()', 'if y:\n  b()')).rejects.toThrow(refusal);
});

it('finds a text whatever its line ends where bytes go in its place', async () => {
  const edits = [{ oldText: 'one\ntwo\n', newText: Buffer.from('\x00new\n'), replaceAll: false }];
  const { bytes } = await applyEdits(Buffer.from('zero\r\none\r\ntwo\r\nthree\r\n'), edits, { maxBytes: 1e9 });
  expect(bytes.toString('latin1')).toBe('zero\r\n\x00new\nthree\r\n');
});

it('searches texts that repeat themselves in linear time', async () => {
  const lines = 'same\n'.repeat(1_000_000);
  await expect(edit(lines, `${' same\n'.repeat(100_000)}other`, 'x')).rejects.toThrow('Could not find exact match');
  await expect(edit('a'.repeat(20_000_000), `b${'a'.repeat(1_000_000)}`, 'x')).rejects.toThrow('Could not find exact match');
});

it('stops before a small edit at many places fills the memory', async () => {
  const text = ' a\n'.repeat(500_000);
  const long = 'x'.repeat(1_000_000);
  await expect(edit(text, 'a ', long, { replaceAll: true, maxBytes: 10_000_000 })).rejects.toThrow('The file would grow');
});

it('fences a diff of backticks', () => {
  const ticks = '`'.repeat(200_000);
  expect(fencedDiff('a', `${ticks}\n`, 'b\n').startsWith(`${ticks}\`diff\n`)).toBe(true);
});
