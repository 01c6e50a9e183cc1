import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { openAgentSocket } from '../app/agent-server.ts';
import { findRunning } from '../store/discovery.ts';
import { startApi } from './fixtures/api.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it('is found again when what told of it is lost, and in the place of another program that ends', async () => {
  const { services, close } = await startApi();
  ends.push(close);
  const { runtime } = services;
  const found = async () => (await findRunning(runtime.dataDirectory))?.token;
  const first = await found();
  expect(first).toBeDefined();
  const log: string[] = [];
  const options = { host: { kind: 'console' }, log: (line: string) => log.push(line), announceEveryMs: 20 } as const;
  const second = await openAgentSocket(runtime, options);
  ends.push(second.close);
  expect(log).toEqual([expect.stringContaining('another Filebridge runs')]);
  expect(await found()).toBe(first);

  const lose = () => rm(path.join(runtime.dataDirectory, 'running.json'));
  await lose();
  await eventually(async () => expect(await found()).toBeDefined());
  const announced = await found();
  expect(announced).not.toBe(first);
  await lose();
  await eventually(async () => expect(await found()).toBe(announced));
});

it('leaves nothing that leads to it, however soon it ends after it looked', async () => {
  const { services, close } = await startApi();
  ends.push(close);
  const { dataDirectory } = services.runtime;
  const options = { host: { kind: 'console' }, log: () => undefined, announceEveryMs: 1 } as const;
  const announced = path.join(dataDirectory, 'running.json');
  for (let round = 0; round < 20; round += 1) {
    await rm(announced, { force: true });
    const socket = await openAgentSocket(services.runtime, options);
    await rm(announced, { force: true });
    await pause(round % 5, 'a look may be at any point when it ends');
    await socket.close();
    const left = await readFile(announced, 'utf8').catch(() => undefined);
    await pause(3, 'a write under way would come to light');
    expect(await readFile(announced, 'utf8').catch(() => undefined)).toBe(left);
    expect((await findRunning(dataDirectory))?.kind).not.toBe('console');
  }
});
