/** `filebridge practice-server`: started by the app itself to show a newcomer a call that really happens. */
import { programInfo } from '../api/program-info.ts';
import { servePractice } from '../server/practice-server.ts';
import { UsageError } from './usage.ts';

export async function practiceServer(args: string[]): Promise<number> {
  if (args.length > 0) throw new UsageError('practice-server takes no options');
  await new Promise<void>((resolve) => {
    servePractice({ info: { ...programInfo, name: 'filebridge-practice' }, onClosed: resolve });
  });
  return 0;
}
