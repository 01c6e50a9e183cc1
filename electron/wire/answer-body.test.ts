/** What HTTP answers are cut into before the SDK reads them. */
import { expect, it, vi } from 'vitest';
import { eventBody } from './answer-body.ts';
import type { LongMessage } from './long-messages.ts';

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

it('splits events at blank lines with any line ending', async () => {
  expect(await events(Buffer.from('data: 1\n\ndata: 2\r\rdata: 3\r\n\r\nid: 4\rdata: 4\n\ndata: 5'))).toEqual([
    'data: 1\n\n',
    'data: 2\r\r',
    // The second half of a line's end goes with what follows.
    'data: 3\r\n\r',
    '\nid: 4\rdata: 4\n\n',
    'data: 5',
  ]);
});

it('scans each byte of a chunk once, with any line ending', async () => {
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

it('keeps only the data and short fields of a long event', async () => {
  const line = Buffer.from('x'.repeat(64 * 1024));
  async function* chunks() {
    yield Buffer.from('id: 7\n: ');
    for (let i = 0; i < 100; i++) yield line;
    yield Buffer.from('\nevent: message\ndata: {"a":');
    yield Buffer.from('1}\nother: ');
    for (let i = 0; i < 100; i++) yield line;
    yield Buffer.from('\n\n');
  }
  let data = '';
  const long: Partial<LongMessage> = {
    push(chunk) {
      data += Buffer.from(chunk).toString();
    },
    cutOff: () => undefined,
    end: async () => ({ jsonrpc: '2.0', id: 7, result: {} }),
    discard: () => undefined,
  };
  const pieces: Buffer[] = [];
  for await (const piece of eventBody(
    chunks(),
    () => long as LongMessage,
    () => {},
  ))
    pieces.push(Buffer.from(piece));
  const event = Buffer.concat(pieces).toString();
  expect(data).toBe('{"a":1}');
  expect(event).toMatch(/^id: 7\nevent: message\nother: /);
  expect(event).toMatch(/\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n$/);
  expect(event.length).toBeLessThan(128 * 1024);
});
