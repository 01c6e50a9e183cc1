/** Opens documents that are ZIP archives, reads their parts within bounds, and reports what is wrong with a document. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Format } from '../../../shared/model/formats.ts';
import { say, type Text } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/byte-streams.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { isOle, openZip, type ZipArchive } from '../input/zip.ts';

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

/** The parts of a document by their names. All together are bounded. */
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

  async read(name: string): Promise<Uint8Array> {
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
    return bytes;
  }
}
