/** Finds tables among the lines of a page by the columns that their cells form. What may be prose in columns is left alone. */
import { type Block, type Cell, cell, type Inline, paragraph, plain } from '../core/document.ts';

/** A part of a line between gaps: all of a line of prose, or a cell of a table. */
export interface Segment {
  /** Whether the gap before it is wider than any between words. */
  readonly isApart: boolean;
  readonly inlines: readonly Inline[];
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

export interface Line {
  readonly segments: readonly Segment[];
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly height: number;
  readonly level: boolean;
}

interface PlacedCell extends Segment {
  readonly y: number;
  /** When its line was drawn. */
  readonly order: number;
}

interface Row {
  /** Its first and its last baseline. */
  top: number;
  bottom: number;
  readonly height: number;
  readonly cells: PlacedCell[];
  readonly lines: Line[];
}

interface Span {
  left: number;
  right: number;
}

/** How far rows may be apart, and lines of one cell, in heights of a letter. */
const ROW_STEP = 3.2;
const WRAP_STEP = 1.5;
/** How far the cells of a row may be above each other, and below: they stand in the middle of their row, or at its top. */
const ROW_HEIGHT = 4;
const HALF_LINE = 0.75;
/** Lines with a single cell that may stand between rows with several. */
const MOST_SINGLE = 3;
/** Rows back to which a line may go. */
const ROWS_BACK = 8;
/** Bounds for what is compared with each other. */
const MOST_CELLS = 100;
const MOST_ROWS = 300;

/** For each line that belongs to a table, or to prose that was drawn across its columns, the blocks that stand for all of those lines. */
export function tablesAmong(lines: readonly Line[]): Map<Line, readonly Block[]> {
  const found = new Map<Line, readonly Block[]>();
  const isSideBySide = ({ segments, left }: Line, at: number) =>
    segments.length > 1 || left >= (lines[at - 1]?.right ?? Number.POSITIVE_INFINITY);
  if (!lines.some(isSideBySide)) return found;
  for (let from = 0; from < lines.length; ) {
    const { rows, to } = rowsFrom(lines, from);
    for (let at = 0; at < rows.length; ) {
      const end = endOfTable(rows, at);
      const part = rows.slice(at, end);
      const blocks = end > at + 1 ? regionOf(part) : undefined;
      if (blocks) for (const line of part.flatMap((row) => row.lines)) found.set(line, blocks);
      at = blocks ? end : at + 1;
    }
    from = to;
  }
  return found;
}

/** Consecutive lines as rows. A row's cells may be drawn one after the other, each with all of its lines. */
function rowsFrom(lines: readonly Line[], from: number): { rows: Row[]; to: number } {
  const rows: Row[] = [];
  let to = from;
  for (; to < lines.length && rows.length < MOST_ROWS; to += 1) {
    const line = lines[to] as Line;
    if (!line.level || line.segments.length > MOST_CELLS) break;
    const row = rows.at(-1);
    const last = row?.cells.at(-1);
    const back = row && line.y < row.top - 0.4 * row.height ? rowBack(lines, to, rows) : undefined;
    if (back) addTo(back, line, to);
    else if (row && last && (isBeside(line, last, row) || isWrap(lines, to, last, row))) addTo(row, line, to);
    else {
      if (row && (line.y <= row.bottom + 0.4 * row.height || line.y - row.bottom > ROW_STEP * Math.max(row.height, line.height)))
        break;
      const added: Row = { top: line.y, bottom: line.y, height: line.height, cells: [], lines: [] };
      addTo(added, line, to);
      rows.push(added);
    }
  }
  return { rows, to: Math.max(to, from + 1) };
}

function addTo(row: Row, line: Line, order: number): void {
  row.cells.push(...line.segments.map((segment) => ({ ...segment, y: line.y, order })));
  row.lines.push(line);
  row.top = Math.min(row.top, line.y);
  row.bottom = Math.max(row.bottom, line.y);
}

const isOn = (line: Line, row: Row): boolean => Math.abs(row.top - line.y) < 0.3 * row.height;

/** The row above the last one that a line continues on its right. */
function rowBack(lines: readonly Line[], at: number, rows: readonly Row[]): Row | undefined {
  const line = lines[at] as Line;
  const found = rows.slice(-ROWS_BACK).find((each) => isOn(line, each)) ?? columnTop(lines, at, rows);
  return found?.cells.every(({ right }) => right <= line.left) ? found : undefined;
}

/** The next cell of a row: right of the last one, and at most half a line below it. */
const isBeside = (line: Line, last: PlacedCell, row: Row): boolean =>
  line.left >= last.right && line.y - last.y < HALF_LINE * row.height && line.y > row.top - ROW_HEIGHT * row.height;

/** Another line of the cell that was drawn last: it stands below it, and the row goes on after it, or has begun before. */
function isWrap(lines: readonly Line[], at: number, last: PlacedCell, row: Row): boolean {
  const line = lines[at] as Line;
  const [only, another] = line.segments;
  if (only === undefined || another || isFigure(only.text) || !isAlignedWith(only, last, row.height)) return false;
  const step = line.y - last.y;
  if (step < 0.4 * row.height || step > WRAP_STEP * row.height) return false;
  const first = Math.min(...row.cells.map(({ left }) => left));
  if (last.left > first + row.height) return true;
  // In the first column it is a row, unless the cell beside it begins above it.
  const ahead = lines.slice(at + 1, at + ROWS_BACK).findIndex(({ left }) => left >= only.right);
  const next = ahead < 0 ? undefined : (lines[at + 1 + ahead] as Line);
  if (next === undefined || next.y > line.y - 0.3 * row.height || next.y < row.top - row.height) return false;
  return figuresFrom(lines, at + 1 + ahead, ROWS_BACK) < 3;
}

const isAlignedWith = (one: Span, other: Span, near: number): boolean =>
  Math.abs(one.left - other.left) < near ||
  Math.abs(one.right - other.right) < near ||
  Math.abs(one.left + one.right - other.left - other.right) < 2 * near;

/** The row in which a column of figures begins, where a table is drawn column by column. */
function columnTop(lines: readonly Line[], at: number, rows: readonly Row[]): Row | undefined {
  return figuresFrom(lines, at, rows.length) > 0 ? rows.find((row) => isOn(lines[at] as Line, row)) : undefined;
}

/** How many lines a column has from here on, at most `most`; 0 if it is none of figures. */
function figuresFrom(lines: readonly Line[], from: number, most: number): number {
  const top = lines[from] as Line;
  const column: string[] = [];
  for (let at = from; at < lines.length && column.length < most; at += 1) {
    const line = lines[at] as Line;
    if (at > from && (line.y <= (lines[at - 1] as Line).y || Math.abs(line.left - top.left) > 6 * line.height)) break;
    column.push(line.segments.map(({ text }) => text).join(' '));
  }
  return column.filter(isFigure).length < MOST_FIGURES * column.length ? 0 : column.length;
}

/** Share of cells that makes a column one of figures. */
const MOST_FIGURES = 0.6;

/** After the last row whose cells fit into columns with the ones from `start` on. */
function endOfTable(rows: readonly Row[], start: number): number {
  if (!isSeveral(rows[start] as Row)) return start + 1;
  let columns: Span[] = [];
  let single = 0;
  let at = start;
  for (; at < rows.length; at += 1) {
    const row = rows[at] as Row;
    single = isSeveral(row) ? 0 : single + 1;
    if (single > MOST_SINGLE) break;
    const next = columnsOf([...columns, ...row.cells]);
    // Rows above still fit where no columns grew together.
    const isSame = new Set(columns.map((column) => columnAt(next, column))).size === columns.length;
    if (!(isSame ? fits(row, next) : rows.slice(start, at + 1).every((each) => fits(each, next)))) break;
    columns = next;
  }
  while (at > start + 1 && isTail(rows[at - 1] as Row, rows[at - 2] as Row, columns)) at -= 1;
  return at;
}

const isSeveral = ({ cells }: Row): boolean => cells.length > 1;

/** Whether what a wide gap separates stands in different columns. */
const fits = ({ cells }: Row, columns: readonly Span[]): boolean =>
  cells.every((each, index) => {
    const before = cells[index - 1];
    return (
      before === undefined || !each.isApart || before.order !== each.order || columnAt(columns, before) < columnAt(columns, each)
    );
  });

/** A line after a table that is not part of it: it has one cell, and does not continue a cell above it. */
function isTail(row: Row, before: Row, columns: readonly Span[]): boolean {
  const own = new Set(row.cells.map((each) => columnAt(columns, each)));
  if (own.size > 1 || continuesCells(row, before, columns)) return false;
  return own.has(0) || !row.cells.every(({ text }) => isFigure(text));
}

/** Places that overlap are one column. */
function columnsOf(cells: readonly Span[]): Span[] {
  const sorted = cells.map(({ left, right }) => ({ left, right })).sort((a, b) => a.left - b.left);
  const columns: Span[] = [];
  for (const each of sorted) {
    const last = columns.at(-1);
    if (last && each.left < last.right) last.right = Math.max(last.right, each.right);
    else columns.push(each);
  }
  return columns;
}

/** Columns without those that only words of a single line part. */
function certainColumns(rows: readonly Row[]): Span[] {
  const found: Span[] = [];
  const all = columnsOf(rows.flatMap(({ cells }) => cells));
  for (const [index, column] of all.entries()) {
    const last = found.at(-1);
    const gaps = rows.flatMap(({ cells }) =>
      cells.filter((each, at) => columnAt(all, each) >= index && at > 0 && columnAt(all, cells[at - 1] as Span) < index),
    );
    if (last && gaps.length < 2 && !gaps.some(({ isApart }) => isApart)) last.right = column.right;
    else found.push({ ...column });
  }
  return withHeaders(found, rows);
}

/** A header may stand beside the figures below it, at the other side of their column. */
function withHeaders(columns: readonly Span[], rows: readonly Row[]): Span[] {
  const [header, ...body] = rows.map(({ cells }) => new Set(cells.map((each) => columnAt(columns, each))));
  const found: Span[] = [];
  let gap = Number.POSITIVE_INFINITY;
  for (const [index, column] of columns.entries()) {
    const last = found.at(-1);
    const isPart = (one: number, other: number) =>
      header?.has(one) && !header.has(other) && body.every((row) => !row.has(one)) && body.some((row) => row.has(other));
    if (last && gap > 0 && (isPart(index - 1, index) || isPart(index, index - 1))) {
      last.right = column.right;
      gap = 0;
    } else {
      found.push({ ...column });
      gap = Number.POSITIVE_INFINITY;
    }
  }
  return found;
}

const columnAt = (columns: readonly Span[], { left }: Span): number => columns.findLastIndex((column) => column.left <= left);

/** Figures, amounts, dates, percentages: what stands in columns of tables and not in those of prose. */
function isFigure(text: string): boolean {
  if (text.length > MOST_FIGURE) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  return /^[-–—]$/.test(text) || (digits > 0 && letters <= 3 && text.length <= 24) || digits > letters;
}

const MOST_FIGURE = 30;
const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Marks of lists, and numbers of lines. */
const isMark = (text: string): boolean => /^(?:[•◦▪●○■□–—*·✓✔➢-]|\(?(?:\d{1,4}|[ivxlc]{1,5}|\p{L})[.)]?|§+ ?\d+)$/iu.test(text);

interface Column {
  readonly cells: readonly PlacedCell[];
  readonly isNumeric: boolean;
  readonly isProse: boolean;
  readonly isAligned: boolean;
}

function regionOf(rows: readonly Row[]): Block[] | undefined {
  const spans = certainColumns(rows);
  // Words may be set wide; cells are wide apart somewhere, or are drawn for themselves.
  const isWide = rows.some(({ cells, lines }) => lines.length > 1 || cells.some(({ isApart }) => isApart));
  if (spans.length < 2 || !isWide) return undefined;
  const columns = spans.map((span, index) => columnOf(span, index, spans, rows));
  const several = rows.filter(({ cells }) => new Set(cells.map((each) => columnAt(spans, each))).size > 1).length;
  const prose = columns.filter(({ isProse }) => isProse).length;
  const numeric = columns.slice(1).some(({ isNumeric }) => isNumeric);
  const isSplit = columns.some((_, index) => index > 0 && isDrawnAfter(columns, index));
  if (isSplit && !(numeric && several >= 3)) return undefined;
  if (!isSplit && prose > 1 && prose * 2 >= columns.length && several >= 4) {
    return rows.every((row) => row.lines.length === 1) ? acrossColumns(rows, spans) : undefined;
  }
  if (several < 2 || (prose > 1 && prose * 2 >= columns.length)) return undefined;
  if (columns.length === 2) {
    if (columns[0]?.cells.every(({ text }) => isMark(text))) return undefined;
    if (several < 3 && !numeric) return undefined;
  }
  if (columns.filter(({ isAligned }) => isAligned).length * 3 < columns.length * 2) return undefined;
  return [{ kind: 'table', rows: joinedRows(rows, spans).map((cells) => cells.map(cellOf)) }];
}

function columnOf({ left, right }: Span, index: number, spans: readonly Span[], rows: readonly Row[]): Column {
  const ofRows = rows.map(({ cells }) => cells.filter((each) => columnAt(spans, each) === index));
  const cells = ofRows.flat();
  const texts = ofRows.filter((own) => own.length > 0).map((own) => own.map(({ text }) => text).join(' '));
  const body = texts.length > 2 && (ofRows[0]?.length ?? 0) > 0 ? texts.slice(1) : texts;
  const isNumeric = body.filter(isFigure).length >= MOST_FIGURES * body.length;
  const lines = ofRows.flatMap(linesOfCell);
  const wide = lines.filter((each) => each.right - each.left > 0.7 * (right - left)).length;
  const isProse = !isNumeric && lines.length > 2 && median(lines.map(({ words }) => words)) >= 4 && wide >= 0.6 * lines.length;
  const edges: ((each: Span) => number)[] = [({ left: at }) => at, ({ right: at }) => at, (each) => (each.left + each.right) / 2];
  const height = rows[0]?.height ?? 1;
  const some = lines.length > 2 ? lines.slice(1) : lines;
  const isAligned = edges.some((edge) => {
    const middle = median(some.map(edge));
    return some.filter((each) => Math.abs(edge(each) - middle) < 0.6 * height).length >= 0.7 * some.length;
  });
  return { cells, isNumeric, isProse, isAligned };
}

/** What stands in one line of a cell. */
function linesOfCell(cells: readonly PlacedCell[]): (Span & { words: number })[] {
  const lines = new Map<number, Span & { words: number }>();
  for (const { y, left, right, text } of cells) {
    const line = lines.get(y);
    if (line === undefined) lines.set(y, { left, right, words: wordsIn(text) });
    else {
      line.right = right;
      line.words += wordsIn(text);
    }
  }
  return [...lines.values()];
}

/** Whether all columns before the nth are drawn before all of the others, as those of prose are. */
function isDrawnAfter(columns: readonly Column[], index: number): boolean {
  const orders = (some: readonly Column[]) => some.flatMap(({ cells }) => cells.map(({ order }) => order));
  const before = orders(columns.slice(0, index));
  const after = orders(columns.slice(index));
  return after.length > 1 && before.reduce((a, b) => Math.max(a, b)) < after.reduce((a, b) => Math.min(a, b));
}

/** Prose whose lines are drawn across the columns: one column after the other. */
function acrossColumns(rows: readonly Row[], spans: readonly Span[]): Block[] {
  return spans.map((_, index) => {
    const lines = rows
      .map(({ cells }) => cells.filter((each) => columnAt(spans, each) === index))
      .filter((own) => own.length > 0);
    return paragraph(
      ...lines.flatMap((own, at): Inline[] => (at === 0 ? inlinesOf(own) : [{ kind: 'break', isSoft: true }, ...inlinesOf(own)])),
    );
  });
}

type CellParts = PlacedCell[];

/** Rows of cells, in which lines that continue the cells above them are part of those. */
function joinedRows(rows: readonly Row[], spans: readonly Span[]): CellParts[][] {
  const found: CellParts[][] = [];
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    const isNew = before === undefined || !continuesCells(row, before, spans, found.at(-1));
    const target = isNew ? spans.map((): CellParts => []) : (found.at(-1) as CellParts[]);
    if (isNew) found.push(target);
    for (const each of row.cells) target[columnAt(spans, each)]?.push(each);
  }
  return found;
}

/** Whether a line's cells are the rest of those above them: text in some columns, close to a row that has text there too. */
function continuesCells(row: Row, before: Row, spans: readonly Span[], above?: readonly CellParts[]): boolean {
  const own = new Set(row.cells.map((each) => columnAt(spans, each)));
  if (row.top - before.bottom > WRAP_STEP * Math.max(row.height, before.height) || own.size === spans.length) return false;
  const isFilled = (at: number) =>
    above ? (above[at]?.length ?? 0) > 0 : before.cells.some((each) => columnAt(spans, each) === at);
  if (![...own].every(isFilled) || row.cells.some(({ text }) => isFigure(text))) return false;
  return own.has(0) ? own.size === 1 && /^\p{Ll}/u.test(row.cells[0]?.text ?? '') : true;
}

const cellOf = (parts: CellParts): Cell => cell(parts.length === 0 ? [] : [paragraph(...inlinesOf(parts))]);

/** Lines of a cell stand there because it is narrow: their words are one text. */
const inlinesOf = (parts: CellParts): Inline[] =>
  [...parts]
    .sort((a, b) => a.y - b.y || a.left - b.left)
    .flatMap(({ inlines }, index) => (index === 0 ? inlines : [plain(' '), ...inlines]));
