/** Implements `where`: compares a column of a record, as JSON text, with a value. */

import type { Comparison } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { decodeString, MemberReader } from '../json/json-members.ts';

type Scalar = string | number | boolean | null;

/** A cell or an operand in a form that can be compared. */
type Operand =
  | { kind: 'null' | 'object' | 'list' }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'string'; text: string; alsoNumber?: boolean }
  | { kind: 'number'; text: string };

const NULL: Operand = { kind: 'null' };

/** The operand at `start`; a missing column counts as null. */
function readCell(json: Uint8Array, start: number, end: number): Operand {
  switch (json[start]) {
    case 0x22:
      return { kind: 'string', text: decodeString(json, start, end) };
    case 0x6e:
      return NULL;
    case 0x74:
      return { kind: 'boolean', value: true };
    case 0x66:
      return { kind: 'boolean', value: false };
    case 0x7b:
      return { kind: 'object' };
    case 0x5b:
      return { kind: 'list' };
    default:
      return { kind: 'number', text: String.fromCharCode(...json.subarray(start, Math.min(end, start + MAX_NUMBER_CHARS))) };
  }
}

/** Maximum length of a number to compare; longer ones could exhaust the call stack. */
const MAX_NUMBER_CHARS = 4096;

/** Large integers can only be given as strings, so such a string also matches the number. */
export const isBigInteger = (text: string) => /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));

function operandOf(value: Scalar): Operand {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  return { kind: 'string', text: value, alsoNumber: isBigInteger(value) };
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;

/** Compares strings by code point: by code unit, astral characters would sort before U+E000. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    const leftSurrogate = isSurrogate(left);
    // A surrogate belongs to a code point above all other code units.
    if (leftSurrogate !== isSurrogate(right)) return leftSurrogate ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

/** The order of two operands of one type; undefined for different types or types without order. */
function order(cell: Operand, value: Operand): number | undefined {
  if (cell.kind === 'number' && (value.kind === 'number' || (value.kind === 'string' && value.alsoNumber))) {
    return compareDecimals(cell.text, value.text);
  }
  if (cell.kind === 'string' && value.kind === 'string') return compareCodePoints(cell.text, value.text);
  return undefined;
}

const isEmptyText = (value: Operand): boolean => value.kind === 'string' && value.text === '';

function equal(cell: Operand, value: Operand): boolean {
  if (isEmptyText(value) && cell.kind === 'null') return true;
  if (cell.kind === 'boolean' && value.kind === 'boolean') return cell.value === value.value;
  if (cell.kind === 'null' || value.kind === 'null') return cell.kind === value.kind;
  return order(cell, value) === 0;
}

const comparable = (cell: Operand, value: Operand): boolean =>
  value.kind === 'null' || cell.kind === value.kind || order(cell, value) !== undefined;

/** What `contains` and `starts_with` search: a text, or a number as it is written. */
const textOf = (operand: Operand): string | undefined => ('text' in operand ? operand.text : undefined);

const invalid = (message: Message): AppError => new AppError('TRANSFORM_FAILED', message);

/** A compiled comparison, used for many records. */
export interface Test {
  readonly comparison: Comparison;
  /** Whether the value in `json.subarray(start, end)` passes; a missing column has no value. */
  passes(json: Uint8Array, start: number, end: number): boolean;
  absentPasses(): boolean;
  /** The type of the cells if all had another type than the value, so that none could pass; otherwise undefined. */
  mistakenType(): string | undefined;
}

/**
 * Compiles a comparison. Numbers compare by their digits, strings by code point. Values of different types are never
 * equal and have no order; null and a missing column equal null and have no order. `!=` is the opposite of `=`.
 * The empty text equals null as well, as an empty cell becomes null in most columns. `contains` searches a string, or a number as it is
 * written, for a part, or a list for an item. Throws TRANSFORM_FAILED for an unsuitable value.
 */
export function compileComparison(comparison: Comparison): Test {
  const { column, op, value } = comparison;
  const needsNoValue = op === 'is_null' || op === 'not_null';
  if (value === undefined && !needsNoValue) throw invalid(say('where.noValue', { op, column }));
  if (op === 'in' && !Array.isArray(value)) throw invalid(say('where.noList', { column }));
  if (op !== 'in' && !needsNoValue && Array.isArray(value)) {
    throw invalid(say('where.oneValue', { op, column }));
  }
  if (op === 'starts_with' && typeof value !== 'string' && typeof value !== 'number')
    throw invalid(say('where.noText', { column }));
  const ordered = op === '<' || op === '<=' || op === '>' || op === '>=';
  if (ordered && typeof value !== 'string' && typeof value !== 'number') {
    throw invalid(say('where.noOrder', { op, column }));
  }
  const operands = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(operandOf);
  const operand = operands[0] ?? NULL;
  const part = textOf(operand);
  const searches = op === 'contains' || op === 'starts_with';
  const items = new MemberReader();
  let mistaken: string | undefined;
  let settled = needsNoValue || operands.length === 0;

  const holds = (json: Uint8Array, start: number, end: number): boolean => {
    items.read(json, start, end);
    return items.members.slice(0, items.count).some((item) => equal(readCell(json, item.start, item.end), operand));
  };

  /** Whether some value of the cell's type could pass. */
  const canPass = (cell: Operand): boolean => {
    if (op === 'contains' && cell.kind === 'list') return true;
    if (searches) return part !== undefined && textOf(cell) !== undefined;
    return operands.some((each) => comparable(cell, each) || (!ordered && isEmptyText(each)));
  };

  const test = (cell: Operand, json: Uint8Array, start: number, end: number): boolean => {
    switch (op) {
      case 'is_null':
        return cell.kind === 'null';
      case 'not_null':
        return cell.kind !== 'null';
      case '=':
        return equal(cell, operand);
      case '!=':
        return !equal(cell, operand);
      case 'in':
        return operands.some((each) => equal(cell, each));
      case 'contains':
        if (cell.kind === 'list') return holds(json, start, end);
        return part !== undefined && (textOf(cell)?.includes(part) ?? false);
      case 'starts_with':
        return part !== undefined && (textOf(cell)?.startsWith(part) ?? false);
      default: {
        const sign = order(cell, operand);
        if (sign === undefined) return false;
        if (op === '<') return sign < 0;
        if (op === '<=') return sign <= 0;
        return op === '>' ? sign > 0 : sign >= 0;
      }
    }
  };

  const NOTHING = new Uint8Array(0);
  return {
    comparison,
    passes(json, start, end) {
      const cell = readCell(json, start, end);
      if (!settled && cell.kind !== 'null') {
        if (canPass(cell)) settled = true;
        else mistaken ??= cell.kind;
      }
      return test(cell, json, start, end);
    },
    absentPasses: () => test(NULL, NOTHING, 0, 0),
    mistakenType: () => (settled ? undefined : mistaken),
  };
}

/** sign × 0.digits × 10^exponent; digits have no zero at either end, and are empty for zero. */
interface Decimal {
  sign: number;
  digits: string;
  exponent: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function parseDecimal(text: string): Decimal {
  const [, minus, whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const all = whole + fraction;
  const significant = all.replace(/^0+/, '');
  const digits = significant.replace(/(?<!0)0+$/, '');
  if (digits === '') return { sign: 0, digits, exponent: 0 };
  const leadingZeros = all.length - significant.length;
  return { sign: minus === '-' ? -1 : 1, digits, exponent: whole.length - leadingZeros + Number(power) };
}

/** Texts this short have so few digits that two different numbers cannot become the same double. */
const SAFE_LENGTH = 15;

/** Negative, zero or positive if number `a` is less than, equal to or greater than number `b`. */
export function compareDecimals(a: string, b: string): number {
  if (a.length <= SAFE_LENGTH && b.length <= SAFE_LENGTH && !/[eE]/.test(a) && !/[eE]/.test(b)) return Number(a) - Number(b);
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  if (left.sign !== right.sign) return left.sign - right.sign;
  if (left.sign === 0) return 0;
  if (left.exponent !== right.exponent) return left.exponent < right.exponent ? -left.sign : left.sign;
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -left.sign : left.sign;
}
