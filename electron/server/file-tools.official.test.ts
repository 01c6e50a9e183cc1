/** What the official server's own tests hold it to (modelcontextprotocol/servers, src/filesystem/__tests__), asked of ours from outside. */
import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../upstream/types.ts';
import { type OurFileServer, openOurs, textOf } from './fixtures/file-servers.ts';

let root: string;
let ours: OurFileServer;
const at = (name: string) => path.join(root, name);
const ask = async (tool: string, args: JsonObject) => textOf(await ours.call(tool, args));

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-official-')));
  ours = await openOurs([root]);
});
afterEach(async () => {
  await ours.close();
  await rm(root, { recursive: true, force: true });
});

// The official server gives each answer a second time as structured content, which a model then reads twice.
describe('an answer is given once:', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['read_text_file', { path: 'test.txt' }, /^test content$/],
    ['directory_tree', { path: '' }, /^\[/],
    ['list_directory_with_sizes', { path: '' }, /\[FILE\]/],
    ['move_file', { source: 'test.txt', destination: 'moved.txt' }, /Successfully moved/],
    ['write_file', { path: 'new.txt', content: 'new' }, /Successfully wrote/],
    ['edit_file', { path: 'test.txt', edits: [{ oldText: 'test', newText: 'new' }] }, /^```diff/],
    ['list_directory', { path: '' }, /\[FILE\] test\.txt/],
    ['search_files', { path: '', pattern: '*.txt' }, /test\.txt/],
  ])('%s', async (tool, args, wanted) => {
    await writeFile(at('test.txt'), 'test content');
    expect(await ours.call(tool, args)).toEqual({ content: [{ type: 'text', text: expect.stringMatching(wanted) }] });
  });

  // A client of the SDK refuses an answer without structured content where there is an output schema.
  it('and no file tool promises another', async () => {
    const tools = await ours.tools();
    expect(tools.map(({ name }) => name)).toContain('edit_file');
    for (const tool of tools) expect(tool).not.toHaveProperty('outputSchema');
  });
});

describe('read_media_file', () => {
  it.each([
    ['pixel.png', 'image', 'image/png'],
    ['clip.mp3', 'audio', 'audio/mpeg'],
  ])('gives %s as a block of its own kind, with its bytes', async (name, type, mimeType) => {
    const bytes = Buffer.from([0x89, 0x50, 0, 0xff]);
    await writeFile(at(name), bytes);
    expect(await ours.call('read_media_file', { path: at(name) })).toEqual({
      content: [{ type, mimeType, data: bytes.toString('base64') }],
    });
  });

  it('gives any other file as an embedded resource, whose address is escaped', async () => {
    const bytes = Buffer.from([0, 1, 2, 3, 0xff, 0xfe]);
    await writeFile(at('my café.bin'), bytes);
    const { content } = await ours.call('read_media_file', { path: at('my café.bin') });
    const [block] = content as unknown as { type: string; resource: { uri: string; mimeType: string; blob: string } }[];
    expect(block).toMatchObject({
      type: 'resource',
      resource: { mimeType: 'application/octet-stream', blob: bytes.toString('base64') },
    });
    expect(fileURLToPath(block?.resource.uri ?? '')).toBe(at('my café.bin'));
    expect(block?.resource.uri).toMatch(/my%20caf(%C3%A9|e%CC%81)\.bin$/);
  });
});

describe('directory_tree', () => {
  interface Entry {
    name: string;
    children?: Entry[];
  }
  const tree = async (excludePatterns: string[]) =>
    JSON.parse(await ask('directory_tree', { path: root, excludePatterns })) as Entry[];
  const names = (entries: Entry[] | undefined) => entries?.map(({ name }) => name).sort();
  beforeEach(async () => {
    for (const directory of ['src', 'node_modules', '.git', 'nested/node_modules'])
      await mkdir(at(directory), { recursive: true });
    for (const file of [
      '.env',
      '.env.local',
      'src/index.js',
      'package.json',
      'node_modules/module.js',
      'nested/node_modules/deep.js',
    ])
      await writeFile(at(file), '{}');
  });

  it.each<[string[], string[]]>([
    [['.env'], ['.env.local', '.git', 'nested', 'node_modules', 'package.json', 'src']],
    [['node_modules'], ['.env', '.env.local', '.git', 'nested', 'package.json', 'src']],
    [['*.env'], ['.env.local', '.git', 'nested', 'node_modules', 'package.json', 'src']],
    [['.git'], ['.env', '.env.local', 'nested', 'node_modules', 'package.json', 'src']],
    [
      ['node_modules', '.env', '.git'],
      ['.env.local', 'nested', 'package.json', 'src'],
    ],
    [[], ['.env', '.env.local', '.git', 'nested', 'node_modules', 'package.json', 'src']],
  ])('leaves out %j', async (patterns, left) => {
    expect(names(await tree(patterns))).toEqual([...left].sort());
  });

  it('leaves out what lies deeper by the same pattern', async () => {
    const nested = (await tree(['node_modules'])).find(({ name }) => name === 'nested');
    expect(nested?.children).toEqual([]);
  });
});

describe('edit_file', () => {
  it.each<[string, string, { oldText: string; newText: string }[], string]>([
    [
      'replaces text',
      'line1\nline2\nline3\n',
      [{ oldText: 'line2', newText: 'modified line2' }],
      'line1\nmodified line2\nline3\n',
    ],
    [
      'takes dollar signs literally',
      'line1\nline2\nline3\n',
      [{ oldText: 'line2', newText: "price=$$; match=$&; before=$`; after=$'" }],
      "line1\nprice=$$; match=$&; before=$`; after=$'\nline3\n",
    ],
    [
      'applies several in turn',
      'line1\nline2\nline3\n',
      [
        { oldText: 'line1', newText: 'first line' },
        { oldText: 'line3', newText: 'third line' },
      ],
      'first line\nline2\nthird line\n',
    ],
    [
      'keeps indentation',
      '  line1\n    line2\n  line3\n',
      [{ oldText: 'line2', newText: 'modified line2' }],
      '  line1\n    modified line2\n  line3\n',
    ],
    [
      'replaces several lines',
      'function test() {\n  console.log("hello");\n  return true;\n}',
      [
        {
          oldText: '  console.log("hello");\n  return true;',
          newText: '  console.log("world");\n  console.log("test");\n  return false;',
        },
      ],
      'function test() {\n  console.log("world");\n  console.log("test");\n  return false;\n}',
    ],
    [
      'adds lines',
      '    if (condition) {\n        doSomething();\n    }',
      [{ oldText: 'doSomething();', newText: 'doSomethingElse();\n        doAnotherThing();' }],
      '    if (condition) {\n        doSomethingElse();\n        doAnotherThing();\n    }',
    ],
    // The official server writes LF here; ours keeps what the file has.
    [
      'finds text in a file with CRLF',
      'line1\r\nline2\r\nline3\r\n',
      [{ oldText: 'line2\n', newText: 'two\n' }],
      'line1\r\ntwo\r\nline3\r\n',
    ],
  ])('%s', async (_, before, edits, after) => {
    await writeFile(at('file.txt'), before);
    expect(await ask('edit_file', { path: at('file.txt'), edits, dryRun: true })).toContain('```diff\n');
    expect(await readFile(at('file.txt'), 'utf8')).toBe(before);
    await ask('edit_file', { path: at('file.txt'), edits });
    expect(await readFile(at('file.txt'), 'utf8')).toBe(after);
  });

  it('says what it could not find', async () => {
    await writeFile(at('file.txt'), 'line1\n');
    const edits = [{ oldText: 'nonexistent line', newText: 'replacement' }];
    expect(await ask('edit_file', { path: at('file.txt'), edits })).toBe(
      'Could not find exact match for edit:\nnonexistent line',
    );
  });
});

describe('paths', () => {
  it('are looked up in the allowed folder, never where the program runs', async () => {
    await ask('write_file', { path: 'relative.txt', content: 'here' });
    expect(await readFile(at('relative.txt'), 'utf8')).toBe('here');
  });

  it('may go through links that stay inside, and not through others', async () => {
    const elsewhere = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-elsewhere-')));
    try {
      await writeFile(path.join(elsewhere, 'restricted.txt'), 'secret');
      await mkdir(at('real'));
      await writeFile(at('real/f.txt'), 'old');
      await symlink(at('real'), at('good'));
      await symlink(path.join(elsewhere, 'restricted.txt'), at('bad'));
      await ask('write_file', { path: at('good/f.txt'), content: 'new' });
      expect(await readFile(at('real/f.txt'), 'utf8')).toBe('new');
      expect(await ask('write_file', { path: at('bad'), content: 'changed' })).toMatch(/^Access denied - symlink target outside/);
      expect(await readFile(path.join(elsewhere, 'restricted.txt'), 'utf8')).toBe('secret');
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it.each([`%ROOT%2`, '%ROOT%_backup', '%ROOT%-old/file', '%ROOT%/../x', '/', '/etc', '%ROOT%/a/../../b', '%ROOT%\0/x'])(
    'refuse %s',
    async (form) => {
      expect(await ask('read_text_file', { path: form.replace('%ROOT%', root) })).toMatch(
        /^Access denied - path outside allowed directories/,
      );
    },
  );

  it.each(['50%.txt', '%20.txt', '...', '.hidden', 'a..b', 'file name', '文件', 'quote\'"s'])(
    'take the name %s',
    async (name) => {
      await ask('write_file', { path: at(name), content: name });
      expect(await ask('read_text_file', { path: at(name) })).toBe(name);
      expect((await stat(at(name))).size).toBe(Buffer.byteLength(name));
    },
  );
});
