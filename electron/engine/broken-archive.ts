/** What is said of a compressed file that cannot be decompressed. */
import { AppError } from '../../shared/model/errors.ts';
import type { Compression } from './detect.ts';

const names: Record<Compression, string> = { gzip: 'gzip', brotli: 'Brotli', zstd: 'Zstandard' };

const TRAILING = 'other data follows after its end';

/** PARSE_FAILED for an archive that is empty, cut off or damaged; `startsRight` if it begins as the format demands. */
export function brokenArchive(compression: Compression, cause: Error | undefined, startsRight = false): AppError {
  const cutOff =
    cause !== undefined &&
    /unexpected end|unexpected EOF|Z_BUF_ERROR|truncated/i.test(`${cause.message} ${'code' in cause ? cause.code : ''}`);
  const noHeader = cause !== undefined && /incorrect header|magic|invalid zstd data/i.test(cause.message);
  const reason =
    cause === undefined
      ? 'it is empty'
      : cutOff
        ? 'it ends too early, as after a broken download'
        : noHeader
          ? startsRight
            ? TRAILING
            : `its content is not ${names[compression]} data`
          : `it is damaged (${cause.message})`;
  return failure(compression, reason, cause);
}

/** PARSE_FAILED for an archive that goes on after its end: what follows would be lost in silence. */
export function trailingData(compression: Compression): AppError {
  return failure(compression, TRAILING, undefined);
}

function failure(compression: Compression, reason: string, cause: Error | undefined): AppError {
  return new AppError('PARSE_FAILED', `Failed to decompress ${names[compression]} file: ${reason}`, {
    hint: 'Get a good copy of the file, or give it the extension that fits its content.',
    cause,
  });
}
