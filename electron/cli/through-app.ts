/**
 * `filebridge serve --stdio` beside a running app: passes the client's conversation on to it, so that its calls are seen there, its questions
 * asked there, and the keychain's secrets at hand. Small, since every agent starts one of these: the engine is not loaded.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { programInfo } from '../app/program-info.ts';
import { knock } from '../server/local-greeting.ts';
import { connectTo, findRunning, forget, type Scope, sameScope } from '../store/discovery.ts';
import { log } from './terminal.ts';
import { untilStopped } from './until-stopped.ts';

/** The app is on this machine; a busy one may take a moment. Milliseconds. */
const GREETING_MS = 3_000;

/** The program that works with the same things and answers; undefined where one has to stand alone. */
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

/** Passes on until either end hangs up, or a signal comes. */
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
