import { expect, it } from 'vitest';
import { oneAtATime, oneAtATimeByKey } from './one-at-a-time.ts';

/** Work that notes its beginning and its end, and ends when it is told to. */
function steps() {
  const noted: string[] = [];
  const end = new Map<string, () => void>();
  const work = (name: string) => async () => {
    noted.push(`${name} begins`);
    await new Promise<void>((resolve) => end.set(name, resolve));
    noted.push(`${name} ends`);
    return name;
  };
  return { noted, work, end: (name: string) => end.get(name)?.() };
}

it('work under one key runs in the order in which it was asked for, other keys do not wait', async () => {
  const { noted, work, end } = steps();
  const inTurn = oneAtATimeByKey();
  const first = inTurn('a', work('first'));
  const second = inTurn('a', work('second'));
  const other = inTurn('b', work('other'));
  await expect.poll(() => noted).toEqual(['first begins', 'other begins']);
  end('other');
  expect(await other).toBe('other');
  end('first');
  expect(await first).toBe('first');
  await expect.poll(() => noted.at(-1)).toBe('second begins');
  end('second');
  expect(await second).toBe('second');
  expect(noted).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
});

it('failed work fails its caller only', async () => {
  const inTurn = oneAtATime();
  const failed = inTurn(() => Promise.reject(new Error('no')));
  const after = inTurn(async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await after).toBe('done');
});

it('work asked for as other work ends waits for what was asked for before it', async () => {
  const inTurn = oneAtATimeByKey();
  const order: string[] = [];
  const late: Promise<void>[] = [];
  const first = inTurn('a', async () => {
    order.push('first');
  }).then(() => {
    late.push(inTurn('a', async () => void order.push('third')));
  });
  const second = inTurn('a', async () => {
    await Promise.resolve();
    order.push('second');
  });
  await Promise.all([first, second]);
  await Promise.all(late);
  expect(order).toEqual(['first', 'second', 'third']);
});
