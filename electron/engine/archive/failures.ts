/** Errors of archives. */
import { AppError } from '../../../shared/model/errors.ts';
import type { ArchiveFormat } from '../../../shared/model/formats.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';

export const archiveFault = (format: ArchiveFormat, reason: Message): AppError =>
  new AppError('PARSE_FAILED', say('document.failed', { format, reason }), {
    hint: say(reason.code === 'zip.encrypted' ? 'zip.encrypted.hint' : 'archive.broken.hint'),
  });
