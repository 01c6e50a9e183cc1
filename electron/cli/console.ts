/** `filebridge console`: the server and the window, in a browser. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stdioLaunch } from '../agent-apps/agent-launch.ts';
import { startServices } from '../api/services.ts';
import { consoleHost } from '../app/host.ts';
import { startConsole } from '../console/console-server.ts';
import { commands } from './commands.ts';
import { log, untilStopped } from './terminal.ts';
import { folderArguments, parse, portOption } from './usage.ts';

/** `--port` is the window's; agents are served on the configured port. */
export async function consoleCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands.console.options);
  const directory = path.dirname(fileURLToPath(import.meta.url));
  const started = { configPath: values.config, folders: folderArguments(positionals), upstreamsFile: values.upstreams };
  const services = await startServices({
    ...started,
    host: consoleHost,
    launch: stdioLaunch(directory, started),
    log,
  });
  try {
    const window = await startConsole({
      api: services.api,
      rendererDirectory: path.join(directory, 'renderer'),
      port: portOption(values.port),
    });
    process.stdout.write(`Open ${window.url}\n`);
    log('the link works once; Ctrl+C ends the console');
    await untilStopped();
    await window.close();
  } finally {
    await services.close();
  }
  return 0;
}
