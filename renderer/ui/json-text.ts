/** JSON text shown digit for digit (parsing it would round long numbers): taken apart into the cells of a record, or indented. */

/** Cells are JSON texts of values. Of a text that was cut short, the cells that are there. */
export type RecordCells =
  | { kind: 'object'; cells: ReadonlyMap<string, string> }
  | { kind: 'list'; cells: readonly string[] }
  | { kind: 'value'; cell: string };

/** A cell's content as shown to a person. `nested` keeps its JSON. */
interface CellContent {
  kind: 'text' | 'number' | 'boolean' | 'null' | 'nested';
  text: string;
}

const isSpace = (char: string | undefined) => char === ' ' || char === '\n' || char === '\r' || char === '\t';

function afterSpace(json: string, from: number): number {
  let i = from;
  while (isSpace(json[i])) i += 1;
  return i;
}

/** The index after the closing quote, or the text's end. */
function afterString(json: string, quote: number): number {
  for (let i = quote + 1; i < json.length; i += 1) {
    if (json[i] === '\\') i += 1;
    else if (json[i] === '"') return i + 1;
  }
  return json.length;
}

/** The index after a value that begins at `from`. */
function afterValue(json: string, from: number): number {
  let depth = 0;
  for (let i = from; i < json.length; ) {
    const char = json[i];
    if (char === '"') {
      i = afterString(json, i);
      if (depth === 0) return i;
    } else if (char === '{' || char === '[') {
      depth += 1;
      i += 1;
    } else if (char === '}' || char === ']') {
      if (depth === 0) return i;
      depth -= 1;
      i += 1;
      if (depth === 0) return i;
    } else if (depth === 0 && (char === ',' || isSpace(char))) return i;
    else i += 1;
  }
  return json.length;
}

function textOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1);
  }
}

export function recordCells(json: string): RecordCells {
  const start = afterSpace(json, 0);
  const opening = json[start];
  if (opening !== '{' && opening !== '[') return { kind: 'value', cell: json.trim() };
  const list: string[] = [];
  const members = new Map<string, string>();
  let i = start + 1;
  while (i < json.length) {
    i = afterSpace(json, i);
    if (json[i] === ',') {
      i += 1;
      continue;
    }
    if (i >= json.length || json[i] === '}' || json[i] === ']') break;
    let name = '';
    if (opening === '{') {
      if (json[i] !== '"') break;
      const end = afterString(json, i);
      name = textOf(json.slice(i, end));
      i = afterSpace(json, end);
      if (json[i] !== ':') break;
      i = afterSpace(json, i + 1);
    }
    const end = afterValue(json, i);
    if (end === i) break;
    if (opening === '{') members.set(name, json.slice(i, end));
    else list.push(json.slice(i, end));
    i = end;
  }
  return opening === '{' ? { kind: 'object', cells: members } : { kind: 'list', cells: list };
}

export function cellContent(cell: string): CellContent {
  const first = cell[0];
  if (first === '"') return { kind: 'text', text: textOf(cell) };
  if (first === '{' || first === '[') return { kind: 'nested', text: cell };
  if (cell === 'null') return { kind: 'null', text: cell };
  if (cell === 'true' || cell === 'false') return { kind: 'boolean', text: cell };
  return /^-?\d/.test(cell) ? { kind: 'number', text: cell } : { kind: 'text', text: cell };
}

/** JSON with line breaks and indents, also of a text that was cut short. */
export function indentJson(json: string): string {
  let shown = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (let i = 0; i < json.length; i += 1) {
    const char = json[i] as string;
    if (char === '"') {
      const start = i;
      for (i += 1; i < json.length && json[i] !== '"'; i += 1) if (json[i] === '\\') i += 1;
      shown += json.slice(start, i + 1);
    } else if (char === '{' || char === '[') {
      const close = char === '{' ? '}' : ']';
      let next = i + 1;
      while (/\s/.test(json[next] ?? '')) next += 1;
      if (json[next] === close) {
        shown += char + close;
        i = next;
      } else {
        depth += 1;
        shown += char + line();
      }
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1);
      shown += line() + char;
    } else if (char === ',') shown += char + line();
    else if (char === ':') shown += ': ';
    else if (!/\s/.test(char)) shown += char;
  }
  return shown;
}

/** A line of indented JSON, without its indent. */
export interface JsonLine {
  readonly text: string;
  readonly depth: number;
  /** The line that closes the list or object that this one opens, where both are there. */
  readonly end?: number;
}

export function jsonLines(json: string): JsonLine[] {
  const lines: { text: string; depth: number; end?: number }[] = [];
  const open: typeof lines = [];
  for (const indented of indentJson(json).split('\n')) {
    const text = indented.trimStart();
    // Strings have no line breaks, and end with a quote.
    if (/^[\]}]/.test(text)) {
      const opened = open.pop();
      if (opened) opened.end = lines.length;
    }
    const line = { text, depth: open.length };
    lines.push(line);
    if (/[[{]$/.test(text)) open.push(line);
  }
  return lines;
}
