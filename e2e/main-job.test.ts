/** The main job: a table goes from a file into a database by its path, over both transports and with each kind of client. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filebridge, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds, type McpClient } from './support/mcp-clients.ts';
import { node24 } from './support/node-versions.ts';
import { skippedFor } from './support/skipping.ts';
import { everything, sqlite } from './support/upstreams.ts';

const run = promisify(execFile);
const newer = await node24();
const skipNote = skippedFor(newer.missing);

const ROWS = 10_001;
/** A name, a zip code with leading zeros, an empty cell now and then, a comma and a quote. */
const people = `id,name,zip,score\n${Array.from(
  { length: ROWS },
  (_, i) => `${i + 1},"O""Neil, ${i}",${String(i % 1000).padStart(5, '0')},${i % 7 === 0 ? '' : (i / 4).toString()}`,
).join('\n')}\n`;

/** Our own tools, in the order they are published. */
const ownTools = [
  'call_tool_with_file_content',
  'call_tool',
  'call_tool_and_store',
  'preview_file',
  'list_upstream_tools',
  'describe_upstream_tool',
  'list_allowed_directories',
  'job_status',
  'cancel_job',
];

describe.each(transports)('over %s', (transport) => {
  describe.each(clientKinds)('with the SDK %s', (kind) => {
    let filebridge: Filebridge;
    let client: McpClient;

    beforeAll(async () => {
      filebridge = await startFilebridge(transport, { upstreams: { everything: everything() } });
      client = await filebridge.connect(kind);
    });
    afterAll(() => filebridge?.stop());

    it('settles on the newest revision the client speaks', () => {
      expect(client.revision).toBe(kind === 'v2 negotiating' ? '2026-07-28' : '2025-11-25');
    });

    it('publishes its tools with complete schemas and annotations, for under 4,000 tokens', async () => {
      const tools = await client.tools();
      expect(tools.map(({ name }) => name)).toEqual(ownTools);
      for (const tool of tools) {
        expect(tool.description, tool.name).toMatch(/\. \{.*\}$/);
        expect(Object.keys(tool.annotations ?? {}).sort(), tool.name).toEqual([
          'destructiveHint',
          'idempotentHint',
          'openWorldHint',
          'readOnlyHint',
        ]);
        expect(tool.inputSchema.type).toBe('object');
        if (tool.name !== 'list_allowed_directories')
          expect(Object.keys(tool.inputSchema.properties ?? {}).length, tool.name).toBeGreaterThan(0);
      }
      const fileCall = tools[0]?.inputSchema.properties ?? {};
      for (const name of ['server', 'tool_name', 'path', 'file_path', 'files', 'data_key', 'tool_args', 'batch', 'dry_run'])
        expect(fileCall[name], name).toBeDefined();
      expect(countTokens(JSON.stringify(tools))).toBeLessThan(4000);
    });

    it('hands a file to a third-party server', async () => {
      await filebridge.file('greeting.csv', 'zip,name\n00501,Ada\n');
      const answer = await client.call('call_tool_with_file_content', {
        server: 'everything',
        tool_name: 'echo',
        path: filebridge.at('greeting.csv'),
        as: 'text',
        data_key: 'message',
        output_format: 'string',
      });
      expect(answer).toMatchObject({ isError: false, text: 'Echo: zip,name\n00501,Ada\n' });
    });

    it('names an unknown parameter', async () => {
      const answer = await client.call('call_tool', { server: 'everything', tool_name: 'echo', toolargs: { message: 'x' } });
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain("Unknown parameter 'toolargs'");
      expect(answer.text).toContain('tool_args');
    });

    it.skipIf(newer.missing)(`puts ${ROWS} records into a database${skipNote}`, async () => {
      const database = await startFilebridge(transport, {
        upstreams: { db: sqlite(newer.path ?? '', filebridge.workspace.root) },
      });
      try {
        const agent = await database.connect(kind);
        await database.file('people.csv', people);
        const name = `people-${transport}-${clientKinds.indexOf(kind)}.db`;
        const plain = async (tool_name: string, tool_args: Record<string, unknown>) => {
          const answer = await agent.call('call_tool', { server: 'db', tool_name, tool_args, output_format: 'string' });
          expect(answer.isError, answer.text).toBe(false);
          return answer;
        };
        await plain('create_database', { path: name });
        await plain('execute_schema_query', {
          query: 'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, zip TEXT NOT NULL, score REAL)',
        });

        const answer = await agent.call('call_tool_with_file_content', {
          server: 'db',
          tool_name: 'bulk_insert',
          path: database.at('people.csv'),
          data_key: 'data',
          tool_args: { table: 'people' },
          batch: 'auto',
        });
        expect(answer.isError, answer.text).toBe(false);
        // All that the agent reads of it.
        expect(answer.text).toMatch(/^10001 of 10001 records accepted by db:bulk_insert in 2 batches\. Receipt: [0-9a-f]{8}\.$/);

        const counted = await plain('execute_read_query', {
          query:
            "SELECT count(*) AS n, sum(score IS NULL) AS unknown, min(zip) AS first FROM people WHERE zip GLOB '[0-9][0-9][0-9][0-9][0-9]'",
        });
        expect((counted.json().result as { rows: unknown }).rows).toEqual([{ n: 10_001, unknown: 1429, first: '00000' }]);

        // And once more by a program that has nothing to do with either.
        const script = `
          const { DatabaseSync } = require('node:sqlite');
          const db = new DatabaseSync(process.argv[1]);
          const all = db.prepare('SELECT id, name, zip, score FROM people ORDER BY id').all();
          process.stdout.write(JSON.stringify({ n: all.length, first: all[0], last: all.at(-1), zips: new Set(all.map((r) => r.zip)).size }));`;
        const { stdout } = await run(newer.path ?? '', ['--no-warnings', '-e', script, filebridge.workspace.at(name)]);
        expect(JSON.parse(stdout)).toEqual({
          n: 10_001,
          first: { id: 1, name: 'O"Neil, 0', zip: '00000', score: null },
          last: { id: 10_001, name: 'O"Neil, 10000', zip: '00000', score: 2500 },
          zips: 1000,
        });
      } finally {
        await database.stop();
      }
    });
  });
});
