/** Errors of documents. */

import { AppError } from '../../../shared/model/errors.ts';
import type { Format } from '../../../shared/model/formats.ts';
import { say, type Text } from '../../../shared/model/messages/message.ts';
import { throwIfCancelled } from '../core/failures.ts';

export const documentFault = (format: Format, reason: Text, hint?: Text): AppError =>
  new AppError('PARSE_FAILED', say('document.failed', { format, reason }), hint === undefined ? {} : { hint });

/** Runs a library on a document, and says of all it throws that the document is damaged, or nested too deep. */
export async function parsedBy<T>(format: Format, signal: AbortSignal | undefined, parse: () => Promise<T> | T): Promise<T> {
  try {
    const found = await parse();
    throwIfCancelled(signal);
    return found;
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof AppError) throw error;
    // Libraries recurse into nested elements.
    if (error instanceof RangeError) throw documentFault(format, say('document.nesting'));
    throw documentFault(format, say('document.damaged', { format }), say('document.broken.hint', { format }));
  }
}
