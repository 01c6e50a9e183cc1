/** Decides which CSV cells are numbers: those whose value a double reproduces exactly. */

/** Most digits of a decimal that a double always reproduces (DBL_DIG). */
const EXACT_DIGITS = 15;
/** Most digits of the shortest form of a double. */
const MOST_DIGITS = 17;
/** Longer fractions could underflow a double and lose digits. */
const FRACTION_DIGITS = 290;
/** A longer cell is not a number (bytes). */
const LONGEST = 320;

const GRAMMAR = /^-?((?:0|[1-9]\d*)(\.\d+)?)(?:[eE]([+-]?)\d+)?$/;

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/**
 * Whether a cell counts as a number when only the data decides: `-?(0|[1-9]\d*)(\.\d+)?` with up to 15 significant
 * digits, or 16 or 17 that are a double's shortest form. An exponent must be signed or follow a decimal point, because
 * `1e5` is often a product code.
 */
export function isExactNumber(bytes: Uint8Array, start: number, end: number): boolean {
  if (isShortDecimal(bytes, start, end)) return true;
  if (end - start > LONGEST) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const [, mantissa, fraction, sign] = GRAMMAR.exec(text) ?? [];
  if (mantissa === undefined || (sign === '' && fraction === undefined)) return false;
  return mantissa.replace('.', '').replace(/^0+/, '').length <= MOST_DIGITS && printsBack(text);
}

/** Whether a plain decimal has at most as many digits as a double always reproduces. */
function isShortDecimal(bytes: Uint8Array, start: number, end: number): boolean {
  let i = bytes[start] === 0x2d ? start + 1 : start;
  const whole = i;
  while (i < end && isDigit(bytes[i] as number)) i++;
  const wholeDigits = i - whole;
  if (wholeDigits === 0) return false;
  const leadingZero = bytes[whole] === 0x30;
  if (leadingZero && wholeDigits > 1) return false;
  let digits = leadingZero ? 0 : wholeDigits;
  if (i === end) return digits <= EXACT_DIGITS;
  if (bytes[i] !== 0x2e || ++i === end || end - i > FRACTION_DIGITS) return false;
  for (; i < end; i++) {
    const byte = bytes[i] as number;
    if (!isDigit(byte)) return false;
    if (digits > 0 || byte !== 0x30) digits++;
  }
  return digits <= EXACT_DIGITS;
}

/** Whether the nearest double prints as the same value; beyond 15 digits, with the same digits. */
export function printsBack(text: string): boolean {
  const value = Number(text);
  if (String(value) === text) return true;
  if (!Number.isFinite(value)) return false;
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return true;
  if (digits.length > EXACT_DIGITS && fraction.endsWith('0')) return false;
  const magnitude = Number(exponent) - fraction.length + digits.length - 1;
  const [shown = '', power] = Math.abs(value).toExponential().split('e');
  return shown.replace('.', '') === digits.replace(/(?<!0)0+$/, '') && Number(power) === magnitude;
}

/** Whether the text is a number in JSON's grammar (RFC 8259 §6). */
export function isJsonNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let i = bytes[start] === 0x2d ? start + 1 : start;
  const digits = (): number => {
    const from = i;
    while (i < end && isDigit(bytes[i] as number)) i++;
    return i - from;
  };
  const zero = bytes[i] === 0x30;
  const whole = digits();
  if (whole === 0 || (zero && whole > 1)) return false;
  if (i < end && bytes[i] === 0x2e) {
    i++;
    if (digits() === 0) return false;
  }
  if (i < end && ((bytes[i] as number) | 0x20) === 0x65) {
    i++;
    if (bytes[i] === 0x2b || bytes[i] === 0x2d) i++;
    if (digits() === 0) return false;
  }
  return i === end;
}
