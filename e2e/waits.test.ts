/** Waits of a fixed time in tests are found, and waits for events are not. */
import { expect, it } from 'vitest';
import { fixedWaitLines } from '../.ci/waits.mjs';

it.each([
  'await new Promise((resolve) => setTimeout(resolve, 50));',
  'await new Promise<void>(resolve => setTimeout(resolve, 50));',
  'await new Promise((done) => { setTimeout(done, 50); });',
  'await new Promise((resolve) => setTimeout(() => resolve(), 50));',
  'await new Promise<void>((resolve) =>\n  setTimeout(resolve, 50),\n);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "import { setImmediate, setTimeout } from 'timers/promises';",
  'await page.waitForTimeout(50);',
])('finds %s', (wait) => {
  expect(fixedWaitLines(`const before = 1;\n${wait}\n`)).toEqual([2]);
});

it.each([
  'await until(() => lines.length > 0);',
  "await pause(50, 'the server is slow');",
  'await new Promise((resolve) => setTimeout(resolve, 0));',
  'const timer = setTimeout(() => abort.abort(), 50);',
  "import { setImmediate } from 'node:timers/promises';",
])('allows %s', (wait) => {
  expect(fixedWaitLines(wait)).toEqual([]);
});
