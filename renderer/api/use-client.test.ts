import { describe, expect, it } from 'vitest';
import { keepAsking } from './use-client.ts';

/** A program that is asked by `refresh` and answers when the test says so. */
function scene() {
  let key = 'one';
  const open: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const told: string[] = [];
  const refresh = keepAsking<string>({
    key: () => key,
    ask: () => new Promise((resolve, reject) => open.push({ resolve, reject })),
    told: (outcome) => told.push('value' in outcome ? outcome.value : outcome.error.message),
  });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    told,
    refresh,
    asked: () => open.length,
    change(next: string) {
      key = next;
      return refresh();
    },
    async answer(value: string) {
      open.at(-1)?.resolve(value);
      await settle();
    },
    async fail(message: string) {
      open.at(-1)?.reject(new Error(message));
      await settle();
    },
  };
}

describe('asking again and again', () => {
  it('tells every answer, though an event comes before each of them', async () => {
    const { refresh, answer, told } = scene();
    void refresh();
    for (const value of ['a', 'b', 'c']) {
      void refresh();
      await answer(value);
    }
    expect(told).toEqual(['a', 'b', 'c']);
  });

  it('asks once more after a burst, and is done when that is answered', async () => {
    const { refresh, answer, asked, told } = scene();
    const all = Promise.all([refresh(), refresh(), refresh()]);
    expect(asked()).toBe(1);
    await answer('old');
    expect(asked()).toBe(2);
    await answer('new');
    await all;
    expect([asked(), told]).toEqual([2, ['old', 'new']]);
  });

  it('drops the answer, and the failure, of what is no longer asked', async () => {
    const { refresh, change, answer, fail, told } = scene();
    void refresh();
    void change('two');
    await answer('of one');
    expect(told).toEqual([]);
    void change('three');
    await fail('of two');
    expect(told).toEqual([]);
    await answer('of three');
    expect(told).toEqual(['of three']);
  });
});
