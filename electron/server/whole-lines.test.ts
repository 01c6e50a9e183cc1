import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WholeLines } from './whole-lines.ts';

async function through(chunks: Buffer[], maxBytes = 1000): Promise<Buffer[]> {
  const out: Buffer[] = [];
  const lines = new WholeLines(maxBytes);
  lines.on('data', (chunk: Buffer) => out.push(chunk));
  await pipeline(Readable.from(chunks), lines);
  return out;
}

describe('WholeLines', () => {
  it('lets every whole line through, and only whole lines', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', '\n', 'é', '\r'), minLength: 1, maxLength: 5 })),
        async (texts) => {
          const out = await through(texts.map((text) => Buffer.from(text)));
          const all = texts.join('');
          expect(Buffer.concat(out).toString()).toBe(all.slice(0, all.lastIndexOf('\n') + 1));
          for (const chunk of out) expect(chunk.at(-1)).toBe(0x0a);
        },
      ),
      { numRuns: 200 },
    ));

  it('ends at a line beyond its bound', async () => {
    await expect(through([Buffer.alloc(600, 'a'), Buffer.alloc(600, 'a'), Buffer.from('\n')])).rejects.toThrow(
      /longer than 1000 bytes/,
    );
  });

  it('counts the bound by line, not by stream', async () => {
    const [start, end] = [Buffer.alloc(600, 'a'), Buffer.from('a\n')];
    expect(Buffer.concat(await through([start, end, start, end, start, end])).length).toBe(3 * 602);
  });
});
