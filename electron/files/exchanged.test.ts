/** Places that are exchanged for links out of the folders while a file is opened or written: at each step of it, and back. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFileAccess } from './file-access.ts';

/** Called before each call of the file system. */
const steps = vi.hoisted(() => ({ next: (): void => undefined }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<Record<string, unknown>>();
  const watched =
    (call: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      steps.next();
      return call(...given);
    };
  const wrapped = Object.entries(real).map(([name, value]) => [
    name,
    typeof value === 'function' ? watched(value as (...given: unknown[]) => unknown) : value,
  ]);
  return Object.fromEntries(wrapped);
});

let root: string;
let data: string;
let outside: string;
let spot: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'filebridge-exchanged-')));
  [data, outside] = [path.join(root, 'data'), path.join(root, 'outside')];
  for (const directory of [data, outside]) mkdirSync(directory);
  spot = path.join(data, 'spot');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs `work` with an exchange before each of some calls of the file system; tells how many calls there were. */
async function withExchanges<T>(at: readonly number[], exchange: () => void, work: () => Promise<T>) {
  let calls = 0;
  steps.next = () => {
    if (at.includes(calls)) exchange();
    calls += 1;
  };
  try {
    return { result: await work().catch(() => undefined), calls };
  } finally {
    steps.next = () => undefined;
  }
}

/** Once at each call, and there and back at each two of them, until there are no more calls. */
async function atEachStep(run: (at: readonly number[]) => Promise<number>): Promise<void> {
  let first = 0;
  for (; first < (await run([first])); first += 1)
    for (let second = first + 1; second < (await run([first, second])); second += 1);
  expect(first).toBeGreaterThan(1);
}

describe.skipIf(process.platform === 'win32')('a place that is exchanged for a link out', () => {
  it.each<[string, NodeJS.Platform, boolean]>([
    ['a file, by handle', 'linux', false],
    ['a directory, by handle', 'linux', true],
    ['a file, by name', 'darwin', false],
  ])('never leaks what is there: %s', async (_, platform, isDirectory) => {
    writeFileSync(path.join(outside, 'users.csv'), 'SECRET');
    const aside = path.join(data, 'aside');
    const link = path.join(data, 'link');
    const access = createFileAccess({ folders: () => [{ path: data, access: 'read' }], platform });
    const outcomes = new Set<string>();
    for (const startsInside of [true, false]) {
      await atEachStep(async (at) => {
        for (const place of [spot, aside, link]) rmSync(place, { recursive: true, force: true });
        const inside = startsInside ? spot : aside;
        if (isDirectory) mkdirSync(inside);
        writeFileSync(isDirectory ? path.join(inside, 'users.csv') : inside, 'inside');
        symlinkSync(isDirectory ? outside : path.join(outside, 'users.csv'), startsInside ? link : spot);
        let isInside = startsInside;
        const exchange = () => {
          renameSync(spot, isInside ? aside : link);
          renameSync(isInside ? link : aside, spot);
          isInside = !isInside;
        };
        const { result, calls } = await withExchanges(at, exchange, async () => {
          const opened = await access.open(isDirectory ? path.join(spot, 'users.csv') : spot);
          const chunks: Uint8Array[] = [];
          for await (const chunk of opened.source.read()) chunks.push(chunk);
          await opened.close();
          return Buffer.concat(chunks).toString();
        });
        outcomes.add(result ?? 'refused');
        return calls;
      });
    }
    expect([...outcomes].sort()).toEqual(['inside', 'refused']);
  });

  it.runIf(process.platform === 'linux')('never lets a file out that is written', async () => {
    const aside = path.join(data, 'aside');
    const access = createFileAccess({ folders: () => [{ path: data, access: 'read-write' }] });
    const outcomes = new Set<string>();
    await atEachStep(async (at) => {
      for (const place of [spot, aside]) rmSync(place, { recursive: true, force: true });
      mkdirSync(spot);
      let isInside = true;
      const exchange = () => {
        if (isInside) {
          renameSync(spot, aside);
          symlinkSync(outside, spot);
        } else {
          unlinkSync(spot);
          renameSync(aside, spot);
        }
        isInside = !isInside;
      };
      const { result, calls } = await withExchanges(at, exchange, async () => {
        const file = await access.create(path.join(spot, 'd'), 'a.txt', { overwrite: true });
        await file.write(Buffer.from('x'));
        return await file.commit();
      });
      expect(readdirSync(outside)).toEqual([]);
      outcomes.add(result ? 'written' : 'refused');
      return calls;
    });
    expect([...outcomes].sort()).toEqual(['refused', 'written']);
  });
});
