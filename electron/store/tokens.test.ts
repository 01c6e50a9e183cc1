import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTokens } from './tokens.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'tokens-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('tokens', () => {
  it('are made once, for this user only, and stay the same', async () => {
    const home = path.join(directory, 'new');
    const first = await openTokens(home);
    expect(first.list()).toEqual([{ client: 'default', token: expect.stringMatching(/^[\w-]{43}$/) }]);
    expect((await openTokens(home)).list()).toEqual(first.list());
    if (process.platform !== 'win32') expect((await stat(first.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['tokens.json']);
  });

  it('that another process withdraws open nothing here either, and none comes back', async () => {
    const [app, serve] = [await openTokens(directory), await openTokens(directory)];
    const old = app.list()[0]?.token;
    const renewed = await app.rotate('default');
    expect(serve.list()).toEqual([{ client: 'default', token: renewed }]);
    await serve.issue('other');
    expect(app.list().map(({ client }) => client)).toEqual(['default', 'other']);
    expect(app.list().map(({ token }) => token)).not.toContain(old);
  });

  it('of two processes that make them at the same moment are all kept', async () => {
    const stores = [await openTokens(directory), await openTokens(directory)];
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((client, index) => stores[index % 2]?.issue(client)));
    for (const store of stores)
      expect(
        store
          .list()
          .slice(1)
          .map(({ token }) => token)
          .sort(),
      ).toEqual([...made].sort());
    const same = await Promise.all(stores.map((store) => store.issue('shared')));
    expect(same[0]).toBe(same[1]);
  });

  it('stay as they were while the file is broken', async () => {
    const tokens = await openTokens(directory);
    const before = tokens.list();
    await writeFile(tokens.path, '{"version":');
    expect(tokens.list()).toEqual(before);
    await expect(openTokens(directory)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('are used beside entries and members that only a newer version knows, which stay', async () => {
    const known = { client: 'known', token: 'k'.repeat(43), expires: 2030 };
    const others = [{ client: 'short', token: 'short' }, null, { kind: 'key', hash: 'x' }];
    const policy = { rotateDays: 30 };
    await writeFile(path.join(directory, 'tokens.json'), JSON.stringify({ version: 1, policy, tokens: [known, ...others] }));
    const tokens = await openTokens(directory);
    expect(tokens.list().map(({ client }) => client)).toEqual(['known', 'default']);
    const [renewed, made] = [await tokens.rotate('known'), await tokens.issue('short')];
    const fresh = { client: 'default', token: tokens.list().at(-1)?.token };
    expect(JSON.parse(await readFile(tokens.path, 'utf8'))).toEqual({
      version: 1,
      policy,
      tokens: [{ ...known, token: renewed }, { client: 'short', token: made }, ...others.slice(1), fresh],
    });
  });
});
