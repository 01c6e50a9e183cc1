import { expect, it } from 'vitest';
import { ChunkList } from './chunk-list.ts';

it('joins small chunks, and keeps large ones as they are', () => {
  const small = new ChunkList<Buffer>();
  for (let at = 0; at < 100_000; at += 1) small.push(Buffer.from([at % 251]));
  expect(small.parts.length).toBeLessThan(2_000);
  const expected = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251);
  expect(Buffer.compare(small.joined(), expected)).toBe(0);

  const large = new ChunkList<Buffer>();
  const chunk = Buffer.alloc(4096, 7);
  for (let at = 0; at < 3_000; at += 1) large.push(chunk);
  expect(large.parts).toHaveLength(3_000);
  expect(large.bytes).toBe(3_000 * 4096);
});
