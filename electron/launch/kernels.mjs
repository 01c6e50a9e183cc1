/**
 * Vite plugin for what the engine has built for it: an import of an AssemblyScript file with `?kernel` gives its WebAssembly, as base64 in the
 * constant `wasm`; `virtual:o200k-vocabulary` gives the packed vocabulary, and `virtual:sqlite-wasm` SQLite, in the constant `packed`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { installNpmPackages } from './set-up.mjs';
import { packVocabulary } from './vocabulary.mjs';

const SUFFIX = '?kernel';
const VOCABULARY = 'virtual:o200k-vocabulary';
const SQLITE = 'virtual:sqlite-wasm';
const SQLITE_PROGRAM = '@sqlite.org/sqlite-wasm/dist/node.mjs';
/** The highest takes two seconds for 2 % less. */
const BROTLI_QUALITY = 9;
const root = fileURLToPath(new URL('../../', import.meta.url));
const cacheFolder = path.join(root, 'node_modules', '.cache', 'kernels');
const engine = path.join(root, 'electron', 'engine');
/** The compiler takes 100 MB: it is a package apart, installed when a source has changed since `npm run kernels`. */
const compilerFolder = path.join(root, 'kernel-compiler');
/** What `npm run kernels` wrote. */
const compiledFile = path.join(engine, 'kernel', 'compiled.json');

/** No garbage collector and no runtime checks: kernels work on memory that their host lays out. */
const options = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--use', 'abort='];

/** @type {string | undefined} */
let packed;

/** @type {Map<string, Promise<Buffer>>} */
const compiled = new Map();

/** A path below the engine's folder, the same on every system. */
const nameOf = (file) => path.relative(engine, path.resolve(engine, file)).replaceAll(path.sep, '/');

/** Every AssemblyScript file, as a path below the engine's folder: kernels share some of them. */
const sources = () =>
  readdirSync(engine, { recursive: true })
    .map(nameOf)
    .filter((name) => path.posix.basename(path.posix.dirname(name)) === 'assembly' && name.endsWith('.ts'))
    .sort();

/** Changes with any AssemblyScript source, with the compiler and with its options. */
function fingerprint() {
  const { assemblyscript } = JSON.parse(readFileSync(path.join(compilerFolder, 'package.json'), 'utf8')).dependencies;
  const hash = createHash('sha256').update(JSON.stringify([assemblyscript, options]));
  for (const name of sources()) hash.update(`${name}\n`).update(readFileSync(path.join(engine, name)));
  return hash.digest('hex').slice(0, 32);
}

/** The WebAssembly that is checked in; undefined if it is of other sources than these. */
function checkedIn(name) {
  const { fingerprint: of, kernels: known } = JSON.parse(readFileSync(compiledFile, 'utf8'));
  return of === fingerprint() && known[name] !== undefined ? Buffer.from(known[name], 'base64') : undefined;
}

/** Compiles a source, named by its path below the engine's folder. */
async function compile(name) {
  if (!installNpmPackages(compilerFolder)) throw new Error(`The compiler of ${name} could not be installed`);
  const compiler = createRequire(path.join(compilerFolder, 'package.json')).resolve('assemblyscript/package.json');
  const { default: asc } = await import(pathToFileURL(path.join(path.dirname(compiler), 'dist', 'asc.js')).href);
  /** @type {Uint8Array | undefined} */
  let binary;
  const { error, stderr } = await asc.main([name, '--baseDir', engine, '--outFile', 'kernel.wasm', ...options], {
    writeFile(file, contents) {
      if (file === 'kernel.wasm') binary = contents;
    },
  });
  if (error || !binary) throw new Error(`${name} does not compile:\n${stderr.toString()}`, { cause: error ?? undefined });
  return Buffer.from(binary);
}

/** Compiles a source unless that was done before. */
async function cachedCompile(name) {
  const key = createHash('sha256').update(`${fingerprint()} ${name}`).digest('hex').slice(0, 32);
  const cached = path.join(cacheFolder, `${key}.wasm`);
  try {
    return readFileSync(cached);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const binary = await compile(name);
  mkdirSync(cacheFolder, { recursive: true });
  // Several builds may run at once: each sees a whole file or none.
  const unfinished = `${cached}.${process.pid}`;
  writeFileSync(unfinished, binary);
  renameSync(unfinished, cached);
  return binary;
}

/** The content of the checked-in file, compiled anew from the sources that some import asks for with `?kernel`. */
export async function compileAll() {
  const imports = readdirSync(engine, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .flatMap((name) =>
      [...readFileSync(path.join(engine, name), 'utf8').matchAll(/from '([^']+)\?kernel'/g)].map(([, file]) =>
        nameOf(path.join(path.dirname(name), file)),
      ),
    );
  const compiledKernels = {};
  for (const name of [...new Set(imports)].sort()) compiledKernels[name] = (await compile(name)).toString('base64');
  return `${JSON.stringify({ fingerprint: fingerprint(), kernels: compiledKernels }, null, 2)}\n`;
}

/** WebAssembly of an AssemblyScript file: as checked in, or compiled when any AssemblyScript source has changed since. */
function kernel(file) {
  const name = nameOf(file);
  const key = `${fingerprint()} ${name}`;
  const known = compiled.get(key) ?? Promise.resolve(checkedIn(name) ?? cachedCompile(name));
  compiled.set(key, known);
  return known;
}

/** @returns {import('vite').Plugin} */
export function kernels() {
  return {
    name: 'kernels',
    enforce: 'pre',
    resolveId(id) {
      return id === VOCABULARY || id === SQLITE ? id : undefined;
    },
    transform(code, id) {
      if (!id.replaceAll('\\', '/').endsWith(SQLITE_PROGRAM)) return undefined;
      // The command line runs programs that were compiled at the build, which cannot import while they run.
      const imported = 'await import("node:module")';
      if (!code.includes(imported)) throw new Error(`${SQLITE_PROGRAM} does not import as it did`);
      return {
        code: `import * as nodeModule from 'node:module';\n${code.replace(imported, 'nodeModule')}`,
        map: null,
      };
    },
    async load(id) {
      if (id === VOCABULARY) {
        packed ??= packVocabulary(root);
        return { code: `export const packed = ${JSON.stringify(packed)};`, moduleType: 'js', map: null };
      }
      if (id === SQLITE) {
        const wasm = readFileSync(createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'));
        const small = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
        return { code: `export const packed = ${JSON.stringify(small.toString('base64'))};`, moduleType: 'js', map: null };
      }
      if (!id.endsWith(SUFFIX)) return undefined;
      const file = id.slice(0, -SUFFIX.length);
      for (const name of sources()) this.addWatchFile(path.join(engine, name));
      const wasm = await kernel(file);
      return { code: `export const wasm = ${JSON.stringify(wasm.toString('base64'))};`, moduleType: 'js', map: null };
    },
  };
}

/** `npm run kernels`: compiles every kernel and writes the file that is checked in. */
if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(compiledFile, await compileAll());
}
