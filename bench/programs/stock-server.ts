/**
 * A typical upstream: the official SDK over stdio, with arguments validated by zod. `uncapped` removes the SDK's message
 * limit.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'stock', version: '1.0.0' });
let records = 0;

server.registerTool(
  'ingest',
  { description: 'Counts records', inputSchema: { records: z.array(z.record(z.string(), z.unknown())) } },
  ({ records: more }) => {
    records += more.length;
    return { content: [{ type: 'text', text: String(more.length) }] };
  },
);
server.registerTool('ingested', { description: 'Tells how many, and starts again', inputSchema: {} }, () => {
  const text = String(records);
  records = 0;
  return { content: [{ type: 'text', text }] };
});
server.registerTool('measure', { description: 'Tells the length', inputSchema: { text: z.string() } }, ({ text }) => ({
  content: [{ type: 'text', text: String(text.length) }],
}));

const options = process.argv.includes('uncapped') ? { maxBufferSize: Number.POSITIVE_INFINITY } : {};
await server.connect(new StdioServerTransport(process.stdin, process.stdout, options));
