/** The records of an answer: the table in it, wherever it is, for files of rows. */

import { formatDataKey, parseDataKey } from '../binding/data-key.ts';
import { parseExact } from '../engine/core/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { shareColumns } from '../engine/json/table-cells.ts';

/** Rows with their columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** The records that the rows were made of. */
  readonly records?: readonly JsonObject[] | undefined;
  /** Whether the columns have names. */
  readonly named: boolean;
  /** Where it is in the answer; empty: the answer itself. */
  readonly at: readonly (string | number)[];
  /** Other lists, which are left out. */
  readonly besides: readonly string[];
  /** What is said beside it of records that are not in it: `has_more: true`. */
  readonly more: readonly string[];
}

/** Several lists that may be meant, none of which is chosen. */
export interface SeveralTables {
  readonly several: readonly string[];
}

interface Candidate {
  readonly at: readonly (string | number)[];
  readonly list: readonly unknown[];
  readonly inside: JsonObject | undefined;
}

/** Lists are looked for this deep. */
const DEEPEST = 8;
/** Lists that are named where several may be meant. */
const NAMED = 6;

/**
 * The table of an answer. Of several lists, the one that is least deep, where none is longer; otherwise they are named. `wanted`: the place of the
 * list, as a data key. Undefined for an answer without a list. Throws DATA_KEY_INVALID.
 */
export function answerTable(value: unknown, wanted?: string): Table | SeveralTables | undefined {
  if (wanted !== undefined) {
    const at = parseDataKey(wanted);
    const found = valueAt(value, at);
    const inside = valueAt(value, at.slice(0, -1));
    return isList(found) ? tableOf({ at, list: found, inside: isJsonObject(inside) ? inside : undefined }, []) : undefined;
  }
  const all = candidates(value);
  if (isList(value) && value.length > 0 && all.length === 0 && value.every(isScalar))
    all.push({ at: [], list: value, inside: undefined });
  const headers = new Set(all.map(({ list, inside }) => headerBeside(list, inside)));
  const full = all.filter(({ list }) => list.length > 0 && !headers.has(list as unknown[]));
  const [first, ...others] = full.length > 0 ? full : all;
  if (first === undefined) return undefined;
  if (others.length === 0) return tableOf(first, []);
  const names = others.map(({ at }) => formatDataKey(at));
  const isClear = others.every(({ at, list }) => at.length > first.at.length && list.length <= first.list.length);
  if (isClear) return tableOf(first, names.slice(0, NAMED));
  const longest = [first, ...others].sort((a, b) => b.list.length - a.list.length);
  return { several: longest.map(({ at }) => formatDataKey(at)).slice(0, NAMED) };
}

interface Place {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
  readonly inside: JsonObject | undefined;
}

/** All lists of records, or of lists, that are not inside one; the least deep first. */
function candidates(value: unknown): Candidate[] {
  const found: Candidate[] = [];
  let next: Place[] = [{ at: [], value, inside: undefined }];
  for (let depth = 0; depth <= DEEPEST && next.length > 0; depth += 1) {
    const here = next;
    next = [];
    for (const { at, value: each, inside } of here) {
      if (isTable(each) || (Array.isArray(each) && each.length === 0)) found.push({ at, list: each as unknown[], inside });
      else if (Array.isArray(each))
        next.push(...each.slice(0, 1).map((member, index) => ({ at: [...at, index], value: member, inside: undefined })));
      else if (isJsonObject(each))
        next.push(...Object.entries(each).map(([name, member]) => ({ at: [...at, name], value: member, inside: each })));
    }
  }
  return found;
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** A list of records with columns in common, or of lists. */
function isTable(value: unknown): value is unknown[] {
  if (!isList(value) || value.length === 0) return false;
  return value.every(isList) || isRecords(value);
}

export function isRecords(value: unknown): value is JsonObject[] {
  return (
    isList(value) &&
    value.length > 0 &&
    value.every(isJsonObject) &&
    shareColumns(
      value.length,
      () => columnsOf(value as JsonObject[]).length,
      (value as JsonObject[]).reduce((members, record) => members + Object.keys(record).length, 0),
    )
  );
}

/** Column names over all records, in order of first appearance. */
export function columnsOf(records: readonly JsonObject[]): string[] {
  const names = new Set<string>();
  for (const record of records) for (const name of Object.keys(record)) names.add(name);
  return [...names];
}

function tableOf({ at, list, inside }: Candidate, besides: readonly string[]): Table {
  const records = list.filter(isJsonObject);
  if (records.length === list.length) {
    const columns = columnsOf(records);
    // `__proto__` and `constructor` are ordinary names; inherited properties are not read.
    const rows = records.map((record) => columns.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined)));
    return { columns, rows, records, named: true, at, besides, more: moreBeside(inside, rows.length) };
  }
  const rows = list.map((row) => (isList(row) ? row : [row]));
  const header = headerBeside(list, inside);
  return {
    columns: header ? header.map((each) => String(columnName(each))) : [],
    rows,
    named: header !== undefined,
    at,
    besides,
    more: moreBeside(inside, rows.length),
  };
}

/** Members beside a list that say that it is one page of several. */
function moreBeside(inside: JsonObject | undefined, rows: number): string[] {
  return Object.entries(inside ?? {})
    .filter(([name, value]) => {
      if (/^(?:has_?more|is_?truncated|truncated|incomplete)$/i.test(name)) return value === true;
      if (/^next_?(?:page|cursor|token|page_?token|link|url)?$/i.test(name)) return Boolean(value) && isScalar(value);
      return /^total(?:_?(?:count|records|rows|results|items|size))?$/i.test(name) && typeof value === 'number' && value > rows;
    })
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

const columnName = (value: unknown): unknown => (isJsonObject(value) ? value.name : value);

/** Names of columns beside a list of lists, as databases answer: `{columns: ["id", "name"], rows: [[1, "a"]]}`. */
function headerBeside(list: readonly unknown[], inside: JsonObject | undefined): unknown[] | undefined {
  if (list.length === 0 || !list.every(isList)) return undefined;
  const width = Math.max(...list.map((row) => row.length));
  return Object.entries(inside ?? {}).flatMap(([key, value]) => {
    const isHeader = /^(?:columns?|fields?|headers?|column_?names|keys)$/i.test(key) && isList(value) && value.length === width;
    return isHeader && value.every((each) => typeof columnName(each) === 'string') ? [value] : [];
  })[0];
}

export function valueAt(value: unknown, at: readonly (string | number)[]): unknown {
  return at.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as JsonObject)[key] : undefined,
    value,
  );
}

// Data in a text

/** Beginnings and ends of lines at which JSON is tried. */
const STARTS = 10;
const ENDS = 4;

/** The data that a text holds: JSON, also after a sentence, JSON Lines, or a Markdown table; undefined: none. */
export function dataIn(text: string): unknown {
  const whole = json(text);
  // JSON in a JSON string, as servers wrap it.
  if (typeof whole === 'string') return dataIn(whole);
  if (whole !== undefined) return whole;
  // A cell of a Markdown table may hold JSON.
  return jsonLines(text) ?? markdownTable(text) ?? jsonInside(text);
}

/** The value of a text that is JSON and no plain number or word; undefined otherwise. */
function json(text: string): unknown {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[' && first !== '"') return undefined;
  try {
    // A text that is no JSON fails at its first wrong character, before any number is looked at.
    JSON.parse(text);
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** The objects or lists of JSON Lines, two at least. */
export function jsonLines(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || !lines.every((line) => /^\s*[[{]/.test(line))) return undefined;
  const values: unknown[] = [];
  for (const line of lines) {
    const value = json(line);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** From a bracket at the beginning of a line, or the first one of the text, to the last that fits. `see [1]` is no list. */
function jsonInside(text: string): unknown {
  const lineStarts = [...text.matchAll(/^[ \t]*[[{]/gm)].map((match) => match.index + match[0].length - 1);
  const first = text.search(/[[{]/);
  const starts = [...lineStarts, ...(first === -1 || lineStarts.includes(first) ? [] : [first])].slice(0, STARTS);
  // The end of a line first: words after the data may have brackets, too.
  const endsOf = (pattern: RegExp, bracket: string) => {
    const lineEnds = [...text.matchAll(pattern)].map((match) => match.index);
    return [...new Set([...lineEnds.slice(-ENDS).reverse(), text.lastIndexOf(bracket)])];
  };
  const ends: Record<string, readonly number[]> = { '[': endsOf(/\][ \t]*$/gm, ']'), '{': endsOf(/\}[ \t]*$/gm, '}') };
  for (const start of starts) {
    for (const end of ends[text[start] ?? ''] ?? []) {
      const value = end > start ? json(text.slice(start, end + 1)) : undefined;
      const isReference = isList(value) && value.length > 0 && value.every(isScalar) && !lineStarts.includes(start);
      if (value !== undefined && !isReference) return value;
    }
  }
  return undefined;
}

/** The rows of the first Markdown table, as records of texts. */
export function markdownTable(text: string): JsonObject[] | undefined {
  const lines = text.split(/\r?\n/);
  const rule = lines.findIndex((line) => /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*$/.test(line));
  if (rule < 1) return undefined;
  const header = markdownCells(lines[rule - 1] ?? '');
  if (header.length < 2 && !(lines[rule - 1] ?? '').includes('|')) return undefined;
  // A name that is there twice gets a number.
  const names = header.map((name, index) => (header.indexOf(name) === index ? name : `${name}_${index + 1}`));
  const records: JsonObject[] = [];
  for (const line of lines.slice(rule + 1)) {
    if (!line.includes('|')) break;
    const cells = markdownCells(line);
    if (cells.length !== header.length) return undefined;
    records.push(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
  }
  return records;
}

/** The cells of a line, without the bars at its ends; `\|` is a bar inside a cell. */
const markdownCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('<br>', '\n'));
