/** What is said of a compressed file that cannot be decompressed. */
import { AppError } from '../../shared/model/errors.ts';
import type { Compression } from './detect.ts';

const names: Record<Compression, string> = { gzip: 'gzip', brotli: 'Brotli', zstd: 'Zstandard' };

/** PARSE_FAILED for an archive that is empty, cut off or damaged. */
export function brokenArchive(compression: Compression, cause: Error | undefined): AppError {
  const cutOff =
    cause !== undefined &&
    /unexpected end|unexpected EOF|Z_BUF_ERROR|truncated/i.test(`${cause.message} ${'code' in cause ? cause.code : ''}`);
  const notOne = cause !== undefined && /incorrect header|magic|invalid zstd data/i.test(cause.message);
  const reason =
    cause === undefined
      ? 'it is empty'
      : cutOff
        ? 'it ends too early, as after a broken download'
        : notOne
          ? `its content is not ${names[compression]} data`
          : `it is damaged (${cause.message})`;
  return new AppError('PARSE_FAILED', `Failed to decompress ${names[compression]} file: ${reason}`, {
    hint: 'Get a whole copy of the file, or give it the extension that fits its content.',
    cause,
  });
}
