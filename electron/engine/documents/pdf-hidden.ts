/** Finds text on a page of a PDF that nobody sees: invisible, of the colour of what is below it, or in a hidden layer. */
import type { PDFPageProxy } from 'unpdf/pdfjs';

type Operators = Awaited<ReturnType<PDFPageProxy['getOperatorList']>>;
type PdfJs = Pick<typeof import('unpdf/pdfjs'), 'OPS' | 'normalizeUnicode'>;
type Codes = PdfJs['OPS'];
type Matrix = readonly [number, number, number, number, number, number];
type Color = readonly [number, number, number];
/** Left, top, right, bottom: least and greatest coordinates of the page. */
type Box = readonly [number, number, number, number];

interface Graphics {
  matrix: Matrix;
  clip: Box;
  /** Undefined where it is a pattern. */
  fill: Color | undefined;
  alpha: number;
  line: number;
  /** Whether it covers what is below it as it is. */
  isPlain: boolean;
  mode: number;
}

interface Region {
  readonly box: Box;
  /** Undefined for pictures, patterns and shapes that are no rectangles: what stands on them may be seen. */
  readonly color: Color | undefined;
  readonly isPicture: boolean;
}

/** How letters are drawn. */
interface Style {
  readonly fill: Color | undefined;
  readonly alpha: number;
  readonly mode: number;
  readonly isOff: boolean;
  /** How many regions are painted before. */
  readonly below: number;
}

/** Colours that differ less than this in each part are hardly told apart. */
const SAME_COLOR = 12;
const BLACK: Color = [0, 0, 0];
const WHITE: Color = [255, 255, 255];
/** More regions than this on a page count as unknown: nothing on it is hidden by its colour. */
const MOST_REGIONS = 5000;

export type Sight = 'seen' | 'unseen' | 'scanned';

export class PageSight {
  private readonly styles: Style[] = [];
  private readonly regions: Region[] = [];
  /** The page's letters without blanks, and for each the index of its style. */
  private letters = '';
  private readonly styleAt: number[] = [];
  /** Blanks drawn before each letter. */
  private readonly blanksAt: number[] = [];
  private blanks = 0;
  /** Where the text that was asked for last begins; negative if it is not known. */
  private start = -1;
  private hasJoined = false;
  private at = 0;
  private readonly page: Box;
  private readonly codes: Codes;
  private readonly normalized: PdfJs['normalizeUnicode'];
  private readonly isLayerShown: (group: unknown) => boolean;

  constructor(operators: Operators, page: Box, { OPS, normalizeUnicode }: PdfJs, isLayerShown: (group: unknown) => boolean) {
    this.page = page;
    this.codes = OPS;
    this.normalized = normalizeUnicode;
    this.isLayerShown = isLayerShown;
    this.run(operators);
  }

  /** For each letter of a text that the page shows next; `x` and `y` are in the page's own coordinates. Undefined if all are seen. */
  of(text: string, x: number, y: number): Sight[] | undefined {
    const letters = text.replace(/\s+/g, '');
    const start = this.find(letters);
    this.start = start;
    if (start < 0) return undefined;
    const known = new Map<number, Sight>();
    for (let at = start; at < start + letters.length; at += 1) {
      const style = this.styleAt[at] as number;
      if (!known.has(style)) known.set(style, this.sightOf(this.styles[style] as Style, x, y));
    }
    if ([...known.values()].every((sight) => sight === 'seen')) return undefined;
    let index = start;
    return Array.from({ length: text.length }, (_, at) =>
      /\s/.test(text[at] as string) ? 'seen' : (known.get(this.styleAt[index++] as number) as Sight),
    );
  }

  /** The text that was asked for last, with the letters of spaced words together: `T O T A L`. A row of the alphabet is none. */
  joined(text: string): string {
    if (this.start < 0) return text;
    return text.replace(SPACED, (spaced, offset: number) => {
      const from = this.start + text.slice(0, offset).replace(/\s+/g, '').length;
      const letters = spaced.split(' ');
      if (letters.length < 4 && !this.hasJoined) return spaced;
      const blanks = letters.map((_, at) => (at === 0 ? 0 : (this.blanksAt[from + at] ?? 0)));
      // Blanks that stand between all letters are no ends of words.
      const end = Math.min(...blanks.slice(1)) + 1;
      const words: string[][] = [];
      for (const [at, letter] of letters.entries()) {
        const word = words.at(-1);
        if (word === undefined || (blanks[at] as number) >= end) words.push([letter]);
        else word.push(letter);
      }
      if (!words.every(isWord)) return spaced;
      this.hasJoined = true;
      return words.map((word) => word.join('')).join(' ');
    });
  }

  /** Texts come in the order in which they are drawn, but not all of them, and from right to left reversed. */
  private find(letters: string): number {
    if (letters === '') return -1;
    const here = this.letters.startsWith(letters, this.at) ? this.at : this.findAhead(letters);
    if (here >= 0) this.at = here + letters.length;
    return here;
  }

  private findAhead(letters: string): number {
    const next = this.letters.slice(this.at, this.at + letters.length);
    if (sorted(next) === sorted(letters)) return this.at;
    const ahead = this.letters.slice(this.at, this.at + AHEAD).indexOf(letters);
    return ahead < 0 ? -1 : this.at + ahead;
  }

  private sightOf({ fill, alpha, mode, isOff, below }: Style, x: number, y: number): Sight {
    if (isOff) return 'unseen';
    if (mode === 3 || mode === 7) return this.isScanned(x, y) ? 'scanned' : 'unseen';
    if (alpha < 0.02) return 'unseen';
    if (fill === undefined || (mode !== 0 && mode !== 4) || this.regions.length >= MOST_REGIONS) return 'seen';
    const ground = this.regions.findLast(({ box }, index) => index < below && isWithin(box, x, y));
    const color = ground ? ground.color : WHITE;
    return color && isSame(color, fill) ? 'unseen' : 'seen';
  }

  /** Programs that recognise text put it invisibly over or under the picture of the page. */
  private isScanned(x: number, y: number): boolean {
    return this.regions.some(({ box, isPicture }) => isPicture && isWithin(box, x, y) && areaOf(box) > areaOf(this.page) / 4);
  }

  private run({ fnArray, argsArray }: Operators): void {
    const { codes } = this;
    let state: Graphics = { matrix: [1, 0, 0, 1, 0, 0], clip: this.page, fill: BLACK, alpha: 1, line: 1, isPlain: true, mode: 0 };
    const saved: Graphics[] = [];
    const { fills } = this;
    const layers: boolean[] = [];
    let isClip = false;
    // The library leaves out pictures that are too large, but not the move to where they stand.
    let isMoved = false;
    const save = () => saved.push({ ...state });
    const restore = () => {
      state = saved.pop() ?? state;
    };
    for (const [index, code] of fnArray.entries()) {
      const args = argsArray[index];
      switch (code) {
        case codes.save:
          save();
          break;
        case codes.restore:
          if (isMoved) this.paint(UNIT, state, undefined, true);
          isMoved = false;
          restore();
          break;
        case codes.transform:
          state.matrix = product(state.matrix, args as Matrix);
          isMoved = true;
          break;
        case codes.paintFormXObjectBegin:
          save();
          if (args[0]) state.matrix = product(state.matrix, args[0] as Matrix);
          if (args[1]) state.clip = meet(state.clip, boxOf(args[1] as Box, state.matrix));
          isMoved = false;
          break;
        case codes.paintFormXObjectEnd:
          restore();
          break;
        case codes.beginMarkedContent:
          layers.push(true);
          break;
        case codes.beginMarkedContentProps:
          layers.push(args[0] !== 'OC' || this.isLayerShown(args[1]));
          break;
        case codes.endMarkedContent:
          layers.pop();
          break;
        case codes.setFillRGBColor:
          state.fill = colorOf(args);
          break;
        case codes.setFillColorN:
        case codes.setFillTransparent:
          state.fill = undefined;
          break;
        case codes.setTextRenderingMode:
          state.mode = args[0];
          break;
        case codes.setLineWidth:
          state.line = args[0];
          break;
        case codes.setGState:
          for (const [key, value] of args[0] as [string, unknown][]) {
            if (key === 'ca') state.alpha = value as number;
            if (key === 'BM') state.isPlain = value === 'source-over';
            if (key === 'SMask' && value !== false) state.isPlain = false;
          }
          break;
        case codes.clip:
        case codes.eoClip:
          isClip = true;
          break;
        case codes.constructPath: {
          isMoved = false;
          const [operator, [path], extent] = args as [number, [Float32Array | null], ArrayLike<number> | null];
          if (!path || !extent) break;
          const box: Box = [extent[0] as number, extent[1] as number, extent[2] as number, extent[3] as number];
          if (fills.has(operator)) this.paintPath(path, box, state, operator);
          else if (operator === codes.stroke) this.paintLine(box, state);
          if (isClip) state.clip = meet(state.clip, boxOf(box, state.matrix));
          isClip = false;
          break;
        }
        case codes.shadingFill:
          this.paint(state.clip, { ...state, matrix: [1, 0, 0, 1, 0, 0] }, undefined);
          break;
        case codes.paintImageXObject:
        case codes.paintInlineImageXObject:
        case codes.paintImageMaskXObject:
        case codes.paintSolidColorImageMask:
          this.paint(UNIT, state, undefined, true);
          isMoved = false;
          break;
        case codes.paintImageXObjectRepeat:
        case codes.paintImageMaskXObjectRepeat:
        case codes.paintImageMaskXObjectGroup:
        case codes.paintInlineImageXObjectGroup:
          this.paint(state.clip, { ...state, matrix: [1, 0, 0, 1, 0, 0] }, undefined);
          break;
        case codes.showText:
          isMoved = false;
          this.show(args[0], state, layers.includes(false));
          break;
      }
    }
  }

  private get fills(): ReadonlySet<number> {
    const { fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke } = this.codes;
    return new Set([fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke]);
  }

  private show(glyphs: readonly (number | { unicode: string } | null)[], state: Graphics, isOff: boolean): void {
    const { fill, alpha, mode } = state;
    this.styles.push({ fill, alpha, mode, isOff, below: this.regions.length });
    const style = this.styles.length - 1;
    for (const glyph of glyphs) {
      if (typeof glyph === 'number' || glyph === null) continue;
      const text =
        glyph.unicode > ' ' && glyph.unicode < '\u007f' ? glyph.unicode : this.normalized(glyph.unicode).replace(/\s+/g, '');
      if (text === '') this.blanks += 1;
      this.letters += text;
      for (let at = 0; at < text.length; at += 1) {
        this.styleAt.push(style);
        this.blanksAt.push(at === 0 ? this.blanks : 0);
      }
      if (text !== '') this.blanks = 0;
    }
  }

  private paintPath(path: Float32Array, extent: Box, state: Graphics, operator: number): void {
    const boxes = rectanglesOf(path);
    const isCutOut = operator !== this.codes.fill && (boxes?.length ?? 0) > 1;
    const [, b, c] = state.matrix;
    if (boxes && !isCutOut && (boxes.length === 1 || !hasOverlap(boxes)) && Math.abs(b) + Math.abs(c) < 1e-6) {
      for (const box of boxes) this.paint(box, state, state.fill);
    } else this.paint(extent, state, undefined);
  }

  /** Bars may be drawn as thick lines. */
  private paintLine([left, top, right, bottom]: Box, state: Graphics): void {
    const half = state.line / 2;
    if (half > 1 && Math.min(right - left, bottom - top) < half)
      this.paint([left - half, top - half, right + half, bottom + half], state, undefined);
  }

  private paint(box: Box, state: Graphics, color: Color | undefined, isPicture = false): void {
    if (this.regions.length >= MOST_REGIONS) return;
    const known = state.alpha > 0.98 && state.isPlain ? color : undefined;
    const seen = meet(state.clip, boxOf(box, state.matrix));
    if (areaOf(seen) > 0) this.regions.push({ box: seen, color: known, isPicture });
  }
}

/** Letters, each for itself: four or more, or capitals on a page that has others. */
const SPACED = /(?<!\S)(?:\p{L}(?: \p{L}){3,}|\p{Lu}(?: \p{Lu}){1,2})(?!\S)/gu;
export const hasSpacedLetters = (text: string): boolean => /(?<!\S)\p{L}(?: \p{L}){3,}(?!\S)/u.test(text);

function isWord(letters: readonly string[]): boolean {
  const isSeries = letters.length > 1 && letters.every((letter, at) => at === 0 || letter > (letters[at - 1] as string));
  return (
    /^(?:\p{Lu}+|\p{Lu}?\p{Ll}+|\p{Lo}+)$/u.test(letters.join('')) &&
    !isSeries &&
    (letters.length < 3 || new Set(letters).size > 1)
  );
}

/** Letters within which a text is looked for. */
const AHEAD = 5000;
const UNIT: Box = [0, 0, 1, 1];

const sorted = (text: string): string => [...text].sort().join('');
const isSame = (one: Color, other: Color): boolean =>
  one.every((part, at) => Math.abs(part - (other[at] as number)) < SAME_COLOR);
const isWithin = ([left, top, right, bottom]: Box, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;
const areaOf = ([left, top, right, bottom]: Box): number => Math.max(right - left, 0) * Math.max(bottom - top, 0);
const meet = (a: Box, b: Box): Box => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];

function boxOf([left, top, right, bottom]: Box, [a, b, c, d, e, f]: Matrix): Box {
  const xs = [a * left + c * top + e, a * right + c * top + e, a * left + c * bottom + e, a * right + c * bottom + e];
  const ys = [b * left + d * top + f, b * right + d * top + f, b * left + d * bottom + f, b * right + d * bottom + f];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** PDF's transformation matrices (ISO 32000-1, 8.3.4): `second` applied first. */
function product([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

const colorOf = ([red, green, blue]: ArrayLike<number> & Iterable<number>): Color => [red ?? 0, green ?? 0, blue ?? 0];

/** The rectangles that a path consists of; undefined for any other. The library's numbers: 0 moves, 1 draws a line, 3 closes. */
function rectanglesOf(path: Float32Array): Box[] | undefined {
  const boxes: Box[] = [];
  let xs: number[] = [];
  let ys: number[] = [];
  const end = (): boolean => {
    if (xs.length === 0) return true;
    const box: Box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    const isSquare = xs.every((x, at) => (x === box[0] || x === box[2]) && (ys[at] === box[1] || ys[at] === box[3]));
    if (xs.length < 4 || xs.length > 5 || !isSquare) return false;
    boxes.push(box);
    xs = [];
    ys = [];
    return boxes.length <= MOST_RECTANGLES;
  };
  for (let at = 0; at < path.length; ) {
    const code = path[at];
    if (code === 3) {
      at += 1;
      continue;
    }
    if (code !== 0 && code !== 1) return undefined;
    if (code === 0 && !end()) return undefined;
    xs.push(path[at + 1] as number);
    ys.push(path[at + 2] as number);
    if (xs.length > 5) return undefined;
    at += 3;
  }
  return end() ? boxes : undefined;
}

/** Rectangles of one path that are told apart. */
const MOST_RECTANGLES = 50;

const hasOverlap = (boxes: readonly Box[]): boolean =>
  boxes.some((one, at) => boxes.slice(at + 1).some((other) => areaOf(meet(one, other)) > 0));
