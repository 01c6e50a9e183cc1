/** Builds the error for a call that exceeds its server's message limit. */

import { AppError, type ErrorDetails } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';

/** MESSAGE_TOO_LARGE. `instead` says what the caller can do; only the user can change the limit. */
export function messageTooLarge(message: Text, instead: Text, server: string, details: ErrorDetails = {}): AppError {
  return new AppError('MESSAGE_TOO_LARGE', message, {
    hint: say('message.tooLarge.hint', { instead, server }),
    details,
  });
}
