/** Finds the byte range of the object at one path while a JSON text arrives. */
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonTokens,
  MORE,
  OPEN_LIST,
  OPEN_OBJECT,
  STRING,
} from '../engine/json/json-tokens.ts';

/** Byte range from the object's opening brace to after its closing one. */
export interface Span {
  start: number;
  end: number;
}

/** Parser state for resuming: open containers inside the object, and whether inside a string or escape. */
export interface ResumedAt {
  depth: number;
  inString: boolean;
  escaped: boolean;
}

const BACKSLASH = 0x5c;

/**
 * Follows one JSON text without validating it. Finds nothing if the path occurs more than once, a member name beside the
 * path contains escapes (only a parser can decide which member counts), or values are nested deeper than `maxNesting`.
 */
export class MemberSpan {
  readonly #path: readonly string[];
  readonly #seen: boolean[];
  readonly #maxNesting: number;
  readonly #tokens = new JsonTokens();
  #offset = 0;
  /** Number of path members that enclose the current byte. */
  #level = 0;
  /** The last string at the current path level, a name if a colon follows; null if longer than the wanted name. */
  #name: string | null = '';
  #nameEscaped = false;
  /** Whether the next value belongs to the next path member. */
  #due = false;
  #start = -1;
  #end = -1;
  #doubtful = false;

  constructor(path: readonly string[], maxNesting: number) {
    this.#path = path;
    this.#maxNesting = maxNesting;
    this.#seen = path.map(() => false);
  }

  /** The range found, after the whole text was fed. */
  get span(): Span | undefined {
    const isDoubtful = this.#doubtful || this.#tokens.deepest > this.#maxNesting;
    return this.#end === -1 || isDoubtful ? undefined : { start: this.#start, end: this.#end };
  }

  /** Start of the object while inside it; otherwise -1. */
  get insideOf(): number {
    return this.#level === this.#path.length ? this.#start : -1;
  }

  /** Resumes at an offset inside the object with the given parser state. */
  resume(offset: number, { depth, inString, escaped }: ResumedAt): void {
    this.#offset = offset;
    this.#tokens.resume(this.#path.length + depth, inString, escaped);
  }

  feed(chunk: Buffer): void {
    const tokens = this.#tokens;
    tokens.load(chunk);
    for (let token = tokens.next(this.#wanted); token !== MORE; token = tokens.next(this.#wanted)) this.#take(token, chunk);
    this.#offset += chunk.length;
  }

  /** Depth of the members that may be on the path; inside the object, that of its closing brace. */
  get #wanted(): number {
    return Math.min(this.#level + 1, this.#path.length);
  }

  #take(token: number, chunk: Buffer): void {
    const { depth, from, to, begins } = this.#tokens;
    const beside = depth === this.#level + 1;
    if (token === STRING) {
      this.#due = false;
      if (!beside) return;
      if (begins) {
        this.#name = '';
        this.#nameEscaped = false;
      }
      this.#spell(chunk, from, to);
    } else if (token === COLON) {
      if (beside) this.#named();
    } else if (token === COMMA) this.#due = false;
    else if (token === OPEN_OBJECT || token === OPEN_LIST) {
      if (this.#due && token === OPEN_OBJECT) {
        this.#level += 1;
        if (this.#level === this.#path.length) this.#start = this.#offset + from;
      }
      this.#due = false;
    } else if (token === CLOSE_OBJECT || token === CLOSE_LIST) {
      this.#due = false;
      if (depth > this.#level) return;
      if (this.#level === this.#path.length) this.#end = this.#offset + to;
      this.#level = Math.max(0, depth - 1);
    }
  }

  #spell(chunk: Buffer, from: number, to: number): void {
    const piece = chunk.subarray(from, to);
    if (piece.includes(BACKSLASH)) this.#nameEscaped = true;
    const wanted = this.#path[this.#level] ?? '';
    if (this.#name === null || this.#name.length + piece.length > wanted.length) this.#name = null;
    else this.#name += piece.toString('latin1');
  }

  #named(): void {
    if (this.#level === this.#path.length) return;
    if (this.#nameEscaped) this.#doubtful = true;
    if (this.#name !== this.#path[this.#level]) return;
    if (this.#seen[this.#level]) this.#doubtful = true;
    this.#seen[this.#level] = true;
    this.#due = true;
  }
}
