/** Conversion tests as tables of examples: an input file and the exact JSON text of its conversion. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliRun, openWorkspace, runCli, type Workspace } from './cli.ts';

export interface Example {
  file: string;
  input: string | Uint8Array;
  args?: string[];
  /** The exact bytes on stdout, as text. */
  json: string;
  /** The single line on stderr; nothing if absent. */
  warning?: RegExp;
}

export interface Refusal {
  file: string;
  input: string | Uint8Array;
  args?: string[];
  /** Environment of the run. */
  env?: Record<string, string>;
  /** Expected content of the single line on stderr. */
  says: string | RegExp;
  /** 1 if absent. */
  code?: number;
}

/** One clear line on stderr, nothing on stdout. */
export function expectRefusal(run: CliRun, { says, code = 1 }: Pick<Refusal, 'says' | 'code'>): void {
  expect(run.stderr).toMatch(/^filebridge: [^\n]+\n$/);
  if (typeof says === 'string') expect(run.stderr).toContain(says);
  else expect(run.stderr).toMatch(says);
  expect(run.stdout.toString('latin1')).toBe('');
  expect(run.code).toBe(code);
}

function eachIn<T extends { file: string; input: string | Uint8Array }>(
  title: string,
  table: Record<string, T>,
  check: (example: T, path: string, workspace: Workspace) => Promise<void>,
): void {
  describe(title, () => {
    let workspace: Workspace;
    beforeAll(async () => {
      workspace = await openWorkspace();
    });
    afterAll(() => workspace.remove());
    it.concurrent.each(Object.entries(table).map(([name, example], index) => ({ name, example, index })))(
      '$name',
      async ({ example, index }) => {
        await check(example, await workspace.file(`${index}/${example.file}`, example.input), workspace);
      },
    );
  });
}

/** Runs each example with `filebridge convert`. */
export function examples(title: string, table: Record<string, Example>): void {
  eachIn(title, table, async ({ args = [], json, warning }, path) => {
    const run = await runCli(['convert', path, ...args]);
    if (warning === undefined) expect(run.stderr).toBe('');
    else expect(run.stderr).toMatch(warning);
    expect(run.stdout.toString('utf8')).toBe(json);
    expect(run.code).toBe(0);
  });
}

/** Runs each refusal with `filebridge convert`. */
export function refusals(title: string, table: Record<string, Refusal>): void {
  eachIn(title, table, async (refusal, path) => {
    const run = await runCli(['convert', path, ...(refusal.args ?? [])], { env: refusal.env });
    expectRefusal(run, refusal);
  });
}
