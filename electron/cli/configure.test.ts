import { mkdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { openConfigStore } from '../store/config-store.ts';
import { runHere } from './fixtures/examples.ts';

let home: Workspace;
beforeEach(async () => {
  home = await openWorkspace();
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, home.root);
  vi.stubEnv('FILEBRIDGE_CONFIG', home.at('config', 'config.json'));
  vi.stubEnv('FILEBRIDGE_DATA', home.at('program-data'));
  await mkdir(home.at('data', 'in'), { recursive: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await home.remove();
});

async function run(...args: string[]) {
  const { stdout, stderr, code } = await runHere(args);
  return { out: stdout.toString('utf8'), err: stderr, code };
}

const configured = async () => JSON.parse(await readFile(home.at('config', 'config.json'), 'utf8'));

describe('folders', () => {
  it('are allowed for reading, or for changing too, listed and removed', async () => {
    expect(await run('add-folder', '~/data')).toEqual({ out: `Agents can read files in ${home.at('data')}\n`, err: '', code: 0 });
    expect((await configured()).folders).toEqual([{ path: home.at('data'), access: 'read' }]);
    expect((await run('add-folder', home.at('data'), '--write')).out).toContain('can read and change files in');
    expect((await run('list')).out).toContain(`  read-write  ${home.at('data')}\n`);
    expect(JSON.parse((await run('list', '--json')).out)).toEqual({
      folders: [{ path: home.at('data'), access: 'read-write', exists: true }],
      servers: [],
    });
    expect(await run('remove-folder', home.at('data'))).toMatchObject({ err: '', code: 0 });
    expect((await configured()).folders).toEqual([]);
    expect((await run('list')).out).toContain("Allow one with 'filebridge add-folder DIR'");
  });

  it('reach a program that runs', async () => {
    const store = await openConfigStore(home.at('config', 'config.json'));
    try {
      await run('add-folder', home.at('data'));
      await eventually(() => expect(store.current().folders).toHaveLength(1));
    } finally {
      store.close();
    }
  });

  it.each([
    ['one that is not there', ['add-folder', '~/absent'], 1, /There is no folder/],
    ['the whole disk', ['add-folder', '/'], 1, /whole disk/],
    ['the home for writing', ['add-folder', '~', '--write'], 1, /for reading only/],
    ['its own', ['add-folder', '~/program-data'], 1, /belongs to Filebridge/],
    ['to remove one that is not listed', ['remove-folder', '~/data'], 1, /is not among the allowed folders/],
    ['two', ['add-folder', 'a', 'b'], 2, /add-folder takes one DIR/],
    ['none', ['remove-folder'], 2, /remove-folder takes one DIR/],
    ['an argument of list', ['list', 'x'], 2, /list takes no argument/],
  ])('are refused: %s', async (_, args, code, says) => {
    await mkdir(home.at('program-data'), { recursive: true });
    expect(await run(...args)).toEqual({ out: '', err: expect.stringMatching(says), code });
  });

  it('leave a broken configuration as it is', async () => {
    await home.file('config/config.json', '{');
    expect((await run('add-folder', home.at('data'))).code).toBe(1);
    expect(await readFile(home.at('config', 'config.json'), 'utf8')).toBe('{');
  });
});

describe('servers', () => {
  it('are listed with their state and what they start, without secrets', async () => {
    const upstreams = {
      db: { type: 'stdio', command: 'db-server', args: ['--token', 'sk-1234567890abcdef'] },
      gh: { type: 'http', url: 'https://example.com/mcp', enabled: false },
    };
    await home.file('config/config.json', JSON.stringify({ version: 1, upstreams }));
    const { out } = await run('list');
    expect(out).toMatch(/^ {2}on {3}db {2}db-server --token •••$/m);
    expect(out).toMatch(/^ {2}off {2}gh {2}https:\/\/example\.com\/mcp$/m);
  });
});
