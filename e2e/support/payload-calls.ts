/** The same payloads as a model can hand them over: typed out, as base64, or by the path of a file. */
import { contentPack, markdownDocument, people, peopleCsv } from './seeded-content.ts';

/** What a model writes to call a tool. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Payload {
  title: string;
  file: string;
  text: string;
  /** What the upstream's tool takes from it. */
  value: unknown;
  inline: ToolCall;
  base64: ToolCall;
  /** Calls that name the file, by the tool of Filebridge that takes them. */
  byPath(path: string): { general: ToolCall; companion: ToolCall };
}

/** Server that both kinds of call go to. */
export const SERVER = 'site';

function textPayload(title: string, file: string, text: string): Payload {
  const place = `content/${file}`;
  return {
    title,
    file,
    text,
    value: text,
    inline: { name: 'write_file', arguments: { path: place, content: text } },
    base64: { name: 'write_file', arguments: { path: place, content_base64: Buffer.from(text).toString('base64') } },
    byPath: (path) => ({
      general: {
        name: 'call_tool_with_file_content',
        arguments: {
          server: SERVER,
          tool_name: 'write_file',
          path,
          as: 'text',
          data_key: 'content',
          tool_args: { path: place },
        },
      },
      companion: { name: `${SERVER}__write_file`, arguments: { path: place, content_path: path } },
    }),
  };
}

function tablePayload(rows: number): Payload {
  const records = people(rows);
  const text = peopleCsv(records);
  // More than the few megabytes that servers take in a message.
  const batch = text.length > 1_000_000 ? { batch: 'auto' } : {};
  return {
    title: `${rows.toLocaleString('en')} CSV rows`,
    file: `people-${rows}.csv`,
    text,
    value: records,
    inline: { name: 'bulk_insert', arguments: { table: 'people', data: records } },
    base64: { name: 'bulk_insert', arguments: { table: 'people', data_base64: Buffer.from(text).toString('base64') } },
    byPath: (path) => ({
      general: {
        name: 'call_tool_with_file_content',
        arguments: {
          server: SERVER,
          tool_name: 'bulk_insert',
          path,
          data_key: 'data',
          tool_args: { table: 'people' },
          ...batch,
        },
      },
      companion: {
        name: `${SERVER}__bulk_insert`,
        arguments: { table: 'people', data_path: path, ...('batch' in batch ? { _file: batch } : {}) },
      },
    }),
  };
}

export const payloads = (): Payload[] => [
  textPayload('a 10 KB document with quotes and backticks', 'guide.md', markdownDocument(10 * 1024)),
  textPayload('a 67 KB content pack', 'pack.json', contentPack(67 * 1024)),
  tablePayload(500),
  tablePayload(100_000),
];

/** Exactly the text a model emits for it. */
export const emitted = (call: ToolCall): string => JSON.stringify(call);
