/** A folder whose disk does not answer holds up nothing but what is asked of it: by a shim under the program's system calls, and by a mount. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pause, until } from '../shared/lib/fixtures/waiting.ts';
import { cliFile } from './support/cli.ts';
import { type Home, openHome } from './support/filebridge.ts';
import { type Answer, type McpClient, openClient } from './support/mcp-clients.ts';
import { skippedFor } from './support/skipping.ts';

const run = promisify(execFile);
const has = (command: string, argument: string) => spawnSync(command, [argument], { stdio: 'ignore' }).error === undefined;

const noShim =
  process.platform !== 'linux'
    ? 'the shim is for Linux'
    : has('cc', '--version')
      ? undefined
      : 'there is no C compiler for the shim';
const noMount =
  process.platform !== 'linux' || !existsSync('/dev/fuse') || !has('bindfs', '--version') || process.getuid?.() !== 0
    ? 'a mount that can be stopped needs Linux, bindfs, /dev/fuse and root'
    : undefined;

/** Well below a limit, which would be reached if something waited for the disk. */
const DISK_MS = 3_000;

let home: Home;
let share: string;
const clients: McpClient[] = [];

async function prepare(folder: string): Promise<void> {
  share = folder;
  for (let i = 0; i < 8; i += 1) await writeFile(path.join(share, `s${i}.csv`), 'id\n1\n');
}

async function connect(env: Record<string, string> = {}, folders: string[] = [], roots?: string[]): Promise<McpClient> {
  const way = {
    command: process.execPath,
    args: [cliFile, 'serve', '--stdio', ...folders],
    env: { ...home.env, ...env },
    onStderr: () => undefined,
  };
  const client = await (roots ? openClient('v1', way, { roots }) : openClient('v2 negotiating', way));
  clients.push(client);
  return client;
}

beforeEach(async () => {
  home = await openHome({ expose: { fileTools: true, upstreamTools: 'none' } });
  await home.file('good.csv', 'id\n1\n');
  const folder = home.workspace.at('share');
  await mkdir(folder);
  await prepare(folder);
  await writeFile(
    home.configFile,
    JSON.stringify({
      version: 1,
      folders: [
        { path: home.at('.'), access: 'read-write' },
        { path: share, access: 'read-write' },
      ],
      limits: { diskTimeoutMs: DISK_MS },
    }),
  );
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await home.workspace.remove();
});

const inShare = (index: number) => path.join(share, `s${index}.csv`);
const directories = async (client: McpClient) => (await client.call('list_allowed_directories')).text;

/** Asks for six files of the share at once, and meanwhile for a good one. `isKnown`: the share is refused at once. */
async function askBoth(client: McpClient, isKnown = false): Promise<void> {
  const settled: Answer[] = [];
  const asked = [0, 1, 2, 3, 4, 5].map(async (index) => {
    const tool = index % 2 === 0 ? 'read_text_file' : 'preview_file';
    const answer = await client.call(tool, { path: inShare(index) });
    settled.push(answer);
    return answer;
  });
  for (const tool of ['read_text_file', 'preview_file']) {
    const good = await client.call(tool, { path: home.at('good.csv') });
    expect(good.isError).toBe(false);
  }
  // None of them had an answer yet: nothing waited for them.
  if (!isKnown) expect(settled).toEqual([]);
  for (const answer of await Promise.all(asked)) {
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('did not answer in time');
  }
}

describe.skipIf(noShim !== undefined)(`a share that does not answer${skippedFor(noShim)}`, () => {
  let folder: string;
  let shim: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-shim-'));
    shim = path.join(folder, 'silent-disk.so');
    const source = fileURLToPath(new URL('support/silent-disk.c', import.meta.url));
    await run('cc', ['-shared', '-fPIC', '-o', shim, source, '-ldl']);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const silent = () => ({ LD_PRELOAD: shim, SILENT_AT: share, SILENT_WHILE: home.workspace.at('silent') });
  const go = () => rm(home.workspace.at('silent'), { force: true });

  it('from the start is a row of the folders, and is used once it answers', async () => {
    await home.workspace.file('silent', '');
    const client = await connect(silent());
    expect(await directories(client)).toContain(`{"path":"${share}","access":"read-write","problem":"does not answer"}`);
    expect((await directories(client)).split('\n')).not.toContain(share);
    await askBoth(client);
    const relative = await client.call('read_text_file', { path: 's3.csv' });
    expect(relative.text).toContain("File 's3.csv' cannot be read now");
    const written = await client.call('write_file', { path: home.at('new.txt'), content: 'x' });
    expect(written.isError).toBe(false);
    await go();
    await until(async () => !(await directories(client)).includes('does not answer'));
    expect((await client.call('read_text_file', { path: inShare(1) })).text).toBe('id\n1\n');
    expect((await client.call('preview_file', { path: inShare(2) })).isError).toBe(false);
  });

  it('from one moment on is refused, and the program ends all the same', async () => {
    const client = await connect(silent());
    expect((await client.call('preview_file', { path: inShare(1) })).isError).toBe(false);
    await home.workspace.file('silent', '');
    await askBoth(client);
    // At once: it is known.
    const again = await client.call('read_text_file', { path: inShare(7) });
    expect(again.text).toContain('did not answer in time');
    expect(await directories(client)).toContain('does not answer');
    await client.close();
  });

  it('among the roots of a client is left out', async () => {
    await home.workspace.file('silent', '');
    const client = await connect(silent(), [home.at('.')], [`file://${share}`]);
    for (let i = 0; i < 3; i += 1) {
      expect((await client.call('read_text_file', { path: home.at('good.csv') })).text).toBe('id\n1\n');
      await pause(DISK_MS / 2, 'the deadline of the root passes meanwhile');
    }
    expect(await directories(client)).toContain(home.at('.'));
  });

  it('whose reads alone hang is refused by the read, and a cancelled read frees its place', async () => {
    await home.workspace.file('silent', '');
    const client = await connect({ ...silent(), SILENT_READS: '1' });
    const cancel = new AbortController();
    const cancelled = client.call('preview_file', { path: inShare(6) }, { signal: cancel.signal }).catch(() => 'cancelled');
    await client.call('read_text_file', { path: home.at('good.csv') });
    cancel.abort();
    expect(await cancelled).toBe('cancelled');
    await askBoth(client);
    await go();
    await until(async () => !(await client.call('read_text_file', { path: inShare(1) })).isError);
  });
});

describe.skipIf(noMount !== undefined)(`a mount whose server stands still${skippedFor(noMount)}`, () => {
  it('is refused, and is used once it goes on', async () => {
    const behind = home.workspace.at('behind');
    await mkdir(behind);
    await run('bindfs', ['-o', 'nonempty', behind, share]);
    await prepare(share);
    const { stdout } = await run('pgrep', ['-f', `bindfs -o nonempty ${behind} ${share}`]);
    const pid = Number(stdout.trim().split('\n')[0]);
    try {
      process.kill(pid, 'SIGSTOP');
      const client = await connect();
      // The kernel remembers the folder for a moment.
      await until(async () => (await directories(client)).includes('does not answer'));
      await askBoth(client, true);
      process.kill(pid, 'SIGCONT');
      await until(async () => !(await directories(client)).includes('does not answer'));
      expect((await client.call('read_text_file', { path: inShare(1) })).text).toBe('id\n1\n');
    } finally {
      process.kill(pid, 'SIGCONT');
      for (const client of clients.splice(0)) await client.close();
      await run('fusermount', ['-u', '-z', share]);
    }
  });
});
