/** Sizes and kinds of values, as German sentences have them. */
import { formatBytes } from '../../../lib/bytes.ts';

/** `1,5 MB`, `12 Byte`. */
export const inBytes = (bytes: number): string => formatBytes(bytes, { decimal: ',', unit: 'Byte' });

export const contents = {
  array: 'eine Liste',
  object: 'ein Objekt',
  string: 'einen Text',
  number: 'eine Zahl',
  boolean: 'true oder false',
  null: 'null',
};
