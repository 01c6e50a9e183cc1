/** Puts the pieces of text on a page into lines, and the lines into reading order, paragraphs and tables. */
import { type Block, type Inline, paragraph, plain } from '../core/document.ts';
import { type Line, type Segment, tablesAmong } from './pdf-tables.ts';

/** Text drawn at once. Measures in points; `y` is the baseline, counted downwards from the top of the page. */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether it runs from left to right across the page. */
  readonly level: boolean;
  /** Whether a line ends after it, as the PDF reader saw it. */
  readonly endsLine: boolean;
}

interface PlacedRun extends TextRun {
  /** What separates it from the one before it. */
  readonly between: '' | ' ' | 'gap' | '\t';
}

interface OpenLine {
  readonly runs: PlacedRun[];
  readonly left: number;
  right: number;
  y: number;
  height: number;
  readonly level: boolean;
}

/** Gaps, in heights of a letter: one that separates words, one that may separate cells of a table, and one that does. */
const WORD_GAP = 0.15;
const NARROW_GAP = 0.5;
/** And in widths of a letter, which blanks are as wide as in typewriter fonts. */
const NARROW_LETTERS = 1.35;
const CELL_GAP = 1.5;
/** How far a baseline may be off its line, and how far if the letters are smaller and stand close (superscripts). */
const SAME_LINE = 0.4;
const SAME_LINE_SMALL = 0.7;
/** Raised or lowered letters are this much smaller than the others. */
const SMALL = 0.87;
const RAISED = 0.12;
const LOWERED = 0.08;
/** How far lines of a paragraph may be apart. */
const SAME_PARAGRAPH = 1.7;
/** Text printed twice to look bold is at most this far from itself. */
const OVERPRINT = 0.12;

/**
 * PDF files draw text in any order, but nearly always line by line and column by column. That order is kept, except where
 * a block of lines stands above one that was drawn before it, and in tables.
 */
export function blocksInReadingOrder(runs: readonly TextRun[]): Block[] {
  const lines = blocksFromTop(placedLines(withoutOverprint(runs))).flat();
  const regions = tablesAmong(lines);
  const found: Block[] = [];
  const written = new Set<readonly Block[]>();
  let open: Inline[] = [];
  let before: Line | undefined;
  const close = () => {
    if (open.length > 0) found.push(paragraph(...open));
    open = [];
  };
  const add = (line: Line) => {
    if (before && isApart(before, line)) close();
    if (open.length > 0) open.push({ kind: 'break', isSoft: true });
    open.push(...inlinesOf(line));
    before = line;
  };
  for (const line of lines) {
    const region = regions.get(line);
    if (region === undefined) add(line);
    else if (!written.has(region)) {
      written.add(region);
      close();
      found.push(...region);
      before = undefined;
    }
  }
  close();
  return found;
}

const inlinesOf = ({ segments }: Line): Inline[] =>
  segments.flatMap(({ inlines, isApart: isWide }, index) => (index === 0 ? inlines : [plain(isWide ? '\t' : ' '), ...inlines]));

/** Bold made by printing text twice, a little apart. */
function withoutOverprint(runs: readonly TextRun[]): TextRun[] {
  const places = new Map<string, TextRun[]>();
  return runs.filter((run) => {
    const text = run.text.trim();
    if (text === '') return true;
    const same = places.get(text);
    if (same === undefined) places.set(text, [run]);
    else if (same.slice(-MOST_COPIES).some((other) => isOver(other, run))) return false;
    else same.push(run);
    return true;
  });
}

/** Copies of a text that are compared. */
const MOST_COPIES = 20;

function isOver(one: TextRun, other: TextRun): boolean {
  const near = OVERPRINT * Math.min(one.height, other.height);
  return (
    Math.abs(one.x - other.x) <= Math.min(near, one.width / 3) &&
    Math.abs(one.y - other.y) <= near &&
    Math.abs(one.height - other.height) <= near
  );
}

function placedLines(runs: readonly TextRun[]): Line[] {
  const lines: OpenLine[] = [];
  let line: OpenLine | undefined;
  let ended = false;
  let space = false;
  for (const run of runs) {
    if (run.text.trim() === '') {
      space ||= run.text !== '' && !run.endsLine;
    } else if (line !== undefined && continues(line, run, ended)) {
      const gap = line.level ? (run.x - line.right) / Math.max(line.height, run.height) : 0;
      line.runs.push({ ...run, between: betweenAt(gap, line.runs.at(-1) as TextRun, run, space) });
      line.right = Math.max(line.right, run.x + run.width);
      if (run.height > line.height) {
        line.height = run.height;
        // A footnote's raised mark comes before its line.
        line.y = run.y;
      }
      space = false;
    } else {
      const { x, y, width, height, level } = run;
      line = { runs: [{ ...run, between: '' }], left: x, right: x + width, y, height, level };
      lines.push(line);
      space = false;
    }
    ended = run.endsLine;
  }
  return lines.map(closedLine);
}

function betweenAt(gap: number, before: TextRun, run: TextRun, space: boolean): PlacedRun['between'] {
  if (gap > CELL_GAP) return '\t';
  const letter = (before.width + run.width) / (before.text.length + run.text.length) / Math.max(before.height, run.height);
  if (gap > Math.max(NARROW_GAP, NARROW_LETTERS * letter)) return 'gap';
  return space || gap > WORD_GAP ? ' ' : '';
}

function continues(line: OpenLine, run: TextRun, ended: boolean): boolean {
  if (!line.level || !run.level) return line.level === run.level && !ended;
  const height = Math.max(line.height, run.height);
  const isClose = run.x - line.right < height / 2 && Math.min(line.height, run.height) <= SMALL * height;
  return Math.abs(run.y - line.y) < (isClose ? SAME_LINE_SMALL : SAME_LINE) * height && run.x > line.right - height;
}

function closedLine({ runs, left, right, y, height, level }: OpenLine): Line {
  const segments: Segment[] = [];
  const base = level ? baseOf(runs) : undefined;
  for (let from = 0; from < runs.length; ) {
    let to = from + 1;
    while (to < runs.length && runs[to]?.between !== '\t' && runs[to]?.between !== 'gap') to += 1;
    segments.push(segmentOf(runs.slice(from, to), base));
    from = to;
  }
  return { segments, left, right, y, height, level };
}

/** The run whose baseline and size are the line's: one of those that most letters are as large as. */
function baseOf(runs: readonly TextRun[]): TextRun {
  const letters = new Map<number, number>();
  for (const { height, text } of runs) {
    const size = Math.round(height * 2);
    letters.set(size, (letters.get(size) ?? 0) + text.trim().length);
  }
  const [size] = [...letters].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] > a[0]) ? b : a));
  return runs.find(({ height }) => Math.round(height * 2) === size) as TextRun;
}

function segmentOf(runs: readonly PlacedRun[], base: TextRun | undefined): Segment {
  const inlines: { kind: 'text'; text: string; marks: { script?: 'super' | 'sub' } }[] = [];
  for (const [index, run] of runs.entries()) {
    const script = base && scriptOf(run, base);
    const last = inlines.at(-1);
    const text = index === 0 ? run.text.trimStart() : run.text;
    const needsSpace = index > 0 && run.between === ' ' && !/\s$/.test(last?.text ?? '') && !/^\s/.test(text);
    if (last && last.marks.script === script) last.text += (needsSpace ? ' ' : '') + text;
    else {
      // Blanks stand outside of raised letters.
      if (needsSpace && last) last.text += ' ';
      inlines.push({ kind: 'text', text, marks: script ? { script } : {} });
    }
  }
  const last = inlines.at(-1);
  if (last) last.text = last.text.trimEnd();
  const first = runs[0] as PlacedRun;
  const right = runs.reduce((most, run) => Math.max(most, run.x + run.width), first.x);
  return { isApart: first.between === '\t', inlines, text: inlines.map(({ text }) => text).join(''), left: first.x, right };
}

function scriptOf(run: TextRun, base: TextRun): 'super' | 'sub' | undefined {
  if (run.height > SMALL * base.height) return undefined;
  const raised = (base.y - run.y) / base.height;
  return raised > RAISED ? 'super' : raised < -LOWERED ? 'sub' : undefined;
}

/** A block ends where the next line stands above its last one, and not beside it as the next column does. */
function blocksFromTop(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const last = block?.at(-1);
    if (block && last && !(isAbove(line, last) && line.left < last.right && last.left < line.right)) block.push(line);
    else blocks.push([line]);
  }
  const extents = blocks.map((block) => {
    const tops = block.map(({ y, height }) => y - height);
    return { block, top: least(tops), bottom: -least(block.map(({ y }) => -y)) };
  });
  extents.sort((a, b) => (a.bottom <= b.top ? -1 : b.bottom <= a.top ? 1 : 0));
  return extents.map(({ block }) => block);
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

const isAbove = (line: Line, other: Line): boolean => line.y < other.y - other.height / 2;

function isApart(before: Line, line: Line): boolean {
  const step = line.y - before.y;
  return step < -before.height / 2 || step > SAME_PARAGRAPH * Math.max(before.height, line.height);
}
