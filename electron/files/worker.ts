/** Entry point of the worker threads, which run what would block the main thread. Add a job here for another kind of work. */
import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../engine/thread/channel.ts';
import { conversionJob } from '../engine/thread/conversion-job.ts';
import { tokenJob } from '../engine/thread/requests.ts';
import { serveTasks } from '../engine/thread/second-tasks.ts';
import { isSecondThread, secondThread } from '../engine/thread/second-worker.ts';
import { openElsewhere } from './handle-source.ts';

if (isSecondThread && parentPort) serveTasks(parentPort, openElsewhere);
else serveJobs([conversionJob(openElsewhere, secondThread(__filename)), tokenJob]);
