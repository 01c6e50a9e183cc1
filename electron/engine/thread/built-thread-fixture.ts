/** Builds the program of the threads for tests, as the product's build does: threads run no TypeScript. */
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Into a directory of the caller's. `entry` is a file beside this one. Gives the file to run. */
export async function buildThread(directory: string, entry = 'main.ts', format: 'cjs' | 'es' = 'cjs'): Promise<string> {
  const name = path.basename(entry, '.ts');
  const extension = format === 'es' ? 'mjs' : 'cjs';
  await build({
    configFile: false,
    root: here,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: path.join(here, entry),
      outDir: directory,
      emptyOutDir: false,
      target: 'node18',
      minify: false,
      rolldownOptions: {
        external: [...builtinModules, /^node:/],
        output: { format, entryFileNames: `${name}.${extension}`, chunkFileNames: `${name}-[name]-[hash].${extension}` },
      },
    },
  });
  return path.join(directory, `${name}.${extension}`);
}
