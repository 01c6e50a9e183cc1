import { expect, it } from 'vitest';
import { withContext } from './plan-lines.tsx';

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
