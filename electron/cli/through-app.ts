/**
 * `filebridge serve --stdio` beside a running app: forwards the client's messages to the app, so that the app shows its calls and
 * approvals, and can use the keychain's secrets. Small, since every agent starts one: the engine is not loaded.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { programInfo } from '../app/program-info.ts';
import { knock } from '../server/local-greeting.ts';
import { connectTo, findRunning, forget, type Scope, sameScope } from '../store/discovery.ts';
import { log } from './terminal.ts';
import { untilStopped } from './until-stopped.ts';

/** Connection time limit in milliseconds: the app is on this machine, but may be busy. */
const GREETING_MS = 3_000;

/** A running program with the same settings that answers; undefined if this process has to work alone. */
export async function reachRunning(directory: string, scope: Scope): Promise<Socket | undefined> {
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
export async function passOn(socket: Socket): Promise<void> {
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
