/**
 * Vite plugin for what the engine has built for it: an import of an AssemblyScript file with `?kernel` gives its WebAssembly, as base64 in the
 * constant `wasm`; `virtual:o200k-vocabulary` gives the packed vocabulary, in the constant `packed`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packVocabulary } from './vocabulary.mjs';

const SUFFIX = '?kernel';
const VOCABULARY = 'virtual:o200k-vocabulary';
const root = fileURLToPath(new URL('../../', import.meta.url));
const cacheFolder = path.join(root, 'node_modules', '.cache', 'kernels');
const engine = path.join(root, 'electron', 'engine');

/** No garbage collector and no runtime checks: kernels work on memory that their host lays out. */
const options = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--use', 'abort='];

/** @type {string | undefined} */
let packed;

/** @type {Map<string, Promise<Buffer>>} */
const compiled = new Map();

/** Every AssemblyScript file, as a path below the engine's folder: kernels share some of them. */
const sources = () =>
  readdirSync(engine, { recursive: true })
    .filter((name) => path.basename(path.dirname(name)) === 'assembly' && name.endsWith('.ts'))
    .sort();

/** Name of what `file` compiles to: it changes with any AssemblyScript source, with the compiler and with its options. */
function fingerprint(file) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/assemblyscript/package.json'), 'utf8'));
  const hash = createHash('sha256').update(JSON.stringify([version, options, path.relative(engine, file)]));
  for (const name of sources()) hash.update(`${name}\n`).update(readFileSync(path.join(engine, name)));
  return hash.digest('hex').slice(0, 32);
}

async function compile(file) {
  const cached = path.join(cacheFolder, `${fingerprint(file)}.wasm`);
  try {
    return readFileSync(cached);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const { default: asc } = await import('assemblyscript/asc');
  /** @type {Uint8Array | undefined} */
  let binary;
  const { error, stderr } = await asc.main(
    [path.relative(engine, file), '--baseDir', engine, '--outFile', 'kernel.wasm', ...options],
    {
      writeFile(name, contents) {
        if (name === 'kernel.wasm') binary = contents;
      },
    },
  );
  if (error || !binary) throw new Error(`${file} does not compile:\n${stderr.toString()}`, { cause: error ?? undefined });
  mkdirSync(cacheFolder, { recursive: true });
  // Several builds may run at once: each sees a whole file or none.
  const unfinished = `${cached}.${process.pid}`;
  writeFileSync(unfinished, binary);
  renameSync(unfinished, cached);
  return Buffer.from(binary);
}

/** WebAssembly of an AssemblyScript file, compiled when any AssemblyScript source has changed. */
export function compileKernel(file) {
  const key = fingerprint(file) + file;
  const known = compiled.get(key) ?? compile(file);
  compiled.set(key, known);
  return known;
}

/** @returns {import('vite').Plugin} */
export function kernels() {
  return {
    name: 'kernels',
    enforce: 'pre',
    resolveId(id) {
      return id === VOCABULARY ? id : undefined;
    },
    async load(id) {
      if (id === VOCABULARY) {
        packed ??= packVocabulary(root);
        return { code: `export const packed = ${JSON.stringify(packed)};`, moduleType: 'js', map: null };
      }
      if (!id.endsWith(SUFFIX)) return undefined;
      const file = id.slice(0, -SUFFIX.length);
      for (const name of sources()) this.addWatchFile(path.join(engine, name));
      const wasm = await compileKernel(file);
      return { code: `export const wasm = ${JSON.stringify(wasm.toString('base64'))};`, moduleType: 'js', map: null };
    },
  };
}
