/** The arrows between folders are enforced: each planted break is reported by the linter, and its like in the right place is not. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const imports = (name: string) => `import { thing } from '${name}';\n\nexport const kept = thing;\n`;

const broken: [file: string, text: string, rule: string][] = [
  ['electron/server/planted.ts', imports('electron'), 'noRestrictedImports'],
  ['electron/api/planted.ts', imports('electron'), 'noRestrictedImports'],
  ['renderer/planted.ts', imports('electron'), 'noRestrictedImports'],
  ['e2e/support/planted.ts', imports('electron'), 'noRestrictedImports'],
  ['electron/calls/planted.ts', imports('@modelcontextprotocol/client'), 'noRestrictedImports'],
  ['electron/api/planted.ts', imports('@modelcontextprotocol/server/stdio'), 'noRestrictedImports'],
  ['electron/shell/planted.ts', imports('@modelcontextprotocol/node'), 'noRestrictedImports'],
  ['electron/engine/planted.ts', imports('node:fs'), 'noRestrictedImports'],
  ['electron/engine/formats/planted.ts', imports('node:net'), 'noRestrictedImports'],
  ['electron/engine/planted.ts', imports('node:http'), 'noRestrictedImports'],
  ['electron/engine/planted.ts', imports('node:child_process'), 'noRestrictedImports'],
  ['electron/engine/planted.ts', imports('../files/types.ts'), 'noRestrictedImports'],
  ['electron/engine/formats/planted.ts', imports('../../calls/types.ts'), 'noRestrictedImports'],
  ['electron/engine/planted.ts', imports('../../shared/contract/contract.ts'), 'noRestrictedImports'],
  ['electron/files/planted.ts', imports('../calls/types.ts'), 'noRestrictedImports'],
  ['electron/upstream/planted.ts', imports('../server/http.ts'), 'noRestrictedImports'],
  ['electron/store/planted.ts', imports('../api/api.ts'), 'noRestrictedImports'],
  ['electron/calls/planted.ts', imports('../server/http.ts'), 'noRestrictedImports'],
  ['electron/clients/planted.ts', imports('../api/api.ts'), 'noRestrictedImports'],
  ['electron/store/planted.ts', imports('../clients/types.ts'), 'noRestrictedImports'],
  ['electron/server/planted.ts', imports('../api/api.ts'), 'noRestrictedImports'],
  ['electron/api/planted.ts', imports('../cli/usage.ts'), 'noRestrictedImports'],
  ['electron/cli/planted.ts', imports('../shell/window.ts'), 'noRestrictedImports'],
  ['electron/shell/planted.ts', imports('../cli/usage.ts'), 'noRestrictedImports'],
  ['renderer/planted.ts', imports('../electron/api/api.ts'), 'noRestrictedImports'],
  ['renderer/features/home/planted.ts', imports('node:path'), 'noRestrictedImports'],
  ['shared/model/planted.ts', imports('../../electron/api/api.ts'), 'noRestrictedImports'],
  ['shared/contract/planted.ts', imports('../../renderer/api/use-answer.ts'), 'noRestrictedImports'],
  ['electron/calls/planted.ts', 'export default function planted() {}\n', 'noDefaultExport'],
  ['electron/calls/planted.ts', imports('path'), 'useNodejsImportProtocol'],
  ['electron/calls/planted.ts', "console.log('planted');\n", 'noConsole'],
];

const allowed: [file: string, text: string][] = [
  ['electron/shell/planted.ts', imports('electron')],
  ['electron/upstream/planted.ts', imports('@modelcontextprotocol/client')],
  ['electron/server/planted.ts', imports('@modelcontextprotocol/server')],
  ['electron/calls/planted.ts', imports('../engine/index.ts')],
  ['electron/engine/planted.ts', imports('../../shared/model/errors.ts')],
  ['renderer/planted.ts', imports('../shared/contract/client.ts')],
  ['electron/clients/planted.ts', imports('../store/types.ts')],
  ['electron/cli/planted.ts', "console.log('printed');\n"],
];

// Two files that import each other.
const cycle: [file: string, text: string][] = [
  ['electron/calls/one.ts', "import { other } from './other.ts';\n\nexport const one = () => other;\n"],
  ['electron/calls/other.ts', "import { one } from './one.ts';\n\nexport const other = () => one;\n"],
];

/** The same folder, a file name of its own. */
const numbered = (file: string, set: string, index: number) => file.replace('planted', `${set}-${index}`);

/** What the linter reports, as `file: rule`. */
async function lint(directory: string): Promise<string[]> {
  const biome = path.join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const output = await new Promise<string>((resolve, reject) => {
    const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '.'];
    execFile(process.execPath, args, { cwd: directory }, (error, stdout) =>
      // It ends with 1 where it has something to report.
      error && error.code !== 1 ? reject(error) : resolve(stdout),
    );
  });
  return [...output.matchAll(/title=lint\/(?:\w+\/)?(\w+),file=([^,]+),/g)].map(
    ([, rule, file = '']) => `${path.relative(directory, file)}: ${rule}`,
  );
}

describe('the boundaries between folders', () => {
  let directory: string;
  let reports: string[];

  beforeAll(async () => {
    directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'boundaries-')));
    // The project's own rules, outside version control.
    const config = JSON.parse(await readFile(path.join(root, 'biome.json'), 'utf8'));
    const plants: [string, string][] = [
      ['biome.json', JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } })],
      ...broken.map(([file, text], index): [string, string] => [numbered(file, 'broken', index), text]),
      ...allowed.map(([file, text], index): [string, string] => [numbered(file, 'allowed', index), text]),
      ...cycle,
    ];
    for (const [file, text] of plants) {
      await mkdir(path.join(directory, path.dirname(file)), { recursive: true });
      await writeFile(path.join(directory, file), text);
    }
    reports = await lint(directory);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.each(broken.map((plant, index) => [...plant, index] as const))('%s may not: %s', (file, _text, rule, index) => {
    expect(reports).toContain(`${numbered(file, 'broken', index)}: ${rule}`);
  });

  it.each(allowed.map((plant, index) => [...plant, index] as const))('%s may: %s', (file, _text, index) => {
    expect(reports.filter((report) => report.startsWith(numbered(file, 'allowed', index)))).toEqual([]);
  });

  it('no two files import each other', () => {
    expect(reports).toContain('electron/calls/one.ts: noImportCycles');
  });
});
