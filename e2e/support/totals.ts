/** Reads the ledger's totals through the console, as a user sees them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cliFile } from './cli.ts';

export interface LedgerLine {
  id: string;
  time: string;
  client: string | null;
  kind: string;
  server: string | null;
  tool: string | null;
  paths: string[];
  inputBytes: number;
  sentBytes: number;
  records: number;
  calls: number;
  durationMs: number;
  outcome: string;
  errorCode: string | null;
  savings: Record<'arguments' | 'answer', { count: number; method: 'measured' | 'estimated' }>;
  storedPath: string | null;
}

export type Totals = Record<
  'calls' | 'failed' | 'inputBytes' | 'sentBytes' | 'records' | 'tokensMeasured' | 'tokensEstimated',
  number
>;

export interface LedgerView {
  totals: { all: Totals; today: Totals };
  /** Newest first, up to 500. */
  recent: LedgerLine[];
}

/** Starts `filebridge console` on the same configuration and data, queries it, and ends it. */
export async function viewLedger(home: { configFile: string; dataDirectory: string }): Promise<LedgerView> {
  const child = spawn(process.execPath, [cliFile, 'console'], {
    env: { ...process.env, FILEBRIDGE_CONFIG: home.configFile, FILEBRIDGE_DATA: home.dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  try {
    const link = await new Promise<URL>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`console ended with ${code}: ${said}`)));
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
      });
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
        const found = /http:\/\/127\.0\.0\.1:\S+/.exec(said)?.[0];
        if (found) resolve(new URL(found));
      });
    });
    const ask = await openConsoleApi(link);
    return {
      totals: (await ask('ledger.totals', {})) as LedgerView['totals'],
      recent: (await ask('ledger.recent', { limit: 500 })) as LedgerLine[],
    };
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

/** Opens a console by the link it printed; returns a function that sends the window's requests. */
export async function openConsoleApi(link: URL): Promise<(name: string, input: object) => Promise<unknown>> {
  const { origin } = link;
  const token = link.hash.slice('#link='.length);
  const opened = await fetch(new URL('/session', link), {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${token}` },
  });
  const authorization = `Bearer ${await opened.text()}`;
  return async (name, input) => {
    const response = await fetch(new URL('/api', link), {
      method: 'POST',
      headers: { authorization, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ name, input }),
    });
    const reply = (await response.json()) as { ok: boolean; value: unknown };
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply)}`);
    return reply.value;
  };
}
