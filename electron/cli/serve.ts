/** `filebridge serve`: the MCP server without a window. */

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { say } from '../../shared/model/messages/message.ts';
import { programInfo } from '../app/program-info.ts';
import type { Runtime } from '../app/runtime.ts';
import { stat } from '../files/disk.ts';
import { rootDirectories } from '../files/paths.ts';
import { knock } from '../server/local-greeting.ts';
import { connectTo, findRunning, forget, type Scope, sameScope, scopeOf } from '../store/discovery.ts';
import { dataDirectory, defaultConfigPath } from '../store/paths.ts';
import { commands } from './commands.ts';
import { nothingYet } from './reach.ts';
import { log, untilStopped } from './terminal.ts';
import { folderArguments, parse, portOption, UsageError } from './usage.ts';

export async function serve(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands.serve.options);
  if (values.stdio === values.http) throw new UsageError(say('usage.serve'));
  if (values.stdio && values.port !== undefined) throw new UsageError(say('usage.portWithHttp'));
  const port = portOption(values.port);
  const started = {
    configPath: values.config ?? defaultConfigPath(),
    folders: folderArguments(positionals),
    upstreamsFile: values.upstreams,
  };
  if (values.stdio) {
    const running = await reachRunning(dataDirectory(), await scopeOf(started));
    if (running) {
      await passOn(running);
      return 0;
    }
  }
  const { openRuntime } = await import('../app/runtime.ts');
  const runtime = await openRuntime({ ...started, log });
  const { folders, upstreams } = runtime.effective();
  if (folders.length === 0 && !Object.values(upstreams).some(({ enabled }) => enabled)) log(`agents ${nothingYet(values)}`);
  void tellAboutFolders(runtime, log);
  try {
    if (values.stdio) {
      const { serveMcpStdio } = await import('../server/stdio.ts');
      await new Promise<void>((resolve) => {
        const server = serveMcpStdio({
          service: runtime.calls,
          info: programInfo,
          sources: runtime.sources,
          offers: runtime.offers,
          // A client's roots replace only folders named on the command line; folders chosen in the app are the user's decision.
          onRoots:
            positionals.length > 0 ? async (uris) => void runtime.replaceFolders(await rootDirectories(uris, log)) : undefined,
          onLog: log,
          onClosed: resolve,
        });
        void untilStopped().then(() => server.close());
      });
    } else {
      const { agentTokens, serveAgents } = await import('../app/agent-server.ts');
      const tokens = await agentTokens(runtime);
      const server = await serveAgents(runtime, tokens, port, log);
      log(`serving MCP on ${server.url}`);
      log(`clients send the header "Authorization: Bearer <token>" with a token from ${tokens.path}`);
      await untilStopped();
      await server.close();
    }
  } finally {
    await runtime.close();
  }
  return 0;
}

/** Connection time limit in milliseconds: the app is on this machine, but may be busy. */
const GREETING_MS = 3_000;

/** A running program with the same settings that answers; undefined if this process has to work alone. */
async function reachRunning(directory: string, scope: Scope): Promise<Socket | undefined> {
  const program = await findRunning(directory);
  if (!program || !sameScope(program.scope, scope)) return undefined;
  if (program.version !== programInfo.version) {
    log(`Filebridge ${program.version} is running and this is ${programInfo.version}, so this one works by itself`);
    return undefined;
  }
  const socket = await connectTo(program);
  if (socket === 'gone') await forget(directory, program);
  if (socket === 'unreachable') log('the running Filebridge cannot be reached from here, so this one works by itself');
  if (typeof socket === 'string') return undefined;
  try {
    await knock(socket, program.token, GREETING_MS);
    return socket;
  } catch (error) {
    log(`the running Filebridge does not answer, so this one works by itself: ${error instanceof Error ? error.message : error}`);
    socket.destroy();
    return undefined;
  }
}

/** Forwards until either end closes, or a signal arrives. */
async function passOn(socket: Socket): Promise<void> {
  let leaving = false;
  const leave = () => {
    leaving = true;
  };
  process.stdin.once('end', leave).once('close', leave);
  const ended = once(socket, 'close');
  process.stdin.pipe(socket).pipe(process.stdout, { end: false });
  void untilStopped().then(() => {
    leave();
    socket.destroy();
  });
  await ended;
  process.stdin.unpipe(socket).destroy();
  if (!leaving) log('the Filebridge app has ended, and this connection with it. Connect again to go on without it');
}

/** Says which folders agents cannot reach. Serving does not wait for their disks. */
async function tellAboutFolders({ files }: Runtime, log: (line: string) => void): Promise<void> {
  for (const { path, realPath, silent } of await files.folders()) {
    if (silent) log(`the folder '${path}' does not answer: agents can reach nothing in it until it does`);
    else if (realPath === null) log(`the folder '${path}' does not exist: agents can reach nothing in it until it does`);
    else if ((await stat(realPath).catch(() => undefined))?.isDirectory() === false)
      log(`'${path}' is not a directory: agents can reach nothing but it`);
  }
}
