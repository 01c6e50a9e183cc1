/** The errors that any step from bytes to JSON may raise, in the product's wordings. */
import { formatBytes } from '../../shared/model/bytes.ts';
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';

/** Where a parse error lies; lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column?: number | undefined;
}

/** `Failed to parse CSV file: <reason> at line 15[, column 3]`. `label` is the format's name as people write it. */
export function parseFailure(
  label: string,
  reason: string,
  place: Place,
  { details, ...options }: { hint?: string; cause?: unknown; details?: Record<string, unknown> } = {},
): AppError {
  const where = place.column === undefined ? `line ${place.line}` : `line ${place.line}, column ${place.column}`;
  return new AppError('PARSE_FAILED', `Failed to parse ${label} file: ${reason} at ${where}`, {
    ...options,
    details: { ...details, line: place.line, ...(place.column === undefined ? {} : { column: place.column }) },
  });
}

/** The setting that bounds a file's size. */
export type SizeSetting = 'maxFileBytes' | 'maxStreamedFileBytes';

/**
 * `File size 15 MB exceeds maximum allowed size of 10 MB`. `size` is null where reading stopped at the bound, before
 * the whole size was known.
 */
export function fileTooLarge(size: number | null, limit: number, setting: SizeSetting): AppError {
  const allowed = formatBytes(limit);
  let actual = size === null ? `more than ${allowed}` : formatBytes(size);
  // One byte too many would otherwise read «10 MB exceeds 10 MB».
  if (size !== null && actual === allowed)
    actual = `${allowed} (${size - limit} ${size - limit === 1 ? 'byte' : 'bytes'} more than that)`;
  const why =
    setting === 'maxFileBytes'
      ? 'YAML, XML and JSONata expressions need the whole file in memory.'
      : 'This bounds a file after decompression.';
  return new AppError('FILE_TOO_LARGE', `File size ${actual} exceeds maximum allowed size of ${allowed}`, {
    hint: `${why} Raise limits.${setting} in the configuration, or make the file smaller.`,
    details: { setting, limit, ...(size === null ? {} : { size }) },
  });
}

/** For whoever asks for the elements of what is no array. */
export function noElements(kind: PayloadKind): AppError {
  return new AppError('INTERNAL', `The payload is no array but of kind '${kind}', so it has no elements`);
}

/** Throws CANCELLED once the signal has fired. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('CANCELLED', 'The call was cancelled', { cause: signal.reason });
}

/** A character as an error message shows it: `"x"`, or its code point where it cannot be seen. */
export function describeByte(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return byte === 0x22 ? `'"'` : `"${String.fromCharCode(byte)}"`;
  const names: Record<number, string> = {
    0: 'a NUL character',
    9: 'a tab',
    10: 'a line break',
    13: 'a line break',
    32: 'a space',
  };
  return (
    names[byte] ??
    (byte >= 0x80 ? 'a non-ASCII character' : `the control character U+${byte.toString(16).toUpperCase().padStart(4, '0')}`)
  );
}

/** The same after the word: `unexpected line break`. */
export const unexpectedByte = (byte: number): string => `unexpected ${describeByte(byte).replace(/^(a|the) /, '')}`;
