/** Fuzzes lines, requests, tools, answers, configurations and settings with random untrusted input. */
import { expect, it } from 'vitest';
import { fuzzConfiguration, fuzzServerFiles, fuzzSettings } from '../electron/api/fixtures/settings-fuzz.ts';
import { fuzzAnswers, fuzzHttp, fuzzStdioLines, fuzzTools } from '../electron/companions/fixtures/stranger-fuzz.ts';
import { fuzzUpstream } from '../electron/upstream/fixtures/upstream-fuzz.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 100_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

it.each([
  ['lines over standard input', fuzzStdioLines],
  ['requests over HTTP', fuzzHttp],
  ['lists of tools, their schemas and arguments', fuzzTools],
  ['answers in every format', fuzzAnswers],
  ['messages of servers', fuzzUpstream],
  ['configurations', fuzzConfiguration],
  ['files of servers and pasted text', fuzzServerFiles],
  ["settings of agents' apps", fuzzSettings],
])(`${INPUTS} %s`, { timeout: 12 * 3_600_000 }, async (_, fuzz) => {
  await expect(fuzz(SEED, INPUTS)).resolves.toBeUndefined();
});
