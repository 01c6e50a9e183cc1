import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { upstreamSchema } from '../../shared/model/config.ts';
import { resolveSecrets } from './secrets.ts';

/** A reference as it stands in the configuration. */
const ref = (name: string) => `\${${name}}`;
const db = upstreamSchema.parse({
  type: 'stdio',
  command: 'db',
  args: [ref('DB_KEY')],
  env: { KEY: ref('DB_KEY'), URL: `pg://${ref('USER_NAME')}:${ref('DB_KEY')}@host`, PLAIN: '$HOME {x}' },
});

describe('resolveSecrets', () => {
  it('replaces references, and leaves the original alone', () => {
    const resolved = resolveSecrets(db, { env: { DB_KEY: 's$&cret', USER_NAME: 'ada' } });
    expect(resolved).toMatchObject({
      args: ['s$&cret'],
      env: { KEY: 's$&cret', URL: 'pg://ada:s$&cret@host', PLAIN: '$HOME {x}' },
    });
    expect(db).toMatchObject({ env: { KEY: ref('DB_KEY') } });
  });

  it('replaces references in headers', () => {
    const web = upstreamSchema.parse({
      type: 'http',
      url: 'https://a.example/',
      headers: { Authorization: `Bearer ${ref('T')}` },
    });
    expect(resolveSecrets(web, { env: { T: 'abc' } })).toMatchObject({ headers: { Authorization: 'Bearer abc' } });
  });

  it('names the server and the variable that is missing, and no value', () => {
    const resolve = () => resolveSecrets(db, { env: { DB_KEY: 'hunter2' } }, 'orders');
    expect(resolve).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(resolve).toThrow(/Server 'orders' .*USER_NAME/);
    expect(resolve).not.toThrow(/hunter2/);
  });

  it('fills every part of an entry, and names the part that cannot be filled', () => {
    const entry = { type: 'stdio', command: ref('BIN'), args: ['--root', ref('workspaceFolder')], cwd: ref('userHome') } as const;
    const env = { BIN: '/opt/db', HOST: 'a.example' };
    const resolve = (more: object, workspace: string | undefined = '/shop') =>
      resolveSecrets(upstreamSchema.parse({ ...entry, ...more }), { env, workspace }, 'orders');
    expect(resolve({})).toMatchObject({ command: '/opt/db', args: ['--root', '/shop'], cwd: os.homedir() });
    expect(() => resolveSecrets(upstreamSchema.parse(entry), { env }, 'orders')).toThrow(
      /Server 'orders' needs in argument '2' a value for \$\{workspaceFolder\}: Filebridge was not started in a project/,
    );
    expect(() => resolve({ args: [ref('input:key')] })).toThrow(/which the app it comes from asks for/);
    expect(() => resolve({ cwd: ref('NONE') })).toThrow(/NONE/);
    const web = (url: string) =>
      resolveSecrets(upstreamSchema.parse({ type: 'http', url }), { env: { ...env, BAD: 'ftp:x' } }, 'web');
    expect(web(`https://${ref('HOST')}/mcp`)).toMatchObject({ url: 'https://a.example/mcp' });
    expect(web(ref('URL:-https://b.example/mcp'))).toMatchObject({ url: 'https://b.example/mcp' });
    expect(() => web(ref('BAD'))).toThrow(/address of server 'web'/);
    expect(() => upstreamSchema.parse({ type: 'http', url: 'no address' })).toThrow();
  });

  it('leaves the arguments of a shell to the shell', () => {
    const shell = upstreamSchema.parse({ type: 'stdio', command: '/bin/bash', args: ['-c', 'x=1; echo ${x} %PATH%'] });
    expect(resolveSecrets(shell, { env: { PATH: '/bin' } })).toMatchObject({ args: ['-c', 'x=1; echo ${x} %PATH%'] });
  });

  it('takes the variables of a file, those of the entry going before', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-env-'));
    try {
      await writeFile(path.join(directory, '.env'), '# mine\nexport KEY="a b"\nLEVEL=info # loud\nQUOTED=\'x\'\n');
      const entry = { type: 'stdio', command: 'db', envFile: `${ref('workspaceFolder')}/.env`, env: { LEVEL: 'debug' } };
      const sources = { env: {}, workspace: directory };
      expect(resolveSecrets(upstreamSchema.parse(entry), sources)).toMatchObject({
        env: { KEY: 'a b', LEVEL: 'debug', QUOTED: 'x' },
      });
      expect(resolveSecrets(upstreamSchema.parse({ ...entry, envFile: '.env' }), sources)).toMatchObject({ env: { KEY: 'a b' } });
      expect(() => resolveSecrets(upstreamSchema.parse({ ...entry, envFile: 'none.env' }), sources, 'orders')).toThrow(
        /Server 'orders' has its variables in the file '.*none\.env', which cannot be read/,
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
