/** Größen, wie man sie auf Deutsch schreibt. */
import { formatBytes } from '../../../lib/bytes.ts';

/** `1,5 MB`, `12 Byte`. */
export const inBytes = (bytes: number): string => formatBytes(bytes, { decimal: ',', unit: 'Byte' });
