/** Runs the official MCP conformance suite and reports the failed checks of each scenario. */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { fixture } from './session.ts';
import { installed } from './upstreams.ts';

const suite = installed('@modelcontextprotocol', 'conformance', 'dist', 'index.js');

const checksSchema = z.array(z.object({ id: z.string(), status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'INFO', 'SKIPPED']) }));

/** Ids of all checks, and of those that failed or warned. */
export interface ScenarioResult {
  succeeded: string[];
  failed: string[];
}

/** `node`: Node 22 or newer. Results are written to `output`, one folder per scenario. */
export async function runConformance(
  node: string,
  args: readonly string[],
  output: string,
): Promise<{ results: Record<string, ScenarioResult>; text: string }> {
  const text = await new Promise<string>((resolve, reject) => {
    const child = spawn(node, ['--import', pathToFileURL(fixture('loopback-only.mjs')).href, suite, ...args, '-o', output], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
      });
    child.once('error', reject);
    // Its exit code says whether all scenarios passed; the files say which ones.
    child.once('close', () => resolve(said));
  });
  const results: Record<string, ScenarioResult> = {};
  for (const file of await readdir(output, { recursive: true })) {
    if (path.basename(file) !== 'checks.json') continue;
    const checks = checksSchema.parse(JSON.parse(await readFile(path.join(output, file), 'utf8')));
    const of = (...statuses: string[]) => [
      ...new Set(checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)),
    ];
    results[scenarioOf(path.dirname(file), args[0])] = { succeeded: of('SUCCESS'), failed: of('FAILURE', 'WARNING') };
  }
  return { results, text };
}

/** Folders are named `server-<scenario>-<time>`, and `<scenario>-<time>` for clients; a scenario's name may contain a slash. */
const scenarioOf = (folder: string, side: string | undefined): string =>
  folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '').replace(side === 'server' ? /^server-/ : /^$/, '');
