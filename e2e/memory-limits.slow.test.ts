/** A program that may use few addresses, as under `ulimit -v`, or little heap: files are converted all the same, alone and many at a time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliFile } from './support/cli.ts';
import { type Home, openHome } from './support/filebridge.ts';
import { openClient } from './support/mcp-clients.ts';

const run = promisify(execFile);
const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `name ${id}` }));
const files = {
  'a.csv': `id,name\n${rows.map(({ id, name }) => `${id},${name}\n`).join('')}`,
  'a.json': JSON.stringify(rows),
  'a.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
};

/** Gigabytes: fewer than one WebAssembly memory reserves, and than two do. */
describe.runIf(process.platform === 'linux').each([4, 16])('with %d GB of addresses', (gigabytes) => {
  const limited = ['-c', `ulimit -v ${gigabytes * 1_000_000}; exec "$0" "$@"`, process.execPath, cliFile];
  let home: Home;
  const paths: string[] = [];
  beforeAll(async () => {
    home = await openHome();
    for (const [name, text] of Object.entries(files)) paths.push(await home.file(name, text));
  });
  afterAll(() => home?.workspace.remove());

  it('the command line converts', async () => {
    for (const path of paths) {
      const { stdout } = await run('/bin/sh', [...limited, 'convert', path], { env: home.env });
      expect(JSON.parse(stdout), path).toEqual(rows);
    }
  });

  it('many calls at once are answered, and a later one succeeds', async () => {
    const client = await openClient('v1', {
      command: '/bin/sh',
      args: [...limited, 'serve', '--stdio'],
      env: home.env,
      onStderr: () => undefined,
    });
    try {
      const preview = (path: string) => client.call('preview_file', { path, rows: 1 });
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => preview(paths[i % paths.length] ?? '')));
      for (const { isError, text } of answers) if (isError) expect(text).toContain('too little memory');
      for (const path of paths) expect((await preview(path)).json()).toMatchObject({ records: rows.length });
    } finally {
      await client.close();
    }
  });
});

/** What reads a file of 60 MB, or is sent 30 MB, in a program with this heap. */
describe('with a heap of 64 MB', () => {
  const started = { command: process.execPath, args: ['--max-old-space-size=64', cliFile, 'serve', '--stdio'] };
  let home: Home;
  const paths: Record<string, string> = {};
  beforeAll(async () => {
    home = await openHome({ expose: { fileTools: true, upstreamTools: 'none' } });
    const lines = (line: string) => line.repeat(Math.ceil(60_000_000 / line.length));
    for (const [name, text] of Object.entries({
      'a.txt': lines('a line of text\n'),
      'a.csv': lines('1,2,three four\n'),
      'a.json': `[0${lines(',{"a":1,"b":"text"}')}]`,
      'long.json': `["${lines('x')}"]`,
      'a.yaml': lines('- {a: 1, b: text}\n'),
      'a.xml': `<r>${lines('<i a="1"><b>t</b></i>')}</r>`,
    })) {
      paths[name] = await home.file(name, text);
    }
  });
  afterAll(() => home?.workspace.remove());

  it('large files and requests get an answer or an error, and the program keeps running', async () => {
    const client = await openClient('v1', { ...started, env: home.env, onStderr: () => undefined });
    try {
      for (const [name, path] of Object.entries(paths)) {
        const answers = [
          await client.call('preview_file', { path, rows: 1 }),
          await client.call('read_text_file', { path }),
          await client.call('read_text_file', { path, tail: 1 }),
          await client.call('edit_file', { path, edits: [{ oldText: 'no such text', newText: '' }] }),
        ];
        for (const { isError, text } of answers) expect(isError ? text : 'read', name).toMatch(/^read|MB|KB/);
      }
      const many = await Promise.all(
        Object.values(paths).flatMap((path) => [path, path].map((each) => client.call('preview_file', { path: each, rows: 1 }))),
      );
      for (const { isError, text } of many) if (isError) expect(text).toMatch(/MB|memory/);
      const values = Array.from({ length: 3_000_000 }, () => ({}));
      const refused = client.call('preview_file', { path: paths['a.csv'], more: values });
      await expect(refused).rejects.toThrow('too many values');
      expect((await client.call('preview_file', { path: paths['a.csv'], rows: 1 })).isError).toBe(false);
    } finally {
      await client.close();
    }
  });
});
