/**
 * `npm run lint`: finds, in tests and their support, waits of a fixed time and limits of their own. The former make tests slow on one machine
 * and flaky on another; the latter fail on a machine slower than their author's. `until`, `eventually` and `expect.poll` wait for an event, as
 * long as `shared/lib/fixtures/limits.ts` says; `pause`, which takes a reason, is for tests whose subject is time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const helpers = 'shared/lib/fixtures';
/** Helpers that the rules send to, and the test of this check. */
const exempt = [
  `${helpers}/waiting.ts`,
  `${helpers}/eventually.ts`,
  'renderer/ui/fixtures/testing-library.ts',
  'e2e/waits.test.ts',
];
/** Tests and their support, by path below the root. */
const isForTests = (file) => /\.tsx?$/.test(file) && /\.test\.tsx?$|^e2e\/|\/fixtures\//.test(file);

function* filesIn(folder) {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesIn(file);
    else if (entry.isFile()) yield file;
  }
}

const FIXED = `waits for a fixed time: wait for an event, or use pause() of ${helpers}/waiting.ts and say why`;
const OWN_LIMIT = `has a limit of its own: leave it out, or take it from ${helpers}/limits.ts`;
const rules = [
  // `new Promise((resolve) => setTimeout(resolve, 100))`, also with a type, braces or an arrow in between. With 0, it gives way to others.
  [
    /new Promise(?:<[^>]*>)?\(\s*\(?\s*(\w+)\s*\)?\s*=>\s*(?:\{\s*)?setTimeout\(\s*(?:\1|\(\)\s*=>\s*\1\(\))\s*,(?!\s*0\s*\))/g,
    FIXED,
  ],
  [/import\s*\{[^}]*\bsetTimeout\b[^}]*\}\s*from\s*'(?:node:)?timers\/promises'/g, FIXED],
  [/\.waitForTimeout\(/g, FIXED],
  // Both wait for a second where nothing is said.
  [/\bvi\.wait(?:For|Until)\(/g, `waits by Vitest's own limit: use eventually() of ${helpers}/eventually.ts`],
  [/from '@testing-library\/(?:react|dom)'/g, 'waits by its own limit: import from renderer/ui/fixtures/testing-library.ts'],
  [/[{,]\s*(?:timeout|deadlineMs):\s*\d/g, OWN_LIMIT],
  [/\.set(?:Default|DefaultNavigation)Timeout\(\s*\d/g, OWN_LIMIT],
  // What is absent may be looked for once; what is there may come a moment later.
  [
    /(?<!\.)\bexpect\(\s*await (?:(?!\bexpect\()[^;])*?\.(?:count|is(?:Visible|Checked|Disabled|Enabled)|textContent|inputValue|getAttribute)\([^()]*\)\s*,?\s*\)(?!\.(?:toBe\((?:0|false)\)|not\.))/g,
    'looks at the page once: use expect.poll()',
  ],
  // `}, 60_000);` after a test.
  [/^\s*\},\s*\d{2,}_\d{3},?\s*\);?$/gm, OWN_LIMIT],
];

/** The lines of a file's text, from 1, that break a rule, each with what is wrong. */
export function waitsIn(text) {
  const found = rules.flatMap(([pattern, advice]) => [...text.matchAll(pattern)].map(({ index }) => ({ index, advice })));
  const lineOf = (index) => text.slice(0, index).split('\n').length;
  return found.sort((one, other) => one.index - other.index).map(({ index, advice }) => ({ line: lineOf(index), advice }));
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const files = ['electron', 'e2e', 'renderer', 'shared'].flatMap((folder) => [...filesIn(folder)].filter(isForTests));
  const found = files
    .filter((file) => !exempt.includes(file))
    .flatMap((file) =>
      waitsIn(readFileSync(path.join(root, file), 'utf8')).map(({ line, advice }) => `${file}:${line} ${advice}`),
    );
  for (const each of found) process.stdout.write(`${each}\n`);
  if (found.length > 0) process.exitCode = 1;
}
