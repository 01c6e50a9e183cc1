/** Before measuring: builds the measured programs and creates the directory for large files. */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createBuilder } from 'vite';
import type { TestProject } from 'vitest/node';
import { repository } from '../../e2e/support/cli.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Directory of generated files, until the last measurement has ended. */
    benchFiles: string;
    /** Directory of the built bench/programs. */
    benchPrograms: string;
  }
}

const programs = path.join(repository, 'bench', 'programs');

/** Imports of packages in bench/node_modules, which Vite does not resolve. */
async function rivals(): Promise<RegExp[]> {
  const manifest = JSON.parse(await readFile(path.join(repository, 'bench', 'package.json'), 'utf8'));
  return Object.keys(manifest.dependencies).map((name) => new RegExp(`^${name}(/|$)`));
}

/**
 * Uses the product's build configuration, so that the engine is the shipped one. Rivals stay outside in
 * bench/node_modules, where Node finds them because the output is there too.
 */
async function buildPrograms(outDir: string): Promise<void> {
  const builder = await createBuilder({
    configFile: path.join(repository, 'vite.config.ts'),
    logLevel: 'warn',
    environments: {
      bench: {
        consumer: 'server',
        keepProcessEnv: true,
        resolve: { external: true, conditions: ['node', 'import', 'module', 'default'] },
        build: {
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          target: 'node20',
          minify: false,
          rolldownOptions: {
            input: Object.fromEntries(
              (await readdir(programs)).map((file) => [path.parse(file).name, path.join(programs, file)]),
            ),
            platform: 'node',
            external: [...builtinModules, /^node:/, ...(await rivals())],
            output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
          },
        },
      },
    },
  });
  const { bench } = builder.environments;
  if (bench) await builder.build(bench);
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const cache = path.join(repository, 'bench', 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const directories = [
    await mkdtemp(path.join(cache, 'bench-')),
    await mkdtemp(path.join(os.tmpdir(), 'filebridge-bench-')),
  ] as const;
  const remove = async () => {
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  };
  const [built, files] = directories;
  try {
    await buildPrograms(built);
  } catch (error) {
    await remove();
    throw error;
  }
  provide('benchPrograms', built);
  provide('benchFiles', files);
  return remove;
}
