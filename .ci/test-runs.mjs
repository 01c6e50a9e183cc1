/**
 * Runs tests with Vitest, and those that failed once more at the end, each file alone. What passes then is unstable: a defect of the test or
 * of the product, but no reason to lose the change that happened to meet it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Runs a command on this terminal; whether it ended with 0. One that runs longer than `limitMs` hangs and is killed. */
export function run([program, ...args], { cwd, env = {}, limitMs }) {
  const { status, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  if (error) process.stdout.write(`${program} did not run to its end: ${error.message}\n`);
  return status === 0;
}

/** Runs Vitest. Its results are those of `test-report.ts`; without any, it ended before it wrote them. */
function vitest(args, { cwd, env, limitMs }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'filebridge-report-'));
  const report = path.join(folder, 'report.json');
  try {
    const program = path.join(cwd, 'node_modules', '.bin', 'vitest');
    const passed = run([program, ...args], { cwd, env: { ...env, FILEBRIDGE_TEST_REPORT: report }, limitMs });
    const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
    return { passed, ...(results ?? { passedTests: 0, failedTests: [], complete: false }) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `args` come before the project; `strict` repeats nothing. */
export function createTestRuns({ cwd, limitMs, strict }) {
  const results = { passedTests: 0, failedTests: [], unstableTests: [], failedChecks: [] };
  const repeats = [];
  const fail = (name, tests) => {
    results.failedChecks.push(name);
    results.failedTests.push(...tests);
  };
  return {
    results,
    run({ name, project, args = ['run'], env }) {
      const first = vitest([...args, '--project', project], { cwd, env, limitMs });
      results.passedTests += first.passedTests;
      if (first.passed) return;
      const canRepeat = !strict && first.complete && first.failedTests.length > 0;
      if (canRepeat) repeats.push({ name, project, env, failed: first.failedTests });
      else fail(name, first.failedTests);
    },
    /** Call it after everything else. */
    repeat() {
      for (const { name, project, env, failed } of repeats.splice(0)) {
        process.stdout.write(`\n── ${name}: what failed, once more\n`);
        const files = [...new Set(failed.map((test) => test.split(' › ', 1)[0]))];
        const again = vitest(['run', '--project', project, '--no-file-parallelism', ...files], { cwd, env, limitMs });
        const red = again.passed ? [] : failed.filter((test) => !again.complete || again.failedTests.includes(test));
        results.unstableTests.push(...new Set([...failed, ...again.failedTests].filter((test) => !red.includes(test))));
        results.passedTests += failed.length - red.length;
        if (red.length > 0) fail(name, red);
      }
    },
  };
}
