/** Every tool against the official server: the same calls, the same answers, the same tree afterwards, and a list of what differs on purpose. */
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { type FileServer, type OurFileServer, openOfficial, openOurs, textOf } from './fixtures/file-servers.ts';

type Call = readonly [tool: string, args: JsonObject];

/** Two like trees, the official server on one, ours on both. */
interface Twins {
  theirs: string;
  mine: string;
  official: FileServer;
  /** Ours on the official server's tree, for what only reads. */
  beside: OurFileServer;
  ours: OurFileServer;
  remove(): Promise<void>;
}

/** Makes both trees what they were at first. */
async function refill(twins: Pick<Twins, 'theirs' | 'mine'>): Promise<void> {
  for (const root of [twins.theirs, twins.mine]) {
    await mkdir(root, { recursive: true });
    for (const name of await readdir(root)) await rm(path.join(root, name), { recursive: true });
    await fill(root);
  }
}

async function openTwins(): Promise<Twins> {
  const above = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-twins-')));
  const [theirs, mine] = [path.join(above, 'a', 'root'), path.join(above, 'b', 'root')];
  for (const root of [theirs, mine]) {
    await mkdir(root, { recursive: true });
    await mkdir(path.join(root, '../outside'));
    await writeFile(path.join(root, '../outside/secret.txt'), 'outside');
  }
  await refill({ theirs, mine });
  const [official, beside, ours] = await Promise.all([openOfficial([theirs]), openOurs([theirs]), openOurs([mine])]);
  return {
    theirs,
    mine,
    official,
    beside,
    ours,
    async remove() {
      for (const server of [official, beside, ours]) await server.close();
      await rm(above, { recursive: true, force: true });
    },
  };
}

async function fill(root: string): Promise<void> {
  const at = (name: string) => path.join(root, name);
  await mkdir(at('dir/sub'), { recursive: true });
  await mkdir(at('empty'));
  await writeFile(at('a.txt'), 'one\ntwo\nthree\n');
  await writeFile(at('crlf.txt'), 'one\r\ntwo\r\nthree');
  await writeFile(at('dir/b.md'), '# B\n\n    indented\n\ttab\nlast without end');
  await writeFile(at('dir/sub/c.json'), '{"a": [1, 2]}\n');
  await writeFile(at('dir/.hidden'), 'hidden\n');
  await writeFile(at('bytes.bin'), Buffer.from([0, 255, 254, 10, 13, 10, 128]));
  await writeFile(at('pixel.PNG'), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  await writeFile(at('tone.mp3'), Buffer.from('ID3'));
  await writeFile(at('caf\u00e9.txt'), 'composed\n');
  await writeFile(at('u\u0308ber.txt'), 'decomposed\n');
  await writeFile(at('sp ace "q" $&.txt'), '\ufeffbom and 😀\n'.repeat(40));
  await writeFile(at('long.txt'), Array.from({ length: 900 }, (_, index) => `line ${index} ${'ä'.repeat(index % 9)}`).join('\n'));
  await chmod(at('a.txt'), 0o755);
  await symlink('a.txt', at('link'));
  await symlink('dir', at('linkdir'));
  await symlink('../outside', at('out'));
  await symlink('../outside/secret.txt', at('outfile'));
  await symlink('nothing', at('dangling'));
}

/** Name, kind, mode and content of all there is, times left out. */
async function treeOf(root: string): Promise<string[]> {
  const lines: string[] = [];
  const walk = async (directory: string): Promise<void> => {
    for (const name of (await readdir(directory)).sort()) {
      const place = path.join(directory, name);
      const stats = await lstat(place);
      const content = stats.isFile()
        ? createHash('sha256')
            .update(await readFile(place))
            .digest('hex')
            .slice(0, 12)
        : '';
      lines.push(`${path.relative(root, place)} ${stats.mode.toString(8)} ${stats.nlink > 1 && stats.isFile()} ${content}`);
      if (stats.isDirectory()) await walk(place);
    }
  };
  await walk(root);
  return lines;
}

/** What differs on purpose, with the reason; everything else must be the same to the letter. */
const differences: readonly { why: string; is(theirs: string, mine: string): boolean }[] = [
  {
    why: 'where a link leads outside is not told',
    is: (theirs, mine) =>
      [theirs, mine].every((text) => text.includes('Access denied - symlink target outside allowed directories: ')),
  },
  {
    why: 'writing to what is no file says so, instead of naming a temporary file',
    is: (theirs, mine) => /^EISDIR: .*\.tmp' -> /.test(theirs) && mine.includes('is a directory, not a file'),
  },
  {
    why: 'an allowed folder itself is neither written, moved nor edited',
    is: (theirs, mine) =>
      /^(EINVAL|EBUSY|Destination already exists|EISDIR)/.test(theirs) && mine.includes('is a directory, not a file'),
  },
  {
    why: 'a link that leads outside has no size',
    is: (theirs, mine) => {
      const rest = (text: string) =>
        text
          .split('\n')
          .filter((line) => !/^\[FILE\] out|^Combined/.test(line))
          .join('\n');
      return theirs.includes('Combined size') && rest(theirs) === rest(mine);
    },
  },
  {
    why: 'a missing folder is answered with how to make it',
    is: (theirs, mine) =>
      /^(Parent directory does not exist: |ENOENT: )/.test(theirs) && mine.endsWith('or give create_directories: true'),
  },
  {
    why: 'a missing file is answered with those that may be meant',
    is: (theirs, mine) => theirs.includes('ENOENT: ') && mine.includes('Did you mean '),
  },
  {
    why: 'what is no text is not given as one',
    is: (_, mine) => mine.includes("' is no text"),
  },
  {
    why: 'wrong arguments are named one by one',
    is: (theirs, mine) =>
      theirs.startsWith('MCP error -32602: Input validation error') && /^(Parameter|Missing parameter)/.test(mine),
  },
];

/** Ours gives an answer once. */
const once = ({ structuredContent: _, ...result }: ToolResult): ToolResult => result;
const shown = (result: ToolResult, root: string): string =>
  JSON.stringify(result).replaceAll(root, '$ROOT').replaceAll(path.dirname(root), '$ABOVE');
const writing = new Set(['write_file', 'edit_file', 'create_directory', 'move_file']);
const under = (args: JsonObject, root: string): JsonObject =>
  JSON.parse(JSON.stringify(args).replaceAll('$ROOT', JSON.stringify(root).slice(1, -1))) as JsonObject;

/** Ours refuses on purpose what the official server would do to the wrong place. */
const refused = /^(The text to replace is there (\d+ times|only with other indentation)|oldText is empty)/;

async function same(twins: Twins, [tool, args]: Call): Promise<'same' | 'differs' | 'refused'> {
  let mine: ToolResult;
  let theirs: ToolResult;
  if (writing.has(tool)) {
    mine = await twins.ours.call(tool, under(args, twins.mine));
    if (mine.isError && refused.test(textOf(mine))) return 'refused';
    theirs = await twins.official.call(tool, under(args, twins.theirs));
  } else {
    theirs = await twins.official.call(tool, under(args, twins.theirs));
    mine = await twins.beside.call(tool, under(args, twins.theirs));
  }
  theirs = once(theirs);
  const root = writing.has(tool) ? twins.mine : twins.theirs;
  if (shown(theirs, twins.theirs) === shown(mine, root)) return 'same';
  const isNoText = textOf(mine).includes("' is no text");
  const known =
    (isNoText || Boolean(theirs.isError) === Boolean(mine.isError)) &&
    differences.some(({ is }) => is(textOf(theirs), textOf(mine)));
  if (!known) expect({ tool, args, result: shown(mine, root) }).toEqual({ tool, args, result: shown(theirs, twins.theirs) });
  return 'differs';
}

const places = [
  '$ROOT',
  '$ROOT/',
  '',
  '.',
  '$ROOT/a.txt',
  'a.txt',
  '$ROOT/crlf.txt',
  '$ROOT/dir',
  '$ROOT/dir/',
  '$ROOT//dir//b.md',
  '$ROOT/dir/b.md',
  '$ROOT/dir/sub',
  '$ROOT/dir/sub/c.json',
  '$ROOT/dir/../a.txt',
  '$ROOT/../root/a.txt',
  '$ROOT/dir/.hidden',
  '$ROOT/bytes.bin',
  '$ROOT/pixel.PNG',
  '$ROOT/tone.mp3',
  '$ROOT/caf\u00e9.txt',
  '$ROOT/cafe\u0301.txt',
  '$ROOT/u\u0308ber.txt',
  '$ROOT/\u00fcber.txt',
  '$ROOT/sp ace "q" $&.txt',
  '$ROOT/long.txt',
  '$ROOT/link',
  '$ROOT/linkdir',
  '$ROOT/linkdir/b.md',
  '$ROOT/out',
  '$ROOT/out/secret.txt',
  '$ROOT/outfile',
  '$ROOT/dangling',
  '$ROOT/dangling/x',
  '$ROOT/missing.txt',
  '$ROOT/missing/deep/x.txt',
  '$ROOT/a.txt/below',
  '$ROOT-secret',
  '$ROOT/../outside/secret.txt',
  '/etc/passwd',
  '/',
  'C:\\Windows\\x',
  'c:/x',
  '$ROOT/new.txt',
  '$ROOT/dir/new',
  '$ROOT/empty',
  '$ROOT/empty/n1',
  '$ROOT/x\\y',
  `$ROOT/${'n'.repeat(300)}`,
  '$ROOT/nul\0byte',
  '../root/a.txt',
];
const place = fc.constantFrom(...places);
const pattern = fc.constantFrom(
  '*',
  '**',
  '**/*',
  '*.txt',
  '**/*.md',
  'dir',
  'dir/**',
  '{a,b}*',
  '[ab].txt',
  '!a*',
  '#x',
  '.*',
  '**/.hidden',
  'sub',
  '?.txt',
  '+(a|b).*',
  '',
  '/',
  './a.txt',
  '*\u00e9*',
  'link*',
  'out*',
);
const excludes = fc.array(pattern, { maxLength: 3 });
const snippet = fc.constantFrom(
  'one',
  'two\n',
  'three',
  '\n',
  '# B',
  'indented',
  '  indented',
  'tab\nlast',
  'x',
  '$&',
  '$1 `` ```',
  '',
  'line 7 ',
  'hidden\n',
  '\ttab',
  'é😀',
  'two\r\nthree',
  '  one  \n two',
  '{"a"',
);
/** An edit of ours keeps CRLF, also in what an earlier call wrote. */
const isWithoutCr = (text: string) => !text.includes('\r');
// Ours keeps CRLF and bytes that are no UTF-8, where the official server does not.
const edited = fc.oneof(
  fc.constantFrom('$ROOT/a.txt', '$ROOT/dir/b.md', '$ROOT/dir/.hidden', '$ROOT/dir/sub/c.json', '$ROOT/link', '$ROOT/long.txt'),
  place.filter((name) => !/crlf|bytes|pixel/.test(name)),
);
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(
    fc.constant('read_text_file'),
    fc.record({ path: place, head: fc.integer({ min: 0, max: 2000 }) }, { requiredKeys: ['path'] }),
  ),
  fc.tuple(
    fc.constant('read_text_file'),
    fc.record({ path: place, tail: fc.integer({ min: 0, max: 2000 }) }, { requiredKeys: ['path'] }),
  ),
  fc.tuple(
    fc.constant('read_file'),
    fc.record({ path: place, head: fc.integer({ min: 0, max: 3 }), tail: fc.integer({ min: 0, max: 3 }) }),
  ),
  fc.tuple(fc.constant('read_media_file'), fc.record({ path: place })),
  fc.tuple(fc.constant('read_multiple_files'), fc.record({ paths: fc.array(place, { minLength: 1, maxLength: 4 }) })),
  fc.tuple(fc.constant('list_directory'), fc.record({ path: place })),
  fc.tuple(
    fc.constant('list_directory_with_sizes'),
    fc.record({ path: place, sortBy: fc.constantFrom('name', 'size') }, { requiredKeys: ['path'] }),
  ),
  fc.tuple(fc.constant('directory_tree'), fc.record({ path: place, excludePatterns: excludes }, { requiredKeys: ['path'] })),
  fc.tuple(
    fc.constant('search_files'),
    fc.record({ path: place, pattern, excludePatterns: excludes }, { requiredKeys: ['path', 'pattern'] }),
  ),
  fc.tuple(fc.constant('get_file_info'), fc.record({ path: place })),
  fc.tuple(
    fc.constant('write_file'),
    fc.record({ path: place, content: fc.oneof(snippet, fc.string({ unit: 'grapheme', maxLength: 40 })).filter(isWithoutCr) }),
  ),
  fc.tuple(fc.constant('create_directory'), fc.record({ path: place })),
  fc.tuple(fc.constant('move_file'), fc.record({ source: edited, destination: place })),
  fc.tuple(
    fc.constant('edit_file'),
    fc.record(
      {
        path: edited,
        edits: fc.array(fc.record({ oldText: snippet, newText: snippet }), { maxLength: 3 }),
        dryRun: fc.boolean(),
      },
      { requiredKeys: ['path', 'edits'] },
    ),
  ),
);

describe.skipIf(process.platform === 'win32')('the file tools beside the official server', () => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await openTwins();
  });
  afterAll(() => twins.remove());

  it('answer each reading of each path alike', async () => {
    let count = 0;
    const seen = { same: 0, differs: 0, refused: 0 };
    const readers: ((path: string) => Call)[] = [
      (path) => ['read_text_file', { path }],
      (path) => ['read_text_file', { path, head: 2 }],
      (path) => ['read_text_file', { path, tail: 2 }],
      (path) => ['read_media_file', { path }],
      (path) => ['read_multiple_files', { paths: [path] }],
      (path) => ['list_directory', { path }],
      (path) => ['list_directory_with_sizes', { path, sortBy: 'size' }],
      (path) => ['directory_tree', { path }],
      (path) => ['search_files', { path, pattern: '**' }],
      (path) => ['get_file_info', { path }],
    ];
    for (const path of places) {
      for (const reader of readers) {
        seen[await same(twins, reader(path))] += 1;
        count += 1;
      }
    }
    process.stdout.write(`${count} readings: ${JSON.stringify(seen)}\n`);
    expect(seen.same).toBeGreaterThan(400);
  });

  it('take the same arguments, under the same names, and say the same of themselves', async () => {
    const [theirs, mine] = [await twins.official.tools(), await twins.ours.tools()];
    for (const tool of theirs) {
      const twin = mine.find(({ name }) => name === tool.name);
      if (tool.name === 'list_allowed_directories') continue;
      expect(twin, String(tool.name)).toMatchObject({ title: tool.title, annotations: tool.annotations });
      const schemas = [tool, twin].map(
        (each) => each?.inputSchema as { properties: Record<string, JsonObject>; required?: string[] },
      );
      for (const [name, schema] of Object.entries(schemas[0]?.properties ?? {}))
        expect(schemas[1]?.properties[name]?.type, `${tool.name}.${name}`).toBe(schema.type);
      // Text may be given as base64 instead: then content, oldText and newText are not required by themselves.
      const required = schemas[0]?.required?.filter((name) => name !== 'content');
      expect(schemas[1]?.required ?? []).toEqual(required ?? []);
    }
  });
});

describe.skipIf(process.platform === 'win32')('the file tools and the official server, called at random', () => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await openTwins();
  });
  afterAll(() => twins.remove());

  it('answer alike and leave alike trees', async () => {
    const seen = { same: 0, differs: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 40 }), async (calls) => {
        await refill(twins);
        for (const each of calls) seen[await same(twins, each)] += 1;
        expect(await treeOf(path.dirname(twins.mine))).toEqual(await treeOf(path.dirname(twins.theirs)));
      }),
      { numRuns: runs(30), endOnFailure: true },
    );
    process.stdout.write(`random calls: ${JSON.stringify(seen)}\n`);
    expect(seen.same).toBeGreaterThan(seen.differs + seen.refused);
  });
});
