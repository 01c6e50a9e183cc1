/** Formats JSON numbers as JSON.stringify does, but keeps numbers unchanged whose digits JSON.parse would lose. */

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;

/** Decimals up to this many digits survive a round trip through a double. */
const SAFE_DIGITS = 15;
/** Numbers with more digits before the point are written with an exponent. */
const MOST_WHOLE_DIGITS = 21;
/** Numbers below 0.000001 are written with an exponent. */
const MOST_LEADING_ZEROS = 5;

/** Rewrites in place the JSON number from `from` to `to` in `bytes`; returns its new end. May write 32 bytes after `from`. */
export function settleNumber(bytes: Uint8Array, from: number, to: number): number {
  const digits = bytes[from] === MINUS ? from + 1 : from;
  let point = to;
  let at = digits;
  for (; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte === POINT) point = at;
    else if (byte < ZERO || byte > 0x39) return settleSlowly(bytes, from, to);
  }
  if (point - digits > MOST_WHOLE_DIGITS) return settleSlowly(bytes, from, to);
  if (bytes[digits] === ZERO) {
    let zeros = point + 1;
    while (zeros < to && bytes[zeros] === ZERO) zeros += 1;
    if (zeros >= to) {
      bytes[from] = ZERO;
      return from + 1;
    }
    if (zeros - point - 1 > MOST_LEADING_ZEROS) return settleSlowly(bytes, from, to);
  }
  // In this form a double prints as it was written, or it has lost digits: unchanged in both cases.
  if (point === to || bytes[to - 1] !== ZERO) return to;
  if (to - digits > SAFE_DIGITS + 1) return settleSlowly(bytes, from, to);
  let end = to;
  while (bytes[end - 1] === ZERO) end -= 1;
  return end - 1 === point ? point : end;
}

function settleSlowly(bytes: Uint8Array, from: number, to: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  const printed = String(Number(text));
  if (printed === text || !isSameDecimal(printed, text)) return to;
  bytes.set(Buffer.from(printed, 'latin1'), from);
  return from + printed.length;
}

function isSameDecimal(one: string, other: string): boolean {
  const [digits, exponent] = decimalOf(one);
  const [otherDigits, otherExponent] = decimalOf(other);
  return digits === otherDigits && (digits === '' || exponent === otherExponent);
}

/** The significant digits, and the power of ten of the last one. Compared numbers have the same sign. */
function decimalOf(text: string): [digits: string, exponent: number] {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? ['', text];
  const digits = (whole + fraction).replace(/^0+/, '');
  const zeros = trailingZeros(digits);
  return [digits.slice(0, digits.length - zeros), Number(exponent) - fraction.length + zeros];
}

function trailingZeros(digits: string): number {
  let count = 0;
  while (digits[digits.length - 1 - count] === '0') count += 1;
  return count;
}
