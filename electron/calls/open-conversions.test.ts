import { afterEach, expect, it } from 'vitest';
import { configSchema } from '../../shared/model/config.ts';
import { MAX_IN_ALL, MAX_OF_CLIENT } from './conversion-turns.ts';
import { MAX_RUNNING } from './running-calls.ts';
import { type CallService, createCallService } from './service.ts';
import type { CallDeps, CallerContext } from './types.ts';

let service: CallService;
afterEach(() => service.close());

const config = configSchema.parse({ version: 1 });
const tool = { name: 'insert', inputSchema: { type: 'object' } };

/** A call service whose conversions fail once `release` is called, and how many of them are open. */
function conversions() {
  let open = 0;
  let most = 0;
  let opened = 0;
  let closed = 0;
  const failures: (() => void)[] = [];
  const deps = {
    config: () => config,
    files: {
      open: async (path: string) => {
        opened += 1;
        return {
          path,
          size: 1,
          source: {},
          assertUnchanged: async () => undefined,
          close: async () => {
            closed += 1;
          },
        };
      },
    },
    converter: {
      convert() {
        open += 1;
        most = Math.max(most, open);
        return new Promise((_, reject) => {
          failures.push(() => {
            open -= 1;
            reject(new Error('enough'));
          });
        });
      },
    },
    upstreams: { tool: async () => tool, config: () => ({ confirm: 'never' }), used: () => ({ confirm: 'never' }) },
    ledger: { append: async () => undefined },
    log: () => undefined,
  } as unknown as CallDeps;
  service = createCallService(deps);
  return {
    get open() {
      return open;
    },
    get most() {
      return most;
    },
    get files() {
      return { opened, closed };
    },
    endOne: () => failures.shift()?.(),
    preview: (caller: CallerContext) => service.preview({ path: '/a.csv' }, caller),
    send: (caller: CallerContext, background = false) =>
      service.callWithFile({ server: 'db', tool_name: 'insert', path: '/a.csv', data_key: 'rows', background }, caller),
  };
}

const caller = (owner: string, rest: Partial<CallerContext> = {}): CallerContext => ({
  signal: new AbortController().signal,
  client: owner,
  owner,
  progress: () => undefined,
  log: () => undefined,
  ...rest,
});

it('previews and calls of one client have a bound, which its jobs and other clients do not share', async () => {
  const work = conversions();
  const own = Array.from({ length: 200 }, (_, i) => (i % 2 ? work.send(caller('one')) : work.preview(caller('one'))));
  await expect.poll(() => work.open).toBe(MAX_OF_CLIENT);
  await work.send(caller('one'), true);
  await expect.poll(() => work.open).toBe(MAX_OF_CLIENT + 1);
  const others = [work.preview(caller('two')), work.send(caller('three'))];
  await expect.poll(() => work.open).toBe(MAX_OF_CLIENT + 3);
  let ended = 0;
  for (const each of [...own, ...others]) void each.then(() => ended++);
  await expect
    .poll(
      () => {
        work.endOne();
        return ended;
      },
      { interval: 1 },
    )
    .toBe(202);
  expect(work.most).toBe(MAX_OF_CLIENT + 3);
});

it('all clients together have a bound', async () => {
  const work = conversions();
  for (let i = 0; i < 200; i += 1) void work.send(caller(`client ${i % 20}`));
  await expect.poll(() => work.open).toBe(MAX_IN_ALL);
  work.endOne();
  await expect.poll(() => work.open).toBe(MAX_IN_ALL);
  expect(work.most).toBe(MAX_IN_ALL);
});

it('a waiting call says so, and ends when it is cancelled', async () => {
  const work = conversions();
  for (let i = 0; i < MAX_OF_CLIENT; i += 1) void work.send(caller('one'));
  await expect.poll(() => work.open).toBe(MAX_OF_CLIENT);
  const abort = new AbortController();
  const said: (string | undefined)[] = [];
  const waiting = work.send(caller('one', { signal: abort.signal, progress: ({ message }) => said.push(message) }));
  await expect.poll(() => said[0]).toMatch(/^Waiting for other file calls to end: 16 of this client/);
  abort.abort();
  const { isError, content } = await waiting;
  expect(isError).toBe(true);
  expect(content[0]?.text).toContain('CANCELLED');
  expect(work.open).toBe(MAX_OF_CLIENT);
});

it('a file is opened once and closed once, for a job too, and for one that the limit refuses', async () => {
  const work = conversions();
  void work.send(caller('one'));
  await expect.poll(() => work.open).toBe(1);
  await work.send(caller('one'), true);
  await expect.poll(() => work.open).toBe(2);
  expect(work.files).toEqual({ opened: 2, closed: 0 });
  work.endOne();
  work.endOne();
  await expect.poll(() => work.files).toEqual({ opened: 2, closed: 2 });
  for (let jobs = 0; jobs < MAX_RUNNING; jobs += 1) await work.send(caller('two'), true);
  const { isError } = await work.send(caller('two'), true);
  expect(isError).toBe(true);
  expect(work.files).toEqual({ opened: 2 + MAX_RUNNING + 1, closed: 3 });
  await expect
    .poll(
      () => {
        work.endOne();
        return work.files.closed;
      },
      { interval: 1 },
    )
    .toBe(work.files.opened);
});
