export interface TestResults {
  passedTests: number;
  /** `FILE › NAME`. */
  failedTests: string[];
  unstableTests: string[];
  failedChecks: string[];
}
export interface TestRuns {
  results: TestResults;
  run(check: { name: string; project: string }): void;
  repeat(): void;
}
export function createTestRuns(options: { cwd: string; limitMs: number; strict: boolean }): TestRuns;
