/** A table from a file in PostgreSQL, through a server that knows SQL and scalar parameters, but no records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import type { McpClient } from './support/mcp-clients.ts';
import { missingPostgres, type Postgres, startPostgres } from './support/postgres.ts';
import { skippedFor } from './support/skipping.ts';
import { postgresServer } from './support/upstreams.ts';

const missing = await missingPostgres();
const skipNote = skippedFor(missing);

const ROWS = 12_345;
const people = `id,name,zip,born,active\n${Array.from(
  { length: ROWS },
  (_, i) => `${i + 1},"Zoë, ${i}",${String(i % 90_000).padStart(5, '0')},19${String(10 + (i % 90))}-02-03,${i % 3 === 0}`,
).join('\n')}\n`;

const columns = 'id int, name text, zip text, born date, active boolean';

describe.skipIf(missing)(`PostgreSQL${skipNote}`, () => {
  let postgres: Postgres;
  let filebridge: Filebridge;
  let client: McpClient;

  beforeAll(async () => {
    postgres = await startPostgres();
    filebridge = await startFilebridge('stdio', { upstreams: { pg: postgresServer(postgres.url) } });
    client = await filebridge.connect('v1');
    await filebridge.file('people.csv', people);
    await postgres.psql(`CREATE TABLE streamed (${columns}); CREATE TABLE whole (${columns});`);
  });
  afterAll(async () => {
    await filebridge?.stop();
    await postgres?.stop();
  });

  /** Every fact about a table that could have been lost on the way. */
  const facts = (table: string) =>
    postgres.psql(
      `SELECT count(*), count(DISTINCT id), min(zip), max(zip), sum(active::int), min(born), min(name) COLLATE "C" FROM ${table} GROUP BY ()`,
    );
  const expected = `${ROWS}|${ROWS}|00000|12344|${Math.ceil(ROWS / 3)}|1910-02-03|Zoë, 0`;

  // The server takes scalar parameters: here one per record, as JSON text.
  it('takes the records as parameters in batches', async () => {
    const size = 5000;
    const placeholders = (count: number) => Array.from({ length: count }, (_, i) => `$${i + 1}::text`).join(', ');
    const batched = (args: object) =>
      client.call('call_tool_with_file_content', {
        server: 'pg',
        tool_name: 'execute',
        path: filebridge.at('people.csv'),
        data_key: 'params',
        output_format: 'string',
        ...args,
      });
    const insert = (count: number) => ({
      sql: `INSERT INTO streamed SELECT fields.* FROM unnest(ARRAY[${placeholders(count)}]) AS line,
        jsonb_to_record(line::jsonb) AS fields(${columns})`,
    });
    const expression = '$map($, function($record) { $string($record) })';
    const answer = await batched({ tool_args: insert(size), transform: { limit: 2 * size, expression }, batch: { size } });
    expect(answer).toMatchObject({
      isError: false,
      text: '10000 of 10000 records accepted by pg:execute in 2 batches.',
    });
    const rest = await batched({ tool_args: insert(ROWS - 2 * size), transform: { offset: 2 * size, expression } });
    expect(rest.isError, rest.text).toBe(false);
    expect(await facts('streamed')).toBe(expected);
  });

  it('takes all records as one JSON text, made by an expression', async () => {
    const answer = await client.call('call_tool_with_file_content', {
      server: 'pg',
      tool_name: 'execute',
      path: filebridge.at('people.csv'),
      data_key: 'params[0]',
      tool_args: { sql: `INSERT INTO whole SELECT * FROM jsonb_to_recordset($1::jsonb) AS row(${columns})` },
      transform: { expression: '$string($)' },
      output_format: 'string',
    });
    expect(answer.isError, answer.text).toBe(false);
    expect(await facts('whole')).toBe(expected);
  });

  it("reports the database's message when it refuses", async () => {
    const answer = await client.call('call_tool_with_file_content', {
      server: 'pg',
      tool_name: 'execute',
      path: filebridge.at('people.csv'),
      data_key: 'params[0]',
      tool_args: { sql: 'INSERT INTO nowhere SELECT $1::jsonb' },
      transform: { expression: '$string($)' },
    });
    expect(answer.isError).toBe(true);
    expect(answer.json()).toMatchObject({
      error: expect.stringMatching(/^Upstream tool 'execute' failed: .*relation \\?"nowhere\\?" does not exist/s),
      tool: 'pg:execute',
    });
  });
});
