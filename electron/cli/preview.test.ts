import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { runHere } from './fixtures/examples.ts';

describe('filebridge preview', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openWorkspace();
    vi.stubEnv('FILEBRIDGE_CONFIG', workspace.at('config.json'));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await workspace.remove();
  });

  async function preview(isTTY: boolean, ...args: string[]): Promise<string> {
    const before = process.stdout.isTTY;
    process.stdout.isTTY = isTTY;
    try {
      const { stdout, stderr, code } = await runHere(['preview', ...args]);
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      return stdout.toString('utf8');
    } finally {
      process.stdout.isTTY = before;
    }
  }

  it('is a summary at a terminal, and JSON elsewhere or with --json', async () => {
    const file = await workspace.file('a.csv', 'id,name,zip\n1,Ada,01067\n2,,20095\n');
    const shown = await preview(true, file, '--rows', '1');
    expect(shown.replace(/\d+ tokens/, 'N tokens')).toBe(
      [
        `${file}: csv, utf-8, 33 bytes, 2 rows, N tokens`,
        '  COLUMN  TYPE    EMPTY',
        '  id      number',
        '  name    string  1',
        '  zip     string',
        'First rows',
        '  {"id":1,"name":"Ada","zip":"01067"}',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(await preview(false, file))).toMatchObject({ records: 2 });
    expect(JSON.parse(await preview(true, file, '--json'))).toMatchObject({ records: 2 });
  });

  it('has warnings in the words of a terminal, and the content of what is no table', async () => {
    const file = await workspace.file('b.csv', 'name;day\nAda;31.05.2024\nBen;01.06.2024\n');
    expect(await preview(true, file)).toMatch(/^Warning: .*--dates iso/m);
    const object = await workspace.file('c.json', '{"a":1}');
    expect(await preview(true, object)).toMatch(/ one object, .*\nContent\n {2}\{"a":1\}\n$/);
  });

  it('lists fifty columns, and how many more there are', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `c${index}`).join(',');
    const shown = await preview(true, await workspace.file('wide.csv', `${names}\n${names}\n`));
    expect(shown).toContain('c49 ');
    expect(shown).toContain('… and 10 more; --json shows all');
  });
});
