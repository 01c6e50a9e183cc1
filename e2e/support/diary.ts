/** The diary of the fixture `witness.mjs`: what an upstream saw. */
import { readFile } from 'node:fs/promises';
import type { JsonObject } from './mcp-clients.ts';
import { until } from './session.ts';

export interface Diary {
  entries(): Promise<JsonObject[]>;
  /** Waits for an entry with this field and value; the test's own time limit ends it otherwise. */
  waitFor(field: string, value: unknown): Promise<void>;
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
    waitFor: (field, value) => until(async () => (await entries()).some((entry) => entry[field] === value)),
  };
}
