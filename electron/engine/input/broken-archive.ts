/** Errors for compressed files that cannot be decompressed. */
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import type { Compression } from './detect.ts';

const names: Record<Compression, string> = { gzip: 'gzip', brotli: 'Brotli', zstd: 'Zstandard' };

/** PARSE_FAILED for an archive that is empty, cut off or damaged; `startsRight`: it has the format's header. */
export function brokenArchive(compression: Compression, cause: Error | undefined, startsRight = false): AppError {
  return failure(compression, reasonOf(compression, cause, startsRight), cause);
}

/** PARSE_FAILED for an archive with data after its end, which would otherwise be lost silently. */
export function trailingData(compression: Compression): AppError {
  return failure(compression, say('archive.trailing'), undefined);
}

function reasonOf(compression: Compression, cause: Error | undefined, startsRight: boolean): Message {
  if (cause === undefined) return say('archive.empty');
  const fault = faultOf(cause);
  if (fault === 'cut off') return say('archive.cutOff');
  if (fault === 'damaged') return say('archive.damaged', { reason: cause.message });
  return startsRight ? say('archive.trailing') : say('archive.other', { compression: names[compression] });
}

/**
 * Classifies a decompressor's error. zlib has one code for all damage, and the Zstandard decoder has none: only their
 * messages distinguish a wrong header from damage. Only this function reads such messages.
 */
function faultOf(cause: Error): 'cut off' | 'no header' | 'damaged' {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'Z_BUF_ERROR' || /unexpected end|unexpected EOF|truncated/i.test(cause.message)) return 'cut off';
  return /incorrect header|magic|invalid zstd data/i.test(cause.message) ? 'no header' : 'damaged';
}

function failure(compression: Compression, reason: Message, cause: Error | undefined): AppError {
  return new AppError('PARSE_FAILED', say('archive.failed', { compression: names[compression], reason }), {
    hint: say('archive.failed.hint'),
    cause,
  });
}
