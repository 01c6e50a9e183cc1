/** The practice server: a real MCP server over standard input and output that counts what it is given, or keeps it in tables in memory. */
import type { Readable, Writable } from 'node:stream';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ZodError, z } from 'zod';
import { LineTransport } from '../wire/line-transport.ts';
import { described, PRACTICE_ARGUMENT, PRACTICE_MESSAGE_BYTES, PRACTICE_TOOL, practiceTool } from './practice-tool.ts';

const callParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

export interface PracticeServerOptions {
  info: { name: string; version: string };
  /** Whether it has the tools of tables too. */
  tables?: boolean | undefined;
  stdin?: Readable | undefined;
  stdout?: Writable | undefined;
  /** Called once the input has ended. */
  onClosed?: (() => void) | undefined;
}

/** Serves until the input ends. It opens no file; what it was given is gone then. */
export function servePractice(options: PracticeServerOptions): void {
  const { info, tables, stdin = process.stdin, stdout = process.stdout } = options;
  const transport = new LineTransport(stdin, stdout, PRACTICE_MESSAGE_BYTES);
  const kept = tables ? createPracticeTables() : undefined;
  serveStdio(() => createPracticeServer(info, kept), { transport });
  const closedBySdk = transport.onclose;
  transport.onclose = () => {
    closedBySdk?.();
    options.onClosed?.();
  };
}

function createPracticeServer(info: PracticeServerOptions['info'], tables: PracticeTables | undefined): Server {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [practiceTool, ...(tables?.tools ?? [])] }));
  server.setRequestHandler('tools/call', { params: callParams }, ({ name, arguments: args = {} }) => {
    const answer = tables && answerOfTables(tables, name, args);
    if (answer !== undefined) return answer;
    if (name !== PRACTICE_TOOL) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}'`);
    if (!Object.hasOwn(args, PRACTICE_ARGUMENT)) {
      return { content: [{ type: 'text', text: `'${PRACTICE_ARGUMENT}' is missing` }], isError: true };
    }
    return { content: [{ type: 'text', text: described(args[PRACTICE_ARGUMENT]) }] };
  });
  return server;
}

function answerOfTables(tables: PracticeTables, name: string, args: unknown) {
  try {
    const text = tables.call(name, args);
    return text === undefined ? undefined : { content: [{ type: 'text' as const, text }] };
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    return { content: [{ type: 'text' as const, text: z.prettifyError(error) }], isError: true };
  }
}

// Its tables: rows that live as long as the server, for a demonstration without a database.

/** Rows in one call: more are taken in several calls, as by real databases. */
const MOST_ROWS = 10_000;

const insertArguments = z.strictObject({
  table: z.string().min(1),
  data: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_ROWS),
});
const describeArguments = z.strictObject({ table: z.string().min(1) });

const tableProperty = { type: 'string', description: 'Name of the table' };

const insertRows = {
  name: 'insert_rows',
  title: 'Insert rows',
  description: `Inserts rows into a table in memory, at most ${MOST_ROWS.toLocaleString('en')} in a call. The table is made by its first rows.`,
  inputSchema: {
    type: 'object' as const,
    properties: {
      table: tableProperty,
      data: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: MOST_ROWS, description: 'The rows' },
    },
    required: ['table', 'data'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

const describeTable = {
  name: 'describe_table',
  title: 'Describe a table',
  description: 'Tells how many rows a table has, which columns, and its first and last row.',
  inputSchema: {
    type: 'object' as const,
    properties: { table: tableProperty },
    required: ['table'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

type Row = Record<string, unknown>;

export interface PracticeTables {
  readonly tools: readonly (typeof insertRows | typeof describeTable)[];
  /** The text of the answer; undefined if there is no such tool. Throws a `ZodError` for arguments that do not fit. */
  call(name: string, args: unknown): string | undefined;
}

function createPracticeTables(): PracticeTables {
  const tables = new Map<string, Row[]>();
  return {
    tools: [insertRows, describeTable],
    call(name, args) {
      if (name === insertRows.name) {
        const { table, data } = insertArguments.parse(args);
        const rows = tables.get(table) ?? [];
        for (const row of data) rows.push(row);
        tables.set(table, rows);
        return `Inserted ${data.length} rows into ${table}.`;
      }
      if (name === describeTable.name) {
        const { table } = describeArguments.parse(args);
        const rows = tables.get(table) ?? [];
        return JSON.stringify({
          table,
          rows: rows.length,
          columns: Object.keys(rows[0] ?? {}),
          first: rows[0],
          last: rows.at(-1),
        });
      }
      return undefined;
    },
  };
}
