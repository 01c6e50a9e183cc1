/** Unit and integration tests run from source; end-to-end tests and benchmarks drive the built program from outside. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { kernels } from './electron/launch/kernels.mjs';

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
          // All cores: much of it waits for processes and files.
          maxWorkers: '100%',
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
          // Two on two cores; more than four would compete for the disk.
          maxWorkers: Math.max(2, Math.min(4, availableParallelism())),
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
          exclude: ['bench/fuzz-*.run.ts'],
          globalSetup: 'bench/support/setup.ts',
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
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
