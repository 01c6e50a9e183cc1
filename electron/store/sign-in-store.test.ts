import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noKeychain } from './secret-store.ts';
import { openSignInStore } from './sign-in-store.ts';

const cipher = {
  encrypt: (text: string) => Buffer.from(text).toString('base64'),
  decrypt: (sealed: string) => Buffer.from(sealed, 'base64').toString(),
};
const sealing = () => ({ cipher });
const WEB = 'https://web.example/mcp?key=in-the-address';
const value = { token: 'hunter2' };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-sign-ins-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const file = () => path.join(directory, 'sign-ins.json');
const onDisk = () => readFile(file(), 'utf8');

it('seals what it keeps, and shows neither token nor address', async () => {
  expect(await openSignInStore(directory, sealing).write(WEB, value)).toBe('keychain');
  const later = openSignInStore(directory, sealing);
  expect(later.read(WEB)).toEqual(value);
  expect(later.read('https://other.example/')).toBeUndefined();
  expect(await onDisk()).not.toMatch(/hunter2|in-the-address/);
});

it('keeps it in memory without a keychain, and in a file for the user alone where that was chosen', async () => {
  const store = openSignInStore(directory, () => noKeychain);
  expect(await store.write(WEB, value)).toBe('process');
  expect(openSignInStore(directory, () => noKeychain).read(WEB)).toBeUndefined();
  expect(await store.write(WEB, value, 'file')).toBe('file');
  const later = openSignInStore(directory, () => noKeychain);
  expect([later.read(WEB), later.keeping(WEB)]).toEqual([value, 'file']);
  // A renewal stays where the person put it.
  expect(await openSignInStore(directory, sealing).write(WEB, { token: 'next' })).toBe('file');
  if (process.platform !== 'win32') expect((await stat(file())).mode & 0o777).toBe(0o600);
});

it('unseals it once, until the file changes', async () => {
  let unsealed = 0;
  const counting = () => ({
    cipher: {
      ...cipher,
      decrypt: (sealed: string) => {
        unsealed += 1;
        return cipher.decrypt(sealed);
      },
    },
  });
  const store = openSignInStore(directory, counting);
  await store.write(WEB, value);
  for (let time = 0; time < 5; time += 1) expect(store.read(WEB)).toEqual(value);
  expect(unsealed).toBe(1);
  // By another process.
  await openSignInStore(directory, sealing).write(WEB, { token: 'next' });
  for (let time = 0; time < 5; time += 1) expect(store.read(WEB)).toEqual({ token: 'next' });
  expect(unsealed).toBe(2);
  await openSignInStore(directory, sealing).forget(WEB);
  expect(store.read(WEB)).toBeUndefined();
});

it('says why a sealed one cannot be read here', async () => {
  await openSignInStore(directory, sealing).write(WEB, value);
  expect(() => openSignInStore(directory, () => noKeychain).read(WEB)).toThrow(/only the desktop app can use/);
});

it('gives one server nothing that was stored for another', async () => {
  const store = openSignInStore(directory, sealing);
  await store.write(WEB, value);
  const before = JSON.parse(await onDisk());
  await store.write('https://evil.example/', {});
  const after = JSON.parse(await onDisk());
  const evil = Object.keys(after.servers).find((key) => !(key in before.servers)) ?? '';
  after.servers[evil] = Object.values(before.servers)[0];
  await writeFile(file(), JSON.stringify(after));
  expect(store.read('https://evil.example/')).toBeUndefined();
});

it('forgets one and keeps the others', async () => {
  const store = openSignInStore(directory, sealing);
  await Promise.all([store.write(WEB, value), store.write('https://b.example/', value)]);
  expect(await store.forget(WEB)).toBe(true);
  expect(await store.forget(WEB)).toBe(false);
  expect([store.read(WEB), store.read('https://b.example/')]).toEqual([undefined, value]);
});

it('reads beside what only a newer version knows, which stays', async () => {
  await openSignInStore(directory, sealing).write(WEB, value);
  const before = JSON.parse(await onDisk());
  const [[key, entry] = []] = Object.entries<object>(before.servers);
  const newer = { ...before, hint: 'newer', servers: { [String(key)]: { ...entry, since: 1 }, other: { vault: 2 } } };
  await writeFile(file(), JSON.stringify(newer));
  const store = openSignInStore(directory, sealing);
  expect(store.read(WEB)).toEqual(value);
  await store.write('https://next.example/', {});
  expect(JSON.parse(await onDisk())).toMatchObject(newer);
});
