/** A server's answer as text, as data, and in each format that it can be stored in; and the tokens of it that a model did not read. */

import { isJson } from '../../shared/lib/is-json.ts';
import type { ResponseFormat } from '../../shared/model/call.ts';
import { type TokenCount, type Warning, warning } from '../../shared/model/conversion.ts';
import { say } from '../../shared/model/messages/message.ts';
import { formatDataKey, parseDataKey } from '../binding/data-key.ts';
import { snakeCase } from '../binding/text-form.ts';
import { exactJson, exactText, parseExact } from '../engine/core/exact-numbers.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import type { Converter } from '../engine/index.ts';
import { markdownCell } from '../engine/json/table-cells.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { answerTable, dataIn, jsonLines, markdownTable, type SeveralTables, type Table, valueAt } from './answer-records.ts';
import { addTokens } from './events.ts';

/** A block that carries bytes instead of text. */
export interface BinaryBlock {
  index: number;
  mimeType: string;
  base64: string;
}

/** The value of a block's `text`, usually a string. */
export function textPart(block: JsonObject): unknown {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' ? (block.resource as JsonObject | undefined)?.text : undefined;
}

/** A block's base64 data and its kind. */
export function binaryPart(block: JsonObject): { data: unknown; mimeType: string } {
  const resource = block.resource as JsonObject | undefined;
  const data = block.data ?? (block.type === 'resource' ? resource?.blob : undefined);
  return { data, mimeType: (block.mimeType ?? resource?.mimeType ?? 'application/octet-stream') as string };
}

function blockText(block: JsonObject): string | undefined {
  const text = textPart(block);
  return typeof text === 'string' ? text : undefined;
}

/** The content alone: one text block → that text, several → joined by line breaks, only `structuredContent` → its JSON. */
export function answerText(result: ToolResult): string {
  const texts = (result.content ?? []).map(blockText).filter((text) => text !== undefined);
  if (texts.length > 0) return texts.join('\n');
  if (result.structuredContent !== undefined) return exactJson(result.structuredContent);
  return '';
}

/** Whether `structuredContent` is the text once more, as the only member of an object: it then says no more than the text. */
export function structureRepeatsText(result: ToolResult): boolean {
  const { content, structuredContent } = result;
  if (typeof structuredContent !== 'object' || structuredContent === null) return false;
  const members = Object.values(structuredContent);
  return members.length === 1 && typeof members[0] === 'string' && members[0] === answerText({ content });
}

/** The answer as data: `structuredContent` where it says more than the text, or the text where it is JSON, or the text itself. */
export function answerValue(result: ToolResult): unknown {
  if (result.structuredContent !== undefined && !structureRepeatsText(result)) return result.structuredContent;
  return parsedText(result) ?? answerText(result);
}

/** The text as a list or object, where it is the JSON of one. */
function parsedText(result: ToolResult): unknown {
  const text = answerText(result);
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** The table of an answer, in its data or in its text. */
function tableIn(result: ToolResult, wanted: string | undefined): Table | SeveralTables | undefined {
  const value = answerValue(result);
  const found = typeof value === 'string' ? undefined : answerTable(value, wanted);
  return found ?? answerTable(dataIn(answerText(result)), wanted);
}

/** The value that template placeholders refer to: the text's JSON value if it has one, else the answer as data. */
export function templateValue(result: ToolResult): unknown {
  return parsedText(result) ?? answerValue(result);
}

/** Images, audio and blobs among the blocks, in order. */
export function binaryBlocks(result: ToolResult): BinaryBlock[] {
  const found: BinaryBlock[] = [];
  for (const [index, block] of (result.content ?? []).entries()) {
    const { data, mimeType } = binaryPart(block);
    if (typeof data === 'string') found.push({ index, mimeType, base64: data });
  }
  return found;
}

/** A cell as text: strings as they are, null and absent empty, anything else as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The part of an unchanged answer that a model reads; hosts show images and sounds without spelling them out. */
export function readableContent({ content, structuredContent }: ToolResult): JsonObject[] {
  const readable = (content ?? []).filter(
    (block) => typeof block.data !== 'string' && (block.resource as JsonObject | undefined)?.blob === undefined,
  );
  const onlyStructured = structuredContent !== undefined && readable.every((block) => blockText(block) === undefined);
  return onlyStructured ? [...readable, { type: 'text', text: JSON.stringify(structuredContent) }] : readable;
}

// Tokens a call kept out of the model's context.

/** `whole` without what was handed over after all; never below zero. */
export function withheldTokens(whole: TokenCount, handed: TokenCount): TokenCount {
  const sum = addTokens(whole, handed);
  return { count: Math.max(0, whole.count - handed.count), method: sum.method };
}

/** Longer results are counted by samples (bytes). */
const COUNTED_BYTES = 1024 * 1024;
const SAMPLES = { count: 128, characters: 1024 } as const;

/** Bytes of a result's texts; what hosts show without spelling it out counts as nothing. */
export const bytesOf = ({ content }: ToolResult): number =>
  textsOf(content).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

const textsOf = (content: ToolResult['content']): string[] =>
  (content ?? []).map(textPart).filter((text): text is string => typeof text === 'string');

/** Tokens of a result as a client reads it. */
export async function resultTokens(converter: Pick<Converter, 'countTokens'>, result: ToolResult): Promise<TokenCount> {
  if (bytesOf(result) <= COUNTED_BYTES) return converter.countTokens(exactText(JSON.stringify(result.content)));
  const texts = textsOf(result.content);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const samples = texts.flatMap((text) => {
    const count = Math.max(1, Math.round((SAMPLES.count * text.length) / characters));
    return Array.from({ length: count }, (_, index) => {
      const from = Math.floor((index * text.length) / count);
      return text.slice(from, from + SAMPLES.characters);
    });
  });
  const sampled = samples.reduce((sum, sample) => sum + sample.length, 0);
  const { count } = await converter.countTokens(JSON.stringify(samples.join('')));
  return { count: Math.round((count * characters) / sampled), method: 'estimated' };
}

// Renders stored answers in each response format.

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

interface Instead {
  readonly wished: StoredFormat;
  readonly lists: readonly string[];
  readonly records: string | undefined;
}

export interface ResponseBody {
  readonly format: StoredFormat;
  readonly text: string;
  /** What the answer could not be stored as, and why: no list at `records`, or none to choose among `lists`, the places of those it has. */
  readonly instead?: Instead | undefined;
  /** Lists that are not in the file. */
  readonly besides?: readonly string[];
  /** Where the lists of an object are, as data keys. */
  readonly lists?: readonly string[];
  /** Of a table: its records, and what the answer says of further ones. */
  readonly records?: number;
  readonly more?: readonly string[];
}

/**
 * Renders an answer. `auto` is JSON where the answer is data and text otherwise. An answer that has no table in it
 * is kept as JSON or text when CSV or TSV was asked for: the call has been made, its answer must not be lost. `records`: where its records are.
 */
export async function renderResponse(
  result: ToolResult,
  format: ResponseFormat,
  title: string,
  records?: string,
): Promise<ResponseBody> {
  const body = await rendered(result, format, title, records);
  return { ...body, text: exactText(body.text) };
}

/** Formats in which the records of a text are worth more than the text. */
const ofRecords: ReadonlySet<ResponseFormat> = new Set<ResponseFormat>(['jsonl', 'html']);

async function rendered(
  result: ToolResult,
  format: ResponseFormat,
  title: string,
  records: string | undefined,
): Promise<ResponseBody> {
  const value = answerValue(result);
  const chosen: StoredFormat = format === 'auto' ? (typeof value === 'string' ? 'txt' : 'json') : format;
  if (records === undefined && typeof value === 'string' && (await isIn(chosen, value))) return { format: chosen, text: value };
  const isSeparated = chosen === 'csv' || chosen === 'tsv';
  const isText = typeof value === 'string';
  const found = records !== undefined || isSeparated || (isText && ofRecords.has(chosen)) ? tableIn(result, records) : undefined;
  const table = found && 'rows' in found ? found : undefined;
  if (table === undefined && records !== undefined) return instead(result, chosen, records, title);
  const lines = chosen === 'json' && isText && records === undefined ? jsonLines(value) : undefined;
  const isPart = table !== undefined && (records !== undefined || isText);
  const part = lines ?? (isPart ? (table.records ?? table.rows) : value);
  switch (chosen) {
    case 'csv':
    case 'tsv':
      if (table === undefined) return instead(result, chosen, records, title);
      return {
        format: chosen,
        text: await separated(table, chosen === 'csv' ? ',' : '\t'),
        besides: table.besides,
        records: table.rows.length,
        more: table.more,
      };
    case 'jsonl': {
      const items = Array.isArray(part) ? part : [part];
      return { format: chosen, text: items.map((item) => `${JSON.stringify(item)}\n`).join('') };
    }
    default:
      return {
        format: chosen,
        text: await wholeText(result, chosen, part, title, isPart || lines !== undefined),
        ...(chosen === 'json' && isJsonObject(part) ? pageOf(result) : {}),
      };
  }
}

/** Of an object with lists: where they are, how long the one with the records is, and what the answer says of further records. */
function pageOf(result: ToolResult): Pick<ResponseBody, 'lists' | 'records' | 'more'> {
  const found = tableIn(result, undefined);
  const lists = listsOf(result);
  return found && 'rows' in found ? { lists, records: found.rows.length, more: found.more } : { lists };
}

/** Where the answer's lists are. */
function listsOf(result: ToolResult): readonly string[] {
  const found = tableIn(result, undefined);
  if (found === undefined) return [];
  return 'several' in found ? found.several : [formatDataKey(found.at), ...found.besides];
}

/** The answer as it is, where it could not be had as asked. */
async function instead(
  result: ToolResult,
  wished: StoredFormat,
  records: string | undefined,
  title: string,
): Promise<ResponseBody> {
  return { ...(await rendered(result, 'auto', title, undefined)), instead: { wished, lists: listsOf(result), records } };
}

async function wholeText(
  result: ToolResult,
  format: Exclude<StoredFormat, 'csv' | 'tsv' | 'jsonl'>,
  value: unknown,
  title: string,
  isPart: boolean,
): Promise<string> {
  switch (format) {
    case 'txt':
      return isPart ? JSON.stringify(value, null, 2) : answerText(result);
    case 'json':
      return isPart ? JSON.stringify(value, null, 2) : jsonText(result, value);
    case 'yaml':
      return (await import('yaml')).stringify(value);
    case 'xml':
      return toXml(value);
    case 'md':
      return `${toMarkdown(value)}\n`;
    case 'html':
      return toHtml(value, title);
  }
}

async function separated({ named, columns, rows }: Table, delimiter: string): Promise<string> {
  const { default: papaparse } = await import('papaparse');
  const data = rows.map((row) => row.map(cellText));
  return named ? papaparse.unparse({ fields: [...columns], data }, { delimiter }) : papaparse.unparse(data, { delimiter });
}

/** Why an answer is in another file than was asked for, or not all of it in this one. */
export function storedOtherwise(
  { format, instead, besides = [], records = 0, more = [] }: ResponseBody,
  file: string,
): Warning[] {
  if (instead) return [warning('NOT_A_TABLE', say('answer.notATable', { format, file, ...instead }))];
  return [
    ...(besides.length === 0 ? [] : [warning('LISTS_LEFT_OUT', say('answer.leftOut', { lists: besides, file }))]),
    ...(more.length === 0 ? [] : [warning('PAGE_OF_SEVERAL', say('answer.moreRecords', { records, more }))]),
  ];
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
async function isIn(format: StoredFormat, text: string): Promise<boolean> {
  if (format === 'csv')
    return (await isTable(text, [',', ';', '\t'])) || (markdownTable(text) === undefined && (await isTable(text, ['|'])));
  if (format === 'tsv') return isTable(text, ['\t']);
  if (format !== 'jsonl') return beginnings[format]?.test(text) ?? false;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every(isJson);
}

/** Records of a text that are looked at. */
const LOOKED_AT = 20;

/** White space behind each comma, and a stop at the end. */
const isSentence = ([_, ...fields]: readonly string[]): boolean =>
  fields.every((field) => /^\s/.test(field)) && /[.!?:]\s*$/.test(fields.at(-1) ?? '');

/** Words may have commas in them: the first records of a table have the same number of fields. JSON Lines have so, too. */
async function isTable(text: string, delimiters: readonly string[]): Promise<boolean> {
  if (/^\uFEFF?\s*[[{<]/.test(text)) return false;
  const { default: papaparse } = await import('papaparse');
  return delimiters.some((delimiter) => {
    const { data, errors } = papaparse.parse<string[]>(text, { delimiter, preview: LOOKED_AT, fastMode: false });
    while (data.at(-1)?.join('') === '' && data.at(-1)?.length === 1) data.pop();
    const fields = data[0]?.length ?? 0;
    const isEven = data.length > 1 && fields > 1 && data.every((record) => record.length === fields);
    return isEven && errors.length === 0 && !data.some(isSentence);
  });
}

/** A text answer that is JSON already is kept to the letter: parsing it would lose the digits of big integers. */
function jsonText(result: ToolResult, value: unknown): string {
  const fromText = result.structuredContent === undefined || structureRepeatsText(result);
  const verbatim = fromText && typeof value !== 'string';
  return verbatim ? answerText(result) : JSON.stringify(value, null, 2);
}

/** The table that an answer is or has as a member, and its other members; a deeper one would leave out what is around it. */
function tableWithRest(value: unknown): (Table & { rest: [string, unknown][] }) | undefined {
  const table = answerTable(value);
  if (!table || !('rows' in table) || !table.named || table.at.length > 1) return undefined;
  return { ...table, rest: Array.isArray(value) ? [] : Object.entries(value as object).filter(([name]) => name !== table.at[0]) };
}

/** A table for records, a bullet list for an object or array, the text itself otherwise. */
export function toMarkdown(value: unknown): string {
  if (typeof value === 'string') return value;
  const table = tableWithRest(value);
  if (table && table.rows.length > 0) {
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    const text = [
      line(table.columns.map(markdownCell)),
      line(table.columns.map(() => '---')),
      ...table.rows.map((row) => line(row.map((cell) => markdownCell(cellText(cell))))),
    ].join('\n');
    return table.rest.length === 0 ? text : `${bullets(table.rest)}\n\n${text}`;
  }
  if (Array.isArray(value)) return value.map((item) => `- ${oneLine(item)}`).join('\n');
  if (typeof value === 'object' && value !== null) return bullets(Object.entries(value));
  return String(value);
}

const oneLine = (value: unknown) => cellText(value).replaceAll(/\r\n|\r|\n/g, ' ');
const bullets = (entries: [string, unknown][]) => entries.map(([key, value]) => `- **${key}**: ${oneLine(value)}`).join('\n');

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A whole HTML document: a table for records, preformatted text otherwise. */
export function toHtml(value: unknown, title: string): string {
  const table = tableWithRest(value);
  const plain = (text: string) => `<pre>${escapeHtml(text)}</pre>`;
  let body: string;
  if (table) {
    const cells = (tag: string, texts: readonly string[]) => texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('');
    const rows = table.rows.map((row) => `<tr>${cells('td', row.map(cellText))}</tr>`);
    const rest = table.rest.length === 0 ? '' : `${plain(JSON.stringify(Object.fromEntries(table.rest), null, 2))}\n`;
    body = `${rest}<table>\n<thead><tr>${cells('th', table.columns)}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
  } else {
    body = plain(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  }
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>\n<body>\n${body}\n</body>\n</html>\n`;
}

// Values as XML, with the names that the XML reader uses: `@name` is an attribute, `#text` the text, an array repeats its element.

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
// XML 1.0 section 2.2 allows no other characters, not even escaped.
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const escapeText = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value))
    .replaceAll(ILLEGAL, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');

const elementName = (key: string) => (NAME.test(key) ? key : `_${key.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`);

function element(key: string, value: unknown, indent: string): string {
  const name = elementName(key);
  if (Array.isArray(value) && value.length > 0) return value.map((item) => element(key, item, indent)).join('');
  if (Array.isArray(value)) return `${indent}<${name}/>\n`;
  if (value === null || value === undefined) return `${indent}<${name}/>\n`;
  if (typeof value !== 'object') return `${indent}<${name}>${escapeText(value)}</${name}>\n`;
  const members = Object.entries(value);
  const attributes = members
    .filter(([member, held]) => member.startsWith('@') && typeof held !== 'object')
    .map(([member, held]) => ` ${elementName(member.slice(1))}="${escapeText(held)}"`)
    .join('');
  const children = members.filter(
    ([member, held]) => !(member.startsWith('@') && typeof held !== 'object') && member !== '#text',
  );
  const text = '#text' in value ? escapeText((value as Record<string, unknown>)['#text']) : '';
  if (children.length === 0) return `${indent}<${name}${attributes}>${text}</${name}>\n`;
  const inner = children.map(([member, held]) => element(member, held, `${indent}  `)).join('');
  return `${indent}<${name}${attributes}>${text}\n${inner}${indent}</${name}>\n`;
}

/** A whole XML document. A value with one object member that can be a root keeps it; anything else is put under `response`. */
export function toXml(value: unknown): string {
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const [only] = members;
  const root =
    members.length === 1 && only && NAME.test(only[0]) && !Array.isArray(only[1])
      ? element(only[0], only[1], '')
      : element('response', Array.isArray(value) ? { item: value } : value, '');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

/** Shorter text that is valid base64 may be a word or an id. */
const LEAST_ENCODED = 64;
const LEAST_IN_MEMBER_FOR_BYTES = 16;
const FOR_BYTES = /(?:^|_)(?:base_?64|b64|bytes|blob|binary|data|content)(?:_|$)/;

/** The bytes of an answer that is, or has as its one such member or at `at`, a text in base64 or a data URI. */
export function encodedBytes(result: ToolResult, at: string | undefined): Buffer | undefined {
  const value = answerValue(result);
  if (at !== undefined) return decoded(valueAt(value, parseDataKey(at)), 1);
  const members = isJsonObject(value) ? Object.entries(value) : [];
  const found = members.map(([name, member]) =>
    decoded(member, FOR_BYTES.test(snakeCase(name)) ? LEAST_IN_MEMBER_FOR_BYTES : LEAST_ENCODED),
  );
  const [only, ...others] = [decoded(value, LEAST_ENCODED), ...found].filter((bytes) => bytes !== undefined);
  return others.length === 0 ? only : undefined;
}

/** Undefined for what is no base64 of so many characters at least; a data URI says so itself. */
function decoded(text: unknown, least: number): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const content = text.replace(/^data:[^,]{0,200};base64,/, '');
  const encoded = content.replace(/\s+/g, '');
  if (content === text && encoded.length < least) return undefined;
  return encoded.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

// Answers that tell of failures without being errors.

const FAILED =
  /^(?:failed|failures?|errors?|rejected|refused|invalid|skipped|ignored|dropped)(?:_?(?:count|records|rows|items))?$|^(?:num|n)_?(?:failed|errors|rejected|skipped)$/i;
const SUCCEEDED = /^(?:success|ok|succeeded)$/i;
const STATE = /^(?:status|state|result|outcome)$/i;
/** Words that a state, or a whole answer, begins with. */
const BAD = /^\s*(?:error|errors|failed|failure|partial|partially|rejected|refused|could not|cannot|can't|unable)(?![a-z])/i;
/** Records of which a number says what became of them. */
const DONE = 'accepted|added|created|imported|inserted|loaded|saved|stored|unchanged|updated|upserted|written|wrote';
const DONE_MEMBER = new RegExp(
  `^(?:(?:num|n)_?)?(?:(?:rows|records|items)_?)?(?:${DONE})(?:_?(?:count|records|rows|items))?$`,
  'i',
);
/** "2 rows inserted", "Inserted 1 of 2". */
const DONE_WORDS = new RegExp(
  `\\b(?:${DONE})[: ]+(?<after>\\d+)\\b(?![.,]\\d)|(?<![.,\\d])\\b(?<before>\\d+)(?: of \\d+)? (?:new )?(?:(?:rows?|records?|items?|entries|lines?) )?(?:(?:were|was|has been|have been) )?(?:${DONE})\\b`,
  'gi',
);
/** A longer answer is not searched. */
const SEARCHED_CHARS = 64 * 1024;

/**
 * Whether the answer counts or lists failures, says that it did not succeed, or counts fewer than the `sent` records as done. Numbers of
 * inserted, updated and unchanged records are added up.
 */
export function mentionsFailures(result: ToolResult, sent?: number): boolean {
  const { text, members, counts } = reported(result);
  if (sent !== undefined && counts.length > 0 && sum(counts) < sent) return true;
  return BAD.test(text) || members.some(([name, member]) => isFailure(name, member));
}

/** Of a state, or of a whole answer; `Failed: 2 of 5` may tell of a part. */
const CLEAR = /^\s*(?:error|failed|failure|rejected|refused)(?![a-z_-])/i;
const COUNTED = /^\s*(?:failed|rejected|refused)\W*\d|\b\d+ of \d/i;

/**
 * Whether the answer says that nothing was done: no success, or a state of failure. One that counts some records as done, or a part as failed, does
 * not; nor does a count of none, as of records that are there already.
 */
export function saysItFailed(result: ToolResult): boolean {
  const { text, members, counts } = reported(result);
  if (sum(counts) > 0) return false;
  if (CLEAR.test(text) && !COUNTED.test(text)) return true;
  return members.some(
    ([name, member]) =>
      (SUCCEEDED.test(name) && member === false) ||
      (STATE.test(name) && typeof member === 'string' && CLEAR.test(member) && !COUNTED.test(member)),
  );
}

/** What an answer says of its records: words, or the members of an object, and the counts of done ones in them. */
function reported(result: ToolResult): { text: string; members: [string, unknown][]; counts: number[] } {
  const text = answerText(result);
  const isLong = text.length > SEARCHED_CHARS;
  const structured = structureRepeatsText(result) ? undefined : result.structuredContent;
  const value = structured ?? (isLong ? undefined : parsedText(result));
  if (value === undefined) return isLong ? NOTHING_SAID : { text, members: [], counts: wordedCounts(text) };
  if (!isJsonObject(value)) return NOTHING_SAID;
  const members = Object.entries(value);
  const counts = members.flatMap(([name, member]) => (DONE_MEMBER.test(name) && typeof member === 'number' ? [member] : []));
  return { text: '', members, counts };
}

const NOTHING_SAID = { text: '', members: [], counts: [] };

function isFailure(name: string, member: unknown): boolean {
  if (SUCCEEDED.test(name)) return member === false;
  if (STATE.test(name)) return typeof member === 'string' && BAD.test(member);
  if (!FAILED.test(name)) return false;
  if (typeof member === 'number') return member > 0;
  return typeof member === 'string' ? member !== '' : member === true || isFilled(member);
}

const wordedCounts = (text: string): number[] =>
  [...text.matchAll(DONE_WORDS)].map(({ groups }) => Number(groups?.after ?? groups?.before));

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
