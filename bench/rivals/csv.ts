/** Other libraries that convert CSV to a JSON array of objects, each with the types it detects. */
import { readFileSync } from 'node:fs';
import { type Contender, writeWhole } from './contender.ts';

/** Threads for libraries that use several. */
const THREADS = '2';

export const csvRivals: Readonly<Record<string, Contender>> = {
  /** Used by most programs. */
  async papaparse() {
    const { default: papaparse } = await import('papaparse');
    return (file, out) => {
      const { data } = papaparse.parse(readFileSync(file, 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true });
      writeWhole(out, JSON.stringify(data));
    };
  },
  async 'csv-parse'() {
    const { parse } = await import('csv-parse/sync');
    return (file, out) => writeWhole(out, JSON.stringify(parse(readFileSync(file), { columns: true, cast: true, bom: true })));
  },
  async uDSV() {
    const { inferSchema, initParser } = await import('udsv');
    return (file, out) => {
      const text = readFileSync(file, 'utf8');
      writeWhole(out, JSON.stringify(initParser(inferSchema(text)).typedObjs(text)));
    };
  },
  async DuckDB() {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:', { threads: THREADS })).connect();
    return async (file, out) => {
      await connection.run(`COPY (SELECT * FROM read_csv('${file}')) TO '${out}' (FORMAT json, ARRAY true)`);
    };
  },
  async Polars() {
    process.env.POLARS_MAX_THREADS = THREADS;
    const { default: polars } = await import('nodejs-polars');
    return (file, out) => polars.readCSV(file).writeJSON(out, { format: 'json' });
  },
};
