/** The file tools under attack: paths that lie, trees exchanged while they are used, processes killed in between. Nothing leaks, hangs or lands outside. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import {
  type Attacked,
  attack,
  isWhole,
  isWritten,
  type KilledWrites,
  leaks,
  openAttacked,
  openKilledWrites,
  toolsFor,
  whileRenamed,
} from './fixtures/file-attacks.ts';

let attacked: Attacked | undefined;
afterEach(async () => {
  await attacked?.remove();
  attacked = undefined;
});

describe.skipIf(process.platform === 'win32').each<NodeJS.Platform>(['linux', 'darwin'])(
  'paths that lie, opened as on %s',
  (platform) => {
    it('lead nowhere outside', async () => {
      attacked = await openAttacked({ platform });
      const { above, inside, outside, ours, outsideNow } = attacked;
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
          expect(leaks(answer), `${tool} ${JSON.stringify(args)}`).toBe(false);
          if (tries % 100 === 0) expect(await outsideNow()).toBe(before);
        }),
        { numRuns: runs(1000), endOnFailure: true },
      );
      expect(await outsideNow()).toBe(before);
      expect((await readdir(above)).sort()).toEqual(['data', 'data-secret']);
    });
  },
);

it.skipIf(process.platform !== 'linux')('a tree that is exchanged while it is used lets nothing out', async () => {
  const open = await openAttacked();
  attacked = open;
  const before = await open.outsideNow();
  await whileRenamed(open, () => attack(open, 50));
  expect(await open.outsideNow()).toBe(before);
});

describe.skipIf(process.platform !== 'linux')('a crash while a file is written', () => {
  let writes: KilledWrites;
  beforeAll(async () => {
    writes = await openKilledWrites();
  });
  afterAll(() => writes.remove());

  it('leaves a file of one name as it was, or as it was to be', async () => {
    const { directory, operations } = await writes.written(['a'], 0);
    expect(isWritten(await readFile(path.join(directory, 'a'), 'utf8'))).toBe(true);
    for (const at of [1, operations]) {
      const { directory, signal } = await writes.written(['a'], at);
      expect(signal).toBe('SIGKILL');
      expect(isWhole(await readFile(path.join(directory, 'a'), 'utf8')), `operation ${at}`).toBe(true);
    }
  });

  it('leaves a file of two names whole, or a whole copy beside it that the tools name', async () => {
    const { operations } = await writes.written(['a', 'b'], 0);
    const at = Math.ceil(operations / 2);
    const { directory } = await writes.written(['a', 'b'], at);
    const found = (await readdir(directory)).filter((name) => name.endsWith('.filebridge-recovery'));
    const told = await writes.server.call('edit_file', { path: path.join(directory, 'b'), edits: [] });
    const [block] = told.content as { text: string }[];
    for (const name of found) expect(block?.text).toContain(`whole in '${path.join(directory, name)}'`);
    const kept = ['a', ...found].map((name) => readFile(path.join(directory, name), 'utf8'));
    expect((await Promise.all(kept)).some(isWhole)).toBe(true);
  });
});
