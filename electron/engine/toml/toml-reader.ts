/** Reads TOML 1.0 with smol-toml: a file is one object. */
import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { parseFailure, throwIfCancelled } from '../core/failures.ts';
import type { FormatReader, FormatScan } from '../core/reader.ts';
import { heldChunks, holdText } from '../input/held-text.ts';

const FORMAT = 'TOML';

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
  try {
    return parse(text, { integersAsBigInt: 'asNeeded', useLegacyDate: true, unsafeKeyBehaviour: 'keep' });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(maxNesting);
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    throw parseFailure(FORMAT, say('toml.invalid'), { line, column });
  }
}

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
