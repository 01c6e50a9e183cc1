import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createConversionTurns, restsOnceSent, type TurnOptions } from './conversion-turns.ts';

/** Calls that take turns by `ofClient` and `inAll`, and the order in which they got them. */
function calls(bounds: Parameters<typeof createConversionTurns>[0]) {
  const turns = createConversionTurns(bounds);
  const begun: string[] = [];
  const call = (name: string, options: Partial<TurnOptions> = {}) => {
    const turn = turns.turn({ client: name.replace(/\d+$/, ''), signal: new AbortController().signal, ...options });
    const taken = turn.take().then(() => begun.push(name));
    return { end: turn.rest, taken, turn };
  };
  return { begun, call };
}

it('lets a client have so many conversions open at once, and starts the next one when one ends', async () => {
  const { begun, call } = calls({ ofClient: 2 });
  const [first] = [call('a1'), call('a2'), call('a3'), call('a4')];
  await setImmediate();
  expect(begun).toEqual(['a1', 'a2']);
  first?.end();
  await setImmediate();
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});

it('serves the client with the fewest open first, however long the queue of another is', async () => {
  const { begun, call } = calls({ ofClient: 3, inAll: 3 });
  const crowd = Array.from({ length: 100 }, (_, i) => call(`crowd${i}`));
  call('quiet1');
  call('other1');
  for (const each of crowd.slice(0, 3)) each.end();
  await setImmediate();
  expect(begun.slice(3)).toEqual(['quiet1', 'other1', 'crowd3']);
});

it('is open for others where one client has all it may have', async () => {
  const { begun, call } = calls({ ofClient: 2, inAll: 3 });
  for (let i = 0; i < 50; i += 1) call(`crowd${i}`);
  call('quiet1');
  await setImmediate();
  expect(begun).toEqual(['crowd0', 'crowd1', 'quiet1']);
});

it('forgets a call that is cancelled while it waits', async () => {
  const { begun, call } = calls({ ofClient: 1 });
  const first = call('a1');
  const abort = new AbortController();
  const second = call('a2', { signal: abort.signal });
  call('a3');
  abort.abort();
  await expect(second.taken).rejects.toMatchObject({ code: 'CANCELLED' });
  first.end();
  second.end();
  await setImmediate();
  expect(begun).toEqual(['a1', 'a3']);
});

it('tells a waiting call that it waits, again and again, and with rising progress', async () => {
  const { call } = calls({ ofClient: 1, reportMs: 1 });
  const first = call('a1');
  const said: { progress: number; message: string }[] = [];
  const second = call('a2', { waits: (progress) => said.push(progress) });
  await expect.poll(() => said.length).toBeGreaterThan(3);
  first.end();
  await second.taken;
  expect(said[0]?.message).toBe('Waiting for other file calls to end: 1 of this client and 1 in all are under way');
  const values = said.map(({ progress }) => progress);
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  expect(Math.max(...values)).toBeLessThan(1);
});

it('gives the turn back once the arguments are sent, and takes it again to send them again', async () => {
  const { begun, call } = calls({ ofClient: 1 });
  const { turn, taken } = call('a1');
  await taken;
  async function* json() {
    yield Buffer.from('{}');
  }
  const args = restsOnceSent({ bytes: 2, json }, turn);
  const read = async () => {
    for await (const chunk of args.json()) expect(chunk.toString()).toBe('{}');
  };
  const second = call('a2');
  await setImmediate();
  expect(begun).toEqual(['a1']);
  await read();
  await second.taken;
  const again = read();
  call('a3');
  second.end();
  await again;
  await setImmediate();
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});
