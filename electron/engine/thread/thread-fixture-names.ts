/** What the tests' thread is asked for. */
import { callName } from './handlers.ts';

export const exitAtOnce = callName<null, never>('test.exit');
export const runOutOfMemory = callName<null, never>('test.memory');
export const throwLater = callName<null, void>('test.throw');
export const rest = callName<null, void>('test.rest');
export const beBusy = callName<null, never>('test.busy');
