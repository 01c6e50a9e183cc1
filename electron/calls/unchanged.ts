/** What was read, shown and approved of a call's files is what is sent: nothing is sent of files that change meanwhile. */
import { AppError, toAppError } from '../../shared/model/errors.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import type { OpenedFiles } from './payloads.ts';

/** After an approval. Throws FILE_CHANGED. */
export async function refuseIfChangedSinceShown(opened: OpenedFiles): Promise<void> {
  try {
    await opened.assertUnchanged();
  } catch (cause) {
    const { details } = toAppError(cause);
    const file = typeof details.path === 'string' ? `File '${details.path}'` : 'A file of the call';
    throw new AppError('FILE_CHANGED', `${file} changed while the call waited for its approval. Nothing was sent`, {
      hint: 'Make the call again, so that the user is asked about the file as it is now',
      details,
      cause,
    });
  }
}

/** The same arguments, whose stream fails with FILE_CHANGED at its end if a file changed meanwhile: the message is never completed. */
export function unchangedToTheEnd(args: JsonStream, opened: OpenedFiles): JsonStream {
  return {
    bytes: args.bytes,
    async *json(signal, options) {
      for await (const chunk of args.json(signal, options)) yield chunk;
      await opened.assertUnchanged();
    },
  };
}
