/** An upstream's answer as text and as a value: what `string` output, storage and templates start from. */

import type { TokenCount } from '../../shared/model/conversion.ts';
import { exactJson, exactText } from '../engine/core/exact-numbers.ts';
import type { Converter } from '../engine/index.ts';
import { shareColumns } from '../engine/json/table-cells.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** Array of records with columns in common in an answer: the value itself, or its only such member. */
export function answerRecords(value: unknown): JsonObject[] | undefined {
  if (isRecords(value)) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const arrays = Object.values(value).filter(isRecords);
  return arrays.length === 1 ? arrays[0] : undefined;
}

function isRecords(value: unknown): value is JsonObject[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item)) &&
    shareColumns(value.length, () => columnsOf(value).length, membersOf(value))
  );
}

const membersOf = (records: readonly JsonObject[]): number =>
  records.reduce((members, record) => members + Object.keys(record).length, 0);

/** Column names over all records, in order of first appearance. */
export function columnsOf(records: readonly JsonObject[]): string[] {
  const names = new Set<string>();
  for (const record of records) for (const name of Object.keys(record)) names.add(name);
  return [...names];
}

/** A cell as text: strings as they are, null and absent empty, anything else as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A record's cells. `__proto__` and `constructor` are ordinary names, and what every object inherits is none of its members. */
export function cellsOf(record: JsonObject, columns: readonly string[]): string[] {
  return columns.map((name) => (Object.hasOwn(record, name) ? cellText(record[name]) : ''));
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
