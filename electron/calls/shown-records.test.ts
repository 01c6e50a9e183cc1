import { describe, expect, it } from 'vitest';
import type { ElementChunk, Payload } from '../engine/core/payload.ts';
import { shownEnds } from './approval-request.ts';

const signal = new AbortController().signal;

function listOf(texts: readonly string[]): Payload {
  const whole = Buffer.from(`[${texts.join(',')}]`);
  return {
    kind: 'array',
    records: texts.length,
    bytes: whole.length,
    async *json() {
      yield whole;
    },
    async *elements({ start = 0 } = {}): AsyncGenerator<ElementChunk> {
      for (const text of texts.slice(start)) {
        const data = Buffer.from(text);
        yield { data, ends: Uint32Array.of(data.length) };
      }
    },
  };
}

const recordOf = (length: number) => JSON.stringify({ note: `${'a'.repeat(length)} DROP TABLE users`, naïve: 1 });

describe('the records of a list that a person is shown', () => {
  it('are whole up to 16 KB each', async () => {
    const records = [recordOf(10), recordOf(3_000), recordOf(16_000)];
    expect(await shownEnds(listOf(records), [[0, 2]], signal)).toEqual({ first: records, last: [] });
  });

  it('have their beginning and end where they are longer, with the number of bytes between', async () => {
    const record = recordOf(100_000);
    const { first } = await shownEnds(listOf([record]), [[0, 0]], signal);
    const left = Buffer.byteLength(record) - 8 * 1024;
    expect(first[0]).toMatch(new RegExp(`^\\{"note":"a{4087}… ⟨${left} bytes⟩ …a+ DROP TABLE users","naïve":1\\}$`));
  });

  it('lose no half of a character where they are cut', async () => {
    for (const shift of [0, 1, 2, 3]) {
      const { first } = await shownEnds(listOf([`"${'x'.repeat(shift)}${'😀'.repeat(20_000)}"`]), [[0, 0]], signal);
      expect(first[0]).not.toContain('\uFFFD');
    }
  });

  it('are the first five and the last five of the ranges that are sent', async () => {
    const numbers = Array.from({ length: 100 }, (_, n) => String(n));
    const shown = await shownEnds(
      listOf(numbers),
      [
        [3, 5],
        [40, 60],
      ],
      signal,
    );
    expect(shown).toEqual({ first: ['3', '4', '5', '40', '41'], last: ['56', '57', '58', '59', '60'] });
  });
});
