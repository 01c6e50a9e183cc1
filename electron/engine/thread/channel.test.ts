import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { Channel } from './channel.ts';
import { callName, onCall, onStream, streamName } from './handlers.ts';

const add = callName<{ a: number; b: number }, number>('add');
const fail = callName<null, never>('fail');
const count = callName<{ to: number }, string, number>('count');
const wait = callName<null, void>('wait');
const give = callName<null, { data: Uint8Array; ends: Uint32Array }>('give');
const numbers = streamName<{ from: number }, { value: number }>('numbers');
const broken = streamName<null, Uint8Array>('broken');

let ports: MessageChannel;
let near: Channel;
let far: Channel;
beforeEach(() => {
  ports = new MessageChannel();
  near = new Channel(ports.port1);
  far = new Channel(ports.port2);
});
afterEach(() => {
  ports.port1.close();
  return once(ports.port2, 'close');
});

/** Everything sent before has arrived, and what it caused has been sent: for what must not happen there is no event. */
async function roundTrip(): Promise<void> {
  far.serve([onCall(count, () => 'done')]);
  for (let i = 0; i < 5; i += 1) await near.call(count, { to: 0 });
}

async function rejection(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => expect.fail('was expected to fail'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

describe('a call', () => {
  it('is answered, either way', async () => {
    far.serve([onCall(add, ({ a, b }) => a + b)]);
    near.serve([onCall(add, ({ a, b }) => a - b)]);
    expect(await Promise.all([near.call(add, { a: 5, b: 3 }), far.call(add, { a: 5, b: 3 })])).toEqual([8, 2]);
  });

  it('fails with the code, message, hint, details and causes of the other side', async () => {
    far.serve([
      onCall(fail, () => {
        const details = { line: 3, column: 7, more: { at: 'x' }, odd: () => 1 };
        throw new AppError('PARSE_FAILED', 'no good', { hint: 'fix it', details, cause: new RangeError('too deep') });
      }),
    ]);
    const error = await rejection(near.call(fail, null));
    expect(error).toMatchObject({ code: 'PARSE_FAILED', message: 'no good', hint: 'fix it', name: 'AppError' });
    expect(error.details).toEqual({ line: 3, column: 7, more: { at: 'x' } });
    expect(error.cause).toMatchObject({ name: 'RangeError', message: 'too deep' });
  });

  it('to an unknown name fails', async () => {
    expect((await rejection(near.call(add, { a: 1, b: 2 }))).message).toBe("No thread offers 'add'");
  });

  it('with an argument that cannot be posted fails', async () => {
    far.serve([onCall(wait, () => undefined)]);
    await expect(near.call(callName<() => void, void>('wait'), () => undefined)).rejects.toThrow(/could not be cloned/);
    expect(near.underWay).toBe(0);
  });

  it('receives events before the answer', async () => {
    far.serve([
      onCall(count, ({ to }, asker) => {
        for (let i = 1; i <= to; i++) asker.tell(i);
        return 'done';
      }),
    ]);
    const heard: number[] = [];
    expect(await near.call(count, { to: 3 }, { onEvent: (event) => heard.push(event) })).toBe('done');
    expect(heard).toEqual([1, 2, 3]);
    const deaf = near.call(
      count,
      { to: 3 },
      {
        onEvent() {
          throw new AppError('CANCELLED', 'enough');
        },
      },
    );
    expect((await rejection(deaf)).message).toBe('enough');
  });

  it('fails at once when it is cancelled, and the other side is notified', async () => {
    let heard: AbortSignal | undefined;
    far.serve([
      onCall(wait, (_, { signal }) => {
        heard = signal;
        return new Promise<void>(() => undefined);
      }),
    ]);
    const caller = new AbortController();
    const asked = near.call(wait, null, { signal: caller.signal });
    await expect.poll(() => heard?.aborted).toBe(false);
    caller.abort('because');
    expect(await rejection(asked)).toMatchObject({ code: 'CANCELLED', cause: 'because' });
    await expect.poll(() => heard?.aborted).toBe(true);
    expect(await rejection(near.call(wait, null, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'CANCELLED' });
  });

  it('transfers buffers that no other view uses', async () => {
    const alone = Uint32Array.of(1, 2, 3);
    const shared = new Uint8Array([0, 1, 2, 3, 4, 5]);
    far.serve([onCall(give, () => ({ data: shared.subarray(2, 4), ends: alone }))]);
    expect(await near.call(give, null)).toEqual({ data: Uint8Array.of(2, 3), ends: Uint32Array.of(1, 2, 3) });
    expect(alone).toHaveLength(0);
    expect(shared).toHaveLength(6);
    far.serve([onCall(give, () => ({ data: Buffer.from('pooled'), ends: Uint32Array.of() }))]);
    expect(Buffer.from((await near.call(give, null)).data).toString()).toBe('pooled');
  });
});

describe('a stream', () => {
  let produced: number;
  let ended: 'by itself' | 'early' | undefined;
  beforeEach(() => {
    produced = 0;
    ended = undefined;
    far.serve([
      onStream(numbers, async function* ({ from }) {
        let finished = false;
        try {
          for (let value = from; value > 0; value--) {
            produced += 1;
            yield { value };
          }
          finished = true;
        } finally {
          ended = finished ? 'by itself' : 'early';
        }
      }),
    ]);
  });

  it('comes whole and in order', async () => {
    const seen: number[] = [];
    for await (const { value } of near.stream(numbers, { from: 100 })) seen.push(value);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => 100 - i));
    expect(ended).toBe('by itself');
  });

  it('waits for a slow receiver', async () => {
    let taken = 0;
    for await (const _ of near.stream(numbers, { from: 20 })) {
      taken += 1;
      await roundTrip();
      expect(produced).toBeLessThanOrEqual(taken + 3);
    }
    expect(taken).toBe(20);
  });

  it('that is left early stops', async () => {
    for await (const _ of near.stream(numbers, { from: 1_000_000 })) break;
    await expect.poll(() => ended).toBe('early');
    expect(produced).toBeLessThan(10);
  });

  it('that nobody iterates never starts', async () => {
    near.stream(numbers, { from: 5 });
    await roundTrip();
    expect(produced).toBe(0);
  });

  it('fails and stops when it is cancelled, even if the receiver is busy', async () => {
    const caller = new AbortController();
    const stream = near.stream(numbers, { from: 1_000_000 }, { signal: caller.signal });
    await stream.next();
    caller.abort();
    expect(await rejection(stream.next())).toMatchObject({ code: 'CANCELLED' });
    await expect.poll(() => ended).toBe('early');
  });

  it("ends when its owner's lifetime ends, with that reason", async () => {
    const lifetime = new AbortController();
    const stream = near.stream(numbers, { from: 1_000_000 }, { until: lifetime.signal });
    await stream.next();
    lifetime.abort(new AppError('INTERNAL', 'it was closed'));
    expect((await rejection(stream.next())).message).toBe('it was closed');
  });

  it("ends when its owner's lifetime ends, even if its receiver never continues", async () => {
    const lifetime = new AbortController();
    const stream = near.stream(numbers, { from: 1_000_000 }, { until: lifetime.signal });
    await stream.next();
    expect(near.underWay).toBe(1);
    lifetime.abort();
    await expect.poll(() => ended).toBe('early');
    expect(near.underWay).toBe(0);
  });

  it('reuses memory if the receiver allows it', async () => {
    let given = 0;
    far.serve([
      onStream(broken, async function* (_, __, spare) {
        for (let i = 0; i < 40; i += 1) {
          const again = spare?.();
          if (again) given += 1;
          const memory = again ?? new ArrayBuffer(1024);
          yield new Uint8Array(memory).fill(i);
        }
      }),
    ]);
    const seen: number[] = [];
    for await (const piece of near.stream(broken, null, { reuse: true })) {
      await setImmediate();
      expect(new Set(piece)).toEqual(new Set([piece[0]]));
      seen.push(piece[0] as number);
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i));
    // Only pieces in flight have new memory.
    expect(given).toBeGreaterThanOrEqual(36);
    const kept: Uint8Array[] = [];
    given = 0;
    for await (const piece of near.stream(broken, null)) kept.push(piece);
    expect(given).toBe(0);
    expect(kept.map((piece) => piece[1023])).toEqual(seen);
  });

  it('yields the items before an error, then fails', async () => {
    far.serve([
      onStream(broken, async function* () {
        yield Uint8Array.of(1);
        throw new AppError('FILE_CHANGED', 'it grew');
      }),
    ]);
    const stream = near.stream(broken, null);
    expect((await stream.next()).value).toEqual(Uint8Array.of(1));
    expect(await rejection(stream.next())).toMatchObject({ code: 'FILE_CHANGED', message: 'it grew' });
  });
});

it('all pending and later requests fail when the other side is lost', async () => {
  far.serve([onCall(wait, () => new Promise<void>(() => undefined)), onStream(broken, () => silence())]);
  const asked = near.call(wait, null);
  const stream = near.stream(broken, null);
  const piece = stream.next();
  near.lose(new AppError('INTERNAL', 'the thread is gone'));
  for (const promise of [asked, piece, near.call(wait, null), near.stream(broken, null).next()]) {
    expect((await rejection(promise)).message).toBe('the thread is gone');
  }
});

async function* silence(): AsyncIterable<Uint8Array> {
  await new Promise(() => undefined);
  yield Uint8Array.of();
}
