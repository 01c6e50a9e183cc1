/** Reads Word documents (.docx, .docm) with mammoth, part by part from the archive, within bounds. */
import mammoth from 'mammoth';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say, type Text } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/collect.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { isOle, openZip, type ZipArchive } from '../input/zip.ts';
import { markdownOf } from './markdown.ts';
import { plainTextOf } from './plain-text.ts';

export interface DocumentText {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** What a document becomes. */
export type DocumentForm = 'markdown' | 'html' | 'text';

/** Throws PARSE_FAILED for what is not a readable document, FILE_TOO_LARGE for parts beyond `maxFileBytes`. */
export async function readWord(
  source: ByteSource,
  form: DocumentForm,
  bounds: Pick<EngineBounds, 'maxFileBytes' | 'maxNesting'>,
  signal?: AbortSignal,
): Promise<DocumentText> {
  if (source.size === 0) throw fault(say('document.empty'));
  if (await isOle(source, signal)) throw fault(say('document.protected'), say('document.protected.hint'));
  const archive = await openZip(
    source,
    {
      directoryBytes: bounds.maxFileBytes,
      entryBytes: bounds.maxFileBytes,
      tooLarge: () => fileTooLarge(null, bounds.maxFileBytes, 'maxFileBytes'),
      broken: (reason) => fault(reason, say('document.broken.hint')),
    },
    signal,
  );
  const parts = new DocumentParts(archive, bounds.maxFileBytes, signal);
  try {
    const found = await convertParts(parts);
    throwIfCancelled(signal);
    const warnings: Warning[] = [];
    if (found.images > 0) warnings.push(warning('DOCUMENT_IMAGES', say('document.images', { images: found.images })));
    const text = written(found.html, form, bounds.maxNesting);
    if (text === '') warnings.push(warning('DOCUMENT_EMPTY', say('document.noText')));
    return { text, warnings };
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof AppError) throw error;
    // The library recurses into nested elements.
    if (error instanceof RangeError) throw fault(say('document.nesting'));
    throw fault(say('document.damaged'), say('document.broken.hint'));
  }
}

const fault = (reason: Text, hint?: Text): AppError =>
  new AppError('PARSE_FAILED', say('document.failed', { reason }), hint === undefined ? {} : { hint });

function written(html: string, form: DocumentForm, maxNesting: number): string {
  if (form === 'html') return html;
  return form === 'text' ? plainTextOf(html) : markdownOf(html, maxNesting);
}

async function convertParts(parts: DocumentParts): Promise<{ html: string; images: number }> {
  // The library takes an opened archive too, which its types do not say.
  const input = { file: parts } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
  let images = 0;
  const { value } = await mammoth.convertToHtml(input, {
    externalFileAccess: false,
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
    convertImage: mammoth.images.imgElement(async () => {
      images += 1;
      return { src: '' };
    }),
  });
  return { html: value, images };
}

/** The archive as the library reads it. All parts together are bounded. */
class DocumentParts {
  private readonly archive: ZipArchive;
  private readonly limit: number;
  private readonly signal: AbortSignal | undefined;
  private left: number;

  constructor(archive: ZipArchive, limit: number, signal: AbortSignal | undefined) {
    this.archive = archive;
    this.limit = limit;
    this.signal = signal;
    this.left = limit;
  }

  exists(name: string): boolean {
    return this.archive.entries.has(name.replace(/^\/+/, ''));
  }

  async read(name: string, encoding?: string): Promise<string | Uint8Array> {
    const entry = this.archive.entries.get(name.replace(/^\/+/, ''));
    if (entry === undefined) throw fault(say('document.missingPart', { part: name }), say('document.broken.hint'));
    const bytes = await collect(this.archive.read(entry, this.signal), this.left, () =>
      fileTooLarge(null, this.limit, 'maxFileBytes'),
    );
    this.left -= bytes.length;
    if (encoding === 'base64') return Buffer.from(bytes).toString('base64');
    return encoding === undefined ? bytes : new TextDecoder(encoding).decode(bytes);
  }
}
