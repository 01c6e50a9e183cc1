/** The file tools under attack: paths that lie, trees exchanged while they are used, processes killed in between. Nothing leaks, hangs or lands outside. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { buildThread } from '../engine/thread/fixtures/build-thread.ts';
import type { JsonObject } from '../upstream/types.ts';
import { type OurFileServer, openOurs } from './fixtures/file-servers.ts';

const SECRET = 'TOP-SECRET-7f3a';
let above: string;
let inside: string;
let outside: string;
let ours: OurFileServer;

beforeEach(async () => {
  above = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-attack-')));
  [inside, outside] = [path.join(above, 'data'), path.join(above, 'data-secret')];
  for (const directory of [path.join(inside, 'sub'), path.join(outside, 'sub')]) await mkdir(directory, { recursive: true });
  for (const name of ['secret.txt', 'sub/f.txt', 'f.txt']) await writeFile(path.join(outside, name), SECRET);
  for (const name of ['f.txt', 'sub/f.txt']) await writeFile(path.join(inside, name), 'public');
  ours = await openOurs([inside]);
});
afterEach(async () => {
  await ours.close();
  await rm(above, { recursive: true, force: true });
});

/** All of what is outside, by name and content. */
async function outsideNow(): Promise<string> {
  const hash = createHash('sha256');
  const walk = async (directory: string): Promise<void> => {
    for (const entry of (await readdir(directory, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const place = path.join(directory, entry.name);
      hash.update(`${place}\n`);
      if (entry.isDirectory()) await walk(place);
      else hash.update(await readFile(place));
    }
  };
  await walk(outside);
  return hash.digest('hex');
}

const toolsFor = (asked: string): [string, JsonObject][] => [
  ['read_text_file', { path: asked }],
  ['read_text_file', { path: asked, tail: 3 }],
  ['read_media_file', { path: asked }],
  ['read_multiple_files', { paths: [asked] }],
  ['list_directory', { path: asked }],
  ['list_directory_with_sizes', { path: asked }],
  ['directory_tree', { path: asked }],
  ['search_files', { path: asked, pattern: '**' }],
  ['get_file_info', { path: asked }],
  ['write_file', { path: asked, content: 'attack', create_directories: true }],
  ['write_file', { path: asked, content: 'attack', append: true }],
  ['edit_file', { path: asked, edits: [{ oldText: 'S', newText: 'attack', replaceAll: true }] }],
  ['create_directory', { path: asked }],
  ['move_file', { source: asked, destination: 'stolen' }],
  ['move_file', { source: 'f.txt', destination: asked }],
  ['copy_file', { source: asked, destination: 'copied' }],
  ['copy_file', { source: 'f.txt', destination: asked }],
  ['delete_file', { path: asked, permanent: true }],
];
const names = (answer: string) => answer.includes(SECRET) || answer.includes(Buffer.from(SECRET).toString('base64').slice(0, 16));

describe.skipIf(process.platform === 'win32').each<NodeJS.Platform>(['linux', 'darwin'])(
  'paths that lie, opened as on %s',
  (platform) => {
    it('lead nowhere outside', async () => {
      await ours.close();
      ours = await openOurs([inside], { platform });
      await symlink(outside, path.join(inside, 'link'));
      await symlink('../data-secret/secret.txt', path.join(inside, 'filelink'));
      await symlink('/', path.join(inside, 'root'));
      await symlink('loop', path.join(inside, 'loop'));
      await symlink(path.join(outside, 'not-yet'), path.join(inside, 'dangling'));
      execFileSync('mkfifo', [path.join(inside, 'pipe')]);
      const before = await outsideNow();
      const part = fc.oneof(
        {
          weight: 6,
          arbitrary: fc.constantFrom(
            '..',
            '.',
            '',
            'sub',
            'f.txt',
            'link',
            'filelink',
            'root',
            'loop',
            'dangling',
            'pipe',
            'data',
            'data-secret',
            'secret.txt',
            'DATA-SECRET',
          ),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            '..\\..',
            '..\\data-secret',
            '%2e%2e',
            '\u2024\u2024',
            '\uff0e\uff0e',
            '..\0',
            '~',
            '$HOME',
            'C:',
            '\\\\?\\C:\\',
            '//server/share',
            'NUL',
            'f.txt:stream',
            ' ',
            '\n',
            'x'.repeat(260),
            'e\u0301',
            '-rf',
            'proc',
            'self',
            'root',
            'fd',
            '0',
            'cwd',
            'environ',
          ),
        },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
      );
      const start = fc.constantFrom(
        '',
        inside,
        `${inside}/`,
        outside,
        `${inside}-secret`,
        '/',
        '/proc/self/root',
        '/proc/self/cwd',
        `/proc/self/root${inside}`,
        '/dev',
        '/dev/stdin',
        '/sys',
        '~',
        `file://${outside}`,
        above,
        `${inside}/..`,
      );
      const asked = fc.tuple(start, fc.array(part, { maxLength: 5 })).map(([head, parts]) => [head, ...parts].join('/'));
      let tries = 0;
      await fc.assert(
        fc.asyncProperty(asked, fc.integer({ min: 0, max: 17 }), async (lie, number) => {
          const [tool, args] = toolsFor(lie)[number] ?? ['read_text_file', { path: lie }];
          // Nothing above a temporary folder is touched even if the tool were to fail: what deletes is tried on paths here only.
          const answer = JSON.stringify(await ours.call(tool, args));
          tries += 1;
          expect(names(answer), `${tool} ${JSON.stringify(args)}`).toBe(false);
          if (tries % 500 === 0) expect(await outsideNow()).toBe(before);
        }),
        { numRuns: runs(2500), endOnFailure: true },
      );
      expect(await outsideNow()).toBe(before);
      expect((await readdir(above)).sort()).toEqual(['data', 'data-secret']);
    });
  },
);

/** Exchanges two names as fast as it can, in a thread of its own: by renames, and by renameat2 in one step where python3 can. */
function exchanger(script: string, workerData: unknown): Worker {
  return new Worker(script, { eval: true, workerData });
}

const renaming = `
const { workerData: [a, b, spare] } = require('node:worker_threads');
const { renameSync } = require('node:fs');
for (;;) { try { renameSync(a, spare); renameSync(b, a); renameSync(a, b); renameSync(spare, a); } catch {} }`;

const atOnce = `
import ctypes, sys, os
libc = ctypes.CDLL(None, use_errno=True)
a, b = [os.fsencode(x) for x in sys.argv[1:3]]
if libc.renameat2(-100, a, -100, b, 2) != 0: sys.exit(3)
sys.stdout.write('ready\\n'); sys.stdout.flush()
while True: libc.renameat2(-100, a, -100, b, 2)
`;

describe.skipIf(process.platform !== 'linux')('trees exchanged while they are used', () => {
  /** Who judges a path and then opens it by name again lets one read in ten out. */
  const TRIES = 1000;
  const attack = async (): Promise<void> => {
    let tries = 0;
    const calls: [string, JsonObject][] = toolsFor('sub/f.txt').filter(
      ([tool, args]) => tool !== 'move_file' && args.destination !== 'copied',
    );
    while (tries < TRIES) {
      const batch = [
        ...calls,
        ...toolsFor('sub').slice(4, 9),
        ['copy_file', { source: 'sub/f.txt', destination: `sub/c${tries}` }] as [string, JsonObject],
      ];
      const answers = await Promise.all(batch.map(([tool, args]) => ours.call(tool, args)));
      for (const [index, answer] of answers.entries()) {
        const text = JSON.stringify(answer);
        if (names(text) || text.includes('secret.txt')) throw new Error(`leaked by ${batch[index]?.[0]}: ${text}`);
      }
      tries += batch.length;
      await writeFile(path.join(inside, 'f.txt'), 'public').catch(() => undefined);
    }
  };

  it('by renames of a link into the place of a directory', async () => {
    await symlink(outside, path.join(inside, 'evil'));
    const before = await outsideNow();
    const worker = exchanger(renaming, [path.join(inside, 'sub'), path.join(inside, 'evil'), path.join(inside, 'spare')]);
    try {
      await attack();
    } finally {
      await worker.terminate();
    }
    expect(await outsideNow()).toBe(before);
  });

  it.each(['a link', 'a directory outside'])('in one step with %s', async (kind) => {
    const other = kind === 'a link' ? path.join(inside, 'evil') : path.join(above, 'elsewhere');
    if (kind === 'a link') await symlink(path.join(outside, 'sub'), other);
    else {
      // The directory itself is carried in and out: only what was in the folder at that moment may be seen.
      await mkdir(other);
    }
    const before = await outsideNow();
    const child = spawn('python3', ['-c', atOnce, path.join(inside, 'sub'), other], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ready = await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', () => resolve(false));
      child.stdout?.once('data', () => resolve(true));
    });
    if (!ready) return void process.stdout.write('not tested: no python3 or no renameat2\n');
    try {
      await attack();
    } finally {
      child.kill('SIGKILL');
    }
    expect(await outsideNow()).toBe(before);
  });
});

describe.skipIf(process.platform !== 'linux')('a crash while a file is written', () => {
  const chaos = pathToFileURL(fileURLToPath(new URL('../api/fixtures/chaos-preload.mjs', import.meta.url))).href;
  const [before, after] = ['o'.repeat(1_500_000), 'n'.repeat(1_000_000)];
  const whole = (text: string) => text === before || text === after;
  let program: string;
  let work: string;
  let crashed: OurFileServer;
  beforeAll(async () => {
    work = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-crash-')));
    program = await buildThread(path.join(work, 'program'), '../../files/tools/fixtures/write-once.ts', 'es');
    crashed = await openOurs([work]);
  });
  afterAll(async () => {
    await crashed.close();
    await rm(work, { recursive: true, force: true });
  });

  /** A directory with the file under one name or two, and the write to it: killed before its operation of that number, or let through. */
  async function written(names: string[], at: number) {
    const directory = path.join(work, `${names.length}-${at}`);
    const [file = '', ...others] = names.map((name) => path.join(directory, name));
    await mkdir(directory);
    await writeFile(file, before);
    for (const other of others) await link(file, other);
    const env = { ...process.env, CHAOS_AT: String(at) };
    const child = spawn(process.execPath, ['--import', chaos, program, file, 'n'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = textOf(child.stdout);
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe(at === 0 ? null : 'SIGKILL');
    return { directory, operations: Number(await output) };
  }

  it('leaves a file of one name as it was, or as it was to be, at every operation', async () => {
    const { directory, operations } = await written(['a'], 0);
    expect(await readFile(path.join(directory, 'a'), 'utf8')).toBe(after);
    for (let at = 1; at <= operations; at += 1) {
      const { directory } = await written(['a'], at);
      expect(whole(await readFile(path.join(directory, 'a'), 'utf8')), `operation ${at}`).toBe(true);
    }
  });

  it('leaves a file of two names whole, or a whole copy beside it that the tools name, at every operation', async () => {
    const { operations } = await written(['a', 'b'], 0);
    let [copies, mixed] = [0, 0];
    for (let at = 1; at <= operations; at += 1) {
      const { directory } = await written(['a', 'b'], at);
      const now = await readFile(path.join(directory, 'a'), 'utf8');
      expect(await readFile(path.join(directory, 'b'), 'utf8'), `operation ${at}`).toBe(now);
      const found = (await readdir(directory)).filter((name) => name.endsWith('.filebridge-recovery'));
      copies += found.length;
      const told = await crashed.call('edit_file', { path: path.join(directory, 'b'), edits: [] });
      const [block] = told.content as { text: string }[];
      for (const name of found) expect(block?.text).toContain(`whole in '${path.join(directory, name)}'`);
      if (whole(now)) continue;
      mixed += 1;
      const kept = await Promise.all(found.map((name) => readFile(path.join(directory, name), 'utf8')));
      expect(kept.some(whole), `operation ${at}: copies ${kept.map(({ length }) => length)}`).toBe(true);
    }
    // A copy is there from its completion to its removal; the content is mixed between the write and the cut to its shorter length.
    expect(copies).toBeGreaterThan(mixed);
    expect(mixed).toBeGreaterThan(0);
  });
});
