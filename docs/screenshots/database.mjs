/** A server to be seen in pictures: tools such as a database has, with a real schema and nothing behind them. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'database', version: '1.0.0' });
const customer = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  zip: z.string(),
  revenue: z.number(),
  active: z.boolean(),
  since: z.string(),
});
server.registerTool(
  'bulk_insert',
  {
    description: 'Inserts many rows into a table at once',
    inputSchema: { table: z.string(), data: z.array(customer).max(10_000) },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  ({ table, data }) => ({ content: [{ type: 'text', text: `${data.length} rows inserted into ${table}` }] }),
);
server.registerTool(
  'query',
  { description: 'Runs a query that only reads', inputSchema: { sql: z.string() }, annotations: { readOnlyHint: true } },
  () => ({ content: [{ type: 'text', text: '[]' }] }),
);
server.registerTool(
  'drop_table',
  {
    description: 'Removes a table and everything in it',
    inputSchema: { table: z.string() },
    annotations: { destructiveHint: true },
  },
  ({ table }) => ({ content: [{ type: 'text', text: `${table} removed` }] }),
);
await server.connect(new StdioServerTransport());
