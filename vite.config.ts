/** One build, five products: the command line, Electron's main process, its preload script, the worker threads, and the pages. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions } from 'vite';
import { kernels } from './electron/launch/kernels.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
/** Another place than `dist` lets a second build go on beside a running program. */
const dist = path.resolve(root, process.env.FILEBRIDGE_DIST || 'dist');
// The build empties this folder first.
if (`${path.resolve(root)}${path.sep}`.startsWith(path.join(dist, path.sep))) {
  throw new Error(`FILEBRIDGE_DIST must not be '${dist}', which holds the sources`);
}

interface NodeBundle {
  /** Source files by the name of the file that is built of each; what they share is built once. */
  entries: Readonly<Record<string, string>>;
  format: 'cjs';
  /** `cjs` if absent. */
  extension?: 'js';
  target: string;
  /** First line of the entry files. */
  firstLine?: string;
  /** A sandboxed preload script may load no second file. */
  singleFile?: boolean;
}

/**
 * Code that runs in Node or in Electron, bundled with its dependencies. Chunks lie flat beside the entry,
 * so that every file's own folder is `dist`.
 */
function nodeBundle({ entries, format, target, firstLine, singleFile, extension = 'cjs' }: NodeBundle): EnvironmentOptions {
  const [family] = Object.keys(entries);
  return {
    consumer: 'server',
    keepProcessEnv: true,
    resolve: { noExternal: true, conditions: ['node', 'import', 'module', 'default'], mainFields: ['module', 'main'] },
    build: {
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      target,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(root, file)])),
        platform: 'node',
        external: ['electron', ...builtinModules, /^node:/],
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `${family}-[name]-[hash].${extension}`,
          banner: (chunk) => (chunk.isEntry && firstLine ? firstLine : ''),
          ...(singleFile ? { codeSplitting: false } : {}),
        },
      },
    },
  };
}

export default defineConfig({
  root: path.join(root, 'renderer'),
  base: './',
  plugins: [react({ jsxImportSource: '#visible' }), kernels()],
  environments: {
    client: {
      build: {
        outDir: path.join(dist, 'renderer'),
        emptyOutDir: true,
        target: 'chrome114',
        cssTarget: 'chrome114',
        modulePreload: { polyfill: false },
        // The page comes from this computer: one file is as quick as many.
        chunkSizeWarningLimit: 2000,
        // Data URLs would need a wider content security policy.
        assetsInlineLimit: 0,
      },
    },
    start: nodeBundle({
      entries: { cli: 'electron/cli/start.ts' },
      // Node reads a module of the other kind with its threads for files, whose number is fixed by that.
      format: 'cjs',
      extension: 'js',
      target: 'node20',
      firstLine: '#!/usr/bin/env node',
      singleFile: true,
    }),
    main: nodeBundle({
      // The command line, which `cli.js` starts and the Node inside Electron runs as it is, and the program of worker threads: packed
      // together they share all but their entries.
      entries: {
        main: 'electron/shell/main.ts',
        cli: 'electron/cli/main.ts',
        'engine-thread': 'electron/files/worker.ts',
      },
      format: 'cjs',
      target: 'node18',
      // Before anything uses them: threads for files, of which a disk that does not answer may hold some; and the global Web Crypto, which
      // the MCP SDK uses and Node 18 has only behind a flag.
      firstLine: "process.env.UV_THREADPOOL_SIZE ??= '32'; globalThis.crypto ??= require('node:crypto').webcrypto;",
    }),
    preload: nodeBundle({
      entries: { preload: 'electron/shell/preload.ts' },
      format: 'cjs',
      target: 'node18',
      singleFile: true,
    }),
  },
  builder: {
    async buildApp(builder) {
      rmSync(dist, { recursive: true, force: true });
      for (const environment of Object.values(builder.environments)) {
        if (environment.name !== 'ssr') await builder.build(environment);
      }
      // What ends with .js here is CommonJS, in a package whose sources are not.
      writeFileSync(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
      // The system reads these by path: the tray's, and the window's own where no installer has given it one.
      cpSync(path.join(root, 'electron/shell/icons'), path.join(dist, 'icons'), {
        recursive: true,
        filter: (file) => !file.endsWith('.svg'),
      });
      cpSync(path.join(root, 'electron/package/icons/linux/256x256.png'), path.join(dist, 'icons', 'window.png'));
    },
  },
});
