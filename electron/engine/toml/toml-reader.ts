/** Reads TOML 1.0 with smol-toml: a file is one object. */
import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { parseFailure, throwIfCancelled } from '../core/failures.ts';
import type { FormatReader, FormatScan } from '../core/reader.ts';
import { heldChunks, holdText } from '../input/held-text.ts';

const FORMAT = 'TOML';

type TomlFault = 'twice' | 'leadingZero' | 'openString' | 'behindValue' | 'comma' | 'value' | 'key' | 'invalid';

/**
 * Integers beyond 2^53 become strings, as do dates and times, in the form of RFC 3339 or a part of it. Throws PARSE_FAILED
 * for `inf` and `nan`, which JSON lacks, and for what is nested deeper than `maxNesting`.
 */
export const readToml: FormatReader = async (source, { bounds, signal }): Promise<FormatScan> => {
  const text = await holdText(source, bounds.maxFileBytes, signal);
  const value = parsed(text, bounds.maxNesting);
  throwIfCancelled(signal);
  const json = Buffer.from(JSON.stringify(plain(value, [], bounds.maxNesting)));
  return {
    kind: 'object',
    columns: null,
    delimiter: null,
    warnings: [],
    json: () => heldChunks(json),
    async *elements() {
      yield* [];
    },
    locate: async () => undefined,
  };
};

function parsed(text: string, maxNesting: number): TomlTable {
  const options = { integersAsBigInt: 'asNeeded', useLegacyDate: true, unsafeKeyBehaviour: 'keep' } as const;
  try {
    const table = parse(text, options);
    const exact = withExactTimes(text);
    return exact === text ? table : parse(exact, options);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(maxNesting);
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const fault = faults.find(([pattern]) => pattern.test(error.message))?.[1] ?? 'invalid';
    throw parseFailure(FORMAT, say('toml.fault', { fault }), { line, column });
  }
}

/** By the parser's words. */
const faults: readonly [RegExp, TomlFault][] = [
  [/redefine|already defined/, 'twice'],
  [/leading zero/, 'leadingZero'],
  [/unfinished string|control characters/, 'openString'],
  [/end-of-line/, 'behindValue'],
  [/comma or end/, 'comma'],
  [/invalid value/, 'value'],
  [/\bkey\b/, 'key'],
];

/** Strings and comments, which stay, or a time with more than three digits of a second. */
const EXACT_TIME =
  /"""(?:\\[\s\S]|(?!""")[\s\S])*"""|'''(?:(?!''')[\s\S])*'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|((?:\d{4}-\d\d-\d\d[Tt ])?\d\d:\d\d:\d\d\.\d{4,}(?:[Zz]|[+-]\d\d:\d\d)?)/g;

/** The parser keeps milliseconds only; these times become the strings that they would be in JSON. */
const withExactTimes = (text: string): string =>
  /:\d\d\.\d{4}/.test(text)
    ? text.replaceAll(EXACT_TIME, (all, time?: string) =>
        time === undefined ? all : `"${time.toUpperCase().replace(' ', 'T')}"`,
      )
    : text;

/** The value as JSON has it. `path` leads to it, for errors. */
function plain(value: TomlValue, path: readonly string[], maxNesting: number): unknown {
  if (path.length > maxNesting) throw tooDeep(maxNesting);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new AppError('PARSE_FAILED', say('toml.notFinite', { name: path.join('.') }));
  }
  if (typeof value !== 'object') return value;
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map((item, index) => plain(item, [...path, String(index)], maxNesting));
  // Without a prototype, so that `__proto__` is a key like any other.
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) object[key] = plain(item as TomlValue, [...path, key], maxNesting);
  return object;
}

const tooDeep = (levels: number): AppError =>
  new AppError('PARSE_FAILED', say('toml.tooDeep', { reason: say('parse.tooDeep', { levels }) }), {
    hint: say('parse.maxNestingSetting'),
  });
