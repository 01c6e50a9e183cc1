/** Serializes errors between threads, keeping what people and programs read of them. */
import { AppError, type ErrorCode, type ErrorDetails } from '../../../shared/model/errors.ts';

/** An error as plain data. */
export interface WireError {
  /** Null for errors other than AppError. */
  readonly code: ErrorCode | null;
  readonly name: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly said?: AppError['said'];
  readonly details?: ErrorDetails | undefined;
  readonly stack?: string | undefined;
  readonly cause?: WireError | undefined;
}

/** Maximum depth of causes. */
const DEPTH = 4;

export function toWire(error: unknown, depth = 0): WireError {
  if (!(error instanceof Error)) return { code: null, name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  const cause = error.cause === undefined || depth === DEPTH ? undefined : toWire(error.cause, depth + 1);
  if (!(error instanceof AppError)) return { code: null, name, message, stack, cause };
  return { code: error.code, name, message, hint: error.hint, said: error.said, details: plain(error.details), stack, cause };
}

export function fromWire({ code, name, message, hint, said = {}, details, stack, cause }: WireError): Error {
  const options = cause === undefined ? {} : { cause: fromWire(cause) };
  const error =
    code === null
      ? Object.assign(new Error(message, options), { name })
      : new AppError(code, said.message ?? message, {
          ...options,
          ...(hint === undefined ? {} : { hint: said.hint ?? hint }),
          ...(details ? { details } : {}),
        });
  // The stack of the original error is more useful than the receiver's.
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Details without values that cannot be posted to another thread. */
function plain(details: ErrorDetails): ErrorDetails {
  try {
    return structuredClone(details);
  } catch {
    return JSON.parse(JSON.stringify(details)) as ErrorDetails;
  }
}
