import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { upstreamSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { openConfigStore } from './config-store.ts';
import { bindStored, changeConfig, noKeychain, openSecretStore } from './secret-store.ts';
import { resolveSecrets, secretIdsOf } from './secrets.ts';
import type { SecretAccess } from './types.ts';

/** Turns text around: enough to see that what lies on disk is not the text. */
const cipher = {
  encrypt: (text: string) => Buffer.from([...text].reverse().join('')).toString('base64'),
  decrypt(sealed: string) {
    const text = Buffer.from(sealed, 'base64').toString();
    if (text.includes('\ufffd') && !text.includes('b\ufffda')) throw new Error(`not mine: ${sealed}`);
    return [...text].reverse().join('');
  },
};
const sealing = () => ({ cipher });

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-secrets-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const onDisk = () => readFile(path.join(directory, 'secrets.json'), 'utf8');
const server = (env: Record<string, string>) => upstreamSchema.parse({ type: 'stdio', command: 'db', env });
const failure = (work: () => unknown): AppError => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};

describe('the secret store', () => {
  it('gives back what it sealed, also to a later program, and keeps it for the user alone', async () => {
    const [one = '', other = ''] = await openSecretStore(directory, sealing).seal(['hunter2', 'p$&ss ${HOME}']);
    const later = openSecretStore(directory, sealing);
    const resolved = resolveSecrets(server({ A: one, B: `x ${other}` }), { env: {}, reveal: later.reveal });
    expect(resolved).toMatchObject({ env: { A: 'hunter2', B: 'x p$&ss ${HOME}' } });
    expect(await onDisk()).not.toContain('hunter2');
    if (process.platform !== 'win32') {
      expect((await stat(path.join(directory, 'secrets.json'))).mode & 0o777).toBe(0o600);
    }
  });

  it('writes nothing without a cipher, and says why', async () => {
    const store = openSecretStore(directory, () => noKeychain);
    await expect(store.seal(['hunter2'])).rejects.toMatchObject({
      code: 'SECRET_UNAVAILABLE',
      message: expect.stringContaining('only the desktop app can use'),
    });
    expect(await readdir(directory)).toEqual([]);
    expect(await store.seal([])).toEqual([]);
  });

  it('keeps none of several when the keychain refuses one', async () => {
    const failing: SecretAccess = {
      cipher: {
        ...cipher,
        encrypt(text) {
          if (text.endsWith('second')) throw new Error(`cannot seal ${text}`);
          return cipher.encrypt(text);
        },
      },
    };
    const refusal = await openSecretStore(directory, () => failing)
      .seal(['first', 'second'])
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'SECRET_UNAVAILABLE' });
    expect(String(refusal)).not.toContain('second');
    expect((refusal as Error).cause).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
  });

  it('names server and variable when a secret cannot be read here, and what to do', async () => {
    const [reference = ''] = await openSecretStore(directory, sealing).seal(['hunter2']);
    const elsewhere = openSecretStore(directory, () => noKeychain);
    const error = failure(() => resolveSecrets(server({ DB_KEY: reference }), { env: {}, reveal: elsewhere.reveal }, 'orders'));
    expect(error.code).toBe('SECRET_UNAVAILABLE');
    expect(error.message).toMatch(/Server 'orders' .*'DB_KEY'/);
    expect(error.hint).toMatch(/Open the Filebridge app.*\$\{NAME\}/);
  });

  it('refuses other bytes that a wrong key gives without an error', async () => {
    const [id = ''] = secretIdsOf((await openSecretStore(directory, sealing).seal(['hunter2']))[0] ?? '');
    const wrongKey = openSecretStore(directory, () => ({ cipher: { ...cipher, decrypt: () => 'k\u0003\u0017!x' } }));
    const error = failure(() => wrongKey.reveal(id));
    expect(error.code).toBe('SECRET_UNAVAILABLE');
    expect(error.message).toMatch(/another user or computer/);
  });

  it('gives back what earlier versions sealed, and what has characters that UTF-8 cannot hold', async () => {
    const secrets = { aaaa: cipher.encrypt('from before') };
    await writeFile(path.join(directory, 'secrets.json'), JSON.stringify({ version: 1, secrets }));
    const store = openSecretStore(directory, sealing);
    expect(store.reveal('aaaa')).toBe('from before');
    const [reference = ''] = await store.seal(['a\ud800b']);
    expect(store.reveal(secretIdsOf(reference)[0] ?? '')).toBe('a\ufffdb');
  });

  it('tells a foreign, missing or broken secret from a good one', async () => {
    const store = openSecretStore(directory, sealing);
    const [reference = ''] = await store.seal(['hunter2']);
    const [id = ''] = secretIdsOf(reference);
    await writeFile(path.join(directory, 'secrets.json'), JSON.stringify({ version: 1, secrets: { [id]: '/////w==' } }));
    expect(failure(() => store.reveal(id)).message).toMatch(/another user or computer/);
    expect(failure(() => store.reveal('nobody')).message).toMatch(/not stored on this computer/);
    expect(failure(() => store.reveal('constructor')).message).toMatch(/not stored on this computer/);
    await writeFile(path.join(directory, 'secrets.json'), '{"version": 1, "secr');
    expect(failure(() => store.reveal(id)).message).toMatch(/not valid/);
    // Storing goes on, and the broken file is kept.
    const [next = ''] = await store.seal(['again']);
    expect(store.reveal(secretIdsOf(next)[0] ?? '')).toBe('again');
    expect((await readdir(directory)).some((name) => name.startsWith('secrets.broken-'))).toBe(true);
  });

  it('loses nothing when several write at once', async () => {
    const stores = [openSecretStore(directory, sealing), openSecretStore(directory, sealing)];
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => stores[i % 2]?.seal([`secret ${i}`])));
    const ids = all.flat().flatMap((reference) => secretIdsOf(reference ?? ''));
    expect(ids.map((id) => stores[0]?.reveal(id))).toEqual(all.map((_, i) => `secret ${i}`));
  });
});

it('keeps secrets beside what only a newer version knows, which stays', async () => {
  const store = openSecretStore(directory, sealing);
  const [reference = ''] = await store.seal(['hunter2']);
  const [id = ''] = secretIdsOf(reference);
  const newer = { newer: { form: 2 } };
  const before = JSON.parse(await onDisk());
  const file = path.join(directory, 'secrets.json');
  await writeFile(file, JSON.stringify({ ...before, hint: 'newer', secrets: { ...before.secrets, ...newer } }));
  const later = openSecretStore(directory, sealing);
  expect(later.reveal(id)).toBe('hunter2');
  expect(failure(() => later.reveal('newer')).code).toBe('SECRET_UNAVAILABLE');
  const targetsFile = path.join(directory, 'secret-targets.json');
  await writeFile(targetsFile, JSON.stringify({ version: 1, hint: 'newer', targets: { newer: ['a', 'b'] } }));
  await later.seal(['another']);
  await later.bind([{ id, to: 'here' }]);
  expect(() => later.check('newer', 'here')).toThrow(/another command or address/);
  expect(JSON.parse(await onDisk())).toMatchObject({ hint: 'newer', secrets: { ...before.secrets, ...newer } });
  expect(JSON.parse(await readFile(targetsFile, 'utf8'))).toMatchObject({ hint: 'newer', targets: { newer: ['a', 'b'] } });
});

describe('changeConfig', () => {
  const open = async () => ({
    config: await openConfigStore(path.join(directory, 'config.json'), { watch: false }),
    secrets: openSecretStore(directory, sealing),
  });
  const count = async () => Object.keys(JSON.parse(await onDisk()).secrets).length;

  it('removes secrets that nothing refers to any more', async () => {
    const stores = await open();
    const put = (value: string) =>
      changeConfig(stores, [value], (config, [reference = '']) => ({
        ...config,
        upstreams: { ...config.upstreams, db: server({ KEY: reference }), [value]: server({ KEY: reference }) },
      }));
    await put('one');
    await put('two');
    expect(await count()).toBe(2);
    await changeConfig(stores, [], (config) => ({ ...config, upstreams: { two: config.upstreams.two ?? server({}) } }));
    expect(await count()).toBe(1);
    expect(
      resolveSecrets(stores.config.current().upstreams.two ?? server({}), { env: {}, reveal: stores.secrets.reveal }),
    ).toMatchObject({
      env: { KEY: 'two' },
    });
  });

  it('keeps no new secret of a change that failed, and every old one', async () => {
    const stores = await open();
    await changeConfig(stores, ['one'], (config, [reference = '']) => ({
      ...config,
      upstreams: { db: server({ KEY: reference }) },
    }));
    const refused = changeConfig(stores, ['two'], () => {
      throw new AppError('CONFIG_INVALID', 'no');
    });
    await expect(refused).rejects.toMatchObject({ message: 'no' });
    expect(await count()).toBe(1);
  });

  describe('ties a secret to the server it was entered for', () => {
    const start = async () => {
      const stores = await open();
      const entry = (rest: object, KEY: string) => upstreamSchema.parse({ type: 'stdio', command: 'npx', env: { KEY }, ...rest });
      let reference = '';
      await changeConfig(stores, ['hunter2'], (config, [sealed = '']) => {
        reference = sealed;
        return { ...config, upstreams: { db: entry({ args: ['good'] }, sealed) } };
      });
      const resolve = (rest: object) => resolveSecrets(entry(rest, reference), { env: {}, reveal: stores.secrets.reveal });
      return { stores, entry, reference, resolve };
    };

    it('and no other command, argument or address gets it, however the configuration came to name one', async () => {
      const { stores, resolve, reference } = await start();
      expect(resolve({ args: ['good'] })).toMatchObject({ env: { KEY: 'hunter2' } });
      for (const rest of [{ args: ['evil'] }, { args: ['good', '--to', 'evil'] }, { command: 'evil', args: ['good'] }])
        expect(failure(() => resolve(rest)).message).toContain('It was stored for another command or address');
      const remote = upstreamSchema.parse({ type: 'http', url: 'https://evil.example/mcp', headers: { A: reference } });
      expect(failure(() => resolveSecrets(remote, { env: {}, reveal: stores.secrets.reveal })).code).toBe('SECRET_UNAVAILABLE');
    });

    it('and it follows arguments that a person changes, but not those that somebody else changed before', async () => {
      const { stores, entry, reference, resolve } = await start();
      await changeConfig(stores, [], (config) => ({ ...config, upstreams: { db: entry({ args: ['better'] }, reference) } }));
      expect(resolve({ args: ['better'] })).toMatchObject({ env: { KEY: 'hunter2' } });
      expect(failure(() => resolve({ args: ['good'] })).code).toBe('SECRET_UNAVAILABLE');
      // By an editor, and then a switch in the window.
      await stores.config.update((config) => ({ ...config, upstreams: { db: entry({ args: ['evil'] }, reference) } }));
      await changeConfig(stores, [], (config) => ({
        ...config,
        upstreams: { db: entry({ args: ['evil'], enabled: false }, reference) },
      }));
      await changeConfig(stores, [], (config) => ({ ...config, upstreams: { db: entry({ args: ['worse'] }, reference) } }));
      await bindStored(stores);
      for (const args of [['evil'], ['worse']]) expect(failure(() => resolve({ args })).code).toBe('SECRET_UNAVAILABLE');
    });

    it('also one that an older version stored, from the first start on', async () => {
      const { stores, entry, reference, resolve } = await start();
      await rm(path.join(directory, 'secret-targets.json'));
      await bindStored(stores);
      await stores.config.update((config) => ({ ...config, upstreams: { db: entry({ args: ['evil'] }, reference) } }));
      await bindStored(stores);
      expect(failure(() => resolve({ args: ['evil'] })).code).toBe('SECRET_UNAVAILABLE');
      expect(resolve({ args: ['good'] })).toMatchObject({ env: { KEY: 'hunter2' } });
    });

    it('and a damaged list of targets opens nothing', async () => {
      const { resolve } = await start();
      await writeFile(path.join(directory, 'secret-targets.json'), '{');
      expect(failure(() => resolve({ args: ['good'] })).message).toContain('is not valid');
    });
  });
});
