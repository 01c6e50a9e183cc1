/** Detects format and compression from a file's name, and text or binary from its characters. */

import type { ConversionReport } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Format, formatByExtension } from '../../../shared/model/formats.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Utf8Source } from '../core/reader.ts';

export type Compression = NonNullable<ConversionReport['compression']>;

const compressionByExtension: ReadonlyMap<string, Compression> = new Map([
  ['gz', 'gzip'],
  ['br', 'brotli'],
  ['zst', 'zstd'],
]);

/** One extension for tar and compression. */
const packedTar: ReadonlyMap<string, Compression> = new Map([
  ['tgz', 'gzip'],
  ['tzst', 'zstd'],
]);

export interface NamedFormat {
  /** Null if the name is not enough: then the content decides. */
  readonly format: Format | null;
  readonly compression: Compression | null;
}

/** `users.csv.gz` → csv in gzip. `requested` overrides the format, never the compression. */
export function detectFormat(name: string, requested?: Format): NamedFormat {
  const parts = name.toLowerCase().split('.');
  // A leading dot hides a file and does not start an extension: `.json` has none.
  if (parts[0] === '') parts.splice(0, 2, '');
  const packed = packedTar.get(parts.at(-1) as string);
  if (packed !== undefined && parts.length > 1) return { format: requested ?? 'tar', compression: packed };
  const compression = (parts.length > 1 && compressionByExtension.get(parts.at(-1) as string)) || null;
  if (compression) parts.pop();
  const named = parts.length > 1 ? (formatByExtension.get(parts.at(-1) as string) ?? null) : null;
  return { format: requested ?? named, compression };
}

/**
 * Control characters that do not occur in text. Tab, line feed, vertical tab, form feed, carriage return, backspace and
 * escape occur in logs and terminal captures.
 */
const isBinary = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b].includes(byte)) || byte === 0x7f ? 1 : 0,
);

/** Passes the text through; fails with FORMAT_UNKNOWN at a character that does not occur in text. */
export function plainText(name: string, text: Utf8Source, encoding?: string): Utf8Source {
  return {
    ...text,
    stored: undefined,
    async *read(signal, options) {
      let last = 0;
      for await (const chunk of text.read(signal, options)) {
        for (let i = 0; i < chunk.length; i++) {
          const byte = chunk[i] as number;
          // C1 controls (U+0080–U+009F) come from bytes that windows-1252 leaves undefined.
          if (isBinary[byte] === 1 || (last === 0xc2 && byte < 0xa0)) throw unknownFormat(name, encoding);
          last = byte;
        }
        yield chunk;
      }
    },
  };
}

const isSpreadsheet = (name: string): boolean => /\.(xlsb?|numbers)$/i.test(name);

/** `encoding`: the one that the caller named, who takes the file for text. */
export function unknownFormat(name: string, encoding?: string): AppError {
  if (isSpreadsheet(name)) {
    return new AppError('FORMAT_UNKNOWN', say('format.spreadsheet', { name }), {
      hint: say('format.spreadsheet.hint', {}),
    });
  }
  if (/\.plist$/i.test(name)) {
    return new AppError('FORMAT_UNKNOWN', say('format.binaryPlist', { name }), { hint: say('format.binaryPlist.hint', {}) });
  }
  return new AppError('FORMAT_UNKNOWN', say('format.unknown', { name }), {
    hint: say('format.unknown.hint', { encoding: encoding ?? null }),
  });
}
