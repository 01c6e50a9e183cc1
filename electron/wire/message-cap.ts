/** The refusal of a call that is larger than a message to its server may be. */

import { AppError, type ErrorDetails } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';

/** MESSAGE_TOO_LARGE. `instead` is what the caller can do; the cap itself is a setting of the user's. */
export function messageTooLarge(message: Text, instead: Text, server: string, details: ErrorDetails = {}): AppError {
  return new AppError('MESSAGE_TOO_LARGE', message, {
    hint: say('message.tooLarge.hint', { instead, server }),
    details,
  });
}
