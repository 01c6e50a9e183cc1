import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMPILED_FOLDER, runProgram } from './compiled-chunks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'filebridge-chunks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const heard = globalThis as { heard?: unknown };
const write = (name: string, code: string) => writeFileSync(path.join(folder, name), code);
const cache = (name: string, data: Buffer) => {
  mkdirSync(path.join(folder, COMPILED_FOLDER), { recursive: true });
  writeFileSync(path.join(folder, COMPILED_FOLDER, `${name}.bin`), data);
};

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
