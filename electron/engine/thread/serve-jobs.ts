/** Runs jobs in this worker thread for the thread that started it. */
import { parentPort } from 'node:worker_threads';
import { Channel } from './channel.ts';
import type { Job } from './jobs.ts';

export function serveJobs(jobs: readonly Job[]): void {
  if (parentPort === null) throw new Error('This file is run by worker threads of Filebridge');
  const channel = new Channel(parentPort);
  for (const job of jobs) channel.serve(job(channel));
}
