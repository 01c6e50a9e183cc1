/** What `npm test` does with tests that fail: red where they fail twice, green and named where they pass alone. */
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestRuns } from '../.ci/test-runs.mjs';
import { limits } from '../shared/lib/fixtures/limits.ts';
import { openWorkspace, repository, type Workspace } from './support/cli.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
  await symlink(path.join(repository, 'node_modules'), workspace.at('node_modules'));
  await workspace.file('package.json', '{"type":"module"}');
  const report = JSON.stringify(path.join(repository, '.ci', 'test-report.ts'));
  await workspace.file(
    'vitest.config.ts',
    `import { testReport } from ${report};
     const reporters = [testReport(process.env.FILEBRIDGE_TEST_REPORT ?? '')];
     const planted = { name: 'planted', include: ['*.test.ts'], testTimeout: 500 };
     export default { test: { reporters, projects: [{ test: planted }] } };`,
  );
});
afterEach(() => workspace.remove());

/** Runs test files, by name and the text of their only test, beside one that passes. */
async function results(tests: Record<string, string>, { strict = false } = {}) {
  const imports = `import { existsSync, writeFileSync } from 'node:fs'; import { beforeAll, expect, it } from 'vitest';`;
  for (const [name, body] of Object.entries({ good: '', ...tests })) {
    const text = [imports, body.includes('it(') ? body : `it('${name}', async () => { ${body} });`];
    await workspace.file(`${name}.test.ts`, text.join('\n'));
  }
  const runs = createTestRuns({ cwd: workspace.root, limitMs: limits.endToEndTest, strict });
  runs.run({ name: 'planted tests', project: 'planted' });
  runs.repeat();
  return runs.results;
}

/** Fails when it is run for the first time. */
const moody = `if (!existsSync('run')) { writeFileSync('run', ''); expect(1).toBe(2); }`;

it('is green where what fails at first passes alone, and names it', async () => {
  expect(await results({ moody })).toEqual({
    passedTests: 2,
    failedTests: [],
    unstableTests: ['moody.test.ts › moody'],
    failedChecks: [],
  });
});

it('is red for what fails for good, hangs, or fails outside a test', async () => {
  const { failedTests, ...rest } = await results({
    moody,
    wrong: 'expect(1).toBe(2)',
    endless: 'await new Promise(() => {})',
    hook: `beforeAll(() => { throw new Error('no'); }); it('never runs', () => {});`,
    missing: `import './nowhere.ts'; it('never runs', () => {});`,
    rejection: `void Promise.reject(new Error('no'));`,
  });
  expect(failedTests.sort()).toEqual([
    'endless.test.ts › endless',
    'hook.test.ts › (the whole file)',
    'missing.test.ts › (the whole file)',
    'rejection.test.ts › (an unhandled error)',
    'wrong.test.ts › wrong',
  ]);
  expect(rest).toEqual({ passedTests: 3, unstableTests: ['moody.test.ts › moody'], failedChecks: ['planted tests'] });
});

it('repeats nothing where it is strict', async () => {
  expect(await results({ moody }, { strict: true })).toEqual({
    passedTests: 1,
    failedTests: ['moody.test.ts › moody'],
    unstableTests: [],
    failedChecks: ['planted tests'],
  });
});

it('is red where Vitest itself ends early', async () => {
  await workspace.file('vitest.config.ts', 'throw new Error("no configuration");');
  expect((await results({})).failedChecks).toEqual(['planted tests']);
});
