/**
 * `npm run lint`: finds waits of a fixed time in tests and their support. They make tests slow on one machine and flaky on another. `until` and
 * `expect.poll` wait for an event; `pause`, which takes a reason, is for tests whose subject is time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const helper = 'shared/lib/fixtures/waiting.ts';
/** The helper, and the test of this check. */
const exempt = [helper, 'e2e/waits.test.ts'];
/** Tests and their support, by path below the root. */
const isForTests = (file) => /\.tsx?$/.test(file) && /\.test\.tsx?$|^e2e\/|\/fixtures\//.test(file);

function* filesIn(folder) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesIn(file);
    else if (entry.isFile()) yield file;
  }
}

const fixedWaits = [
  // `new Promise((resolve) => setTimeout(resolve, 100))`, also with a type, braces or an arrow in between. With 0, it gives way to others.
  /new Promise(?:<[^>]*>)?\(\s*\(?\s*(\w+)\s*\)?\s*=>\s*(?:\{\s*)?setTimeout\(\s*(?:\1|\(\)\s*=>\s*\1\(\))\s*,(?!\s*0\s*\))/g,
  /import\s*\{[^}]*\bsetTimeout\b[^}]*\}\s*from\s*'(?:node:)?timers\/promises'/g,
  /\.waitForTimeout\(/g,
];

/** The lines of a file's text, from 1, with waits of a fixed time. */
export function fixedWaitLines(text) {
  const at = fixedWaits.flatMap((pattern) => [...text.matchAll(pattern)].map(({ index }) => index));
  return at.sort((one, other) => one - other).map((index) => text.slice(0, index).split('\n').length);
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const files = ['electron', 'e2e', 'renderer', 'shared'].flatMap((folder) => [...filesIn(folder)].filter(isForTests));
  const found = files
    .filter((file) => !exempt.includes(file))
    .flatMap((file) => fixedWaitLines(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}:${line}`));
  for (const place of found) {
    process.stdout.write(`${place} waits for a fixed time: wait for an event, or use pause() of ${helper} and say why\n`);
  }
  if (found.length > 0) process.exitCode = 1;
}
