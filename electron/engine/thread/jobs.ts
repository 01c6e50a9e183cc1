/** A thread's side of the channel to its owner: what it offers, by name. */
import type { Channel } from './channel.ts';
import type { Handler } from './handlers.ts';

/** A kind of work that threads do: given the channel to the owner, the calls and streams it answers. */
export type Job = (channel: Channel) => readonly Handler[];
