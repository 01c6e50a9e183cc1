/** What HTTP answers are cut into before the SDK reads them. */
import { beforeEach, expect, it, vi } from 'vitest';
import { exactText } from '../engine/core/exact-numbers.ts';
import { ArrivingAnswers, eventBody } from './arriving-answers.ts';
import { ResultTap } from './result-tap.ts';

let tap: ResultTap;
beforeEach(() => {
  tap = new ResultTap();
  tap.outgoing({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } });
  tap.outgoing({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });
});

async function events(chunk: Buffer, most = 1_000_000): Promise<string[]> {
  async function* chunks() {
    yield chunk;
  }
  const answers = new ArrivingAnswers({ tap, maxBytes: () => most, onBytes: () => undefined });
  const pieces: string[] = [];
  for await (const piece of eventBody(chunks(), { answers })) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

it('splits events at blank lines with any line ending', async () => {
  expect(await events(Buffer.from('data: 1\n\ndata: 2\r\rdata: 3\r\n\r\nid: 4\rdata: 4\n\ndata: 5'))).toEqual([
    'data: 1\n\n',
    // A line's end is whole; its second half that came later is one more, which ends nothing.
    'data: 2\r\r\n',
    'data: 3\r\n\r\n',
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

const row = '{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"id":12345678901234567890}}}';

it("marks long numbers in the data of a tool's answer, and nowhere else", async () => {
  const [event = ''] = await events(Buffer.from(`id: 12345678901234567890\nevent: message\ndata:${row}\n\n`));
  expect(event).toMatch(/^id: 12345678901234567890\nevent: message\ndata: \{/);
  expect(event).not.toContain(':12345678901234567890');
  expect(exactText(event)).toBe(`id: 12345678901234567890\nevent: message\ndata: ${row}\n\n`);
  const other = row.replace('"id":1', '"id":2');
  expect(await events(Buffer.from(`data: ${other}\n\n`))).toEqual([`data: ${other}\n\n`]);
});

it('ends with a failure of the call whose event is too long', async () => {
  const long = Buffer.from(`: hello\nevent: message\ndata: {"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(4000)}`);
  const pieces = await events(long, 1000);
  expect(pieces).toHaveLength(1);
  expect(tap.incoming(JSON.parse((pieces[0] ?? '').replace(/^data: /, '')))).toMatchObject({ id: 1 });
});
