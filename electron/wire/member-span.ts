/** Finds the byte range of the object at one path while a JSON text arrives. */

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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Follows one JSON text without validating it. Finds nothing when the path occurs more than once, when a member name on the path
 * contains escapes (only a parser can decide which member counts), or when values are nested deeper than `maxNesting`.
 */
export class MemberSpan {
  readonly #path: readonly string[];
  readonly #seen: boolean[];
  readonly #maxNesting: number;
  #offset = 0;
  #depth = 0;
  /** Number of path members that enclose the current byte. */
  #level = 0;
  #inString = false;
  #escaped = false;
  /** The last string at the current path level, a name if a colon follows; null when longer than the wanted name. */
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
    return this.#end === -1 || this.#doubtful ? undefined : { start: this.#start, end: this.#end };
  }

  /** Start of the object while inside it; otherwise -1. */
  get insideOf(): number {
    return this.#level === this.#path.length ? this.#start : -1;
  }

  /** Resumes at an offset inside the object with the given parser state. */
  resume(offset: number, { depth, inString, escaped }: ResumedAt): void {
    this.#offset = offset;
    this.#depth = this.#path.length + depth;
    this.#inString = inString;
    this.#escaped = escaped;
  }

  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#inString ? this.#string(chunk, at) : this.#structure(chunk, at);
    this.#offset += chunk.length;
  }

  /** Reads string content; returns the offset after it. */
  #string(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#escaped) {
      this.#escaped = false;
      at += 1;
    }
    const beside = this.#depth === this.#level + 1;
    const start = at;
    while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1;
    if (beside) this.#spell(chunk, start, at);
    if (at === chunk.length) return at;
    if (chunk[at] === QUOTE) this.#inString = false;
    else {
      this.#escaped = true;
      this.#nameEscaped ||= beside;
    }
    return at + 1;
  }

  #spell(chunk: Buffer, from: number, to: number): void {
    if (this.#name === null || to === from) return;
    const wanted = this.#path[this.#level] ?? '';
    if (this.#name.length + to - from > wanted.length) this.#name = null;
    else this.#name += chunk.toString('latin1', from, to);
  }

  /** Reads structure up to and including the next quote. */
  #structure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === QUOTE) {
        this.#inString = true;
        this.#due = false;
        if (this.#depth === this.#level + 1) {
          this.#name = '';
          this.#nameEscaped = false;
        }
        return at + 1;
      }
      if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x7b, this.#offset + at);
      else if (byte === 0x7d || byte === 0x5d) this.#close(this.#offset + at + 1);
      else if (byte === 0x3a) this.#named();
      else if (byte === 0x2c) this.#due = false;
    }
    return chunk.length;
  }

  #open(object: boolean, offset: number): void {
    this.#depth += 1;
    if (this.#depth > this.#maxNesting) this.#doubtful = true;
    if (this.#due && object) {
      this.#level += 1;
      if (this.#level === this.#path.length) this.#start = offset;
    }
    this.#due = false;
  }

  #close(offset: number): void {
    this.#due = false;
    this.#depth -= 1;
    if (this.#depth > this.#level) return;
    if (this.#level === this.#path.length) this.#end = offset;
    this.#level = Math.max(0, this.#depth - 1);
  }

  #named(): void {
    if (this.#depth !== this.#level + 1 || this.#level === this.#path.length) return;
    if (this.#nameEscaped) this.#doubtful = true;
    if (this.#name !== this.#path[this.#level]) return;
    if (this.#seen[this.#level]) this.#doubtful = true;
    this.#seen[this.#level] = true;
    this.#due = true;
  }
}
