import { expect, it } from 'vitest';
import { ClientRoots } from './client-roots.ts';

it('the roots of a client are asked for once, and again after a change or a failure', async () => {
  const lines: string[] = [];
  const roots = new ClientRoots((line) => lines.push(line));
  let asked = 0;
  const answering = (answer: unknown) => async () => {
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  expect(await roots.get(answering(new Error('it is gone')))).toEqual([]);
  const one = { roots: [{ uri: 'file:///one', name: 'One', own: 1 }] };
  expect(await roots.get(answering(one))).toEqual(one.roots);
  expect(await roots.get(answering({ roots: [] }))).toEqual(one.roots);
  expect(asked).toBe(2);
  roots.changed();
  expect(await roots.get(answering({ roots: [] }))).toEqual([]);
  roots.changed();
  expect(await roots.get(answering({ roots: [{ name: 'none' }] }))).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('could not be had: it is gone'), expect.stringContaining('could not be read')]);
});
