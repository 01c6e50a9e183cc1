/**
 * What a number format makes of a number besides rounding it: a date, an identifier with zeros or a prefix, a unit (ECMA-376 part 1, 18.8.31);
 * dates as ISO 8601 (18.17.4).
 */
export interface NumberFormat {
  readonly date: DateStyle;
  /** In order; empty if none of them shows an identifier. */
  readonly sections: readonly Section[];
  /** Currency or unit beside the number, `€` or `kg`; empty if there is none. */
  readonly unit: string;
}

interface Section {
  readonly isFor: (value: number) => boolean;
  /** Of an identifier, such as `00000`, `"E-"0000` or `###-####`: literal texts and places of digits, from left to right. */
  readonly identifier: readonly Part[] | undefined;
}

type Part = Literal | Place;
interface Literal {
  readonly literal: string;
}
interface Place {
  readonly digit: '0' | '#' | '?';
}

const none: NumberFormat = { date: undefined, sections: [], unit: '' };
/** Built-in formats with the currency of the system's region. */
const REGIONAL_CURRENCY = new Set([5, 6, 7, 8, 41, 42, 43, 44]);
/** Longer ones are no identifiers. */
const LONGEST = 255;

/** The format of a number, by its code or by its built-in number. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  const date = dateStyleOf(id, code);
  if (date !== undefined) return { ...none, date };
  if (code === undefined) return REGIONAL_CURRENCY.has(id) ? { ...none, unit: '¤' } : none;
  if (code.length > LONGEST) return none;
  const parsed = sectionsOf(code).map(parsedSection);
  const isConditional = parsed.some(({ condition }) => condition !== undefined);
  const sections = parsed.map(({ condition, parts, isPlain }, index) => ({
    // Without conditions, the first section is for numbers that are not negative, and the others for no identifiers.
    isFor: condition ?? (() => isConditional || index === 0),
    // A sign that negative numbers have another one for.
    identifier: isPlain && isIdentifier(parts) && !(parsed.length > 1 && isSign(parts[0])) ? parts : undefined,
  }));
  return {
    date,
    sections: sections.some(({ identifier }) => identifier) ? sections : [],
    unit: unitOf(parsed[0]?.parts ?? []),
  };
}

/** Splits at semicolons outside of quotes. */
const sectionsOf = (code: string): string[] => code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\])+/g) ?? [];

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '=': (value, bound) => value === bound,
  '<>': (value, bound) => value !== bound,
};

const token =
  /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]|\[[^\]]*\]|([0#?])|(.)/gsu;

/** `isPlain` where there are only literals and whole digits. */
function parsedSection(code: string) {
  const parts: Part[] = [];
  let condition: ((value: number) => boolean) | undefined;
  let isPlain = true;
  for (const [, quoted, escaped, currency, comparison, bound, digit, other] of code.matchAll(token)) {
    const literal = quoted ?? escaped ?? currency;
    if (literal !== undefined) parts.push({ literal });
    else if (comparison !== undefined) condition = (value) => comparisons[comparison]?.(value, Number(bound)) ?? false;
    else if (digit !== undefined) parts.push({ digit: digit as Place['digit'] });
    // A stroke between digits makes a fraction.
    else if (other !== undefined && /[-+ ():$€£¥]/u.test(other)) parts.push({ literal: other });
    else if (other !== undefined) isPlain = false;
  }
  return { condition, parts, isPlain };
}

const isLiteral = (part: Part): part is Literal => 'literal' in part;
const isSign = (part: Part | undefined): boolean => part !== undefined && isLiteral(part) && part.literal === '+';
const isZero = (part: Part): boolean => !isLiteral(part) && part.digit === '0';
/** Symbols, codes of three letters, and what is written in their place. */
export const isCurrency = (text: string): boolean =>
  /[\p{Sc}¤]/u.test(text) || /^\s*(?:[A-Z]{3}|[Kk]r\.?|[FfRr][rs]\.?|lei|zł)\s*$/u.test(text);

/** Not a section of an ordinary number: `0`, `"€ "0`, `0" kg"`, `-0`. */
function isIdentifier(parts: readonly Part[]): boolean {
  const first = parts.findIndex((part) => !isLiteral(part));
  const last = parts.findLastIndex((part) => !isLiteral(part));
  if (first < 0) return false;
  const textOf = (some: readonly Part[]) => some.map((part) => (isLiteral(part) ? part.literal : '')).join('');
  const zeros = parts.filter(isZero).length;
  const prefix = textOf(parts.slice(0, first));
  const isNamed = /[\p{L}\d+#/(]/u.test(prefix) && !isCurrency(prefix);
  return zeros > 1 || isNamed || textOf(parts.slice(first, last)).trim() !== '';
}

function unitOf(parts: readonly Part[]): string {
  const literals = parts.flatMap((part) => (isLiteral(part) ? [part.literal.trim()] : [])).filter((text) => text !== '');
  return literals.find((text) => /[\p{L}\p{Sc}%°]/u.test(text)) ?? '';
}

/** The text that an identifier's format shows; undefined for an ordinary number. */
export function shownText({ sections }: NumberFormat, value: number): string | undefined {
  if (sections.length === 0 || !Number.isSafeInteger(value) || value < 0) return undefined;
  const parts = sections.find(({ isFor }) => isFor(value))?.identifier;
  if (!parts) return undefined;
  const places = parts.filter((part) => !isLiteral(part)).length;
  const all = value === 0 ? '' : String(value);
  // Digits without a place stand before the first one.
  const lead = all.slice(0, Math.max(0, all.length - places));
  const digits = all.slice(lead.length);
  let empty = places - digits.length;
  let text = '';
  let taken = 0;
  let isFirst = true;
  for (const part of parts) {
    if (isLiteral(part)) {
      text += part.literal;
      continue;
    }
    if (isFirst) text += lead;
    isFirst = false;
    if (empty > 0) {
      empty -= 1;
      if (isZero(part)) text += '0';
    } else {
      text += digits[taken] ?? '';
      taken += 1;
    }
  }
  return text.trim();
}

/** How a number format displays a number. */
type DateStyle = 'date' | 'time' | 'elapsed' | undefined;

/** Numbers of the built-in date and time formats, which files do not define. */
const builtIn = new Map<number, DateStyle>([
  ...[14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 45, 47].map((id) => [id, 'time'] as const),
  [46, 'elapsed'],
]);

/** Kind of a number format, by its code or by its built-in number. */
export function dateStyleOf(id: number, code: string | undefined): DateStyle {
  if (code === undefined) return builtIn.get(id);
  const sections = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .toLowerCase()
    .split(';');
  // With conditions, the first section may be for a few values only.
  const isConditional = /\[[<=>]/.test(code);
  for (const section of isConditional ? sections : sections.slice(0, 1)) {
    const style = sectionStyle(section);
    if (style !== undefined) return style;
  }
  return undefined;
}

function sectionStyle(positive: string): DateStyle {
  if (/\[(?:h+|m+|s+)\]/.test(positive)) return 'elapsed';
  const plain = positive.replace(/\[[^[\]]*\]/g, '').replace(/general|am\/pm|a\/p/g, '');
  if (/[yd]/.test(plain)) return 'date';
  if (/[hs]/.test(plain)) return 'time';
  return plain.includes('m') ? 'date' : undefined;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 as a day number in each calendar. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;
/** 9999-12-31, the last supported day. */
const LAST_DAY_1900 = 2_958_465;
/** The 1900 calendar contains a 29 February that did not exist, so earlier days are off by one. */
const LEAP_DAY = 60;

const padded = (value: number, digits = 2): string => String(value).padStart(digits, '0');

/** A day number as ISO 8601 without zone; undefined if it is out of range. */
export function isoOf(serial: number, style: Exclude<DateStyle, undefined>, date1904: boolean): string | undefined {
  if (!Number.isFinite(serial) || serial < 0) return undefined;
  if (style === 'elapsed') return timeText(Math.round(serial * DAY_MS));
  if (style === 'time' && serial < 1) return timeText(Math.round(serial * DAY_MS) % DAY_MS);
  const days = date1904 ? serial - EPOCH_1904 : serial - EPOCH_1900 + (serial < LEAP_DAY ? 1 : 0);
  if (days >= LAST_DAY_1900 - EPOCH_1900 + 1) return undefined;
  const ms = Math.round(days * DAY_MS);
  const [date = '', time = ''] = new Date(ms).toISOString().slice(0, -1).split('T');
  if (style === 'date' && time === '00:00:00.000') return date;
  return `${date}T${time.replace(/\.000$/, '')}`;
}

/** Durations: hours may exceed 24. */
function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = ms % 1000;
  const clock = `${padded(Math.floor(seconds / 3600))}:${padded(Math.floor(seconds / 60) % 60)}:${padded(seconds % 60)}`;
  return rest === 0 ? clock : `${clock}.${padded(rest, 3)}`;
}
