/** A file in an archive. */
export interface ArchiveFile {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** Unpacked size. */
  readonly bytes: number;
  /** ISO 8601; in a ZIP without zone, since it has none. */
  readonly modified: string | null;
}
