/** Short runs of what `npm run fuzz` does for hours. */
import { expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { fuzzAnswers, fuzzHttp, fuzzStdioLines, fuzzTools } from './fixtures/stranger-fuzz.ts';

it.each([
  ['lines over standard input', fuzzStdioLines, 300],
  ['requests over HTTP', fuzzHttp, 150],
  ['lists of tools, their schemas and arguments', fuzzTools, 60],
  ['answers in every format', fuzzAnswers, 400],
])('%s are answered, refused or passed over, whatever they hold', async (_, fuzz, count) => {
  await expect(fuzz(7, runs(count))).resolves.toBeUndefined();
});
