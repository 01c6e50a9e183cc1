import { expect, it, vi } from 'vitest';
import { eventBody } from './answer-body.ts';

async function events(chunk: Buffer): Promise<string[]> {
  async function* chunks() {
    yield chunk;
  }
  const begin = () => {
    throw new Error('nothing here is long');
  };
  const pieces: string[] = [];
  for await (const piece of eventBody(chunks(), begin, () => {})) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

it('cuts events at blank lines of every kind', async () => {
  expect(await events(Buffer.from('data: 1\n\ndata: 2\r\rdata: 3\r\n\r\nid: 4\rdata: 4\n\ndata: 5'))).toEqual([
    'data: 1\n\n',
    'data: 2\r\r',
    // The second half of a line's end goes with what follows.
    'data: 3\r\n\r',
    '\nid: 4\rdata: 4\n\n',
    'data: 5',
  ]);
});

it('looks at each byte of a chunk once, whatever its lines end with', async () => {
  let looked = 0;
  const { indexOf } = Uint8Array.prototype;
  const watch = (original: Uint8Array['indexOf']) =>
    function (this: Uint8Array, byte: number, from = 0) {
      const at = original.call(this, byte, from);
      looked += (at === -1 ? this.length : at + 1) - from;
      return at;
    };
  const bytes = new Uint8Array(Buffer.from(`data: 1${'\r'.repeat(2000)}`));
  vi.spyOn(Uint8Array.prototype, 'indexOf').mockImplementation(watch(indexOf));
  const pieces = await events(bytes as Buffer).finally(() => vi.restoreAllMocks());
  expect(pieces).toHaveLength(1999);
  expect(looked).toBeLessThan(4 * bytes.length);
});
