/** Arguments as rows of name and value, in their order and digit for digit. Two members of one name are two rows. */
import type { Approval } from '../../../shared/contract/approvals.ts';
import { cellContent, indentJson } from '../../ui/json-text.ts';

export interface ArgumentRow {
  /** 0 for an argument, more for what is inside of one. */
  depth: number;
  /** The name of a member, the number of an element from 1; null for content whose fields become arguments. */
  name: string | null;
  /** A text or value, the index of a payload, or neither: what follows with a greater depth is inside, or nothing is. */
  value: { text: string } | { payload: number } | 'group' | 'empty';
}

/** Stands for a payload while the text around it is indented; no JSON text holds it. */
export const HOLE = '\u0000';

/** Undefined for what is no object, and for more rows than a page can show as such. */
export function argumentRows(parts: Approval['arguments'], most = 2000): ArgumentRow[] | undefined {
  const payloads = parts.filter((part) => typeof part === 'number');
  const json = indentJson(parts.map((part) => (typeof part === 'string' ? part : HOLE)).join(''));
  if (json === '{}') return [];
  if (json === HOLE) return [{ depth: 0, name: null, value: rowValue(json, payloads) }];
  // Strings have no line breaks in JSON: a line is a member, an element or a bracket.
  const [opening, ...lines] = json.split('\n', most + 2);
  if (opening !== '{' || lines.length > most) return undefined;
  const rows: ArgumentRow[] = [];
  /** Elements so far of each list that is open; null for an object. */
  const open: (number | null)[] = [null];
  for (const line of lines) {
    const text = line.trimStart().replace(/,$/, '');
    if (text === '}' || text === ']') {
      open.pop();
      continue;
    }
    const depth = open.length - 1;
    const within = open.at(-1);
    const [, member, rest] = (within === null && /^("(?:[^"\\]|\\.)*"): (.*)$/s.exec(text)) || [];
    if (typeof within === 'number') open[depth] = within + 1;
    const name = typeof within === 'number' ? String(within + 1) : member === undefined ? null : cellContent(member).text;
    const value = rest ?? text;
    rows.push({ depth, name, value: rowValue(value, payloads) });
    if (value === '{') open.push(null);
    if (value === '[') open.push(0);
  }
  return rows;
}

function rowValue(value: string, payloads: number[]): ArgumentRow['value'] {
  if (value === HOLE) return { payload: payloads.shift() ?? 0 };
  if (value === '{' || value === '[') return 'group';
  if (value === '{}' || value === '[]' || value === '""' || value === 'null') return 'empty';
  return { text: cellContent(value).text };
}
