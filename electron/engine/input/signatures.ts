/** Recognizes binary files by their first bytes, for files whose name says that they are text. */
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { ByteSource } from '../core/source.ts';
import type { NamedFormat } from './detect.ts';

/** Beginnings as Latin-1: ZIP local file header, Compound File Binary of old Office programs, PDF, gzip. */
const signatures = [
  ['zip', 'PK\x03\x04'],
  ['compound', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['pdf', '%PDF-'],
  ['gzip', '\x1f\x8b\x08'],
] as const;

/** FORMAT_UNKNOWN for a binary file; undefined for text, and for what is compressed. */
export async function binaryUnderTextName(
  source: ByteSource,
  { compression }: NamedFormat,
  format: string,
  signal: AbortSignal | undefined,
): Promise<AppError | undefined> {
  if (compression !== null) return undefined;
  let beginning = '';
  for await (const chunk of source.read(signal)) {
    beginning += Buffer.from(chunk.subarray(0, 8)).toString('latin1');
    if (beginning.length >= 8) break;
  }
  const found = signatures.find(([, bytes]) => beginning.startsWith(bytes));
  if (found === undefined) return undefined;
  const [kind] = found;
  return new AppError('FORMAT_UNKNOWN', say('format.binary', { name: source.name, format, kind }), {
    hint: say('format.binary.hint', { kind }),
  });
}
