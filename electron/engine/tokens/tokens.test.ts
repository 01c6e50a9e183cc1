/** Token counts: exact where small, near where sampled, and never slow. */
import { countTokens as exactTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { convertBytes } from '../fixtures/conversion-fixture.ts';
import { countTokens, TokenSampler } from './tokens.ts';

async function sampled(text: string, chunkBytes: number) {
  const bytes = new TextEncoder().encode(text);
  const sampler = new TokenSampler();
  for (let at = 0; at < bytes.length; at += chunkBytes) sampler.push(bytes.subarray(at, at + chunkBytes));
  return sampler.count();
}

describe('countTokens', () => {
  it.each(['', 'Hello, world!', 'Zoë 日本語 😀', '{"id":12345,"name":"Ann"}', 'a <|endoftext|> b'])('%j', async (text) => {
    expect(await countTokens(text)).toBe(exactTokens(text, { disallowedSpecial: new Set() }));
    expect(await countTokens(new TextEncoder().encode(text))).toBe(await countTokens(text));
  });

  it('counts a run of one letter, which would take a tokenizer minutes', async () => {
    const run = 'a'.repeat(4096);
    const exact = exactTokens(run);
    expect(Math.abs((await countTokens(run)) - exact)).toBeLessThanOrEqual(8);
    expect(await countTokens('a'.repeat(128 * 1024))).toBeGreaterThan((128 * 1024) / 10);
    expect(await countTokens('='.repeat(50_000))).toBeGreaterThan(0);
    expect(await countTokens(' '.repeat(50_000))).toBeGreaterThan(0);
  });
});

describe('TokenSampler', () => {
  const line = (i: number) => `${i},"Person number ${i}",person${i}@example.com,${(i * 7919) % 1000}.50\n`;

  it('is exact up to 256 KiB, at any chunking', async () => {
    const text = `${Array.from({ length: 4000 }, (_, i) => line(i)).join('')}ü😀`;
    for (const size of [997, 64 * 1024])
      expect(await sampled(text, size)).toEqual({ count: exactTokens(text), method: 'measured' });
  });

  it('is within 5 % on a file of very different parts', async () => {
    const prose = 'The quick brown fox jumps over the lazy dog, and then it sleeps until the morning comes again. ';
    const parts = [
      Array.from({ length: 12_000 }, (_, i) => line(i)).join(''),
      prose.repeat(6000),
      Array.from({ length: 9000 }, (_, i) => (i * 2654435761).toString(36)).join('/'),
      '日本語のテキストと、数字１２３。'.repeat(9000),
      Array.from({ length: 20_000 }, (_, i) => `{"id":${i},"ok":${i % 3 === 0}}`).join(','),
    ];
    const text = parts.join('\n');
    const exact = parts.reduce((sum, part) => sum + exactTokens(part), parts.length - 1);
    const { count, method } = await sampled(text, 50_000);
    expect(method).toBe('estimated');
    expect(Math.abs(count - exact) / exact).toBeLessThan(0.05);
    expect((await sampled(text, 7777)).count).toBe(count);
  });

  it('a converted file carries its count', async () => {
    const { report } = await convertBytes('a.csv', 'id,name\n1,Ann\n');
    expect(report.tokens).toEqual({ count: exactTokens('[{"id":1,"name":"Ann"}]'), method: 'measured' });
    const { report: big } = await convertBytes('a.txt', line(1).repeat(10_000));
    expect(big.tokens.method).toBe('estimated');
  });
});
