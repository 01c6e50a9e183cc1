/** Compares numbers by their digits, beyond the precision of a double. */

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
