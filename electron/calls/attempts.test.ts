import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Attempts } from './running-calls.ts';

const call = { client: 'Cursor', server: 'db', tool: 'insert', paths: ['/data/a.csv'], outcome: 'failed' as const };

describe('a call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is another try after one that did not work, until one works', () => {
    const attempts = new Attempts();
    expect(attempts.ended('one', call)).toBeUndefined();
    expect(attempts.ended('two', { ...call, outcome: 'tool_error' })).toEqual({ attempt: 2, retryOf: 'one' });
    expect(attempts.ended('three', { ...call, outcome: 'ok' })).toEqual({ attempt: 3, retryOf: 'two' });
    expect(attempts.ended('four', call)).toBeUndefined();
  });

  it('is none for another agent, tool or file, nor much later', () => {
    const attempts = new Attempts();
    attempts.ended('one', call);
    expect(attempts.ended('two', { ...call, client: 'Zed' })).toBeUndefined();
    expect(attempts.ended('three', { ...call, tool: 'update' })).toBeUndefined();
    expect(attempts.ended('four', { ...call, paths: ['/data/b.csv'] })).toBeUndefined();
    vi.advanceTimersByTime(11 * 60_000);
    expect(attempts.ended('five', call)).toBeUndefined();
  });
});
