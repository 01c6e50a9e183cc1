import { expect, it } from 'vitest';
import { narrowed, withContext } from './plan-lines.tsx';

const same = (text: string) => ({ kind: 'same' as const, text });

it('keeps changed lines with their neighbours, and says where lines were left out', () => {
  const lines = [...'abcdefgh'].map(same);
  const changed = [...lines.slice(0, 5), { kind: 'added' as const, text: 'new' }, ...lines.slice(5)];
  expect(withContext(changed, 1).map((line) => (line.kind === 'gap' ? '…' : line.text))).toEqual(['…', 'e', 'new', 'f', '…']);
});

it('leaves a short change whole', () => {
  const lines = [same('{'), { kind: 'added' as const, text: '}' }];
  expect(withContext(lines, 3)).toHaveLength(2);
});

/** As text: what changes in brackets. */
const marked = (before: string[], after: string[]) =>
  narrowed([
    ...before.map((text) => ({ kind: 'removed' as const, text })),
    ...after.map((text) => ({ kind: 'added' as const, text })),
  ]).map(({ kind, text, changed: [from, to] = [0, text.length] }) =>
    kind === 'same'
      ? `  ${text}`
      : `${kind === 'added' ? '+' : '-'} ${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`,
  );

it.each([
  ['only adds to it', ['{"a":1}'], ['{"a":1,"b":2}'], ['+ {"a":1[,"b":2]}']],
  ['only takes from it', ['{"a":1,"b":2}'], ['{"a":1}'], ['- {"a":1[,"b":2]}']],
  ['spreads it over lines', ['{}'], ['{', '  "b": 2', '}'], ['  {', '+ [  "b": 2]', '  }']],
  ['does both', ['{"a":1}'], ['{"b":1}'], ['- {"[a]":1}', '+ {"[b]":1}']],
  ['replaces several', ['a', 'b'], ['c'], ['- [a]', '- [b]', '+ [c]']],
])('shows of a line what is lost and added, where a change %s', (_, before, after, shown) => {
  expect(marked(before, after)).toEqual(shown);
});

it('leaves lines alone that are only added or removed, and those between', () => {
  const lines = [same('a'), { kind: 'removed' as const, text: 'b' }, same('c'), { kind: 'added' as const, text: 'd' }];
  expect(narrowed(lines)).toEqual(lines);
});
