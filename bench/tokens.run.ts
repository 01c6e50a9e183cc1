/** Counts the tokens that a model writes to hand over a payload: typed out, as base64, again after a failure, and by path. */
import { afterAll, describe, expect, it } from 'vitest';
import { emitted, payloads } from '../e2e/support/payload-calls.ts';
import { countTokens } from '../electron/engine/tokens/tokens.ts';
import { report } from './support/figures.ts';

/** How often the whole call is written again. */
const RETRIES = [0, 1, 2, 4];
/** A typical place for such a file. */
const FOLDER = '/home/ada/Documents/site/';

const number = (value: number): string => value.toLocaleString('en');
const rows: string[][] = [];

afterAll(() =>
  report('tokens', {
    columns: ['content', 'bytes', 'handed over', 'tokens, at once', 'with 1 retry', 'with 2 retries', 'with 4 retries'],
    rows,
    packages: ['gpt-tokenizer'],
  }),
);

describe('tokens a model writes', () => {
  it.each(payloads().map((payload) => [payload.title, payload] as const))('%s', async (title, payload) => {
    const { general, companion } = payload.byPath(`${FOLDER}${payload.file}`);
    const ways = {
      'typed out': payload.inline,
      'as base64': payload.base64,
      'by path, call_tool_with_file_content': general,
      'by path, companion': companion,
    };
    for (const [way, call] of Object.entries(ways)) {
      const tokens = await countTokens(emitted(call));
      const bytes = Buffer.byteLength(payload.text);
      rows.push([title, number(bytes), way, ...RETRIES.map((retries) => number(tokens * (retries + 1)))]);
      if (way.startsWith('by path')) expect(tokens).toBeLessThan(150);
    }
  });
});
