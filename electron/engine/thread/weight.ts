/** Decides which conversions are heavy enough for a worker thread. */

import { formatTable } from '../../../shared/model/formats.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import type { ByteSource } from '../core/source.ts';
import { detectFormat } from '../input/detect.ts';

/** Decompressed, this much may be any size. Bytes. */
const PACKED_BYTES = 32 * 1024;

/** Whether to convert the source, or its first `head` bytes, in a thread. */
export function isHeavy(source: ByteSource, request: ConvertRequest, head = Number.POSITIVE_INFINITY): boolean {
  const { format, compression } = detectFormat(source.name, request.format);
  const { heavyFrom } = formatTable[format ?? 'text'];
  return Math.min(source.size, head) > (compression === null ? heavyFrom : Math.min(heavyFrom, PACKED_BYTES));
}
