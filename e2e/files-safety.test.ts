/** What an agent must not reach, tried from outside: every refusal of a path, for reading and for storing. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Answer, fixtureUpstream, openSession, type Session } from './support/session.ts';

const SECRET = 'the-content-of-a-file-outside';
let workspace: Workspace;
let session: Session;
const inside = (...parts: string[]) => workspace.at('data', ...parts);

beforeAll(async () => {
  workspace = await openWorkspace();
  await workspace.file('data/fine.txt', 'fine');
  await workspace.file('data/folder/deep.txt', 'deep');
  await workspace.file('outside/secret.txt', SECRET);
  await workspace.file('data-secret/secret.txt', SECRET);
  await workspace.file('data/.env.allowed', 'KEY=allowed');
  await mkdir(workspace.at('answers', 'sub'), { recursive: true });
  session = await openSession(workspace, {
    folders: [
      { path: inside(), allowSensitive: ['.env.allowed'] },
      { path: workspace.at('answers'), access: 'read-write' },
    ],
    upstreams: { echo: fixtureUpstream('echo-arguments.mjs') },
  });
});
afterAll(async () => {
  await session?.close();
  await workspace.remove();
});

/** Tries a path through both tools that read. Neither may give anything of it away. */
async function refusedToRead(file: string, on = session): Promise<{ error: string; code: string }> {
  const answers = await Promise.all([
    on.call('preview_file', { path: file }),
    on.send({ server: 'echo', tool_name: 'anything', path: file, data_key: 'content', as: 'text' }),
  ]);
  for (const answer of answers) {
    expect(answer.isError, answer.text).toBe(true);
    expect(answer.text).not.toContain(SECRET);
  }
  const [first, second] = answers.map((answer) => answer.json()) as [Record<string, string>, Record<string, string>];
  expect(first.code).toBe(second.code);
  expect(first.error).toBe(second.error);
  return { error: String(first.error), code: String(first.code) };
}
const outside = (file: string) => `File path '${file}' is not within allowed directories`;

describe('reading', () => {
  it('what is inside can be read, by its path or by its name', async () => {
    for (const name of [inside('fine.txt'), 'fine.txt', `${inside()}/folder/../fine.txt`]) {
      const answer = await session.send({
        server: 'echo',
        tool_name: 'anything',
        path: name,
        data_key: 'content',
        output_format: 'string',
      });
      expect(answer.text.split('\n')[0]).toBe('{"content":"fine"}');
    }
  });

  it('a file outside', async () => {
    const file = workspace.at('outside', 'secret.txt');
    expect(await refusedToRead(file)).toEqual({ error: outside(file), code: 'FILE_OUTSIDE_FOLDERS' });
  });

  it.each(['/data/../outside/secret.txt', '/data/folder/../../outside/secret.txt', '/data/./../outside/./secret.txt'])(
    'two dots: %s',
    async (tail) => {
      const file = workspace.root + tail;
      expect(await refusedToRead(file)).toEqual({ error: outside(file), code: 'FILE_OUTSIDE_FOLDERS' });
    },
  );

  it('two dots from a relative path', async () => {
    expect((await refusedToRead('../outside/secret.txt')).code).toMatch(/FILE_OUTSIDE_FOLDERS|FILE_NOT_FOUND/);
  });

  it('a sibling whose name begins like the folder', async () => {
    const file = workspace.at('data-secret', 'secret.txt');
    expect(await refusedToRead(file)).toEqual({ error: outside(file), code: 'FILE_OUTSIDE_FOLDERS' });
  });

  it('a link to a file outside', async () => {
    await symlink(workspace.at('outside', 'secret.txt'), inside('link.txt'));
    expect((await refusedToRead(inside('link.txt'))).code).toBe('FILE_OUTSIDE_FOLDERS');
  });

  it('a link to a link to a file outside', async () => {
    await symlink('link.txt', inside('link-to-link.txt'));
    expect((await refusedToRead(inside('link-to-link.txt'))).code).toBe('FILE_OUTSIDE_FOLDERS');
  });

  it('a file behind a link to a folder outside', async () => {
    await symlink(workspace.at('outside'), inside('linked'));
    expect((await refusedToRead(inside('linked', 'secret.txt'))).code).toBe('FILE_OUTSIDE_FOLDERS');
  });

  it('a link that stays inside may be followed', async () => {
    await symlink('fine.txt', inside('inner.txt'));
    const answer = await session.send({
      server: 'echo',
      tool_name: 'anything',
      path: inside('inner.txt'),
      data_key: 'c',
      output_format: 'string',
    });
    expect(answer.text.split('\n')[0]).toBe('{"c":"fine"}');
  });

  it('a link to itself', async () => {
    await symlink('loop', inside('loop'));
    await refusedToRead(inside('loop'));
  });

  it('a folder', async () => {
    expect((await refusedToRead(inside('folder'))).code).toBe('FILE_NOT_REGULAR');
  });

  it('a FIFO, at once, however many are asked for', async () => {
    execFileSync('mkfifo', [inside('fifo')]);
    const asked = await Promise.all(Array.from({ length: 12 }, () => refusedToRead(inside('fifo'))));
    for (const { code } of asked) expect(code).toBe('FILE_NOT_REGULAR');
    expect((await session.call('preview_file', { path: inside('fine.txt') })).isError).toBe(false);
  });

  it('a socket', async () => {
    const server = createServer().listen(inside('socket'));
    await once(server, 'listening');
    try {
      await refusedToRead(inside('socket'));
    } finally {
      server.close();
    }
  });

  it.each(['/dev/zero', '/dev/stdin', '/proc/self/environ', '/proc/self/mem', '/proc/self/fd/0', '/etc/passwd'])(
    '%s',
    async (file) => {
      expect(await refusedToRead(file)).toEqual({ error: outside(file), code: 'FILE_OUTSIDE_FOLDERS' });
    },
  );

  it('devices and processes even where the whole machine is allowed', async () => {
    const everything = await openSession(workspace, {
      folders: [{ path: '/' }],
      upstreams: { echo: fixtureUpstream('echo-arguments.mjs') },
      env: { MARKER: SECRET },
    });
    try {
      for (const file of [
        '/dev/zero',
        '/dev/null',
        '/proc/self/environ',
        '/proc/self/cmdline',
        `/proc/${everything.pid}/environ`,
      ]) {
        await refusedToRead(file, everything);
      }
      const answer = await everything.call('preview_file', { path: inside('fine.txt') });
      expect(answer.isError).toBe(false);
    } finally {
      await everything.close();
    }
  });

  it('a device inside the folder', async ({ skip }) => {
    try {
      execFileSync('mknod', [inside('zero'), 'c', '1', '5'], { stdio: 'pipe' });
    } catch (error) {
      skip(`this user may not make device files: ${error instanceof Error ? error.message.split('\n')[1] : error}`);
    }
    expect((await refusedToRead(inside('zero'))).code).toBe('FILE_NOT_REGULAR');
  });

  it.each(['.env', '.env.local', 'server.pem', 'id_rsa', 'id_ed25519', 'service-key.json', '.ssh/config', '.aws/credentials'])(
    'a file named like a credential: %s',
    async (name) => {
      await workspace.file(`data/${name}`, SECRET);
      expect((await refusedToRead(inside(name))).code).toBe('FILE_SENSITIVE');
    },
  );

  it('a credential behind a harmless name', async () => {
    await workspace.file('data/.env', SECRET);
    await symlink('.env', inside('harmless.txt'));
    expect((await refusedToRead(inside('harmless.txt'))).code).toBe('FILE_SENSITIVE');
  });

  it('unless the user allows it by its name', async () => {
    const answer = await session.send({
      server: 'echo',
      tool_name: 'anything',
      path: inside('.env.allowed'),
      data_key: 'c',
      output_format: 'string',
    });
    expect(answer.text).toBe('{"c":"KEY=allowed"}');
  });

  it('a NUL in the name', async () => {
    await refusedToRead(`${inside('fine.txt')}\0.csv`);
    await refusedToRead(`${workspace.at('outside', 'secret.txt')}\0`);
  });

  it('a name that is too long for any disk', async () => {
    await refusedToRead(inside('x'.repeat(5000)));
  });

  it('a file inside that is not there says so', async () => {
    const file = inside('missing.csv');
    expect(await refusedToRead(file)).toEqual({
      error: `File '${file}' does not exist or is not readable`,
      code: 'FILE_NOT_FOUND',
    });
  });

  it('outside, nothing tells what is there from what is not', async () => {
    const pairs: [string, string][] = [
      [workspace.at('outside', 'secret.txt'), workspace.at('outside', 'nothing.txt')],
      [workspace.at('outside'), workspace.at('nowhere')],
      [`${inside()}/../outside/secret.txt`, `${inside()}/../outside/nothing.txt`],
      [inside('linked', 'secret.txt'), inside('linked', 'nothing.txt')],
      ['/etc/shadow', '/etc/no-such-file'],
    ];
    for (const [there, missing] of pairs) {
      const [one, other] = [await refusedToRead(there), await refusedToRead(missing)];
      expect(one.error.replace(there, '…')).toBe(other.error.replace(missing, '…'));
      expect(one.code).toBe(other.code);
    }
  });
});

describe('storing', () => {
  const store = (request: Record<string, unknown>): Promise<Answer> =>
    session.call('call_tool_and_store', { server: 'echo', tool_name: 'anything', tool_args: { answer: 42 }, ...request });

  async function refusedToStore(request: Record<string, unknown>): Promise<string> {
    const answer = await store(request);
    expect(answer.isError, answer.text).toBe(true);
    return String(answer.json().code);
  }

  it('where it is allowed, under the name asked for', async () => {
    const answer = await store({ storage_path: workspace.at('answers'), filename: 'one.json' });
    expect(answer.isError, answer.text).toBe(false);
    expect(await readFile(workspace.at('answers', 'one.json'), 'utf8')).toContain('42');
    expect(answer.blocks.find((block) => block.type === 'resource_link')).toMatchObject({
      uri: expect.stringMatching(/^file:.*one\.json$/),
      size: (await lstat(workspace.at('answers', 'one.json'))).size,
    });
  });

  it('never in a folder for reading', async () => {
    expect(await refusedToStore({ storage_path: inside(), filename: 'new.json' })).toBe('FILE_READ_ONLY');
    expect(await readdir(inside())).not.toContain('new.json');
  });

  it('never outside', async () => {
    for (const storage_path of [workspace.at('outside'), `${workspace.at('answers')}/../outside`, '../outside', '/etc']) {
      expect(await refusedToStore({ storage_path, filename: 'new.json' })).toMatch(/FILE_/);
    }
    await symlink(workspace.at('outside'), workspace.at('answers', 'way-out'));
    expect(await refusedToStore({ storage_path: workspace.at('answers', 'way-out'), filename: 'new.json' })).toBe(
      'FILE_OUTSIDE_FOLDERS',
    );
    expect(await readdir(workspace.at('outside'))).toEqual(['secret.txt']);
  });

  it.each(['../new.json', 'sub/new.json', '/etc/new.json', 'sub/../../outside/new.json', '..', '.', '', 'a\0b', '..\\new.json'])(
    'never under a name that is a path: %j',
    async (filename) => {
      await refusedToStore({ storage_path: workspace.at('answers'), filename });
      expect(await readdir(workspace.at('outside'))).toEqual(['secret.txt']);
      expect(await readdir(workspace.at('answers', 'sub'))).toEqual([]);
    },
  );

  it('never over a file that is there, unless that is asked for', async () => {
    await workspace.file('answers/mine.json', 'mine');
    const request = { storage_path: workspace.at('answers'), filename: 'mine.json' };
    expect(await refusedToStore(request)).toBe('FILE_EXISTS');
    expect(await readFile(workspace.at('answers', 'mine.json'), 'utf8')).toBe('mine');
    expect((await store({ ...request, overwrite: true })).isError).toBe(false);
    expect(await readFile(workspace.at('answers', 'mine.json'), 'utf8')).toContain('42');
  });

  it('never through a link, not even when overwriting', async () => {
    await symlink(workspace.at('outside', 'secret.txt'), workspace.at('answers', 'trap.json'));
    await symlink(workspace.at('outside', 'born.json'), workspace.at('answers', 'dangling.json'));
    for (const filename of ['trap.json', 'dangling.json']) {
      await store({ storage_path: workspace.at('answers'), filename });
      await store({ storage_path: workspace.at('answers'), filename, overwrite: true });
    }
    expect(await readdir(workspace.at('outside'))).toEqual(['secret.txt']);
    expect(await readFile(workspace.at('outside', 'secret.txt'), 'utf8')).toBe(SECRET);
  });

  it('leaves no half-written file behind', async () => {
    expect((await readdir(workspace.at('answers'))).filter((name) => /tmp|part|\.filebridge/i.test(name))).toEqual([]);
  });

  it('resources are read under the same rules', async () => {
    for (const file of [workspace.at('outside', 'secret.txt'), inside('.env'), inside('link.txt'), '/etc/passwd']) {
      await expect(session.client.readResource({ uri: new URL(`file://${file}`).href })).rejects.toThrow();
    }
  });
});
