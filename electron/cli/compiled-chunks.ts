/** Runs a built program from its chunks, with V8 code caches if the Node that built them runs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { compiledKey } from './compiled-key.mjs';

/** Folder beside the chunks with V8's code caches, in a folder for each Node. Written by `electron/launch/compile-ahead.mjs`. */
export const COMPILED_FOLDER = 'compiled';

type Run = (exports: unknown, require: (id: string) => unknown, module: Module, filename: string, directory: string) => void;

interface Module {
  exports: unknown;
}

/** Runs `entry` of `directory` as a CommonJS program. Only the chunks beside it are loaded from there, all else by Node itself. */
export function runProgram(directory: string, entry: string): void {
  const node = createRequire(path.join(directory, entry));
  const loaded = new Map<string, Module>();
  const caches = path.join(directory, COMPILED_FOLDER, compiledKey());
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module: Module = { exports: {} };
    loaded.set(name, module);
    const filename = path.join(directory, name);
    // V8 knows its caches by the length of the code: only names that hash the content rule out another content of that length.
    const cache = name === entry ? undefined : cacheOf(caches, name);
    compile(filename, cache)(module.exports, require, module, filename, directory);
    return module.exports;
  };
  const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : node(id));
  load(entry);
}

/** V8 refuses a cache of other code, and compiles the text. */
function compile(filename: string, cachedData: Buffer | undefined): Run {
  const text = readFileSync(filename, 'utf8');
  const code = `(function (exports, require, module, __filename, __dirname) {${text.startsWith('#!') ? `//${text}` : text}\n})`;
  // Called through the module object, so that the build can intercept it.
  return new vm.Script(code, { filename, ...(cachedData ? { cachedData } : {}) }).runInThisContext() as Run;
}

function cacheOf(caches: string, name: string): Buffer | undefined {
  try {
    return readFileSync(path.join(caches, `${name}.bin`));
  } catch {
    // Rarely used, or built where nothing could be run.
    return undefined;
  }
}
