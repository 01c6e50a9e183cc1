/** Decides which conversions are heavy enough for a worker thread. */

import type { ConvertRequest } from '../core/convert-types.ts';
import type { ByteSource } from '../core/source.ts';
import { detectFormat, isDocument, isHeldWhole } from '../input/detect.ts';

/** A streamed format yields often, but keeps its thread busy for about 30 ms with this much. Bytes. */
const HEAVY_BYTES = 1024 * 1024;
/** A format that is parsed in one step, or decompressed, takes as long for this much. A thread costs about 2 ms. Bytes. */
const HEAVY_WHOLE_BYTES = 32 * 1024;

/** Whether to convert the source, or its first `head` bytes, in a thread. */
export function isHeavy(source: ByteSource, request: ConvertRequest, head = Number.POSITIVE_INFINITY): boolean {
  const { format, compression } = detectFormat(source.name, request.format);
  // Its compressed pages may take any time.
  if (format === 'pdf') return true;
  const whole = compression !== null || isHeldWhole(format) || isDocument(format) || format === 'zip' || format === 'tar';
  return Math.min(source.size, head) > (whole ? HEAVY_WHOLE_BYTES : HEAVY_BYTES);
}
