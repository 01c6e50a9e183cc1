/** Compares estimated token counts with exact ones, on files with very different parts. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, expect, it } from 'vitest';
import { type ByteSource, convert, TokenSampler } from '../electron/engine/index.ts';
import { limitsSchema } from '../shared/model/config.ts';
import { atMost, comparison, comparisonColumns, median, milliseconds, report } from './support/figures.ts';
import { MB } from './support/files.ts';
import { medley } from './support/medley.ts';

const SEEDS = [1, 2];
const CHUNK_BYTES = 512 * 1024;
const OFF_PERCENT = 2;
const GOAL_MS = 10;

/** As one text, and as a list of records, because they are estimated differently. */
const notations = {
  'medley.txt': (pieces: readonly string[]) => pieces.join(''),
  'medley.jsonl': (pieces: readonly string[]) => pieces.map((text, id) => `${JSON.stringify({ id, text })}\n`).join(''),
};

const rows: string[][] = [];

afterAll(() => report('token-estimate', { columns: comparisonColumns, rows, packages: ['gpt-tokenizer'] }));

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.slice(at, at + CHUNK_BYTES);
}

const sourceOf = (name: string, bytes: Uint8Array): ByteSource => ({
  name,
  size: bytes.length,
  async *read() {
    yield* chunksOf(bytes);
  },
});

/** In pieces, because the tokenizer holds its whole input. */
function counted(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1e6) tokens += countTokens(text.slice(at, at + 1e6), { disallowedSpecial: new Set() });
  return tokens;
}

it('measures 10 MB', async () => {
  const errors: number[] = [];
  const estimating: number[] = [];
  const counting: number[] = [];
  // The vocabulary is loaded once per program.
  await new TokenSampler().count();
  for (const seed of SEEDS) {
    const pieces = [...medley(seed, 10 * MB)];
    for (const [name, notation] of Object.entries(notations)) {
      const source = sourceOf(name, Buffer.from(notation(pieces)));
      const conversion = await convert(source, { bounds: { ...limitsSchema.parse({}), maxFileBytes: 20 * MB } });
      const { count, method } = conversion.report.tokens;
      expect(method).toBe('estimated');
      const chunks: Uint8Array[] = [];
      for await (const chunk of conversion.json()) chunks.push(chunk);
      conversion.close();
      const json = Buffer.concat(chunks);
      let began = performance.now();
      const exact = counted(json.toString('utf8'));
      counting.push(performance.now() - began);
      errors.push((100 * Math.abs(count - exact)) / exact);

      began = performance.now();
      const sampler = new TokenSampler();
      for (const chunk of chunksOf(json)) sampler.push(chunk);
      await sampler.count();
      estimating.push(performance.now() - began);
    }
  }
  const worst = Math.max(...errors);
  rows.push(
    comparison({
      figure: `tokens of a heterogeneous 10 MB file, text or JSONL, worst of ${errors.length}`,
      ours: `${worst.toFixed(1)} % off (median ${median(errors).toFixed(1)} %)`,
      peer: 'counted: exact',
      verdict: atMost(OFF_PERCENT, worst, '% off'),
    }),
    comparison({
      figure: 'time for it, median',
      ours: `${median(estimating).toFixed(1)} ms (longest ${Math.max(...estimating).toFixed(1)})`,
      peer: `counted: ${milliseconds(median(counting))}`,
      verdict: atMost(GOAL_MS, median(estimating), 'ms'),
    }),
  );
});
