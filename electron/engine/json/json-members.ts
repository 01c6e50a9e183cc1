/** Finds the members of a JSON object or list in its text, so that values can be moved without being parsed. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The first position from `at` on that is not JSON whitespace. */
export function skipSpace(json: Uint8Array, at: number): number {
  let to = at;
  while (json[to] === 0x20 || json[to] === 0x0a || json[to] === 0x0d || json[to] === 0x09) to += 1;
  return to;
}

/** End offset of the string whose opening quote is at `at`. */
function stringEnd(json: Uint8Array, at: number): number {
  let to = at + 1;
  while (to < json.length && json[to] !== QUOTE) to += json[to] === BACKSLASH ? 2 : 1;
  return to + 1;
}

/** End offset of the value that starts at `at`. The text must be valid JSON. */
export function valueEnd(json: Uint8Array, at: number): number {
  const first = json[at];
  if (first === QUOTE) return stringEnd(json, at);
  let to = at;
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    while (to < json.length) {
      const byte = json[to] as number;
      if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= 0x20) break;
      to += 1;
    }
    return to;
  }
  let depth = 0;
  while (to < json.length) {
    const byte = json[to];
    if (byte === QUOTE) {
      to = stringEnd(json, to);
      continue;
    }
    to += 1;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) break;
    }
  }
  return to;
}

// A string may start with U+FEFF, which a decoder drops by default.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a JSON string; `start` and `end` enclose its quotes. */
export const decodeString = (json: Uint8Array, start: number, end: number): string =>
  decodeInside(json.subarray(start + 1, end - 1));

/** Decodes a JSON string, given without its quotes. */
export function decodeInside(bytes: Uint8Array): string {
  const inside = decoder.decode(bytes);
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
}

/** A column of a record: its name, and the position of its value in the record's text. */
export interface Member {
  name: string;
  /** Start of the quoted name; -1 for an item of a list. */
  nameStart: number;
  nameEnd: number;
  start: number;
  end: number;
}

/**
 * Reads records one after the other, each held whole: this takes two thirds of the time that JsonTokens takes. Most records of a file have the same names in the same order, so a name is decoded
 * only if its bytes differ from those at the same position of the previous record.
 */
export class MemberReader {
  readonly members: Member[] = [];
  /** Number of entries in `members` that belong to the record read last. */
  count = 0;
  #names: Uint8Array[] = [];
  #decoded: string[] = [];

  /** Reads the members of the value in `json.subarray(start, end)` and returns its kind; scalars have no members. */
  read(json: Uint8Array, start: number, end: number): 'object' | 'array' | 'scalar' {
    this.count = 0;
    let at = skipSpace(json, start);
    const open = json[at];
    if (open !== OPEN_BRACE && open !== OPEN_BRACKET) return 'scalar';
    const kind = open === OPEN_BRACE ? 'object' : 'array';
    at = skipSpace(json, at + 1);
    while (at < end && json[at] !== CLOSE_BRACE && json[at] !== CLOSE_BRACKET) {
      const member = this.#next();
      if (kind === 'object') {
        member.nameStart = at;
        member.nameEnd = stringEnd(json, at);
        this.#name(member, json);
        at = skipSpace(json, skipSpace(json, member.nameEnd) + 1);
      } else {
        member.nameStart = -1;
        member.nameEnd = -1;
        member.name = String(this.count);
      }
      member.start = at;
      member.end = valueEnd(json, at);
      this.count += 1;
      at = skipSpace(json, member.end);
      if (json[at] === COMMA) at = skipSpace(json, at + 1);
    }
    return kind;
  }

  /** The last member with that name, which JSON.parse would keep. */
  find(name: string): Member | undefined {
    for (let index = this.count - 1; index >= 0; index -= 1) {
      const member = this.members[index];
      if (member?.name === name) return member;
    }
    return undefined;
  }

  #next(): Member {
    const known = this.members[this.count];
    if (known !== undefined) return known;
    const member = { name: '', nameStart: -1, nameEnd: -1, start: 0, end: 0 };
    this.members.push(member);
    return member;
  }

  #name(member: Member, json: Uint8Array): void {
    const last = this.#names[this.count];
    const length = member.nameEnd - member.nameStart;
    if (last !== undefined && last.length === length) {
      let same = 0;
      while (same < length && last[same] === json[member.nameStart + same]) same += 1;
      if (same === length) {
        member.name = this.#decoded[this.count] as string;
        return;
      }
    }
    this.#names[this.count] = json.slice(member.nameStart, member.nameEnd);
    member.name = decodeString(json, member.nameStart, member.nameEnd);
    this.#decoded[this.count] = member.name;
  }
}
