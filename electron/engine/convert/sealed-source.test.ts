import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../core/source.ts';
import { BLOCK_BYTES, sealedSource } from './sealed-source.ts';

const SIZE = 3 * BLOCK_BYTES + 1234;

/** A source over bytes that can be changed, in chunks of any size. */
function changing(chunkBytes: number, seekable = true) {
  const bytes = Uint8Array.from({ length: SIZE }, (_, i) => (i * 7 + (i >> 8)) % 251);
  async function* from(offset: number): AsyncGenerator<Uint8Array> {
    for (let at = offset; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes);
  }
  const source: ByteSource = { name: 'a.bin', size: SIZE, read: () => from(0), ...(seekable ? { readFrom: from } : {}) };
  return { bytes, source: sealedSource(source) };
}

async function all(chunks: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks ?? []) parts.push(part);
  return Buffer.concat(parts);
}

describe('a sealed source', () => {
  it.each([1_000, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 2 * BLOCK_BYTES, SIZE])(
    'gives the same bytes from any place, in chunks of %i',
    async (chunkBytes) => {
      const { bytes, source } = changing(chunkBytes);
      for (const offset of [0, 1, BLOCK_BYTES, BLOCK_BYTES + 5, 3 * BLOCK_BYTES + 1, SIZE]) {
        expect((await all(source.readFrom?.(offset))).equals(bytes.subarray(offset))).toBe(true);
      }
      expect((await all(source.read())).equals(bytes)).toBe(true);
    },
  );

  it.each([0, BLOCK_BYTES - 1, BLOCK_BYTES, 2 * BLOCK_BYTES + 77, SIZE - 1])(
    'gives no byte of a block in which byte %i changed',
    async (at) => {
      const { bytes, source } = changing(1_000);
      await all(source.read());
      bytes[at] = (bytes[at] ?? 0) + 1;
      let seen = 0;
      const reading = (async () => {
        for await (const chunk of source.read()) seen += chunk.length;
      })();
      await expect(reading).rejects.toMatchObject({ code: 'FILE_CHANGED', hint: expect.stringContaining('Make it again') });
      expect(seen).toBe(at - (at % BLOCK_BYTES));
      await expect(all(source.readFrom?.(at))).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    },
  );

  it('keeps the bytes of the first reading, even if that ended early', async () => {
    const { bytes, source } = changing(BLOCK_BYTES);
    for await (const _ of source.read()) break;
    bytes[3] = 99;
    await expect(all(source.read())).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  });

  it('cannot seek if its underlying source cannot', () => {
    expect(changing(10, false).source.readFrom).toBeUndefined();
  });

  it('has nothing to compare in an empty file', async () => {
    const source = sealedSource({ name: 'empty', size: 0, async *read() {} });
    expect(await all(source.read())).toHaveLength(0);
  });
});
