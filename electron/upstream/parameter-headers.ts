/**
 * Arguments that a tool wants in HTTP headers as well: parameters whose schema has `x-mcp-header` (SEP-2243, MCP 2026-07-28). A
 * server may refuse a call without them, with code -32020.
 */

import { isJsonObject } from '../engine/core/json-object.ts';
import { type Member, MemberReader, skipSpace } from '../engine/json/json-members.ts';
import type { UpstreamTool } from './types.ts';

const KEYWORD = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirrored: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Deeper parameters than any real tool has are not looked at. */
const MAX_DEPTH = 32;
/** Servers refuse requests with longer headers. Bytes of JSON. */
export const LONGEST_VALUE = 8 * 1024;

interface Declared {
  path: readonly string[];
  header: string;
}

/** The headers for a call; undefined where the tool wants none. `json` gives the text of the arguments, asked for only then. */
export async function parameterHeaders(
  tool: UpstreamTool,
  json: () => Promise<Uint8Array>,
): Promise<Record<string, string> | undefined> {
  const declared = [...declaredIn(tool.inputSchema, [])];
  if (declared.length === 0) return undefined;
  const text = await json();
  const headers: Record<string, string> = {};
  for (const { path, header } of declared) {
    const value = valueAt(text, path);
    if (value !== undefined) headers[PREFIX + header] = encoded(value);
  }
  return headers;
}

/** Only what a chain of `properties` leads to can be declared. */
function* declaredIn(schema: unknown, path: readonly string[]): Generator<Declared> {
  if (!isJsonObject(schema)) return;
  const header = schema[KEYWORD];
  if (path.length > 0 && typeof header === 'string' && TOKEN.test(header) && mirrored.has(schema.type)) yield { path, header };
  if (path.length === MAX_DEPTH || !isJsonObject(schema.properties)) return;
  for (const [name, child] of Object.entries(schema.properties)) yield* declaredIn(child, [...path, name]);
}

/** The value as a header has it: text as it is, numbers and booleans as JSON. Undefined for what no header can have. */
function valueAt(json: Uint8Array, path: readonly string[]): string | undefined {
  const reader = new MemberReader();
  let [start, end] = [skipSpace(json, 0), json.length];
  for (const name of path) {
    if (reader.read(json, start, end) !== 'object') return undefined;
    const member: Member | undefined = reader.find(name);
    if (member === undefined) return undefined;
    ({ start, end } = member);
  }
  if (end - start > LONGEST_VALUE) return undefined;
  const text = Buffer.from(json.subarray(start, end)).toString();
  const value: unknown = JSON.parse(text);
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value) ? String(value) : undefined;
}

const BASE64 = ['=?base64?', '?='] as const;

/** Text that a header cannot carry as it is goes as base64 of its UTF-8. */
function encoded(value: string): string {
  const [before, after] = BASE64;
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !(value.startsWith(before) && value.endsWith(after));
  return plain ? value : before + Buffer.from(value).toString('base64') + after;
}
