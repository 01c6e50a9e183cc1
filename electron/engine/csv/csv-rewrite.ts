/**
 * Rewrites CSV text in another dialect as CSV that both readers know (RFC 4180), line by line, so that errors name the lines
 * of the file. Used only where an option or clear evidence asks for it.
 */
import { say } from '../../../shared/model/messages/message.ts';
import { parseFailure } from '../core/failures.ts';
import type { Utf8Source } from '../core/reader.ts';

/** How a text is written. Text is handled as Latin-1 strings of its UTF-8 bytes; all of these are ASCII. */
export interface Syntax {
  readonly delimiter: string;
  /** Empty: no character quotes. */
  readonly quote: string;
  /** Empty: a quote is escaped by doubling only. A backslash is read as MySQL writes it. */
  readonly escape: string;
  /** Whether only quotes and escape characters are escaped: before others the character is text. */
  readonly escapesQuotesOnly?: boolean;
  /** Lines that start with this are no records. Empty: all lines are. */
  readonly comment: string;
  /** Whether blanks around cells are dropped. */
  readonly trim: boolean;
}

export const usualSyntax = { quote: '"', escape: '', comment: '', trim: false } as const;

export interface Cell {
  readonly text: string;
  readonly quoted: boolean;
  /** Text after the closing quote, or `null` if the quote is not closed. Both are errors, which the reader reports. */
  readonly rest?: string | null;
}

export const NULL_CELL: Cell = { text: '', quoted: false };

/** Longer rows are refused, as by csv-rows.ts. */
const MAX_ROW_BYTES = 512 * 1024 * 1024;
const LF = '\n';
const CR = '\r';

/** Characters after a backslash in MySQL's `SELECT … INTO OUTFILE`, and their meaning. */
const mysqlEscapes: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: LF, r: CR, t: '\t', Z: '\u001a' };

/** A row, the line end after it, and the position after that. */
interface ParsedRow {
  readonly cells: readonly Cell[];
  readonly end: string;
  readonly next: number;
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Whether a line is no record, as in csv-rows.ts. */
const isBlankLine = (text: string): boolean => [...text].every((character) => ' \t\0\u001a'.includes(character));

/** The line end at a position, if there is one. Undefined if more text could change it. */
function lineEndAt(text: string, at: number, whole: boolean): string | undefined {
  if (text[at] !== CR) return text[at] === LF ? LF : '';
  if (at + 1 < text.length) return text[at + 1] === LF ? '\r\n' : CR;
  return whole ? CR : undefined;
}

/** The row at a position; undefined if it continues after the text. `whole`: the text ends there. */
export function parseRow(text: string, from: number, syntax: Syntax, whole: boolean): ParsedRow | undefined {
  const { delimiter, quote, escape: escaping, comment, trim } = syntax;
  if (comment !== '' && !whole && text.length - from < comment.length) return undefined;
  const cells: Cell[] = [];
  let at = from;
  const isStop = (): boolean => text[at] === delimiter || text[at] === LF || text[at] === CR;
  if (comment !== '' && text.startsWith(comment, from)) {
    while (at < text.length && text[at] !== LF && text[at] !== CR) at++;
    if (at === text.length && !whole) return undefined;
    const end = lineEndAt(text, at, whole);
    return end === undefined ? undefined : { cells, end, next: at + end.length };
  }
  for (;;) {
    const start = at;
    if (trim) while (isBlank(text[at]) && text[at] !== delimiter) at++;
    const quoted = quote !== '' && text[at] === quote;
    if (!quoted) at = start;
    let value = '';
    let isNull = false;
    let rest: string | null | undefined;
    let plainFrom = quoted ? ++at : at;
    const escaped = (): boolean => {
      if (at + 1 >= text.length) return false;
      const next = text[at + 1] as string;
      if (syntax.escapesQuotesOnly && next !== quote && next !== escaping) return false;
      value += text.slice(plainFrom, at);
      if (escaping === '\\' && next === 'N' && !quoted && value === '') isNull = true;
      value += escaping === '\\' ? (mysqlEscapes[next] ?? next) : next;
      at += 2;
      plainFrom = at;
      return true;
    };
    if (quoted) {
      for (;;) {
        if (at >= text.length) {
          if (!whole) return undefined;
          value += text.slice(plainFrom);
          rest = null;
          break;
        }
        const character = text[at];
        if (character === escaping && escaping !== quote && escaped()) continue;
        if (character !== quote) {
          at++;
          continue;
        }
        if (at + 1 === text.length && !whole) return undefined;
        value += text.slice(plainFrom, at);
        at++;
        if (text[at] !== quote) break;
        value += quote;
        plainFrom = ++at;
      }
      if (rest === undefined) {
        const closed = at;
        while (at < text.length && !isStop()) at++;
        rest = text.slice(closed, at).trim() === '' ? undefined : text.slice(closed, at);
      }
    } else {
      while (at < text.length && !isStop()) {
        if (text[at] === escaping && escaping !== quote && escaped()) continue;
        at++;
      }
      value += text.slice(plainFrom, at);
      if (trim) value = value.replace(/^[ \t]+|[ \t]+$/g, '');
    }
    if (at === text.length && !whole) return undefined;
    cells.push(isNull && value === 'N' ? NULL_CELL : { text: value, quoted, ...(rest === undefined ? {} : { rest }) });
    if (text[at] === delimiter) {
      at++;
      continue;
    }
    const end = lineEndAt(text, at, whole);
    return end === undefined ? undefined : { cells, end, next: at + end.length };
  }
}

function written({ text, quoted, rest }: Cell, delimiter: string): string {
  if (!quoted && !text.startsWith('"') && !text.includes(delimiter) && !text.includes(LF) && !text.includes(CR)) return text;
  const open = `"${text.replaceAll('"', '""')}`;
  return rest === null ? open : `${open}"${rest ?? ''}`;
}

export function writtenRow(cells: readonly Cell[], delimiter: string): string {
  const [only, second] = cells;
  if (only === undefined) return '';
  // An empty line would be no record.
  if (second === undefined && only === NULL_CELL) return '""';
  return cells.map((cell) => written(cell, delimiter)).join(delimiter);
}

/** A change of a row's cells; rows count from 0 at the start, lines without a record aside. */
export type CellChange = (cells: readonly Cell[], row: number) => readonly Cell[];

/** The text with each row rewritten, from an offset on. */
export function rewritten(text: Utf8Source, syntax: Syntax, from: number, change?: CellChange): Utf8Source {
  return { read: (signal, options) => rewrittenChunks(text.read(signal, options), syntax, from, change) };
}

async function* rewrittenChunks(
  chunks: AsyncIterable<Uint8Array>,
  syntax: Syntax,
  from: number,
  change: CellChange | undefined,
): AsyncIterable<Uint8Array> {
  let before = from;
  let pending = '';
  let wanted = 0;
  let row = 0;
  const rowsOf = (whole: boolean): string => {
    let out = '';
    let at = 0;
    while (at < pending.length) {
      const parsed = parseRow(pending, at, syntax, whole);
      if (!parsed) break;
      const { cells, end, next } = parsed;
      const isRecord = cells.length > 1 || cells[0]?.quoted || !isBlankLine(cells[0]?.text ?? '');
      out += writtenRow(change && isRecord ? change(cells, row++) : cells, syntax.delimiter) + end;
      at = next;
    }
    pending = pending.slice(at);
    // An unfinished row is parsed again only after much more text has come.
    wanted = at === 0 ? 2 * pending.length : 0;
    return out;
  };
  for await (const chunk of chunks) {
    const skipped = Math.min(before, chunk.length);
    if (skipped > 0) yield chunk.slice(0, skipped);
    before -= skipped;
    pending += Buffer.from(chunk.buffer, chunk.byteOffset + skipped, chunk.length - skipped).toString('latin1');
    if (pending.length < wanted) continue;
    if (pending.length > MAX_ROW_BYTES)
      throw parseFailure('CSV', say('csv.rowLong'), { line: 1 }, { hint: say('csv.rowLong.hint') });
    const out = rowsOf(false);
    if (out !== '') yield Buffer.from(out, 'latin1');
  }
  const last = rowsOf(true);
  if (last !== '') yield Buffer.from(last, 'latin1');
}
