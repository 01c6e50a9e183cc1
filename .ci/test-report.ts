/** A Vitest reporter that writes a run's results to a file, for `checks.mjs`. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** What `checks.mjs` reads. */
interface Results {
  passedTests: number;
  /** `e2e/x.test.ts › name`. */
  failedTests: string[];
  /** Whether all failures are among them. */
  complete: boolean;
}

/** Of a failed import, which is no test's. */
const WHOLE = '(the whole file)';
const UNHANDLED = '(an unhandled error)';

export const testReport = (file: string): Reporter => ({
  onTestRunEnd(modules, unhandled) {
    const failed = new Set<string>();
    const fail = (module: TestModule, name: string) => failed.add(`${module.relativeModuleId} › ${name}`);
    let passedTests = 0;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passedTests += 1;
        if (state === 'failed') fail(module, test.fullName);
      }
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) fail(module, suite.fullName);
      if (module.errors().length > 0) fail(module, WHOLE);
    }
    let complete = true;
    for (const error of unhandled) {
      const module = modules.find(({ moduleId }) => moduleId === error.VITEST_TEST_PATH);
      if (module) fail(module, UNHANDLED);
      else complete = false;
    }
    writeFileSync(file, JSON.stringify({ passedTests, failedTests: [...failed], complete } satisfies Results));
  },
});
