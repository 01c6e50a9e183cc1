/** What contributors rely on: the files and commands that CONTRIBUTING.md names, the editor's settings, and the public checks. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from './support/cli.ts';

const text = (file: string) => readFile(path.join(repository, file), 'utf8');
const scripts = async (): Promise<string[]> => Object.keys(JSON.parse(await text('package.json')).scripts);
const npmScripts = (shell: string) => [...shell.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);

describe('CONTRIBUTING.md', () => {
  it('names files that exist, in every recipe', async () => {
    const [, ...recipes] = (await text('CONTRIBUTING.md')).split(/^### /m);
    expect(recipes.map((recipe) => recipe.split('\n', 1)[0])).toEqual([
      'Add a format',
      'Add a tool',
      'Add a page',
      'Add an upstream transport',
      'Add a language',
    ]);
    for (const recipe of recipes) {
      const places = [...recipe.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, place = '']) => place);
      expect(places.length, recipe).toBeGreaterThan(4);
      for (const place of places) expect(existsSync(path.join(repository, place)), place).toBe(true);
    }
  });

  it('names commands that exist', async () => {
    const known = await scripts();
    for (const file of ['CONTRIBUTING.md', 'README.md', '.github/pull_request_template.md']) {
      for (const name of npmScripts(await text(file))) expect(known, `${name} in ${file}`).toContain(name);
    }
  });

  it('leads to files that exist', async () => {
    for (const [, link = ''] of (await text('CONTRIBUTING.md')).matchAll(/\]\(([^)#:]+)\)/g)) {
      expect(existsSync(path.join(repository, link)), link).toBe(true);
    }
  });
});

it('what the editor starts is there', async () => {
  const { configurations } = JSON.parse(await text('.vscode/launch.json')) as {
    configurations: { program?: string; runtimeArgs?: string[] }[];
  };
  const known = await scripts();
  for (const { program, runtimeArgs } of configurations) {
    if (program) expect(existsSync(program.replace('${workspaceFolder}', repository)), program).toBe(true);
    if (runtimeArgs) expect(known).toContain(runtimeArgs[1]);
  }
});

const step = z.union([
  z.strictObject({
    uses: z.string().regex(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, 'actions are pinned by their full commit hash'),
    with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
  z.strictObject({ run: z.string() }),
]);
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({ contents: z.literal('read') }),
  jobs: z.record(
    z.string(),
    z.strictObject({
      name: z.string(),
      'runs-on': z.string(),
      'timeout-minutes': z.int(),
      strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(z.string())) }).optional(),
      steps: z.array(step),
    }),
  ),
});

describe('the public checks', async () => {
  const files = await readdir(path.join(repository, '.github', 'workflows'));

  it.each(files)('%s pins its actions, may only read, and runs commands that exist', async (file) => {
    const { jobs } = workflow.parse(parse(await text(`.github/workflows/${file}`)));
    const known = await scripts();
    for (const { steps } of Object.values(jobs)) {
      for (const each of steps) {
        if ('run' in each) for (const name of npmScripts(each.run)) expect(known).toContain(name);
      }
    }
  });

  it('run on Linux, macOS and Windows', async () => {
    const all = (await Promise.all(files.map((file) => text(`.github/workflows/${file}`)))).join('\n');
    for (const system of ['ubuntu', 'macos', 'windows']) expect(all).toMatch(new RegExp(`\\b${system}-[\\d.]+`));
  });
});
