/** The table of rooms is enforced: the sources keep to it, each planted breach is reported, and its like in the right place is not. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breaches } from '../.ci/boundaries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const imports = (name: string) => `import { thing } from '${name}';\n\nexport const kept = thing;\n`;
const importsType = (name: string) => `import type { Thing } from '${name}';\n\nexport type Kept = Thing;\n`;

const broken: [file: string, text: string][] = [
  ['electron/server/planted.ts', imports('electron')],
  ['electron/api/planted.ts', imports('electron')],
  ['renderer/planted.ts', imports('electron')],
  ['electron/calls/planted.ts', imports('@modelcontextprotocol/client')],
  ['electron/api/planted.ts', imports('@modelcontextprotocol/server/stdio')],
  ['electron/shell/planted.ts', imports('@modelcontextprotocol/node')],
  ['electron/engine/planted.ts', imports('node:fs')],
  ['electron/engine/transform/planted.ts', imports('node:net')],
  ['electron/engine/planted.ts', imports('node:http')],
  ['electron/engine/planted.ts', imports('node:child_process')],
  ['electron/engine/planted.ts', imports('../files/types.ts')],
  ['electron/engine/transform/planted.ts', imports('../../calls/types.ts')],
  ['electron/engine/planted.ts', imports('../../shared/contract/contract.ts')],
  ['electron/files/planted.ts', imports('../calls/types.ts')],
  ['electron/upstream/planted.ts', imports('../server/http.ts')],
  ['electron/store/planted.ts', imports('../api/api.ts')],
  ['electron/calls/planted.ts', imports('../server/http.ts')],
  ['electron/server/planted.ts', imports('../api/api.ts')],
  ['electron/api/planted.ts', imports('../cli/usage.ts')],
  ['electron/engine/core/planted.ts', imports('../csv/csv-reader.ts')],
  ['electron/engine/json/planted.ts', imports('../convert/convert.ts')],
  ['electron/engine/newcomer/planted.ts', 'export const kept = 1;\n'],
  ['electron/wire/planted.ts', imports('../upstream/types.ts')],
  ['electron/binding/planted.ts', imports('../companions/companion-names.ts')],
  ['electron/server/planted.ts', imports('../companions/companion-tool.ts')],
  ['electron/app/planted.ts', imports('../api/api.ts')],
  ['electron/agent-apps/planted.ts', imports('../app/runtime.ts')],
  ['shared/lib/planted.ts', imports('../model/errors.ts')],
  ['electron/cli/planted.ts', imports('../shell/window.ts')],
  ['electron/shell/planted.ts', imports('../cli/usage.ts')],
  ['renderer/planted.ts', imports('../electron/api/api.ts')],
  ['renderer/features/home/planted.ts', imports('node:path')],
  ['renderer/features/home/planted.ts', imports('../preview/use-preview.ts')],
  ['renderer/ui/planted.ts', imports('../features/home/savings.tsx')],
  ['renderer/ui/planted.ts', imports('../app/app.tsx')],
  ['shared/model/planted.ts', imports('../../electron/api/api.ts')],
  ['shared/model/planted.ts', imports('../contract/contract.ts')],
  ['shared/contract/planted.ts', imports('../../renderer/api/use-client.ts')],
  // A room that the table does not know.
  ['electron/newcomer/planted.ts', imports('../api/api.ts')],
  ['renderer/features/newcomer/planted.ts', 'export const kept = 1;\n'],
  ['shared/planted.ts', 'export const kept = 1;\n'],
  // Every form of an import counts.
  ['electron/store/planted.ts', importsType('../api/api.ts')],
  ['electron/store/planted.ts', "export * from '../api/api.ts';\n"],
  ['electron/store/planted.ts', "export const later = () => import('../api/api.ts');\n"],
  ['electron/store/planted.ts', "export type Kept = import('../api/api.ts').Thing;\n"],
];

const allowed: [file: string, text: string][] = [
  ['electron/shell/planted.ts', imports('electron')],
  ['electron/upstream/planted.ts', imports('@modelcontextprotocol/client')],
  ['electron/server/planted.ts', imports('@modelcontextprotocol/server')],
  ['electron/calls/planted.ts', imports('../engine/index.ts')],
  ['electron/engine/planted.ts', imports('../../shared/model/errors.ts')],
  ['electron/api/planted.test.ts', imports('../cli/usage.ts')],
  ['renderer/planted.ts', imports('../shared/contract/rpc.ts')],
  ['renderer/features/home/planted.ts', imports('../../ui/page.tsx')],
];

/** Rules that the linter holds. */
const unlinted: [file: string, text: string, rule: string][] = [
  ['e2e/support/planted.ts', imports('electron'), 'noRestrictedImports'],
  ['electron/calls/planted.ts', 'export default function planted() {}\n', 'noDefaultExport'],
  ['electron/calls/planted.ts', imports('path'), 'useNodejsImportProtocol'],
  ['electron/calls/planted.ts', "console.log('planted');\n", 'noConsole'],
];

/** The same folder, with a file name for each plant. */
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

it('the sources, the table and the TypeScript references agree', () => {
  expect(breaches(root)).toEqual([]);
});

describe('a planted breach', () => {
  let directory: string;
  let found: string[];
  let reports: string[];

  const plant = async (file: string, text: string) => {
    await mkdir(path.join(directory, path.dirname(file)), { recursive: true });
    await writeFile(path.join(directory, file), text);
  };

  beforeAll(async () => {
    directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'boundaries-')));
    for (const [index, [file, text]] of broken.entries()) await plant(numbered(file, 'broken', index), text);
    for (const [index, [file, text]] of allowed.entries()) await plant(numbered(file, 'allowed', index), text);
    await plant('electron/calls/one.ts', "import { other } from './other.ts';\n\nexport const one = () => other;\n");
    await plant('electron/calls/other.ts', "import { one } from './one.ts';\n\nexport const other = () => one;\n");
    await plant('electron/store/one-type.ts', "import type { B } from './other-type.ts';\n\nexport type A = B | 1;\n");
    await plant('electron/store/other-type.ts', "import type { A } from './one-type.ts';\n\nexport type B = A[];\n");
    found = breaches(directory, { ofSourcesOnly: true });
    // The project's own rules, outside version control.
    const config = JSON.parse(await readFile(path.join(root, 'biome.json'), 'utf8'));
    await plant('biome.json', JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }));
    for (const [index, [file, text]] of unlinted.entries()) await plant(numbered(file, 'unlinted', index), text);
    reports = await lint(directory);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.each(broken.map((planted, index) => [...planted, index] as const))('in %s is reported: %s', (file, _text, index) => {
    const planted = numbered(file, 'broken', index);
    expect(found.filter((line) => line.startsWith(`${planted}: `))).toHaveLength(1);
  });

  it.each(allowed.map((planted, index) => [...planted, index] as const))('%s may: %s', (file, _text, index) => {
    expect(found.filter((line) => line.startsWith(numbered(file, 'allowed', index)))).toEqual([]);
  });

  it('is a circle of files too, of types alone included', () => {
    expect(found).toContain('electron/calls/one.ts: imports itself by way of electron/calls/other.ts');
    expect(found).toContain('electron/store/one-type.ts: imports itself by way of electron/store/other-type.ts');
  });

  it.each(unlinted.map((planted, index) => [...planted, index] as const))('in %s is linted: %s', (file, _text, rule, index) => {
    expect(reports).toContain(`${numbered(file, 'unlinted', index)}: ${rule}`);
  });
});
