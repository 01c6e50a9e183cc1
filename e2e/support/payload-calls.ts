/** The ways in which a model can hand over a payload: typed out, as base64, or by the path of a file. */
import { contentPack, markdownDocument, people, peopleCsv } from './seeded-content.ts';

/** The arguments that a model writes for a call. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Payload {
  title: string;
  file: string;
  text: string;
  /** The content that the upstream's tool receives. */
  value: unknown;
  inline: ToolCall;
  base64: ToolCall;
  /** Calls that name the file, by the Filebridge tool that takes them. */
  byPath(path: string): { general: ToolCall; companion: ToolCall };
}

/** The server for both kinds of call. */
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
  // Larger than the few megabytes that servers accept in a message.
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

/** The exact text that a model emits for it. */
export const emitted = (call: ToolCall): string => JSON.stringify(call);
