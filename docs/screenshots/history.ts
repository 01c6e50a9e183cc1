/** A month of calls as a ledger, always the same but for its dates, so that pictures show what the pages are for. */
import type { LedgerEntry } from '../../shared/model/call.ts';

const DAY = 86_400_000;

/** Numbers from 0 to 1 that only look random. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const jobs = [
  { server: 'database', tool: 'bulk_insert', file: 'customers.csv', dataKey: 'data', records: 4_200 },
  { server: 'database', tool: 'bulk_insert', file: 'orders-2026.csv', dataKey: 'data', records: 18_350 },
  { server: 'tasks', tool: 'create_entities', file: 'team.json', dataKey: 'entities', records: 48 },
  { server: 'website', tool: 'upload_page', file: 'handbook.md', dataKey: 'content', records: 1 },
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
      const tokens = Math.round(job.records * (job.records > 1 ? 21 : 9_000) * (0.8 + next() * 0.4));
      const time = new Date(now.getTime() - back * DAY - (calls - call) * 2_400_000);
      entries.push({
        id: `shown-${entries.length}`,
        time: time.toISOString(),
        client: clients[Math.floor(next() * clients.length)] ?? clients[0],
        kind: 'file_call',
        server: job.server,
        tool: job.tool,
        paths: [`${documents}/${job.file}`],
        inputBytes: job.records * 61,
        sentBytes: failed ? 0 : job.records * 98,
        records: job.records,
        calls: failed ? 0 : Math.ceil(job.records / 10_000),
        durationMs: Math.round(90 + job.records / 12 + next() * 120),
        outcome: failed ? 'tool_error' : 'ok',
        errorCode: failed ? 'UPSTREAM_FAILED' : null,
        savings: {
          arguments: { count: failed ? 0 : tokens, method: job.records > 10_000 ? 'estimated' : 'measured' },
          answer: { count: failed ? 0 : 120, method: 'measured' },
        },
        storedPath: null,
        dataKeys: [job.dataKey],
        ...(failed
          ? {}
          : {
              receipt: {
                sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
                recordsAccepted: job.records,
                recordsFailed: 0,
                batches: Math.ceil(job.records / 10_000),
              },
            }),
      });
    }
  }
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
