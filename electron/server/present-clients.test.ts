import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PresentClients } from './present-clients.ts';

const zed = { name: 'Zed', version: '1', transport: 'http' } as const;
let present: PresentClients;
let changes: number;
beforeEach(() => {
  vi.useFakeTimers();
  present = new PresentClients();
  changes = 0;
  present.onChange(() => {
    changes += 1;
  });
});
afterEach(() => void vi.useRealTimers());

const connected = () => present.list().map(({ connected }) => connected);

describe('a client without an open connection', () => {
  it('is here for two minutes after its last request', () => {
    present.seen(zed);
    vi.advanceTimersByTime(90_000);
    present.seen(zed);
    vi.advanceTimersByTime(90_000);
    expect(connected()).toEqual([true]);
    expect(changes).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(connected()).toEqual([false]);
    expect(changes).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a client with connections', () => {
  it('is here until the last of them ends, however long it says nothing', () => {
    const [first, second] = [{}, {}];
    present.seen(zed, first);
    present.seen(zed, second);
    vi.advanceTimersByTime(3_600_000);
    present.left(first);
    expect(connected()).toEqual([true]);
    present.left(second);
    present.left(second);
    expect(connected()).toEqual([false]);
    expect(changes).toBe(2);
  });

  it('is gone with its stream, though it has just asked for something', () => {
    const stream = {};
    present.seen(zed, stream);
    present.seen(zed);
    present.left(stream);
    expect(connected()).toEqual([false]);
  });
});

it('forgets those that left longest ago, and never one that is here', () => {
  present.seen({ ...zed, name: 'stays' }, {});
  for (let count = 0; count < 500; count += 1) {
    const connection = {};
    present.seen({ ...zed, name: `guest ${count}` }, connection);
    present.left(connection);
  }
  expect(present.list().length).toBeLessThanOrEqual(100);
  expect(present.list().map(({ name }) => name)).toEqual(expect.arrayContaining(['stays', 'guest 499']));
});
