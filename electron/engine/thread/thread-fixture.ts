/** A thread's program for tests: what the product's does, and ways to die. */
import { conversionJob } from './conversion-job.ts';
import { onCall } from './handlers.ts';
import { serveJobs } from './serve-jobs.ts';
import { beBusy, exitAtOnce, rest, runOutOfMemory, throwLater } from './thread-fixture-names.ts';

serveJobs([
  conversionJob,
  () => [
    onCall(exitAtOnce, () => process.exit(3)),
    onCall(runOutOfMemory, () => {
      const held: unknown[] = [];
      for (;;) held.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
    }),
    onCall(throwLater, async () => {
      setTimeout(() => {
        throw new Error('thrown outside of any call');
      }, 1);
      await new Promise(() => undefined);
    }),
    onCall(rest, () => new Promise(() => undefined)),
    onCall(beBusy, () => {
      for (;;);
    }),
  ],
]);
