/** Recognizes files by their first bytes that are something else than their name says. */
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import type { ByteSource } from '../core/source.ts';
import type { NamedFormat } from '../input/detect.ts';

/** Beginnings as Latin-1 that a text may have too: ZIP local file header, PDF, gzip. */
const signatures = [
  ['zip', 'PK\x03\x04'],
  ['pdf', '%PDF-'],
  ['gzip', '\x1f\x8b\x08'],
] as const;

/** Files that are no text of the format that they are read as, whatever is in them. `of`: only where one of these formats is read. */
const others: readonly { kind: OtherKind; begins: string | RegExp; of?: readonly string[] }[] = [
  { kind: 'compound', begins: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { kind: 'rtf', begins: '{\\rtf' },
  { kind: 'arrow', begins: /^(?:ARROW1|FEA1)/ },
  { kind: 'avro', begins: 'Obj\x01' },
  { kind: 'bzip2', begins: /^BZh[1-9]1AY&SY/ },
  { kind: 'xz', begins: '\xfd7zXZ\x00' },
  { kind: '7z', begins: '7z\xbc\xaf\x27\x1c' },
  {
    kind: 'html',
    begins: /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|table)[\s>]/i,
    of: ['csv', 'tsv', 'json', 'jsonl', 'yaml', 'toml'],
  },
  { kind: 'json', begins: /^(?:\xef\xbb\xbf)?\s*(?:\[\s*[[{"]|\{\s*")/, of: ['csv', 'tsv'] },
];
type OtherKind = 'compound' | 'rtf' | 'arrow' | 'avro' | 'bzip2' | 'xz' | '7z' | 'html' | 'json';

const SEEN = 512;
/** By which ISO-2022-JP goes over to Japanese characters: in bytes that are all ASCII (RFC 1468). */
const JIS = ['\x1b$@', '\x1b$B'];

/**
 * FORMAT_UNKNOWN for a file that is something else than its name or the caller says, by its first bytes; ENCODING_INVALID for one that would
 * be read as ASCII and is not.
 */
export async function refuseOther(
  source: ByteSource,
  { format, compression }: NamedFormat,
  { encoding, signal }: Pick<ConvertRequest, 'encoding' | 'signal'>,
): Promise<void> {
  if (compression !== null) return;
  const beginning = await beginningOf(source, SEEN, signal);
  // A web page is often saved under the name of an old workbook.
  const read = format ?? (/\.xls$/i.test(source.name) ? 'csv' : 'text');
  const isSo = (begins: string | RegExp) => (typeof begins === 'string' ? beginning.startsWith(begins) : begins.test(beginning));
  const other = others.find(({ begins, of }) => (of === undefined || of.includes(read)) && isSo(begins));
  if (other) throw otherFormat(source.name, format ?? 'text', other.kind);
  if (encoding === undefined && JIS.some((shift) => beginning.includes(shift)))
    throw new AppError('ENCODING_INVALID', say('encoding.jis'), { hint: say('encoding.jis.hint', {}) });
}

const otherFormat = (name: string, format: string, kind: OtherKind | (typeof signatures)[number][0]): AppError =>
  new AppError('FORMAT_UNKNOWN', say('format.binary', { name, format, kind }), {
    hint: say('format.binary.hint', { kind, name }),
  });

/** The first bytes as Latin-1. */
async function beginningOf(source: ByteSource, bytes: number, signal: AbortSignal | undefined): Promise<string> {
  let beginning = '';
  for await (const chunk of source.read(signal)) {
    beginning += Buffer.from(chunk.subarray(0, bytes)).toString('latin1');
    if (beginning.length >= bytes) break;
  }
  return beginning;
}

/** FORMAT_UNKNOWN for a binary file; undefined for text, and for what is compressed. */
export async function binaryUnderTextName(
  source: ByteSource,
  { compression }: NamedFormat,
  format: string,
  signal: AbortSignal | undefined,
): Promise<AppError | undefined> {
  if (compression !== null) return undefined;
  const beginning = await beginningOf(source, 8, signal);
  const found = signatures.find(([, bytes]) => beginning.startsWith(bytes));
  return found && otherFormat(source.name, format, found[0]);
}
