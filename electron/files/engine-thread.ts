/** The program of a worker thread: everything that would make the main thread stall. A further kind of work is one more job here. */
import { conversionJob } from '../engine/thread/conversion-job.ts';
import { serveJobs } from '../engine/thread/serve-jobs.ts';
import { tokenJob } from '../engine/thread/token-job.ts';
import { openElsewhere } from './handle-source.ts';

serveJobs([conversionJob(openElsewhere), tokenJob]);
