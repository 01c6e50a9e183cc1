/**
 * Types of the rivals' packages, as far as used: they are installed only by `npm run bench`, and the sources are checked
 * without them.
 */

declare module 'csv-parse/sync' {
  export function parse(text: Uint8Array, options: { columns: boolean; cast: boolean; bom: boolean }): unknown[];
}

declare module 'udsv' {
  interface Schema {
    readonly cols: readonly unknown[];
  }
  export function inferSchema(text: string): Schema;
  export function initParser(schema: Schema): { typedObjs(text: string): unknown[] };
}

declare module '@duckdb/node-api' {
  interface Connection {
    run(sql: string): Promise<unknown>;
  }
  export const DuckDBInstance: {
    create(place: string, options: Readonly<Record<string, string>>): Promise<{ connect(): Promise<Connection> }>;
  };
}

declare module 'nodejs-polars' {
  interface Frame {
    writeJSON(file: string, options: { format: 'json' }): void;
  }
  const polars: { readCSV(file: string): Frame };
  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export default polars;
}

declare module 'fast-xml-parser' {
  export class XMLParser {
    constructor(options: Readonly<Record<string, string | boolean>>);
    parse(text: Uint8Array): unknown;
  }
}

declare module 'js-yaml' {
  export function load(text: string): unknown;
}

declare module 'chardet' {
  export function analyse(bytes: Uint8Array): { name: string }[];
}

declare module 'mammoth' {
  const mammoth: { convertToHtml(input: { path: string }): Promise<{ value: string }> };
  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export default mammoth;
}

declare module 'turndown' {
  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export default class Turndown {
    turndown(html: string): string;
  }
}
