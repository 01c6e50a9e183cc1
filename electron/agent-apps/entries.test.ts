import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, disconnect } from './client-config.ts';
import { openApps, type TestApps, text } from './fixtures/apps.ts';
import { readEntry } from './server-entries.ts';
import { undo } from './settings-file.ts';

let apps: TestApps;
beforeEach(async () => {
  apps = await openApps();
});
afterEach(() => apps.close());

describe('what counts as connected', () => {
  const config = (entry: object, name = 'filebridge') => apps.given('cursor', JSON.stringify({ mcpServers: { [name]: entry } }));
  const launched = () => ({ command: apps.ours.launch.command, args: apps.ours.launch.args, env: apps.ours.launch.env });

  it('our own launch, whatever else the entry says and whatever it is called', async () => {
    expect(await apps.standing(await config({ ...launched(), autoApprove: ['x'], disabled: false }))).toEqual({
      state: 'connected',
    });
    expect(await apps.standing(await config({ ...launched(), env: { ...apps.ours.launch.env, MORE: '1' } }, 'fb'))).toEqual({
      state: 'connected',
    });
  });

  it('another copy that is there, with other options', async () => {
    const script = path.join(apps.home, 'app', 'cli.js');
    expect(await apps.standing(await config({ command: 'node', args: [script, 'serve', '--stdio', '/data'] }))).toEqual({
      state: 'connected',
    });
    expect(await apps.standing(await config({ command: 'filebridge', args: ['serve', '--stdio'] }))).toEqual({
      state: 'connected',
    });
  });

  it('no entry whose arguments have a toString of their own, and the others are read', async () => {
    const hostile = { toString: 'x', valueOf: 1 };
    const file = await apps.given(
      'cursor',
      JSON.stringify({
        mcpServers: {
          bad: { command: 'db', args: [hostile, [hostile]], envFile: hostile, env_http_headers: { A: hostile } },
          filebridge: launched(),
        },
      }),
    );
    expect(await apps.standing(file)).toEqual({ state: 'connected' });
    expect(
      readEntry('bad', { command: 'db', args: [], envFile: hostile, env_http_headers: { A: hostile } }, 'mcp.json'),
    ).not.toBeNull();
  });

  it('our address', async () => {
    expect(await apps.standing(await config({ url: apps.ours.url }))).toEqual({ state: 'connected' });
    expect(await apps.standing(await config({ url: 'https://other.example/mcp' }))).toMatchObject({ state: 'not_connected' });
  });

  it.each([
    [
      'a program that only mentions us',
      { command: 'echo', args: ['filebridge', 'serve', '--stdio'] },
      'does not start Filebridge',
    ],
    ['a copy that is gone', { command: 'node', args: ['/nowhere/cli.js', 'serve', '--stdio'] }, 'no longer there'],
    ['an app that is gone', { command: '/nowhere/Filebridge-0.1.0.AppImage', args: ['serve', '--stdio'] }, 'no longer there'],
    [
      'an archive that is gone',
      { command: 'node', args: ['/nowhere/app.asar/dist/cli.cjs', 'serve', '--stdio'] },
      'no longer there',
    ],
    ['no object', 'filebridge serve --stdio', 'does not start Filebridge'],
  ])('not %s', async (_what, entry, problem) => {
    expect(await apps.standing(await config(entry as object))).toEqual({
      state: 'not_connected',
      problem: expect.stringContaining(problem),
    });
  });

  it('not what is switched off, and connecting switches it on', async () => {
    const app = await config({ ...launched(), disabled: true, alwaysAllow: ['preview_file'] });
    expect(await apps.standing(app)).toEqual({ state: 'not_connected', problem: expect.stringContaining('switched off') });
    await connect(app, apps.ours);
    expect(JSON.parse(await text(app)).mcpServers.filebridge).toEqual({ ...launched(), alwaysAllow: ['preview_file'] });
  });

  it('connecting anew keeps the variables that a person gave an older entry, and renews ours', async () => {
    const script = path.join(apps.home, 'gone', 'cli.js');
    const app = await config({
      command: 'node',
      args: [script, 'serve', '--stdio'],
      env: {
        HTTPS_PROXY: 'http://proxy:3128',
        ...Object.fromEntries(Object.keys(apps.ours.launch.env ?? {}).map((key) => [key, 'old'])),
      },
    });
    await connect(app, apps.ours);
    expect(JSON.parse(await text(app)).mcpServers.filebridge).toEqual({
      ...launched(),
      env: { HTTPS_PROXY: 'http://proxy:3128', ...apps.ours.launch.env },
    });
  });

  it('not the word somewhere else in the file', async () => {
    const app = await apps.given(
      'cursor',
      '{ "note": "filebridge", "mcpServers": { "x": { "command": "y", "args": ["filebridge"] } } }',
    );
    expect(await apps.standing(app)).toEqual({ state: 'not_connected', problem: null });
    expect(await disconnect(app, apps.ours)).toBe(false);
  });

  it('an entry of our name that starts something else is replaced only when asked to, and left alone by disconnecting', async () => {
    const app = await config({ command: 'other', secretOfTheirs: 1 });
    const before = await text(app);
    expect(await disconnect(app, apps.ours)).toBe(false);
    await expect(connect(app, apps.ours)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining("an entry 'filebridge' that starts another program"),
      hint: expect.stringContaining('--replace'),
    });
    expect(await text(app)).toBe(before);
    await connect(app, apps.ours, { replace: true });
    expect(JSON.parse(await text(app)).mcpServers.filebridge).toEqual(launched());
    await undo(app.file);
    expect(JSON.parse(await text(app)).mcpServers.filebridge).toEqual({ command: 'other', secretOfTheirs: 1 });
  });

  it('several of ours go together', async () => {
    const app = await apps.given(
      'cursor',
      JSON.stringify({ mcpServers: { a: launched(), x: { command: 'y' }, filebridge: launched() } }),
    );
    await disconnect(app, apps.ours);
    expect(JSON.parse(await text(app))).toEqual({ mcpServers: { x: { command: 'y' } } });
  });
});
