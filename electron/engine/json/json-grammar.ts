/** The JSON grammar (RFC 8259) as a state table over bytes: what a scan is reading and what may come next. */
import type { PayloadKind } from '../../../shared/model/conversion.ts';

// Scanner states.
export const VALUE = 0;
export const ARRAY_START = 1;
export const OBJECT_START = 2;
export const KEY = 3;
export const COLON = 4;
export const AFTER = 5;
export const DONE = 6;
export const STRING = 7;
export const ESCAPE = 8;
export const HEX = 9;
export const LITERAL = 10;
// States within a number, named after the last character read; see RFC 8259 §6.
export const MINUS = 11;
export const ZERO = 12;
export const INTEGER = 13;
const POINT = 14;
export const FRACTION = 15;
const E = 16;
const E_SIGN = 17;
export const EXPONENT = 18;

export const ARRAY = 1;
export const OBJECT = 2;

export const literals: Record<number, { bytes: Uint8Array; kind: PayloadKind }> = {
  116: { bytes: new TextEncoder().encode('true'), kind: 'boolean' },
  102: { bytes: new TextEncoder().encode('false'), kind: 'boolean' },
  110: { bytes: new TextEncoder().encode('null'), kind: 'null' },
};

/** The expected token in each state, for error messages. */
export const expected: Record<number, 'value' | 'valueOrEnd' | 'keyOrEnd' | 'key' | 'colon'> = {
  [VALUE]: 'value',
  [ARRAY_START]: 'valueOrEnd',
  [OBJECT_START]: 'keyOrEnd',
  [KEY]: 'key',
  [COLON]: 'colon',
};

/** The kind of value that starts with this byte; undefined if none does. */
export function kindOf(first: number): PayloadKind | undefined {
  const literal = literals[first];
  if (literal) return literal.kind;
  const kinds: Record<number, PayloadKind> = { 34: 'string', 91: 'array', 123: 'object' };
  return kinds[first] ?? (first === 0x2d || (first >= 0x30 && first <= 0x39) ? 'number' : undefined);
}

export function isEscape(byte: number): boolean {
  // " \ / b f n r t
  return (
    byte === 0x22 ||
    byte === 0x5c ||
    byte === 0x2f ||
    byte === 0x62 ||
    byte === 0x66 ||
    byte === 0x6e ||
    byte === 0x72 ||
    byte === 0x74
  );
}

export function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** The state after `byte`; 0 if the number ended before it, -1 if the number may not end here. */
export function numberStep(state: number, byte: number): number {
  const digit = byte >= 0x30 && byte <= 0x39;
  switch (state) {
    case MINUS:
      return digit ? (byte === 0x30 ? ZERO : INTEGER) : -1;
    case ZERO:
    case INTEGER:
      if (digit) return state === INTEGER ? INTEGER : -1;
      if (byte === 0x2e) return POINT;
      return byte === 0x65 || byte === 0x45 ? E : 0;
    case POINT:
      return digit ? FRACTION : -1;
    case FRACTION:
      if (digit) return FRACTION;
      return byte === 0x65 || byte === 0x45 ? E : 0;
    case E:
      if (byte === 0x2b || byte === 0x2d) return E_SIGN;
      return digit ? EXPONENT : -1;
    case E_SIGN:
      return digit ? EXPONENT : -1;
    default:
      return digit ? EXPONENT : 0;
  }
}
