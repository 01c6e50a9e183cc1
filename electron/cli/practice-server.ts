/** `filebridge practice-server [--tables]`: started by the app and by `npm run demo` to show a newcomer a call that really happens. */
import { programInfo } from '../app/program-info.ts';
import { servePractice } from '../server/practice-server.ts';
import { UsageError } from './usage.ts';

export async function practiceServer(args: string[]): Promise<number> {
  const tables = args.length === 1 && args[0] === '--tables';
  if (args.length > 0 && !tables) throw new UsageError('practice-server takes no option but --tables');
  await new Promise<void>((resolve) => {
    servePractice({ info: { ...programInfo, name: 'filebridge-practice' }, tables, onClosed: resolve });
  });
  return 0;
}
