/**
 * `npm test`: installs what is missing, then runs every check in turn, all of them even when one fails, and ends with one sentence.
 * `npm run test:slow` runs the slow tests instead, and all inputs of the property tests; `npm run test:all` runs both.
 *
 * A test that fails is run once more, its file alone, after everything else: if it passes then, it is named as unstable, and the run is
 * green. STRICT=1 repeats nothing.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installNpmPackages, installSystemPackages, testFolders, testPackages } from '../electron/launch/set-up.mjs';
import { createTestRuns, run } from './test-runs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const script = (...names) => [process.execPath, path.join(root, ...names)];

/** What no check takes: a test that never gives way cannot be ended by its own limit. Milliseconds. */
const HANGS_MS = { fast: 3 * 3_600_000, slow: 6 * 3_600_000 };

const build = { name: 'build', command: script('electron', 'launch', 'build.mjs') };
const unitTests = { name: 'unit tests', project: 'unit*' };
const endToEndTests = { name: 'end-to-end tests', project: 'e2e', needsPackages: true };
const layers = {
  fast: [
    { name: 'types', command: [bin('tsc'), '-b'] },
    { name: 'lint', command: [bin('biome'), 'ci'] },
    { name: 'boundaries', command: script('.ci', 'boundaries.mjs') },
    { name: 'waits in tests', command: script('.ci', 'waits.mjs') },
    { name: 'unused code', command: [bin('knip')] },
    unitTests,
    // Built once: no test builds or changes it.
    build,
    endToEndTests,
  ],
  slow: [
    build,
    // Property tests import this file for the number of their inputs.
    {
      ...unitTests,
      name: 'property tests in full',
      args: ['related', 'shared/lib/fixtures/property-runs.ts', '--run'],
      env: { PROPERTY_RUNS: '1' },
    },
    // Every page in Electron and in a browser, every kind of client.
    { ...endToEndTests, name: 'end-to-end tests in full', env: { MATRIX: 'all' } },
    { name: 'slow tests', project: 'slow', needsPackages: true, env: { MATRIX: 'all' } },
  ],
};

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : ['fast'];
const checks = [...new Set(names.flatMap((layer) => layers[layer]))];
const limitMs = names.includes('slow') ? HANGS_MS.slow : HANGS_MS.fast;

const say = (line) => process.stdout.write(`${line}\n`);
const started = Date.now();

if (!['.', ...testFolders].every((folder) => installNpmPackages(path.join(root, folder)))) {
  say('The npm packages could not be installed: see the messages above, then run npm install.');
  process.exit(1);
}
const hasPackages = installSystemPackages(root, testPackages);

const tests = createTestRuns({ cwd: root, limitMs, strict: process.env.STRICT === '1' });
const failed = [];
for (const check of checks) {
  say(`\n── ${check.name}`);
  if (check.needsPackages && !hasPackages) {
    say('Not run: this machine lacks Debian packages, named above with the command that installs them.');
    failed.push(`${check.name} (not run)`);
  } else if (check.project) {
    tests.run(check);
  } else if (!run(check.command, { cwd: root, limitMs })) {
    failed.push(check.name);
  }
}
tests.repeat();
const { passedTests, failedTests, unstableTests, failedChecks } = tests.results;
failed.push(...failedChecks);

const seconds = Math.round((Date.now() - started) / 1000);
say('');
for (const test of failedTests) say(`failed: ${test}`);
for (const test of unstableTests) say(`unstable: ${test}`);
const count = (number, word) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
const also = unstableTests.length > 0 ? `, ${count(unstableTests.length, 'unstable test')} named above` : '';
say(
  failed.length === 0
    ? `All ${checks.length} checks passed, with ${count(passedTests, 'test')}, in ${seconds} s${also}.`
    : `${failed.length} of ${checks.length} checks failed in ${seconds} s: ${failed.join(', ')}${also}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
