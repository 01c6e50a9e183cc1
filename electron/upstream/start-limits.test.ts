import { expect, it } from 'vitest';
import { upstreamSchema } from '../../shared/model/config.ts';
import { StartSlots, startTime } from './start-limits.ts';

/** Starts that end when they are told to. */
function starts() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const start = (id: number) => () => {
    begun.push(id);
    return new Promise<number>((resolve) => {
      ends[id] = () => resolve(id);
    });
  };
  return { begun, start, end: (id: number) => ends[id]?.() };
}

it('runs a few at a time, in their order, also after failures', async () => {
  const { begun, start, end } = starts();
  const slots = new StartSlots(2, 60_000);
  const first = slots.run(start(0));
  const failing = slots.run(async () => {
    begun.push(1);
    throw new Error('no such server');
  });
  const rest = [2, 3].map((id) => slots.run(start(id)));
  expect(begun).toEqual([0, 1]);
  await expect(failing).rejects.toThrow('no such server');
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  end(0);
  expect(await first).toBe(0);
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  end(2);
  end(3);
  expect(await Promise.all(rest)).toEqual([2, 3]);
});

it('is not kept by one that takes long', async () => {
  const { begun, start, end } = starts();
  const slots = new StartSlots(1, 20);
  const slow = slots.run(start(0));
  const next = slots.run(start(1));
  await expect.poll(() => begun).toEqual([0, 1]);
  end(1);
  end(0);
  expect(await Promise.all([slow, next])).toEqual([0, 1]);
});

const command = (line: string) => upstreamSchema.parse({ type: 'stdio', command: line });

it('gives programs that fetch a server first three minutes', () => {
  for (const line of ['npx', '/usr/local/bin/uvx', 'C:\\Program Files\\nodejs\\npx.cmd', 'docker'])
    expect([line, startTime(command(line))]).toEqual([line, 180_000]);
  for (const line of ['node', '/opt/npx/server', 'npx-server']) expect([line, startTime(command(line))]).toEqual([line, 60_000]);
  expect(startTime(upstreamSchema.parse({ type: 'http', url: 'https://example.com/mcp' }))).toBe(60_000);
});
