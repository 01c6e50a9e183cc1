/** Servers to be seen in pictures: tools such as a database or a task list has, with real schemas and nothing behind them. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const [, , name = 'database'] = process.argv;
const server = new McpServer({ name, version: '1.0.0' });
const text = (said) => ({ content: [{ type: 'text', text: said }] });
if (name === 'tasks') {
  for (const tool of ['create_tasks', 'assign_tasks', 'close_tasks']) {
    const inputSchema = { tasks: z.array(z.object({ title: z.string(), owner: z.string().optional() })) };
    server.registerTool(tool, { description: 'Works on several tasks at once', inputSchema }, ({ tasks }) =>
      text(`${tasks.length} done`),
    );
  }
} else {
  registerTables();
}
await server.connect(new StdioServerTransport());

function registerTables() {
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
    ({ table, data }) => text(`${data.length} rows inserted into ${table}`),
  );
  server.registerTool(
    'query',
    { description: 'Runs a query that only reads', inputSchema: { sql: z.string() }, annotations: { readOnlyHint: true } },
    () => text('[]'),
  );
  server.registerTool(
    'drop_table',
    {
      description: 'Removes a table and everything in it',
      inputSchema: { table: z.string() },
      annotations: { destructiveHint: true },
    },
    ({ table }) => text(`${table} removed`),
  );
}
