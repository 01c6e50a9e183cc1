/** `filebridge practice-server [--tables]`: a sample MCP server for the app's first call and for `npm run demo`. */
import { say } from '../../shared/model/messages/message.ts';
import { programInfo } from '../app/program-info.ts';
import { servePractice } from '../server/practice-server.ts';
import { commands } from './commands.ts';
import { parse, UsageError } from './usage.ts';

export async function practiceServer(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands['practice-server'].options);
  if (positionals.length > 0) throw new UsageError(say('usage.noArguments', { command: 'practice-server' }));
  const { tables = false } = values;
  await new Promise<void>((resolve) => {
    servePractice({ info: { ...programInfo, name: 'filebridge-practice' }, tables, onClosed: resolve });
  });
  return 0;
}
