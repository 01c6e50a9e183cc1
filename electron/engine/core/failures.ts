/** Errors that several parts of the engine report. */
import type { PayloadKind } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say, type Text } from '../../../shared/model/messages/message.ts';

/** Position of a parse error; lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column?: number | undefined;
}

/** `Failed to parse CSV file: <reason> at line 15[, column 3]`. `format` is the name shown to people. */
export function parseFailure(
  format: string,
  reason: Text,
  { line, column }: Place,
  { details, ...options }: { hint?: Text; cause?: unknown; details?: Record<string, unknown> } = {},
): AppError {
  return new AppError('PARSE_FAILED', say('parse.failed', { format, reason, line, column }), {
    ...options,
    details: { format, ...details, line, ...(column === undefined ? {} : { column }) },
  });
}

/** The setting that limits a file's size. */
export type SizeSetting = 'maxFileBytes' | 'maxStreamedFileBytes';

/**
 * `File size 15 MB exceeds maximum allowed size of 10 MB`. `size` is null if reading stopped at the limit, before the
 * whole size was known.
 */
export function fileTooLarge(size: number | null, limit: number, setting: SizeSetting): AppError {
  return new AppError('FILE_TOO_LARGE', say('size.file', { bytes: size, limit }), {
    hint: say('size.file.hint', { setting }),
    details: { setting, limit, ...(size === null ? {} : { size }) },
  });
}

/** Error for reading elements of a payload that is not an array. */
export function noElements(kind: PayloadKind): AppError {
  return new AppError('INTERNAL', `The payload is no array but of kind '${kind}', so it has no elements`);
}

/** Throws CANCELLED if the signal was aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('CANCELLED', say('call.cancelled'), { cause: signal.reason });
}

/** A character as an error message shows it: `"x"`, or its name if it is invisible; with or without an article. */
export function describeByte(byte: number, article = true): Text {
  if (byte > 0x20 && byte < 0x7f) return byte === 0x22 ? `'"'` : `"${String.fromCharCode(byte)}"`;
  if (byte >= 0x80) return say('character.nonAscii', { article });
  switch (byte) {
    case 0:
      return say('character.nul', { article });
    case 9:
      return say('character.tab', { article });
    case 10:
    case 13:
      return say('character.lineBreak', { article });
    case 32:
      return say('character.space', { article });
    default:
      return say('character.control', { codePoint: byte.toString(16).toUpperCase().padStart(4, '0'), article });
  }
}
