/** Unit and integration tests run from source; end-to-end tests and benchmarks drive the built program from outside. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { kernels } from './electron/launch/kernels.mjs';

/** One more than there are cores: much of the tests waits for processes and files. */
const workers = availableParallelism() + 1;

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [kernels()],
        test: {
          name: 'unit',
          include: ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          maxWorkers: workers,
        },
      },
      {
        plugins: [kernels()],
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // A loaded machine may take its time to show what it will show.
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: Math.min(5, workers),
          globalSetup: 'e2e/support/screens.ts',
          setupFiles: 'e2e/support/own-screen.ts',
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
