// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest';
import { Difference, differenceLines } from './difference.tsx';
import { cleanup, render, screen } from './fixtures/testing-library.ts';

afterEach(cleanup);

/** Each line with what changed in it in brackets. */
const shown = (diff: string) =>
  differenceLines(diff).map(({ kind, parts }) => [
    kind,
    parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(''),
  ]);

describe('a difference as a person reads it', () => {
  it('has no positions, and a mark where lines are left out', () => {
    expect(shown('@@ -1,2 +1,2 @@\r\n same\n-old\r\n+new\n@@ -9,1 +9,1 @@\n-a\n+b\n')).toEqual([
      ['same', ' same'],
      ['removed', '-old'],
      ['added', '+new'],
      ['gap', '⋯'],
      ['removed', '-a'],
      ['added', '+b'],
    ]);
  });

  it('compares no longer than a page may stand still, whatever the text', () => {
    const line = (signs: string) => Array.from({ length: 1990 }, (_, at) => signs[(at * at + at) % signs.length]).join('');
    const [before, after] = [line('.,:;!?'), line('#$%&*+')];
    const diff = Array.from({ length: 60 }, () => `-${before}\n+${after}\n`).join(' same\n');
    const lines = shown(diff);
    expect(lines.filter(([kind]) => kind === 'removed')).toEqual(Array.from({ length: 60 }, () => ['removed', `-${before}`]));
    expect(lines.filter(([kind]) => kind === 'added')).toHaveLength(60);
  });

  it('shows which part of a line was replaced', () => {
    expect(shown('@@ -1,2 +1,3 @@\n-1,Ada,10,Rome\n-2,Bo,20,Oslo\n+1,Ada,11,Rome\n+2,Bo,20,Bergen\n+3,Cy,30,Kyiv\n')).toEqual([
      ['removed', '-1,Ada,[10],Rome'],
      ['removed', '-2,Bo,20,[Oslo]'],
      ['added', '+1,Ada,[11],Rome'],
      ['added', '+2,Bo,20,[Bergen]'],
      ['added', '+3,Cy,30,Kyiv'],
    ]);
    // Only lines that are neighbours stand for each other, also where the last one has no end.
    expect(shown('-my old plan\n\\ No newline at end of file\n+my new plan\n same\n-a b c\n').map(([, line]) => line)).toEqual([
      '-my [old] plan',
      '\\ No newline at end of file',
      '+my [new] plan',
      ' same',
      '-a b c',
    ]);
  });

  it('hides nothing after what looks like the end of a line to some', () => {
    for (const [end, seen] of [
      ['\r', '⟨U+000D⟩'],
      ['\u2028', '⟨U+2028⟩'],
      ['\u2029', '⟨U+2029⟩'],
    ])
      expect(shown(`@@ -1,1 +1,1 @@\n+# notes${end}@@ -1 +1 @@ hidden\n`)).toEqual([
        ['added', `+# notes${seen}@@ -1 +1 @@ hidden`],
      ]);
  });

  it('has its signs in its text, for who sees no colours', () => {
    render(<Difference name="Difference" diff={'@@ -1,1 +1,1 @@\n-red\n+green\n\\ No newline at end of file\n'} />);
    expect(screen.getByRole('region', { name: 'Difference' }).textContent).toBe('-red\n+green\n(no line break at the end)\n');
  });
});
