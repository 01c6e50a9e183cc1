/** A month of calls as a ledger, always the same but for its dates, so that pictures show what the pages are for. */
import { Buffer } from 'node:buffer';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { type SampleFile, sampleFiles } from './sample-files.ts';

const DAY = 86_400_000;

/** Numbers from 0 to 1 that only look random. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Tokens of longer texts are estimated. Bytes. */
const MEASURED = 256 * 1024;

/** Records of one call to the database. */
const BATCH = 10_000;

const job = (server: string, tool: string, dataKey: string, file: SampleFile) => ({
  server,
  tool,
  dataKey,
  file,
  inputBytes: Buffer.byteLength(file.content),
  sentBytes: Buffer.byteLength(file.payload),
  tokens: countTokens(file.payload),
});

const jobs = [
  job('database', 'bulk_insert', 'data', sampleFiles.customers),
  job('database', 'bulk_insert', 'data', sampleFiles.orders),
  job('tasks', 'create_tasks', 'tasks', sampleFiles.team),
  job('website', 'upload_page', 'content', sampleFiles.handbook),
] as const;
const clients = ['Claude', 'Cursor', 'Visual Studio Code'] as const;

/** Lines of the last 30 days, oldest first. */
export function history(documents: string, now: Date): string {
  const next = sequence(7);
  const entries: LedgerEntry[] = [];
  for (let back = 29; back >= 0; back -= 1) {
    const weekend = [0, 6].includes(new Date(now.getTime() - back * DAY).getDay());
    const calls = weekend ? 1 : 3 + Math.floor(next() * 6);
    for (let call = 0; call < calls; call += 1) {
      const job = jobs[Math.floor(next() * jobs.length)] ?? jobs[0];
      const failed = next() < 0.07;
      // Each file has grown over the month.
      const part = (whole: number) => Math.max(1, Math.round(whole * (1 - back * 0.01)));
      const records = part(job.file.records);
      const batches = Math.ceil(records / BATCH);
      const time = new Date(now.getTime() - back * DAY - (calls - call) * 2_400_000);
      entries.push({
        id: `shown-${entries.length}`,
        time: time.toISOString(),
        client: clients[Math.floor(next() * clients.length)] ?? clients[0],
        kind: 'file_call',
        server: job.server,
        tool: job.tool,
        paths: [`${documents}/${job.file.name}`],
        inputBytes: part(job.inputBytes),
        sentBytes: failed ? 0 : part(job.sentBytes),
        records,
        calls: failed ? 0 : batches,
        durationMs: Math.round(90 + records / 12 + next() * 120),
        outcome: failed ? 'tool_error' : 'ok',
        errorCode: failed ? 'UPSTREAM_FAILED' : null,
        savings: {
          arguments: { count: failed ? 0 : part(job.tokens), method: job.sentBytes > MEASURED ? 'estimated' : 'measured' },
          answer: { count: failed ? 0 : 120, method: 'measured' },
        },
        storedPath: null,
        dataKeys: [job.dataKey],
        ...(failed
          ? {}
          : {
              receipt: {
                sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
                recordsAccepted: records,
                recordsFailed: 0,
                batches,
              },
            }),
      });
    }
  }
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
