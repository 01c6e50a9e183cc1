/** Opens documents that are ZIP archives, and reads their parts within bounds. */
import type { Format } from '../../../shared/model/formats.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/collect.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { fileTooLarge } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { isOle, openZip, type ZipArchive } from '../input/zip.ts';
import { documentFault } from './failures.ts';

/** Throws PARSE_FAILED for an empty, encrypted or broken file, FILE_TOO_LARGE for parts beyond `maxFileBytes`. */
export async function openParts(
  source: ByteSource,
  format: Format,
  { maxFileBytes }: Pick<EngineBounds, 'maxFileBytes'>,
  signal?: AbortSignal,
): Promise<DocumentParts> {
  if (source.size === 0) throw documentFault(format, say('document.empty'));
  if (await isOle(source, signal)) {
    throw documentFault(format, say('document.protected', { format }), say('document.protected.hint', { format }));
  }
  const archive = await openZip(
    source,
    {
      directoryBytes: maxFileBytes,
      entryBytes: maxFileBytes,
      tooLarge: () => fileTooLarge(null, maxFileBytes, 'maxFileBytes'),
      broken: (reason) => documentFault(format, reason, say('document.broken.hint', { format })),
    },
    signal,
  );
  return new DocumentParts(archive, format, maxFileBytes, signal);
}

/** The parts of a document by their names, as the Word library reads them too. All together are bounded. */
export class DocumentParts {
  readonly archive: ZipArchive;
  private readonly format: Format;
  private readonly limit: number;
  private readonly signal: AbortSignal | undefined;
  private left: number;

  constructor(archive: ZipArchive, format: Format, limit: number, signal: AbortSignal | undefined) {
    this.archive = archive;
    this.format = format;
    this.limit = limit;
    this.signal = signal;
    this.left = limit;
  }

  exists(name: string): boolean {
    return this.archive.entries.has(name.replace(/^\/+/, ''));
  }

  async read(name: string, encoding?: string): Promise<string | Uint8Array> {
    const entry = this.archive.entries.get(name.replace(/^\/+/, ''));
    if (entry === undefined)
      throw documentFault(
        this.format,
        say('document.missingPart', { part: name }),
        say('document.broken.hint', { format: this.format }),
      );
    const bytes = await collect(this.archive.read(entry, this.signal), this.left, () =>
      fileTooLarge(null, this.limit, 'maxFileBytes'),
    );
    this.left -= bytes.length;
    if (encoding === 'base64') return Buffer.from(bytes).toString('base64');
    return encoding === undefined ? bytes : new TextDecoder(encoding).decode(bytes);
  }
}
