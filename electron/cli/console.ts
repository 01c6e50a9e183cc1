/** `filebridge console`: the server and the window, in a browser. */
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { stdioLaunch } from '../agent-apps/agent-launch.ts';
import { startServices } from '../api/services.ts';
import { consoleHost } from '../app/host.ts';
import { startConsole } from '../console/console-server.ts';
import { writeFileAtomic } from '../store/atomic-file.ts';
import { sameScope, scopeOf } from '../store/discovery.ts';
import { dataDirectory, defaultConfigPath } from '../store/paths.ts';
import { commands } from './commands.ts';
import { log, untilStopped } from './terminal.ts';
import { folderArguments, parse, portOption } from './usage.ts';

/** How another run of the command finds the one that runs. */
const runningSchema = z.object({
  scope: z.object({ configPath: z.string(), folders: z.array(z.string()), upstreamsFile: z.string().nullable() }),
  host: z.string().regex(/^127\.0\.0\.1:\d+$/),
  secret: z.string(),
});
type Running = z.infer<typeof runningSchema>;

const LINK_MS = 3_000;

/** `--port` is the window's; agents are served on the configured port. */
export async function consoleCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands.console.options);
  const directory = path.dirname(fileURLToPath(import.meta.url));
  const started = { configPath: values.config, folders: folderArguments(positionals), upstreamsFile: values.upstreams };
  const scope = await scopeOf({ ...started, configPath: values.config ?? defaultConfigPath() });
  const file = path.join(dataDirectory(), 'console.json');
  const wanted = portOption(values.port);
  const link = await linkOf(file, scope, wanted);
  if (link !== undefined) {
    process.stdout.write(`Open ${link}\n`);
    log('this is a new link to the console that runs already; it works once');
    return 0;
  }
  const services = await startServices({
    ...started,
    host: consoleHost,
    launch: stdioLaunch(directory, started),
    log,
  });
  try {
    const secret = randomBytes(32).toString('base64url');
    const window = await startConsole({
      api: services.api,
      rendererDirectory: path.join(directory, 'renderer'),
      port: wanted,
      linkSecret: secret,
    });
    const own: Running = { scope, host: window.host, secret };
    await writeFileAtomic(file, JSON.stringify(own)).catch((error: unknown) => log(`no new links can be asked for: ${error}`));
    process.stdout.write(`Open ${window.newLink()}\n`);
    log('the link works once; the same command gives a new one; Ctrl+C ends the console');
    await untilStopped();
    if ((await readRunning(file))?.secret === secret) await rm(file, { force: true });
    await window.close();
  } finally {
    await services.close();
  }
  return 0;
}

async function readRunning(file: string): Promise<Running | undefined> {
  try {
    return runningSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** A new link to the console that runs with the same settings; undefined where none does. */
async function linkOf(file: string, scope: Running['scope'], port: number | undefined): Promise<string | undefined> {
  const running = await readRunning(file);
  if (running === undefined || !sameScope(running.scope, scope)) return undefined;
  if (port !== undefined && !running.host.endsWith(`:${port}`)) return undefined;
  try {
    const response = await fetch(`http://${running.host}/link`, {
      method: 'POST',
      headers: { origin: `http://${running.host}`, authorization: `Bearer ${running.secret}` },
      signal: AbortSignal.timeout(LINK_MS),
    });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}
