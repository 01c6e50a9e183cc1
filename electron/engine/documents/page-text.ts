/** Puts the pieces of text on a page into lines, and the lines into reading order. */

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

export interface Line {
  readonly text: string;
  /** Whether there is more space above it than between lines. */
  readonly startsParagraph: boolean;
}

interface PlacedLine {
  text: string;
  readonly left: number;
  right: number;
  readonly y: number;
  height: number;
  readonly level: boolean;
}

/** Gaps, in heights of a letter: one that separates words, and one that separates cells of a table. */
const WORD_GAP = 0.15;
const CELL_GAP = 1.5;
/** How far a baseline may be off its line (superscripts), and how far lines of a paragraph may be apart. */
const SAME_LINE = 0.4;
const SAME_PARAGRAPH = 1.7;

/**
 * PDF files draw text in any order, but nearly always line by line and column by column. That order is kept, except where
 * a block of lines stands above one that was drawn before it.
 */
export function linesInReadingOrder(runs: readonly TextRun[]): Line[] {
  const lines = placedLines(runs);
  const ordered = blocksFromTop(lines).flat();
  return ordered.map((line, index) => ({
    text: line.text.trimEnd(),
    startsParagraph: index > 0 && isApart(ordered[index - 1] as PlacedLine, line),
  }));
}

function placedLines(runs: readonly TextRun[]): PlacedLine[] {
  const lines: PlacedLine[] = [];
  let line: PlacedLine | undefined;
  let ended = false;
  let space = false;
  for (const run of runs) {
    if (run.text.trim() === '') {
      space ||= run.text !== '' && !run.endsLine;
    } else if (line !== undefined && continues(line, run, ended)) {
      const gap = line.level ? (run.x - line.right) / Math.max(line.height, run.height) : 0;
      const between = gap > CELL_GAP ? '\t' : space || gap > WORD_GAP ? ' ' : '';
      line.text = joined(line.text, between, run.text);
      line.right = Math.max(line.right, run.x + run.width);
      line.height = Math.max(line.height, run.height);
      space = false;
    } else {
      const { x, y, width, height, level } = run;
      line = { text: run.text.trimStart(), left: x, right: x + width, y, height, level };
      lines.push(line);
      space = false;
    }
    ended = run.endsLine;
  }
  return lines;
}

function continues(line: PlacedLine, run: TextRun, ended: boolean): boolean {
  if (!line.level || !run.level) return line.level === run.level && !ended;
  const height = Math.max(line.height, run.height);
  return Math.abs(run.y - line.y) < SAME_LINE * height && run.x > line.right - height;
}

function joined(before: string, between: string, after: string): string {
  if (between === '\t') return `${before.trimEnd()}\t${after.trimStart()}`;
  return /\s$/.test(before) || /^\s/.test(after) ? before + after : before + between + after;
}

/** A block ends where the next line stands above its last one, and not beside it as the next column does. */
function blocksFromTop(lines: readonly PlacedLine[]): PlacedLine[][] {
  const blocks: PlacedLine[][] = [];
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

const isAbove = (line: PlacedLine, other: PlacedLine): boolean => line.y < other.y - other.height / 2;

function isApart(before: PlacedLine, line: PlacedLine): boolean {
  const step = line.y - before.y;
  return step < -before.height / 2 || step > SAME_PARAGRAPH * Math.max(before.height, line.height);
}
