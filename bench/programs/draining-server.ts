/**
 * A receiver that only drains: an MCP server over stdio that answers calls without parsing their arguments. With `raw` it
 * reports that it is ready, drains its input, and reports its size.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';

const EDGE_BYTES = 512;
const LINE_FEED = 10;
const tool = {
  name: 'ingest',
  inputSchema: { type: 'object', properties: { records: { type: 'array' } }, required: ['records'] },
};

const say = (value: object) => writeSync(1, `${JSON.stringify(value)}\n`);
const answer = (id: unknown, result: object) => say({ jsonrpc: '2.0', id, result });

/** Start and end of the line that is being received. */
let head = '';
let tail = '';
let bytes = 0;

function endOfLine(): void {
  if (bytes <= EDGE_BYTES) {
    const { id, method, params } = JSON.parse(head) as { id?: number; method: string; params?: { protocolVersion?: string } };
    if (method === 'initialize') {
      answer(id, {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'drain', version: '1.0.0' },
      });
    } else if (method === 'tools/list') answer(id, { tools: [tool] });
    else if (method === 'tools/call') answer(id, { content: [{ type: 'text', text: String(bytes) }] });
    else if (id !== undefined) say({ jsonrpc: '2.0', id, error: { code: -32601, message: `No '${method}' here` } });
  } else {
    const id = /"id":(\d+)\}$/.exec(tail)?.[1] ?? /"id":(\d+)/.exec(head)?.[1];
    answer(Number(id), { content: [{ type: 'text', text: String(bytes) }] });
  }
  head = '';
  tail = '';
  bytes = 0;
}

function take(piece: Buffer): void {
  if (head.length < EDGE_BYTES) head += piece.toString('latin1', 0, EDGE_BYTES - head.length);
  tail = piece.length >= EDGE_BYTES ? piece.toString('latin1', piece.length - EDGE_BYTES) : `${tail}${piece.toString('latin1')}`;
  bytes += piece.length;
}

const raw = process.argv.includes('raw');
if (raw) say({ ready: true });
process.stdin.on('data', (chunk: Buffer) => {
  if (raw) {
    bytes += chunk.length;
    return;
  }
  let from = 0;
  for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
    take(chunk.subarray(from, end));
    endOfLine();
    from = end + 1;
  }
  if (from < chunk.length) take(chunk.subarray(from));
});
await once(process.stdin, 'end');
if (raw) say({ bytes });
