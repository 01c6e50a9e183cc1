/** One way through each format by the built command line, and how it ends. The rest is in `electron/cli/conversion*.test.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliFile, openWorkspace, runCli, type Workspace } from './support/cli.ts';
import { examples, expectRefusal, refusals } from './support/examples.ts';

const rows = '[{"zip":"01067","n":1}]';
examples('a file becomes JSON', {
  JSON: { file: 'a.json', input: ' [{"zip": "01067", "n": 1}] ', json: rows },
  'JSON lines': { file: 'a.jsonl', input: '{"zip":"01067","n":1}\n', json: rows },
  CSV: { file: 'a.csv', input: 'zip,n\n01067,1\n', json: rows },
  'CSV, with a transform': {
    file: 'a.csv',
    input: 'zip;n\n01067;1\n01068;2\n',
    args: ['--transform', '{"expression":"$[n=1]"}'],
    json: '{"zip":"01067","n":1}',
  },
  TSV: { file: 'a.tsv', input: 'zip\tn\n01067\t1\n', json: rows },
  YAML: { file: 'a.yaml', input: '- zip: "01067"\n  n: 1\n', json: rows },
  TOML: { file: 'a.toml', input: 'zip = "01067"\nn = 1\n', json: '{"zip":"01067","n":1}' },
  XML: { file: 'a.xml', input: '<a><zip>01067</zip></a>', json: '{"a":{"zip":"01067"}}' },
  text: { file: 'a.txt', input: 'Grüße\n', json: '"Grüße\\n"' },
  base64: { file: 'a.bin', input: 'abc', args: ['--as', 'base64'], json: '"YWJj"' },
  gzip: { file: 'a.csv.gz', input: gzipSync('zip,n\n01067,1\n'), json: rows },
  brotli: { file: 'a.json.br', input: brotliCompressSync(rows), json: rows },
});

const aliasBomb = `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from(
  { length: 12 },
  (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 10 }, () => `*a${i}`).join(',')}]`,
).join('\n')}\n`;

refusals('a trap', {
  'an alias bomb': { file: 'a.yaml', input: aliasBomb, says: /Failed to parse YAML file: .*alias/i },
});

describe('how a run ends', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openWorkspace();
  });
  afterAll(() => workspace.remove());

  it('1 for a file that is not there, 2 for wrong usage', async () => {
    const missing = workspace.at('missing.csv');
    expectRefusal(await runCli(['convert', missing]), { says: `File '${missing}' does not exist or is not readable` });
    expectRefusal(await runCli(['convert', 'a.csv', '--frob']), { says: '--frob', code: 2 });
  });

  it('a reader that has seen enough is no failure', async () => {
    const file = await workspace.file('long.csv', `a,b\n${'1,some text to fill the pipe\n'.repeat(200_000)}`);
    const child = spawn('sh', [
      '-c',
      '{ "$0" "$1" convert "$2"; echo "exit $?" >&2; } | head -c 100',
      process.execPath,
      cliFile,
      file,
    ]);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    await once(child, 'close');
    expect(Buffer.concat(out).toString()).toMatch(/^\[\{"a":1,"b":"some text/);
    expect(Buffer.concat(err).toString()).toBe('exit 0\n');
  });
});
