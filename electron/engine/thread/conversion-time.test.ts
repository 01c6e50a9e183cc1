import { describe, expect, it } from 'vitest';
import { chunkedSource, testBounds } from '../fixtures/conversion-fixture.ts';
import { timeLimited } from './converter.ts';

const request = { bounds: testBounds };
const ended = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));

describe('the time limit of a conversion', () => {
  it('ends a PDF, and says so', async () => {
    const limit = timeLimited(chunkedSource('a.pdf', ''), request, 0.01);
    expect(() => limit.throwIfOver()).not.toThrow();
    await ended(limit.signal);
    expect(() => limit.throwIfOver()).toThrow('Failed to parse PDF file: reading it took more than 0.01 seconds');
    limit.end();
  });

  it('passes on that the caller cancels, and is no reason then', async () => {
    const caller = new AbortController();
    const limit = timeLimited(chunkedSource('a.bin', ''), { ...request, format: 'pdf', signal: caller.signal });
    caller.abort(new Error('enough'));
    expect(limit.signal?.reason).toEqual(new Error('enough'));
    expect(() => limit.throwIfOver()).not.toThrow();
    limit.end();
    expect(timeLimited(chunkedSource('a.pdf', ''), { ...request, signal: caller.signal }).signal?.aborted).toBe(true);
  });

  it('does not concern other formats, or bytes as they are', () => {
    const { signal } = new AbortController();
    expect(timeLimited(chunkedSource('a.csv', ''), { ...request, signal }).signal).toBe(signal);
    expect(timeLimited(chunkedSource('a.pdf', ''), { ...request, signal, as: 'base64' }).signal).toBe(signal);
  });
});
