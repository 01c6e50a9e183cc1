/** A file in an archive, and which formats are archives. */
import type { Format } from '../../../shared/model/conversion.ts';

export type ArchiveFormat = 'zip' | 'tar';

export const isArchive = (format: Format | null): format is ArchiveFormat => format === 'zip' || format === 'tar';

export interface ArchiveFile {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** Unpacked size. */
  readonly bytes: number;
  /** ISO 8601; in a ZIP without zone, since it has none. */
  readonly modified: string | null;
}
