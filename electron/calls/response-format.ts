/** Renders stored answers in each response format. */

import { isJson } from '../../shared/lib/is-json.ts';
import type { ResponseFormat } from '../../shared/model/call.ts';
import { type Warning, warning } from '../../shared/model/conversion.ts';
import { say } from '../../shared/model/messages/message.ts';
import { exactText } from '../engine/core/exact-numbers.ts';
import type { ToolResult } from '../upstream/types.ts';
import { answerRecords, answerText, answerValue, cellsOf, cellText, columnsOf, structureRepeatsText } from './answer.ts';
import { toHtml, toMarkdown } from './markdown.ts';
import { toXml } from './xml-writer.ts';

export type StoredFormat = Exclude<ResponseFormat, 'auto'>;

export const responseTypes: Record<StoredFormat, string> = {
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  yaml: 'application/yaml',
  xml: 'application/xml',
  md: 'text/markdown',
  html: 'text/html',
  txt: 'text/plain',
};

const aliases: Record<string, StoredFormat> = { ndjson: 'jsonl', yml: 'yaml', htm: 'html', markdown: 'md', log: 'txt' };

/** The format a file name's extension asks for, if it asks for one. */
export function formatOfName(filename: string): StoredFormat | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return extension in responseTypes ? (extension as StoredFormat) : aliases[extension];
}

export interface ResponseBody {
  format: StoredFormat;
  text: string;
  warnings: Warning[];
}

/**
 * Renders an answer. `auto` is JSON where the answer is data and text otherwise. An answer that has no table in it
 * is kept as JSON or text when CSV or TSV was asked for, with a warning: the call has been made, its answer must not be lost.
 */
export async function renderResponse(result: ToolResult, format: ResponseFormat, title: string): Promise<ResponseBody> {
  const body = await rendered(result, format, title);
  return { ...body, text: exactText(body.text) };
}

async function rendered(result: ToolResult, format: ResponseFormat, title: string): Promise<ResponseBody> {
  const value = answerValue(result);
  const chosen: StoredFormat = format === 'auto' ? (typeof value === 'string' ? 'txt' : 'json') : format;
  const body = (text: string): ResponseBody => ({ format: chosen, text, warnings: [] });
  if (typeof value === 'string' && isIn(chosen, value)) return body(value);
  switch (chosen) {
    case 'txt':
      return body(answerText(result));
    case 'json':
      return body(jsonText(result, value));
    case 'jsonl':
      return body(`${(Array.isArray(value) ? value : [value]).map((item) => JSON.stringify(item)).join('\n')}\n`);
    case 'csv':
    case 'tsv': {
      const table = await tableText(value, chosen === 'csv' ? ',' : '\t');
      if (table !== undefined) return body(table);
      const fallback = await rendered(result, 'auto', title);
      fallback.warnings.push(notATable(fallback.format, chosen));
      return fallback;
    }
    case 'yaml':
      return body((await import('yaml')).stringify(value));
    case 'xml':
      return body(toXml(value));
    case 'md':
      return body(`${toMarkdown(value)}\n`);
    case 'html':
      return body(toHtml(value, title));
  }
}

/** The warning that an answer is stored in another format than requested. */
export function notATable(format: StoredFormat, wished: StoredFormat): Warning {
  return warning('NOT_A_TABLE', say('answer.notATable', { format, wished }));
}

/** The warning that a name's extension is not a known format; undefined without extension. */
export function notWritten(format: StoredFormat, filename: string): Warning | undefined {
  const extension = /[^.]\.([a-z][a-z0-9]{1,7})$/i.exec(filename)?.[1];
  if (extension === undefined || formatOfName(filename) !== undefined) return undefined;
  return warning('FORMAT_NOT_WRITTEN', say('answer.notWritten', { extension, format, known: Object.keys(responseTypes) }));
}

/** How a text of the format begins. */
const beginnings: Partial<Record<StoredFormat, RegExp>> = {
  txt: /^/,
  md: /^/,
  yaml: /^\s*(%YAML|---|#|-(\s|$)|[^\s:#][^:\r\n]*:(\s|$))/,
  xml: /^\uFEFF?\s*</,
  html: /^\uFEFF?\s*</,
};

/** Whether a text seems to be in the format already, as a file's content is that a tool gave back. It is kept to the letter then. */
export function isIn(format: StoredFormat, text: string): boolean {
  if (format === 'csv') return isTable(text, [',', ';', '|', '\t']);
  if (format === 'tsv') return isTable(text, ['\t']);
  if (format !== 'jsonl') return beginnings[format]?.test(text) ?? false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every(isJson);
}

/** Words may have commas in them; that two lines have one in common is another matter. */
function isTable(text: string, delimiters: readonly string[]): boolean {
  const [header = '', first = ''] = text.split(/\r\n|\r|\n/, 2);
  return delimiters.some((delimiter) => header.includes(delimiter) && first.includes(delimiter));
}

/** A text answer that is JSON already is kept to the letter: parsing it would lose the digits of big integers. */
function jsonText(result: ToolResult, value: unknown): string {
  const fromText = result.structuredContent === undefined || structureRepeatsText(result);
  const verbatim = fromText && typeof value !== 'string';
  return verbatim ? answerText(result) : JSON.stringify(value, null, 2);
}

async function tableText(value: unknown, delimiter: string): Promise<string | undefined> {
  const records = answerRecords(value);
  const { default: papaparse } = await import('papaparse');
  if (records) {
    const fields = columnsOf(records);
    return papaparse.unparse({ fields, data: records.map((record) => cellsOf(record, fields)) }, { delimiter });
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const rows = value.map((item) => (Array.isArray(item) ? item : [item]));
  return papaparse.unparse(
    rows.map((row) => row.map(cellText)),
    { delimiter },
  );
}
