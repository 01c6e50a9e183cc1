/** Every bound of a conversion: what is just inside passes, what is beyond is refused, and the error names the setting. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { limitsConfig, openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { expectRefusal, runHere } from './fixtures/examples.ts';

const MIB = 1024 * 1024;
let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace();
});
afterAll(() => workspace.remove());

const yamlOf = (bytes: number) => `a: 1\n${'# a comment to fill the file with\n'.repeat(Math.ceil(bytes / 34))}`.slice(0, bytes);

describe('maxFileBytes bounds what must be held in memory', () => {
  it('a YAML of 12 MB, in the words of the contract', async () => {
    const file = await workspace.file('big.yaml', yamlOf(12 * MIB));
    expectRefusal(await runHere(['convert', file]), { says: 'File size 12 MB exceeds maximum allowed size of 10 MB' });
    expectRefusal(await runHere(['convert', file]), { says: 'maxFileBytes' });
  });

  it('an XML of 12 MB', async () => {
    const file = await workspace.file('big.xml', `<a>${'<b>some text to fill it with</b>'.repeat((12 * MIB) / 32)}</a>`);
    expectRefusal(await runHere(['convert', file]), {
      says: /File size 12 MB exceeds maximum allowed size of 10 MB.*maxFileBytes/,
    });
  });

  it('an expression over a CSV of 12 MB, though the CSV alone streams through', async () => {
    const file = await workspace.file('big.csv', `a,b\n${'1,abcdefghijklmn\n'.repeat((12 * MIB) / 17)}`);
    const args = ['--transform', '{"expression":"$count($)"}'];
    expectRefusal(await runHere(['convert', file, ...args]), { says: /exceeds maximum allowed size of 10 MB.*maxFileBytes/ });
    const streamed = await runHere(['convert', file]);
    expect(streamed.code).toBe(0);
    expect(streamed.stdout.length).toBeGreaterThan(12 * MIB);
  });

  it('is counted after decompression', async () => {
    const file = await workspace.file('bomb.yaml.gz', gzipSync(yamlOf(12 * MIB)));
    expectRefusal(await runHere(['convert', file]), { says: /exceeds maximum allowed size of 10 MB.*maxFileBytes/ });
  });

  it('is a setting, of the file named by --config or by FILEBRIDGE_CONFIG', async () => {
    const config = await limitsConfig(workspace, 'small.json', { maxFileBytes: 1000 });
    const inside = await workspace.file('inside.yaml', yamlOf(1000));
    const beyond = await workspace.file('beyond.yaml', yamlOf(1001));
    expect((await runHere(['convert', inside, '--config', config])).stdout.toString()).toBe('{"a":1}');
    expectRefusal(await runHere(['convert', beyond, '--config', config]), {
      says: /exceeds maximum allowed size of 1000 bytes.*maxFileBytes/,
    });
    vi.stubEnv('FILEBRIDGE_CONFIG', config);
    try {
      expectRefusal(await runHere(['convert', beyond]), { says: 'maxFileBytes' });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('maxStreamedFileBytes bounds what streams', () => {
  it.each([
    ['csv', 'a\n', '1234567\n'],
    ['jsonl', '', '{"a":1}\n'],
    ['json', '[1', ',234567'],
    ['txt', '', 'a text. '],
  ])('a .%s', async (extension, head, line) => {
    const config = await limitsConfig(workspace, 'streamed.json', { maxStreamedFileBytes: 100_000 });
    const tail = extension === 'json' ? ']' : '';
    const inside = await workspace.file(`in.${extension}`, head + line.repeat(10_000) + tail);
    const beyond = await workspace.file(`out.${extension}`, head + line.repeat(15_000) + tail);
    expect(await runHere(['convert', inside, '--config', config])).toMatchObject({ code: 0, stderr: '' });
    expectRefusal(await runHere(['convert', beyond, '--config', config]), {
      says: /File size .* exceeds maximum allowed size of .*maxStreamedFileBytes/,
    });
  });

  it('is counted after decompression: a bomb of 100 KB that holds 100 MB', async () => {
    const config = await limitsConfig(workspace, 'bomb.json', { maxStreamedFileBytes: 20 * MIB });
    const bomb = gzipSync(Buffer.alloc(100 * MIB, 'a,b\n'));
    expect(bomb.length).toBeLessThan(MIB);
    const file = await workspace.file('bomb.csv.gz', bomb);
    expectRefusal(await runHere(['convert', file, '--config', config]), {
      says: /exceeds maximum allowed size of 20 MB.*maxStreamedFileBytes/,
    });
  });

  it('holds for base64 too', async () => {
    const config = await limitsConfig(workspace, 'base64.json', { maxStreamedFileBytes: 1000 });
    const file = await workspace.file('bytes.bin', Buffer.alloc(1001, 0xff));
    expectRefusal(await runHere(['convert', file, '--as', 'base64', '--config', config]), { says: 'maxStreamedFileBytes' });
  });
});

describe('maxNesting bounds how deep a value may go', () => {
  const deep = {
    json: (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`,
    yaml: (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}\n`,
    xml: (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`,
    // Each line is a value of its own.
    jsonl: (levels: number) => `1\n${'['.repeat(levels)}${']'.repeat(levels)}\n`,
  };
  it.each(Object.entries(deep))('512 levels of %s pass, 513 do not', async (extension, make) => {
    // The innermost XML element is a string, no level of its own.
    const most = extension === 'xml' ? 511 : 512;
    const inside = await workspace.file(`inside.${extension}`, make(most));
    const beyond = await workspace.file(`beyond.${extension}`, make(extension === 'xml' ? 514 : 513));
    expect(await runHere(['convert', inside])).toMatchObject({ code: 0, stderr: '' });
    expectRefusal(await runHere(['convert', beyond]), { says: /512.*maxNesting|maxNesting.*512/ });
  });

  it('a hundred thousand levels are refused the same way', async () => {
    for (const extension of ['json', 'yaml', 'xml'] as const) {
      const file = await workspace.file(`abyss.${extension}`, deep[extension](100_000));
      expectRefusal(await runHere(['convert', file]), { says: 'maxNesting' });
    }
  });

  it('is a setting', async () => {
    const config = await limitsConfig(workspace, 'nesting.json', { maxNesting: 3 });
    const file = await workspace.file('four.json', '[[[[]]]]');
    expectRefusal(await runHere(['convert', file, '--config', config]), { says: /\b3\b.*maxNesting|maxNesting.*\b3\b/ });
  });
});
