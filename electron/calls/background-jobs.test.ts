import { expect, it } from 'vitest';
import { createJobs, MAX_RUNNING } from './running-calls.ts';

const target = { server: 'db', tool: 'insert' };

it('starts so many jobs for a client at once, and as many for another', async () => {
  const jobs = createJobs();
  const untilAborted = (signal: AbortSignal) =>
    new Promise<{ content: [] }>((resolve) => signal.addEventListener('abort', () => resolve({ content: [] })));
  const start = (client: string) => jobs.start(target, client, [], untilAborted);
  const [first] = Array.from({ length: MAX_RUNNING }, () => start('one'));
  expect(() => start('one')).toThrow(`This client has ${MAX_RUNNING} background jobs under way, which is the limit`);
  start('two');
  await jobs.cancel('one', first?.job_id ?? '');
  start('one');
  await jobs.close();
});
