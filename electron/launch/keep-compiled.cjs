/** Preloaded by `compile-ahead.mjs`: when the program ends, keeps V8's code cache of every chunk it ran, with all functions it used. */
const { mkdirSync, statSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const folder = process.env.FILEBRIDGE_KEEP_COMPILED;
/** Its name does not change with its content. */
const ENTRY = 'cli.cjs';
const scripts = [];

/** The name of a chunk of the program; undefined for what is made up while it runs. */
const chunkOf = (options) => {
  const file = options?.filename;
  return file !== undefined && path.dirname(file) === path.dirname(path.dirname(folder)) ? path.basename(file) : undefined;
};

vm.Script = class extends vm.Script {
  constructor(code, options) {
    // A chunk is compiled anew: what a cache holds already would not be in the next one.
    const name = chunkOf(options);
    super(code, name === undefined ? options : { ...options, cachedData: undefined });
    if (name !== undefined && name !== ENTRY) scripts.push({ script: this, name });
  }
};

process.on('exit', () => {
  mkdirSync(folder, { recursive: true });
  for (const { script, name } of scripts) {
    const file = path.join(folder, `${name}.bin`);
    const cache = script.createCachedData();
    // Of several runs, the one that used more of it.
    if (cache.length > (statSync(file, { throwIfNoEntry: false })?.size ?? 0)) writeFileSync(file, cache);
  }
});
