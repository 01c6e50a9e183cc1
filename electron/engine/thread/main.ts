/** The program of a worker thread: everything that would make the main thread stall. A further kind of work is one more job here. */
import { conversionJob } from './conversion-job.ts';
import { serveJobs } from './serve-jobs.ts';
import { tokenJob } from './token-job.ts';

serveJobs([conversionJob, tokenJob]);
