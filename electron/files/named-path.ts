/** What stands for a path where a person or an agent names one: a leading `~` is the home folder. */
import os from 'node:os';
import path from 'node:path';

/** Other paths stay as they are. */
export function expandHome(text: string, home = os.homedir()): string {
  const leads = text === '~' || text.startsWith('~/') || (path.sep === '\\' && text.startsWith('~\\'));
  return leads ? path.join(home, text.slice(1)) : text;
}
