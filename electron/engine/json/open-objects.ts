/**
 * Orders the members of objects while they are written, as JSON.parse does: duplicate names once, at their first
 * position, and integer names first.
 */

/** Thrown if an object must be held whole, because the order or number of its members is known only at its end. */
export class NeedsWhole extends Error {}

/** Names that JSON.parse may treat as integers. */
const INDEX = /^(0|[1-9]\d{0,9})$/;
const BIGGEST_INDEX = 2 ** 32 - 2;

/** Values used in place of an object's start offset. */
const LIST = -2;
const EMITTED = -1;

/** Bytes before a name. */
const QUOTE = 1;
/** Numbers stored per name. */
const FIELDS = 3;
/** Up to this many names are compared pairwise. */
const FEW = 24;

/** State of an object whose beginning was already emitted. */
interface Passed {
  readonly names: Set<string>;
  /** The last integer name; Infinity after a name that is not an integer. */
  index: number;
}

export class OpenObjects {
  /** For each enclosing list or object: its start in the output, LIST or EMITTED. */
  readonly #starts: number[] = [];
  /** Number of names before each. */
  readonly #before: number[] = [];
  readonly #passed: Passed[] = [];
  /** For all names of objects still in the output: start, end and hash. */
  #names = new Int32Array(256 * FIELDS);
  #count = 0;

  get depth(): number {
    return this.#starts.length;
  }

  /** Whether the innermost container is an object. */
  get inObject(): boolean {
    return this.#starts.length > 0 && this.#starts[this.#starts.length - 1] !== LIST;
  }

  /** A list or object begins at this output position. */
  open(list: boolean, at: number): void {
    this.#starts.push(list ? LIST : at);
    this.#before.push(this.#count);
  }

  /** The innermost object gets a member with this name, as written in the output. Throws NeedsWhole. */
  name(out: Uint8Array, from: number, to: number): void {
    if (this.#starts[this.#starts.length - 1] === EMITTED) {
      notePassed(this.#passed[this.#passed.length - 1] as Passed, textOf(out, from, to));
      return;
    }
    let hash = to - from;
    for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + (out[at] as number)) | 0;
    const at = this.#count * FIELDS;
    if (at === this.#names.length) this.#grow();
    this.#names[at] = from;
    this.#names[at + 1] = to;
    this.#names[at + 2] = hash;
    this.#count += 1;
  }

  /**
   * The innermost list or object ends; its last value ends at `end`, and members are `between` bytes apart. Returns the
   * new end of the last value.
   */
  close(out: Uint8Array, end: number, between: number): number {
    const start = this.#starts.pop();
    const first = this.#before.pop() as number;
    if (start === LIST) return end;
    if (start === EMITTED) {
      this.#passed.pop();
      return end;
    }
    const inOrder = this.#count - first < 2 || this.#areInOrder(out, first);
    const newEnd = inOrder ? end : this.#rearrange(out, first, end, between);
    this.#count = first;
    return newEnd;
  }

  /**
   * Before output is emitted: returns up to where it can be if nothing that begins before `from` is kept. Throws
   * NeedsWhole.
   */
  passUpTo(out: Uint8Array, from: number, end: number): number {
    const starts = this.#starts;
    for (let level = 0; level < starts.length; level += 1) {
      const start = starts[level] as number;
      if (start >= from) return start;
      if (start >= 0) this.#handOn(out, level);
    }
    return end;
  }

  /** The output now begins this many bytes later. */
  shift(bytes: number): void {
    for (let i = 0; i < this.#count; i += 1) {
      const at = i * FIELDS;
      this.#names[at] = (this.#names[at] as number) - bytes;
      this.#names[at + 1] = (this.#names[at + 1] as number) - bytes;
    }
    for (let level = 0; level < this.#starts.length; level += 1) {
      if ((this.#starts[level] as number) >= 0) this.#starts[level] = (this.#starts[level] as number) - bytes;
    }
  }

  /** The beginnings of all enclosing objects were emitted before. */
  #handOn(out: Uint8Array, level: number): void {
    this.#starts[level] = EMITTED;
    const passed: Passed = { names: new Set(), index: -1 };
    this.#passed.push(passed);
    const first = this.#before[level] as number;
    const end = this.#before[level + 1] ?? this.#count;
    for (let i = first; i < end; i += 1) notePassed(passed, textOf(out, this.#from(i), this.#to(i)));
    this.#names.copyWithin(first * FIELDS, end * FIELDS, this.#count * FIELDS);
    this.#count -= end - first;
    for (let inner = level + 1; inner < this.#before.length; inner += 1) {
      this.#before[inner] = (this.#before[inner] as number) - (end - first);
    }
  }

  #from(i: number): number {
    return this.#names[i * FIELDS] as number;
  }

  #to(i: number): number {
    return this.#names[i * FIELDS + 1] as number;
  }

  #grow(): void {
    const grown = new Int32Array(2 * this.#names.length);
    grown.set(this.#names);
    this.#names = grown;
  }

  /** Whether no name from number `first` on starts with a digit and all are certainly different. */
  #areInOrder(out: Uint8Array, first: number): boolean {
    const names = this.#names;
    const end = this.#count * FIELDS;
    const start = first * FIELDS;
    const few = this.#count - first <= FEW;
    const hashes = few ? null : new Set<number>();
    for (let one = start; one < end; one += FIELDS) {
      // An empty name is followed by its quote.
      const byte = out[names[one] as number] as number;
      if (byte >= 0x30 && byte <= 0x39) return false;
      const hash = names[one + 2] as number;
      hashes?.add(hash);
      if (few) for (let other = start + 2; other < one; other += FIELDS) if (names[other] === hash) return false;
    }
    return hashes === null || hashes.size === this.#count - first;
  }

  /** Sorts the members from number `first` on in the order of JSON.parse; returns where the last one ends. */
  #rearrange(out: Uint8Array, first: number, end: number, between: number): number {
    const begin = this.#from(first) - QUOTE;
    const old = Buffer.from(out.subarray(begin, end));
    const members = new Map<string, Buffer>();
    for (let i = first; i < this.#count; i += 1) {
      const to = i + 1 < this.#count ? this.#from(i + 1) - QUOTE - between : end;
      members.set(textOf(out, this.#from(i), this.#to(i)), old.subarray(this.#from(i) - QUOTE - begin, to - begin));
    }
    const second = this.#from(first + 1) - QUOTE - begin;
    const separator = old.subarray(second - between, second);
    const names = [...members.keys()];
    const numbers = names.filter(isIndex).sort((one, other) => Number(one) - Number(other));
    let at = begin;
    for (const name of [...numbers, ...names.filter((each) => !isIndex(each))]) {
      if (at > begin) {
        out.set(separator, at);
        at += between;
      }
      const member = members.get(name) as Buffer;
      out.set(member, at);
      at += member.length;
    }
    return at;
  }
}

function notePassed(passed: Passed, name: string): void {
  const index = isIndex(name) ? Number(name) : Number.POSITIVE_INFINITY;
  if (passed.names.has(name) || (index !== Number.POSITIVE_INFINITY && index <= passed.index)) {
    throw new NeedsWhole(`a member is named '${name}'`);
  }
  passed.index = index;
  passed.names.add(name);
}

const isIndex = (name: string): boolean => INDEX.test(name) && Number(name) <= BIGGEST_INDEX;

function textOf(out: Uint8Array, from: number, to: number): string {
  return Buffer.from(out.buffer, out.byteOffset + from, to - from).toString('latin1');
}
