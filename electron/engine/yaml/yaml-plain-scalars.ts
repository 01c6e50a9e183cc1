/** Converts scalars and one-line flow collections of plain YAML to JSON (YAML 1.2.2, core schema, 10.3.2), and counts numbers that may be codes. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';

const LEADING_ZERO = /^[-+]?0\d/;
/** A leading zero (01067), a plus before many digits (+4930123456), digits e digits (1234e8). Numbers such as 1.10 keep their digits in JSON. */
const MAY_BE_CODE = new RegExp(`${LEADING_ZERO.source}|^\\+\\d{7,}$|^\\d+[eE]\\d+$`);

export class Codes {
  /** JSON of the key that comes before the value, with or without its colon. */
  key = '""';
  private values = 0;
  private first: { key: string; source: string; json: string } | undefined;

  /** `json` is the number's text. */
  see(source: string, json: string): void {
    if (!MAY_BE_CODE.test(source)) return;
    this.values++;
    const isClearer = LEADING_ZERO.test(source) && !LEADING_ZERO.test(this.first?.source ?? '');
    if (!this.first || isClearer) this.first = { key: this.key, source, json };
  }

  warnings(): Warning[] {
    if (this.first === undefined) return [];
    const { key, source, json } = this.first;
    const name = String(JSON.parse(key.endsWith(':') ? key.slice(0, -1) : key));
    return [warning('YAML_NUMBERS', say('yaml.numbers', { values: this.values, name, source, json }))];
  }
}

/** JSON of a flow collection, and the length of its source text. */
export interface FlowText {
  readonly json: string;
  readonly length: number;
}

/** Characters that cannot start a plain scalar; a dash can, unless a blank follows. */
const INDICATORS = new Set('?:,[]{}#&*!|>\'"%@` ');

/** First characters of numbers, booleans and null; all other scalars are strings. */
const NUMERIC_START = /^[-+.\d]/;
const SIMPLE_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const INTEGER = /^[-+]?\d+$/;
const PREFIXED = /^0(?:o[0-7]+|x[\da-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const NO_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
export const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const words: ReadonlyMap<string, string> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, 'null'] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, 'true'] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, 'false'] as const),
]);

/** Single-character escapes (YAML 1.2.2, 5.7). */
const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    0: '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    ' ': ' ',
    '"': '"',
    '/': '/',
    '\\': '\\',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
  }),
);

/** A scalar in a flow collection without special characters. */
const FLOW_PLAIN = /[A-Za-z0-9_./+\u00a1-\ud7ff-][A-Za-z0-9_./+()=$;\u00a1-\ud7ff -]*/y;

export class PlainScalars {
  private readonly codes: Codes;

  constructor(codes: Codes) {
    this.codes = codes;
  }

  /** JSON of a plain scalar on one line that should be a text; null as of `plain`. */
  asText(source: string): string | null {
    if (source === '<<') return null;
    return words.get(source) === 'null' ? 'null' : JSON.stringify(source);
  }

  /** JSON of a plain scalar on one line; null if JSON cannot express it or it is not a scalar. */
  plain(source: string): string | null {
    const word = words.get(source);
    if (word !== undefined) return word;
    if (NUMERIC_START.test(source)) {
      if (SIMPLE_INTEGER.test(source)) return source;
      if (INTEGER.test(source) || PREFIXED.test(source)) {
        const json = integer(source);
        this.codes.see(source, json);
        return json;
      }
      if (NO_NUMBER.test(source)) return null;
      if (FLOAT.test(source)) {
        const value = Number(source);
        if (!Number.isFinite(value)) return null;
        const json = JSON_NUMBER.test(source) ? source : String(value);
        this.codes.see(source, json);
        return json;
      }
    }
    return source === '<<' ? null : JSON.stringify(source);
  }

  startsPlain(source: string): boolean {
    const first = source.charAt(0);
    if (first === '-') return source.length > 1 && source.charAt(1) !== ' ';
    return first !== '' && !INDICATORS.has(first);
  }

  /** Offset after the closing quote of the scalar that opens at `at`; -1 if it does not close before `end`. */
  quotedEnd(text: string, at: number, end: number): number {
    const quote = text.charCodeAt(at);
    const double = quote === 0x22;
    for (let i = at + 1; i < end; i += 1) {
      const code = text.charCodeAt(i);
      if (double && code === 0x5c) i += 1;
      else if (code === quote) {
        if (double || text.charCodeAt(i + 1) !== quote || i + 1 >= end) return i + 1;
        i += 1;
      }
    }
    return -1;
  }

  /** Value of a quoted scalar on one line; null for an escape that only the full parser handles. */
  quoted(source: string): string | null {
    const inner = source.slice(1, -1);
    if (source.charAt(0) === "'") return inner.replaceAll("''", "'");
    if (!inner.includes('\\')) return inner;
    let known = true;
    const value = inner.replaceAll(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/gsu,
      (_, two?: string, four?: string, one?: string) => {
        const code = Number.parseInt(two ?? four ?? '', 16);
        const unescaped = one === undefined ? String.fromCharCode(code) : escapes.get(one);
        if (unescaped === undefined || (code >= 0xd800 && code <= 0xdfff)) known = false;
        return unescaped ?? '';
      },
    );
    return known ? value : null;
  }

  /** The flow collection at the start of a text, at most `levels` deep; null unless it is simple and complete. */
  flow(text: string, levels: number): FlowText | null {
    if (levels <= 0) return null;
    const list = text.charAt(0) === '[';
    const close = list ? ']' : '}';
    const parts: string[] = [];
    const keys = new Set<string>();
    let at = blanks(text, 1);
    if (text.charAt(at) === close) return { json: list ? '[]' : '{}', length: at + 1 };
    for (;;) {
      let prefix = '';
      if (!list) {
        const key = this.flowKey(text, at);
        if (key === null || keys.has(key.json)) return null;
        keys.add(key.json);
        prefix = `${key.json}:`;
        at = blanks(text, key.length);
      }
      const value = this.flowValue(text, at, levels);
      if (value === null) return null;
      parts.push(prefix + value.json);
      at = blanks(text, value.length);
      const next = text.charAt(at);
      if (next === close) return { json: list ? `[${parts.join(',')}]` : `{${parts.join(',')}}`, length: at + 1 };
      if (next !== ',') return null;
      at = blanks(text, at + 1);
      // A trailing comma is allowed, and rare.
      if (text.charAt(at) === close) return null;
    }
  }

  /** A key at `at` with its colon; `length` is the offset after it. */
  private flowKey(text: string, at: number): FlowText | null {
    const first = text.charAt(at);
    const quoted = first === '"' || first === "'";
    let end: number;
    let value: string | null;
    if (quoted) {
      end = this.quotedEnd(text, at, text.length);
      value = end < 0 ? null : this.quoted(text.slice(at, end));
    } else {
      const source = flowPlain(text, at);
      end = at + source.length;
      value = source === '' || !this.startsPlain(source) ? null : source;
    }
    if (value === null) return null;
    const colon = blanks(text, end);
    if (text.charAt(colon) !== ':' || (!quoted && text.charAt(colon + 1) !== ' ')) return null;
    return { json: JSON.stringify(value), length: colon + 1 };
  }

  /** A value at `at`; `length` is the offset after it. */
  private flowValue(text: string, at: number, levels: number): FlowText | null {
    const first = text.charAt(at);
    if (first === '[' || first === '{') {
      const inner = this.flow(text.slice(at), levels - 1);
      return inner && { json: inner.json, length: at + inner.length };
    }
    if (first === '"' || first === "'") {
      const end = this.quotedEnd(text, at, text.length);
      const value = end < 0 ? null : this.quoted(text.slice(at, end));
      return value === null ? null : { json: JSON.stringify(value), length: end };
    }
    const source = flowPlain(text, at);
    const json = source === '' || !this.startsPlain(source) ? null : this.plain(source);
    return json === null ? null : { json, length: at + source.length };
  }
}

function integer(source: string): string {
  // BigInt accepts no sign before a prefix, and none of these has a sign.
  const negative = source.charAt(0) === '-';
  const value = BigInt(negative || source.charAt(0) === '+' ? source.slice(1) : source);
  const signed = negative ? -value : value;
  const safe = signed <= BigInt(Number.MAX_SAFE_INTEGER) && signed >= BigInt(Number.MIN_SAFE_INTEGER);
  return safe ? String(signed) : `"${signed}"`;
}

function blanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x20) at += 1;
  return at;
}

/** A plain scalar without trailing blanks; empty if there is none or it is not simple. */
function flowPlain(text: string, at: number): string {
  FLOW_PLAIN.lastIndex = at;
  return FLOW_PLAIN.exec(text)?.[0].trimEnd() ?? '';
}
