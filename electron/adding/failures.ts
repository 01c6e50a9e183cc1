/** Errors in what a person pasted or dropped. */
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';

export const notUsable = (message: Message, hint: Message = say('pasted.hint'), cause?: unknown) =>
  new AppError('CONFIG_INVALID', message, { hint, cause });
