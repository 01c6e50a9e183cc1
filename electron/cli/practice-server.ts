/** `filebridge practice-server [--tables]`: a sample MCP server for the app's first call and for `npm run demo`. */
import { say } from '../../shared/model/messages/message.ts';
import { programInfo } from '../app/program-info.ts';
import { servePractice } from '../server/practice-server.ts';
import { UsageError } from './usage.ts';

export async function practiceServer(args: string[]): Promise<number> {
  const tables = args.length === 1 && args[0] === '--tables';
  if (args.length > 0 && !tables) throw new UsageError(say('usage.practice'));
  await new Promise<void>((resolve) => {
    servePractice({ info: { ...programInfo, name: 'filebridge-practice' }, tables, onClosed: resolve });
  });
  return 0;
}
