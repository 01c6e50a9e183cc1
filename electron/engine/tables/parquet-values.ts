/** Writes stored values of Parquet as JSON (Parquet format, LogicalTypes.md): numbers with all digits, times in ISO 8601. */
import type { ConvertedType, LogicalType, ParquetType, SchemaElement, SchemaTree } from 'hyparquet';
import { BOOLEAN, type Cell, JSON_VALUE, NUMBER, TEXT } from './sheet.ts';

/** The type of a column's stored values. */
export interface LeafType {
  readonly type: ParquetType | undefined;
  readonly converted: ConvertedType | undefined;
  readonly logical: LogicalType | undefined;
  readonly scale: number;
}

type Value = Omit<Cell, 'column'> | undefined;
type Writer = (value: unknown) => Value;

/** What a column's writer knows of the file, and finds out about the column. */
export interface ColumnFacts {
  readonly leaves: ReadonlyMap<SchemaElement, LeafType>;
  /** Groups that are maps. */
  readonly maps: ReadonlySet<SchemaElement>;
  /** Whether a value was met that is no text: all of the column is base64 then. */
  binary: boolean;
  /** Groups whose values have types of their own. */
  readonly variants: ReadonlySet<SchemaElement>;
  /** An element's name in the file. */
  nameOf(element: SchemaElement): string;
  /** Whether a text was met with bytes that are not UTF-8. */
  notText: boolean;
  /** Called with what JSON has not, which becomes null: NaN, infinity, a time beyond the calendar. */
  unusable(value: string): void;
}

/** For a top-level column; nested ones become JSON. Undefined values are null. */
export function cellWriter(node: SchemaTree, facts: ColumnFacts): Writer {
  const leaf = facts.leaves.get(node.element);
  if (leaf && node.element.repetition_type !== 'REPEATED') return leafWriter(leaf, facts);
  const write = jsonWriter(node, facts);
  const isList = node.element.repetition_type === 'REPEATED';
  return (value) => (!isList && (value === undefined || value === null) ? undefined : { kind: JSON_VALUE, value: write(value) });
}

/** JSON text of a nested value, in the shape in which the library assembles it. */
function jsonWriter(node: SchemaTree, facts: ColumnFacts): (value: unknown) => string {
  if (facts.variants.has(node.element)) return (value) => variantText(value, facts);
  const leaf = facts.leaves.get(node.element);
  const items = leaf ? undefined : listItems(node);
  const entry = facts.maps.has(node.element) ? mapEntry(node) : undefined;
  const text = leaf ? leafWriter(leaf, facts) : undefined;
  const fields = new Map(
    node.children.map((child) => [
      child.element.name,
      { key: JSON.stringify(facts.nameOf(child.element)), write: jsonWriter(child, facts) },
    ]),
  );
  const item = items ? jsonWriter(items, facts) : undefined;
  const [key, member] = entry ? [entry.key, entry.value].map((child) => jsonWriter(child, facts)) : [];
  const one = (value: unknown): string => {
    if (value === undefined || value === null) return 'null';
    if (text) return jsonOf(text(value));
    if (item && Array.isArray(value)) return `[${value.map(item).join(',')}]`;
    if (entry && key && member) {
      const pairs = ((value as Fields)[entry.group] ?? []) as readonly Fields[];
      return `{${pairs.map((pair) => `${keyText(key(pair[entry.key.element.name]))}:${member(pair[entry.value.element.name])}`).join(',')}}`;
    }
    return `{${Object.entries(value as object)
      .map(([name, each]) => {
        const field = fields.get(name);
        return field ? `${field.key}:${field.write(each)}` : `${JSON.stringify(name)}:null`;
      })
      .join(',')}}`;
  };
  // A repeated field outside of a list group is a list itself.
  const isRepeated = node.element.repetition_type === 'REPEATED';
  return (value) => {
    if (isRepeated && (value === undefined || value === null)) return '[]';
    return Array.isArray(value) && !item ? `[${value.map(one).join(',')}]` : one(value);
  };
}

/** A value of any type, as the library gives those of variants, as JSON. */
function variantText(value: unknown, facts: ColumnFacts): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (value instanceof Uint8Array) {
    facts.binary = true;
    return JSON.stringify(Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64'));
  }
  if (Array.isArray(value)) return `[${value.map((each) => variantText(each, facts)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}:${variantText(each, facts)}`)
      .join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) facts.unusable(String(value));
  return JSON.stringify(value ?? null);
}

/** Returns the items of a list: the child of its repeated group, which has one of several names (LogicalTypes.md, Lists). */
function listItems({ element, children }: SchemaTree): SchemaTree | undefined {
  const [repeated, another] = children;
  if (element.converted_type !== 'LIST' && element.logical_type?.type !== 'LIST') return undefined;
  if (repeated === undefined || another || repeated.element.repetition_type !== 'REPEATED') return undefined;
  const [only, more] = repeated.children;
  return only && !more ? only : repeated;
}

type Fields = Readonly<Record<string, unknown>>;

export const isMap = ({ converted_type, logical_type }: SchemaElement): boolean =>
  converted_type === 'MAP' || converted_type === 'MAP_KEY_VALUE' || logical_type?.type === 'MAP';

/** The parts of a map's repeated group (LogicalTypes.md, Maps). */
function mapEntry({ children }: SchemaTree): { group: string; key: SchemaTree; value: SchemaTree } | undefined {
  const [group] = children;
  const [key, value] = group?.children ?? [];
  return group && key && value ? { group: group.element.name, key, value } : undefined;
}

/** A key as the name of a member: a text as it is, anything else as its JSON. */
const keyText = (json: string): string => (json.startsWith('"') ? json : JSON.stringify(json));

function jsonOf(value: Value): string {
  if (value === undefined) return 'null';
  return value.kind === TEXT ? JSON.stringify(value.value) : value.value;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const text = (value: string): Value => ({ kind: TEXT, value });
const numeric = (value: string): Value => ({ kind: NUMBER, value });

/** Controls that no text has. */
const CONTROL = /(?![\t\n\v\f\r])\p{Cc}/u;

/** Bytes as text where they are UTF-8; undefined otherwise. */
function bytesText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    const found = decoder.decode(value as Uint8Array);
    return CONTROL.test(found) ? undefined : found;
  } catch {
    return undefined;
  }
}

/** Writes a column of bytes as text, because old writers do not mark texts; as base64 once one value is not UTF-8. */
function bytesWriter(facts: ColumnFacts): Writer {
  return (value) => {
    const found = facts.binary ? undefined : bytesText(value);
    if (found !== undefined) return text(found);
    facts.binary = true;
    const bytes = typeof value === 'string' ? Buffer.from(value) : (value as Uint8Array);
    return text(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'));
  };
}

/** Months, days and milliseconds, each four bytes, as a duration in ISO 8601. */
function intervalText(value: unknown): Value {
  const bytes = Buffer.from(value as Uint8Array);
  const [months = 0, days = 0, ms = 0] = [0, 4, 8].map((at) => bytes.readUInt32LE(at));
  const date = `${months > 0 ? `${months}M` : ''}${days > 0 ? `${days}D` : ''}`;
  const time = ms > 0 || date === '' ? `T${ms / 1000}S` : '';
  return text(`P${date}${time}`);
}

function leafWriter({ type, converted, logical, scale }: LeafType, facts: ColumnFacts): Writer {
  const write = writerOf(type, converted, logical, scale, facts);
  return (value) => (value === undefined || value === null ? undefined : write(value));
}

function writerOf(
  type: ParquetType | undefined,
  converted: ConvertedType | undefined,
  logical: LogicalType | undefined,
  scale: number,
  facts: ColumnFacts,
): Writer {
  const floatText = (value: number): Value => {
    if (Number.isFinite(value)) return numeric(String(value));
    facts.unusable(String(value));
    return undefined;
  };
  const unit = logical?.type === 'TIMESTAMP' || logical?.type === 'TIME' ? logical.unit : undefined;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const digits = logical?.type === 'DECIMAL' ? logical.scale : scale;
    return (value) => numeric(decimalText(integerOf(value), digits));
  }
  const timeText = (found: string | undefined, value: unknown): Value => {
    if (found !== undefined) return text(found);
    facts.unusable(String(value));
    return undefined;
  };
  if (converted === 'DATE' || logical?.type === 'DATE') return (value) => timeText(isoDate(Number(value)), value);
  if (logical?.type === 'TIMESTAMP') {
    const zone = logical.isAdjustedToUTC ? 'Z' : '';
    return (value) => timeText(isoTime(BigInt(value as bigint), unit ?? 'MILLIS', zone), value);
  }
  if (converted === 'TIMESTAMP_MILLIS') return (value) => timeText(isoTime(BigInt(value as bigint), 'MILLIS', 'Z'), value);
  if (converted === 'TIMESTAMP_MICROS') return (value) => timeText(isoTime(BigInt(value as bigint), 'MICROS', 'Z'), value);
  if (logical?.type === 'TIME') return (value) => timeText(clock(BigInt(value as bigint), unit ?? 'MILLIS'), value);
  if (converted === 'TIME_MILLIS') return (value) => timeText(clock(BigInt(value as bigint), 'MILLIS'), value);
  if (converted === 'TIME_MICROS') return (value) => timeText(clock(BigInt(value as bigint), 'MICROS'), value);
  if (type === 'INT96') return (value) => timeText(isoTime(BigInt(value as bigint), 'NANOS'), value);
  if (type === 'BOOLEAN') return (value) => ({ kind: BOOLEAN, value: value ? 'true' : 'false' });
  if (converted === 'INTERVAL') return intervalText;
  if (logical?.type === 'UUID') return (value) => text(uuidText(value as Uint8Array));
  if (logical?.type === 'FLOAT16') return (value) => floatText(float16(value as Uint8Array));
  if (converted === 'JSON' || logical?.type === 'JSON') return jsonText;
  if (type === 'FLOAT') return (value) => floatText(shortest(Number(value)));
  if (type === 'DOUBLE') return (value) => floatText(Number(value));
  if (type === 'INT32' || type === 'INT64') {
    const bits = unsignedBits(converted, logical);
    return (value) => numeric(String(bits === undefined ? value : BigInt.asUintN(bits, BigInt(value as bigint))));
  }
  return converted === 'UTF8' || converted === 'ENUM' || logical?.type === 'STRING' || logical?.type === 'ENUM'
    ? (value) => {
        const found = typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString('utf8');
        facts.notText ||= found.includes('\ufffd');
        return text(found);
      }
    : bytesWriter(facts);
}

/** The width of an unsigned integer; undefined for a signed one. */
function unsignedBits(converted: ConvertedType | undefined, logical: LogicalType | undefined): number | undefined {
  if (logical?.type === 'INTEGER') return logical.isSigned ? undefined : logical.bitWidth;
  return converted?.startsWith('UINT_') ? Number(converted.slice('UINT_'.length)) : undefined;
}

/** The shortest decimal number that is the same 4-byte number. */
function shortest(value: number): number {
  if (!Number.isFinite(value)) return value;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

function float16([low = 0, high = 0]: Uint8Array): number {
  const sign = high & 0x80 ? -1 : 1;
  const exponent = (high >> 2) & 0x1f;
  const fraction = ((high & 3) << 8) | low;
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

/** A big-endian two's complement, or an integer as it is. */
function integerOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as bigint);
  if (value.length === 0) return 0n;
  const hex = Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex');
  return BigInt.asIntN(8 * value.length, BigInt(`0x${hex}`));
}

export function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  if (scale <= 0) return `${sign}${digits === '0' ? '0' : digits + '0'.repeat(-scale)}`;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const uuidText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A text that is JSON, passed on as its value. */
function jsonText(value: unknown): Value {
  const found = bytesText(value);
  if (found === undefined) return undefined;
  try {
    JSON.parse(found);
    return { kind: JSON_VALUE, value: found };
  } catch {
    return text(found);
  }
}

const DAY_SECONDS = 86_400n;
const perSecond = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n } as const;
type Unit = keyof typeof perSecond;

const isoDate = (days: number): string | undefined => dateText(BigInt(days) * DAY_SECONDS);

function isoTime(value: bigint, unit: Unit, zone = ''): string | undefined {
  const per = perSecond[unit];
  const seconds = floor(value, per);
  const inDay = seconds - floor(seconds, DAY_SECONDS) * DAY_SECONDS;
  const date = dateText(seconds);
  return date === undefined ? undefined : `${date}T${clock(inDay * per + (value - seconds * per), unit)}${zone}`;
}

const floor = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;

/** Years that have no four digits are written as ISO 8601 extends them; undefined for what no calendar has. */
function dateText(seconds: bigint): string | undefined {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/T.*$/, '');
}

/** Fractions of seconds as far as they are not zero; undefined for what no day has. */
function clock(value: bigint, unit: Unit): string | undefined {
  const per = perSecond[unit];
  if (value < 0n || value > DAY_SECONDS * per) return undefined;
  const seconds = floor(value, per);
  const two = (part: bigint) => String(part).padStart(2, '0');
  const fraction = String(value - seconds * per)
    .padStart(String(per).length - 1, '0')
    .replace(/0+$/, '');
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction === '' ? '' : `.${fraction}`}`;
}
