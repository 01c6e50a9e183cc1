/** Reads the log of the fixture `witness.mjs`: the events that an upstream saw. */
import { readFile } from 'node:fs/promises';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import type { JsonObject } from './mcp-clients.ts';

export interface Diary {
  entries(): Promise<JsonObject[]>;
  /** Waits for an entry with these fields, until the test's time limit. */
  waitFor(fields: JsonObject): Promise<void>;
}

export function diaryAt(file: string): Diary {
  const entries = async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JsonObject);
  };
  return {
    entries,
    waitFor: (fields) =>
      until(async () =>
        (await entries()).some((entry) => Object.entries(fields).every(([name, value]) => entry[name] === value)),
      ),
  };
}
