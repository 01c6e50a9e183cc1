/** Finds, while a JSON text arrives, where the object at one path in it stands. */

/** Bytes of the text from the object's opening brace to after its closing one. */
export interface Span {
  start: number;
  end: number;
}

/** Where in a text things stand: how many containers are open in the object that was found, and what of a string. */
export interface ResumedAt {
  depth: number;
  inString: boolean;
  escaped: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Follows one JSON text, whose validity somebody else checks. Answers nothing where the path is there more than once, or a name on the way
 * is spelled with escapes: which member counts is then for a parser to say. The same where values lie deeper than `maxNesting`.
 */
export class MemberSpan {
  readonly #path: readonly string[];
  readonly #seen: boolean[];
  readonly #maxNesting: number;
  #offset = 0;
  #depth = 0;
  /** How many members of the path are open around the current byte. */
  #level = 0;
  #inString = false;
  #escaped = false;
  /** The last string beside a member of the path, which a colon makes a name; null if longer than any of these. */
  #name: string | null = '';
  #nameEscaped = false;
  /** The value that comes next is the next member of the path. */
  #due = false;
  #start = -1;
  #end = -1;
  #doubtful = false;

  constructor(path: readonly string[], maxNesting: number) {
    this.#path = path;
    this.#maxNesting = maxNesting;
    this.#seen = path.map(() => false);
  }

  /** What was found, once all of the text was fed. */
  get span(): Span | undefined {
    return this.#end === -1 || this.#doubtful ? undefined : { start: this.#start, end: this.#end };
  }

  /** Where the object begins while the text is inside of it; -1 before and after. */
  get insideOf(): number {
    return this.#level === this.#path.length ? this.#start : -1;
  }

  /** Goes on at an offset inside of the object, which somebody else has followed up to there. */
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

  /** Reads on in a string; gives the offset after what was read. */
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

  /** Reads on between strings, to after the next quote. */
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
