/** The practice server's embedded tables: rows that live as long as the server, for a demonstration without a database. */
import { z } from 'zod';

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

export function createPracticeTables(): PracticeTables {
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
