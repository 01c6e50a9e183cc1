import { nearMisses } from '../../lib/near-misses.ts';
import { type Message, say } from './message.ts';

/** `Did you mean 'a' or 'b'?`, or undefined where no name is similar. */
export function nearNames(asked: string, names: readonly string[]): Message | undefined {
  const near = nearMisses(asked, names);
  return near.length === 0 ? undefined : say('names.near', { names: near });
}
