/** Which conversions stall their thread long enough to be worth another one. */

import type { ConvertRequest } from '../convert-types.ts';
import { detectFormat } from '../detect.ts';
import type { ByteSource } from '../source.ts';

/** A thread costs some milliseconds, a megabyte of a streamed format about ten. Bytes. */
const HEAVY_BYTES = 1024 * 1024;
/** Of what is parsed in one go, or may be much larger than it looks. Bytes. */
const HEAVY_WHOLE_BYTES = 64 * 1024;

/** Whether to convert it, or its first `head` bytes, in a thread. */
export function isHeavy(source: ByteSource, request: ConvertRequest, head = Number.POSITIVE_INFINITY): boolean {
  const { format, compression } = detectFormat(source.name, request.format);
  const whole = compression !== null || format === 'yaml' || format === 'xml';
  return Math.min(source.size, head) > (whole ? HEAVY_WHOLE_BYTES : HEAVY_BYTES);
}
