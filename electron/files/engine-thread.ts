/** The program of a worker thread: everything that would make the main thread stall. A further kind of work is one more job here. */
import { parentPort } from 'node:worker_threads';
import { conversionJob } from '../engine/thread/conversion-job.ts';
import { serveTasks } from '../engine/thread/second-tasks.ts';
import { isSecondThread, secondThread } from '../engine/thread/second-worker.ts';
import { serveJobs } from '../engine/thread/serve-jobs.ts';
import { tokenJob } from '../engine/thread/token-job.ts';
import { openElsewhere } from './handle-source.ts';

if (isSecondThread && parentPort) serveTasks(parentPort, openElsewhere);
else serveJobs([conversionJob(openElsewhere, secondThread(__filename)), tokenJob]);
