/** Finds the members of a JSON object or list in its text, so that values can be moved without being parsed; of an object of any size as a stream. */
import { CLOSE_OBJECT, COLON, COMMA, JsonTokens, MORE, STRING } from './json-tokens.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
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

// An object of any size.

/** Offsets of an object's braces in its text, and the number of members between them. Bytes. */
export interface ObjectOutline {
  /** Offset after the opening brace. */
  readonly inside: number;
  /** Offset of the closing brace. */
  readonly close: number;
  readonly members: number;
}

/** A member's name, and its value's text unless that is longer than requested. */
type OnMember = (name: string, value: Uint8Array | undefined) => void;

/** Streams through the text of one valid JSON object. Holds one name and at most `captureBytes` of a value at a time. */
export async function scanObject(json: AsyncIterable<Uint8Array>, onMember: OnMember, captureBytes = 0): Promise<ObjectOutline> {
  const tokens = new JsonTokens();
  const name = new Capture(Number.POSITIVE_INFINITY);
  const value = new Capture(captureBytes);
  const outline = { inside: 0, close: 0, members: 0 };
  let offset = 0;
  let inValue = false;
  const endMember = () => {
    if (!inValue) return;
    onMember(decodeInside(name.take() as Uint8Array), value.take());
    outline.members += 1;
    inValue = false;
  };
  for await (const chunk of json) {
    tokens.load(chunk);
    // Start, in this chunk, of the value's bytes that are not captured yet.
    let from = 0;
    for (let token = tokens.next(1); token !== MORE; token = tokens.next(1)) {
      if (tokens.depth === 0) {
        if (token === CLOSE_OBJECT) {
          outline.close = offset + tokens.from;
          if (inValue) value.add(chunk, from, tokens.from);
          endMember();
        } else outline.inside = offset + tokens.to;
      } else if (token === COMMA) {
        value.add(chunk, from, tokens.from);
        endMember();
      } else if (token === COLON) {
        inValue = true;
        from = tokens.to;
      } else if (token === STRING && !inValue) name.add(chunk, tokens.from, tokens.to);
    }
    if (inValue) value.add(chunk, from, chunk.length);
    offset += chunk.length;
  }
  return outline;
}

/** Collects a text of up to `limit` bytes; longer ones are dropped. */
class Capture {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array, from: number, to: number): void {
    this.#bytes += to - from;
    if (this.#bytes > this.#limit) this.#parts = [];
    else if (to > from) this.#parts.push(chunk.slice(from, to));
  }

  take(): Uint8Array | undefined {
    const text = this.#bytes > this.#limit ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return text;
  }
}
