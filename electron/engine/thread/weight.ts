/** Which conversions stall their thread long enough to be worth another one. */

import type { ConvertRequest } from '../core/convert-types.ts';
import type { ByteSource } from '../core/source.ts';
import { detectFormat } from '../input/detect.ts';

/** A streamed format pauses often, but for as much as this it keeps its thread busy for some 30 ms. Bytes. */
const HEAVY_BYTES = 1024 * 1024;
/** As long takes this much of what is parsed in one go, or is larger than it looks. A thread itself costs some 2 ms. Bytes. */
const HEAVY_WHOLE_BYTES = 32 * 1024;

/** Whether to convert it, or its first `head` bytes, in a thread. */
export function isHeavy(source: ByteSource, request: ConvertRequest, head = Number.POSITIVE_INFINITY): boolean {
  const { format, compression } = detectFormat(source.name, request.format);
  const whole = compression !== null || format === 'yaml' || format === 'xml';
  return Math.min(source.size, head) > (whole ? HEAVY_WHOLE_BYTES : HEAVY_BYTES);
}
