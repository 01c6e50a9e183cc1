/** Background jobs: calls that outlive the request that started them. */

import { randomUUID } from 'node:crypto';
import type { Job } from '../../shared/model/call.ts';
import type { Warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { ToolResult } from '../upstream/types.ts';
import type { CallTarget } from './events.ts';

export interface JobReport {
  /** The job's, which a receipt gets too. */
  readonly id: string;
  progress(records: number, total: number | null, batches: number): void;
  /** Ends it for the person, as `cancel_job` does for the client. */
  cancel(reason: unknown): void;
}

interface Entry {
  job: Job;
  /** The client that started it, which alone sees it. */
  owner: string;
  abort: AbortController;
  result: ToolResult | undefined;
  done: Promise<void>;
}

/** Maximum finished jobs kept per client. */
const KEEP = 100;

/** Maximum running jobs per client. */
export const MAX_RUNNING = 32;

export function createJobs() {
  const entries = new Map<string, Entry>();

  const ofOwner = (owner: string) => [...entries].filter(([, entry]) => entry.owner === owner);

  function find(owner: string, id: string): Entry {
    const entry = entries.get(id);
    if (entry?.owner === owner) return entry;
    const known = ofOwner(owner).map(([own]) => own);
    throw new AppError('JOB_UNKNOWN', say('job.unknown', { id }), {
      hint: known.length === 0 ? say('job.unknown.none') : say('job.unknown.known', { known: known.slice(-5) }),
    });
  }

  function prune(owner: string): void {
    const finished = ofOwner(owner).filter(([, entry]) => entry.job.state !== 'running');
    for (const [id] of finished.slice(0, Math.max(0, finished.length - KEEP))) entries.delete(id);
  }

  return {
    /**
     * Starts `run` and returns at once. `run` reports failures as results with `isError`. INVALID_REQUEST where the client has too many under
     * way. `id`: of the receipt that it goes on with.
     */
    start(
      target: CallTarget,
      owner: string,
      warnings: Warning[],
      run: (signal: AbortSignal, report: JobReport) => Promise<ToolResult>,
      id: string = randomUUID().slice(0, 8),
    ): Job {
      const same = entries.get(id);
      if (same && (same.owner !== owner || same.job.state === 'running')) {
        throw new AppError('INVALID_REQUEST', say('job.running', { id }), { hint: say('job.running.hint') });
      }
      const running = ofOwner(owner).filter(([, { job }]) => job.state === 'running');
      if (running.length >= MAX_RUNNING) {
        throw new AppError('INVALID_REQUEST', say('job.many', { most: MAX_RUNNING }), { hint: say('job.many.hint') });
      }
      const abort = new AbortController();
      const job: Job = {
        job_id: id,
        state: 'running',
        server: target.server,
        tool: target.tool,
        startedAt: new Date().toISOString(),
        finishedAt: null,
        progress: { records: 0, total: null, batches: 0 },
        warnings,
      };
      const report: JobReport = {
        id,
        progress: (records, total, batches) => {
          job.progress = { records, total, batches };
        },
        cancel: (reason) => abort.abort(reason),
      };
      const entry: Entry = { job, owner, abort, result: undefined, done: Promise.resolve() };
      entry.done = run(abort.signal, report).then((result) => {
        entry.result = result;
        job.state = abort.signal.aborted ? 'cancelled' : result.isError ? 'failed' : 'done';
        job.finishedAt = new Date().toISOString();
        prune(owner);
      });
      entries.set(job.job_id, entry);
      return job;
    },

    /** The job, and its result once it has one. JOB_UNKNOWN. */
    status(owner: string, id: string): { job: Job; result: ToolResult | undefined } {
      const { job, result } = find(owner, id);
      return { job: { ...job }, result };
    },

    /** Cancels a running job and waits for its end. Throws JOB_UNKNOWN. */
    async cancel(owner: string, id: string): Promise<{ job: Job; result: ToolResult | undefined }> {
      const entry = find(owner, id);
      entry.abort.abort();
      await entry.done;
      return { job: { ...entry.job }, result: entry.result };
    },

    async close(): Promise<void> {
      for (const entry of entries.values()) entry.abort.abort();
      await Promise.all([...entries.values()].map((entry) => entry.done));
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
