import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { diskKey, isNoAnswer, isSilent, onDisk, watchDisks } from './disk.ts';

/** Each test has a disk of its own: what is overdue stays so. */
let folder = '';
let tests = 0;
const done: (() => void)[] = [];

/** Answers when the test ends, or when `answer` is called. */
function hanging<T>(value: T) {
  let answer = () => {};
  let isMade = false;
  const promise = new Promise<T>((resolve) => {
    answer = () => resolve(value);
  });
  done.push(() => answer());
  const make = () => {
    isMade = true;
    return promise;
  };
  return { make, answer: () => answer(), isMade: () => isMade };
}

const outcome = (call: Promise<unknown>) =>
  call.then(
    (value) => value,
    (error: unknown) => (isNoAnswer(error) ? 'no answer' : error),
  );

beforeEach(() => {
  tests += 1;
  folder = `/disks/d${tests}`;
  watchDisks({ timeoutMs: () => 50, folders: () => [folder, '/disks'] });
});
afterEach(() => {
  for (const each of done.splice(0)) each();
});

const call = <T>(make: () => Promise<T>, more: { timeoutMs?: number; signal?: AbortSignal; late?: (value: T) => void } = {}) =>
  onDisk({ place: `${folder}/a`, key: folder, make, ...more });

describe('a call to a disk', () => {
  it('that misses its deadline is an error, and what comes late is disposed of', async () => {
    const slow = hanging('file');
    const late: string[] = [];
    expect(await outcome(call(slow.make, { timeoutMs: 20, late: (value) => late.push(value) }))).toBe('no answer');
    expect(isSilent(folder)).toBe(true);
    slow.answer();
    await pause(1, 'for promises that have no event');
    expect(late).toEqual(['file']);
    expect(isSilent(folder)).toBe(false);
    expect(await call(async () => 'next', { timeoutMs: 20 })).toBe('next');
  });

  it('is not made while others are overdue', async () => {
    await outcome(call(hanging('').make, { timeoutMs: 1 }));
    const next = hanging('');
    expect(await outcome(call(next.make, { timeoutMs: 20 }))).toBe('no answer');
    expect(await outcome(call(next.make))).toBe('no answer');
    expect(next.isMade()).toBe(false);
    expect(await onDisk({ place: '/other', key: '/other', make: async () => 'other disk', timeoutMs: 20 })).toBe('other disk');
    expect(await onDisk({ place: '/x', key: null, make: async () => 'no disk' })).toBe('no disk');
  });

  it('is made again after a while, since a share may answer new calls and have lost the old ones', async () => {
    watchDisks({ timeoutMs: () => 50, folders: () => [folder], askAgainMs: 20 });
    await outcome(call(hanging('').make, { timeoutMs: 1 }));
    expect(await outcome(call(async () => 'too early', { timeoutMs: 60_000 }))).toBe('no answer');
    await pause(30, 'until the disk is asked again');
    expect(await call(async () => 'again', { timeoutMs: 60_000 })).toBe('again');
    expect(await outcome(call(async () => 'at once', { timeoutMs: 60_000 }))).toBe('no answer');
  });

  it('waits for a place, of which a disk has a few', async () => {
    const first = Array.from({ length: 8 }, (_, i) => hanging(i));
    const calls = first.map(({ make }) => outcome(call(make, { timeoutMs: 60_000 })));
    await pause(1, 'for promises that have no event');
    const made = first.filter(({ isMade }) => isMade()).length;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(8);
    for (const { answer } of first) answer();
    expect(await Promise.all(calls)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('that waits for a place in vain is an error, and is never made', async () => {
    for (let i = 0; i < 8; i += 1) void call(hanging('').make);
    await pause(1, 'for promises that have no event');
    const last = hanging('');
    expect(await outcome(call(last.make, { timeoutMs: 20 }))).toBe('no answer');
    for (const each of done.splice(0)) each();
    await pause(1, 'for promises that have no event');
    expect(last.isMade()).toBe(false);
  });

  it('that changes something is waited for', async () => {
    const slow = hanging('written');
    const writing = call(slow.make);
    await pause(60, 'longer than the deadline of others');
    slow.answer();
    expect(await writing).toBe('written');
  });

  it('that is cancelled is left alone at once, without a word against the disk', async () => {
    const cancel = new AbortController();
    const reading = outcome(call(hanging('').make, { timeoutMs: 60_000, signal: cancel.signal }));
    cancel.abort('enough');
    expect(await reading).toBe('enough');
    expect(isSilent(folder)).toBe(false);
  });

  it('fails as the system says', async () => {
    await expect(call(() => Promise.reject(new Error('EIO')), { timeoutMs: 20 })).rejects.toThrow('EIO');
    expect(isSilent(folder)).toBe(false);
  });
});

it('a disk may begin at a folder and at each entry of one', () => {
  expect([folder, `${folder}/nas`, `${folder}/nas/a/b`, '/disks', '/disks-too', '/etc'].map(diskKey)).toEqual([
    folder,
    `${folder}/nas`,
    `${folder}/nas`,
    '/disks',
    null,
    null,
  ]);
});
