/** A program that may use few addresses, as under `ulimit -v`: files are converted all the same, alone and many at a time. */
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

  it('the command line converts', { timeout: 300_000 }, async () => {
    for (const path of paths) {
      const { stdout } = await run('/bin/sh', [...limited, 'convert', path], { env: home.env });
      expect(JSON.parse(stdout), path).toEqual(rows);
    }
  });

  it('many calls at once are answered, and a later one succeeds', { timeout: 300_000 }, async () => {
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
