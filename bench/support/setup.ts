/** Before any measurement: builds the programs that are measured, and makes the place for the big files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createBuilder } from 'vite';
import type { TestProject } from 'vitest/node';
import { repository } from '../../e2e/support/cli.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where generated files lie until the last measurement is over. */
    benchFiles: string;
  }
}

/**
 * With the product's own configuration, so that the engine is what is shipped. Rivals stay outside, in node_modules, and are
 * found there because the result lies there, too.
 */
async function buildPrograms(): Promise<void> {
  const builder = await createBuilder({
    configFile: path.join(repository, 'vite.config.ts'),
    logLevel: 'warn',
    environments: {
      bench: {
        consumer: 'server',
        keepProcessEnv: true,
        resolve: { external: true, conditions: ['node', 'import', 'module', 'default'] },
        build: {
          outDir: path.join(repository, 'node_modules', '.cache', 'bench'),
          emptyOutDir: true,
          copyPublicDir: false,
          target: 'node20',
          minify: false,
          rolldownOptions: {
            input: Object.fromEntries(
              ['in-process', 'naive-script', 'event-loop'].map((name) => [
                name,
                path.join(repository, 'bench', 'programs', `${name}.ts`),
              ]),
            ),
            platform: 'node',
            external: [...builtinModules, /^node:/],
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
  await buildPrograms();
  const directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-bench-'));
  provide('benchFiles', directory);
  return () => rm(directory, { recursive: true, force: true });
}
