/** The named handlers that a worker thread offers its owner. */
import type { Channel } from './channel.ts';
import type { Handler } from './handlers.ts';

/** A kind of work for worker threads: given the channel to the owner, returns the handlers. */
export type Job = (channel: Channel) => readonly Handler[];
