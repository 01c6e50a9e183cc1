/** Unit and integration tests run from source; end-to-end tests and benchmarks drive the built program from outside. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { testReport } from './.ci/test-report.ts';
import { kernels } from './electron/launch/kernels.mjs';
import { limits } from './shared/lib/fixtures/limits.ts';

/** One more than there are cores: much of the tests waits for processes and files. */
const workers = availableParallelism() + 1;

/** Tests that take minutes or load the machine: one file after the other, by `npm run test:slow`. */
const slow = '**/*.slow.test.ts';
const engineThread = 'electron/engine/thread/fixtures/engine-thread.ts';
const ownPorts = 'shared/lib/fixtures/own-ports.ts';

/** Unit tests that replace modules, which others in their worker would get too. */
const replacing = ['shared', 'electron', 'renderer'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8'))),
);

const unit = {
  exclude: [slow],
  globalSetup: engineThread,
  setupFiles: ownPorts,
  testTimeout: limits.unitTest,
  hookTimeout: limits.unitTest,
  expect: { poll: { timeout: limits.wait } },
  maxWorkers: workers,
};

const report = process.env.FILEBRIDGE_TEST_REPORT;

export default defineConfig({
  test: {
    reporters: ['default', ...(report === undefined ? [] : [testReport(report)])],
    projects: [
      {
        plugins: [kernels()],
        test: {
          ...unit,
          name: 'unit',
          include: ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}'],
          exclude: [slow, ...replacing],
          // Files in a worker share the modules that they import, which takes a third of the time otherwise.
          isolate: false,
        },
      },
      {
        plugins: [kernels()],
        test: {
          ...unit,
          name: 'unit-apart',
          include: replacing,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [slow, '**/node_modules/**'],
          testTimeout: limits.endToEndTest,
          hookTimeout: limits.endToEndTest,
          expect: { poll: { timeout: limits.wait } },
          maxWorkers: Math.min(5, workers),
          // They drive programs from outside, and share no state with each other but the clients that they import.
          isolate: false,
          globalSetup: 'e2e/support/screens.ts',
          setupFiles: [ownPorts, 'e2e/support/own-screen.ts'],
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'slow',
          include: [slow],
          exclude: ['**/node_modules/**'],
          testTimeout: limits.slowTest,
          hookTimeout: limits.slowTest,
          expect: { poll: { timeout: limits.wait } },
          fileParallelism: false,
          globalSetup: [engineThread, 'e2e/support/screens.ts'],
          setupFiles: [ownPorts, 'e2e/support/own-screen.ts'],
        },
      },
      {
        test: {
          name: 'screenshots',
          include: ['docs/screenshots/*.run.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'bench',
          include: ['bench/**/*.run.ts'],
          exclude: ['bench/fuzz-*.run.ts', 'bench/catalogue.run.ts'],
          globalSetup: 'bench/support/setup.ts',
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'catalogue',
          include: ['bench/catalogue.run.ts'],
          testTimeout: 240_000,
          maxConcurrency: 2,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'fuzz',
          include: ['bench/fuzz-*.run.ts'],
        },
      },
    ],
  },
});
