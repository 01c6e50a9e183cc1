/** Calls that run, as a person who watches sees them, and calls that the person cancels. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { recordedCall } from './call.ts';
import type { CallEvent, CallEvents } from './events.ts';
import { Attempts, RunningCalls } from './running-calls.ts';

const start = { kind: 'file_call' as const, target: { server: 'db', tool: 'insert' } };
let running: RunningCalls;
let written: Omit<LedgerEntry, 'id'>[];
let changes: number;

beforeEach(() => {
  vi.useFakeTimers();
  running = new RunningCalls();
  written = [];
  changes = 0;
  running.onChange(() => {
    changes += 1;
  });
});
afterEach(() => void vi.useRealTimers());

const deps = () => ({
  running,
  ledger: { append: async (entry: LedgerEntry) => void written.push(entry) },
  log: () => undefined,
});

/** A call that ends when it is told to, or when its signal is aborted. */
function begin(signal = new AbortController().signal) {
  let end: () => void = () => undefined;
  let tell: CallEvents['tell'] = () => expect.unreachable();
  const caller = { client: 'Cursor', signal, progress: () => undefined, log: () => undefined };
  const outcome = recordedCall(deps() as never, { ...start, caller }, ({ events, caller: own }) => {
    tell = (event) => events.tell(event);
    return new Promise<string>((resolve, reject) => {
      end = () => resolve('done');
      own.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
  });
  return { outcome, end: () => end(), tell: (event: CallEvent) => tell(event) };
}

describe('calls that run', () => {
  it('are listed when they have lasted for a moment, with what is known of them', async () => {
    const call = begin();
    expect(running.list()).toEqual([]);
    vi.advanceTimersByTime(400);
    expect(running.list()).toMatchObject([
      { client: 'Cursor', kind: 'file_call', server: 'db', tool: 'insert', paths: [], progress: null, needsApproval: false },
    ]);
    expect(changes).toBe(1);
    await call.tell({ type: 'opened', paths: ['/data/a.csv'], inputBytes: 1000 });
    const progress = { records: 20, accepted: 18, total: 100, batches: 2 };
    await call.tell({ type: 'settled', range: [10, 19], outcome: 'accepted', isDoubtful: false, progress });
    vi.advanceTimersByTime(1000);
    expect(changes).toBe(2);
    expect(running.list()).toMatchObject([{ paths: ['/data/a.csv'], progress }]);
    vi.advanceTimersByTime(5000);
    expect(changes).toBe(2);
    const [{ id } = { id: '' }] = running.list();
    call.end();
    await call.outcome;
    expect(running.list()).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(changes).toBe(3);
    expect(written).toMatchObject([{ id, outcome: 'ok', paths: ['/data/a.csv'] }]);
    expect(written[0]).not.toHaveProperty('progress');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tell nobody of those that are over at once', async () => {
    const call = begin();
    call.end();
    await call.outcome;
    vi.advanceTimersByTime(5000);
    expect(changes).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a call that the person cancels', () => {
  it('ends as cancelled, and the agent reads by whom', async () => {
    const call = begin();
    vi.advanceTimersByTime(400);
    expect(running.cancel('another')).toBe(false);
    expect(running.cancel(running.list()[0]?.id ?? '')).toBe(true);
    const { failure } = await call.outcome;
    expect(failure?.text).toContain('The user cancelled this call in Filebridge');
    expect(failure?.text).toContain('Do not repeat it unless they ask for it');
    expect(written).toMatchObject([{ outcome: 'cancelled', errorCode: 'CANCELLED' }]);
  });

  it('is not said to be cancelled by the person where the client did it', async () => {
    const client = new AbortController();
    const call = begin(client.signal);
    client.abort(new Error('gone'));
    const { failure } = await call.outcome;
    expect(failure?.text).not.toContain('The user cancelled');
    expect(written).toMatchObject([{ outcome: 'cancelled' }]);
  });
});

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

  it('does not count another agent, tool or file, nor a call much later', () => {
    const attempts = new Attempts();
    attempts.ended('one', call);
    expect(attempts.ended('two', { ...call, client: 'Zed' })).toBeUndefined();
    expect(attempts.ended('three', { ...call, tool: 'update' })).toBeUndefined();
    expect(attempts.ended('four', { ...call, paths: ['/data/b.csv'] })).toBeUndefined();
    vi.advanceTimersByTime(11 * 60_000);
    expect(attempts.ended('five', call)).toBeUndefined();
  });
});
