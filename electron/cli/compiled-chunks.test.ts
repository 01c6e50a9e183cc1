import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMPILED_FOLDER, runProgram } from './compiled-chunks.ts';
import { compiledKey } from './compiled-key.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'filebridge-chunks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const heard = globalThis as { heard?: unknown };
const write = (name: string, code: string) => writeFileSync(path.join(folder, name), code);
const cache = (name: string, data: Buffer, key = compiledKey()) => {
  mkdirSync(path.join(folder, COMPILED_FOLDER, key), { recursive: true });
  writeFileSync(path.join(folder, COMPILED_FOLDER, key, `${name}.bin`), data);
};
/** What V8 makes of a chunk's text, as the program wraps it. */
const compiled = (code: string) =>
  new vm.Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`).createCachedData();

it('runs chunks that need one another, each once, and finds what Node brings', () => {
  write(
    'main.cjs',
    '#!/usr/bin/env node\nconst a = require("./a.cjs"); const b = require("./b.cjs");\nglobalThis.heard = [a.name, b.names(), require("node:path").basename(__filename), __dirname]',
  );
  write(
    'a.cjs',
    'globalThis.runs = (globalThis.runs ?? 0) + 1; const b = require("./b.cjs"); exports.name = "a" + globalThis.runs;',
  );
  write('b.cjs', 'const a = require("./a.cjs"); exports.names = () => a.name + "b";');
  runProgram(folder, 'main.cjs');
  expect(heard.heard).toEqual(['a1', 'a1b', 'main.cjs', folder]);
});

it('runs the code itself where the cache is broken or of other code', () => {
  write('main.cjs', 'require("./a.cjs"); require("./b.cjs");');
  write('a.cjs', 'globalThis.heard = "a";');
  write('b.cjs', 'globalThis.heard += "b";');
  cache('a.cjs', Buffer.from('not of V8'));
  cache('b.cjs', new vm.Script('globalThis.heard = "another program of another length"').createCachedData());
  runProgram(folder, 'main.cjs');
  expect(heard.heard).toBe('ab');
});

it('takes the caches of this very Node, and of no other', () => {
  // V8 compares only lengths: another code of this length shows which of the two ran.
  const [text, other] = ['globalThis.heard = "text";', 'globalThis.heard = "kept";'];
  write('main.cjs', 'require("./a.cjs");');
  write('a.cjs', text);
  cache('a.cjs', compiled(other));
  runProgram(folder, 'main.cjs');
  expect(heard.heard).toBe('kept');
  rmSync(path.join(folder, COMPILED_FOLDER), { recursive: true });
  cache('a.cjs', compiled(other), compiledKey().replace(process.version, 'v20.0.0'));
  cache('a.cjs', compiled(other), '.');
  runProgram(folder, 'main.cjs');
  expect(heard.heard).toBe('text');
});

it('says where an error stands in the chunk', () => {
  write('main.cjs', 'require("./a.cjs")');
  write('a.cjs', '\n\nthrow new Error("here")');
  const error = (() => {
    try {
      runProgram(folder, 'main.cjs');
    } catch (thrown) {
      return thrown as Error;
    }
    return expect.fail('was expected to fail');
  })();
  expect(error.stack).toContain(`${path.join(folder, 'a.cjs')}:3:`);
});
