/** Work that several callers wait for. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

/** Lets one caller cancel without ending the shared operation. */
export async function unlessAborted<T extends object>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const cancelled = () => new AppError('CANCELLED', say('call.cancelled'));
  if (signal.aborted) {
    if (work instanceof Promise) work.catch(() => {});
    throw cancelled();
  }
  // Mostly it is there.
  if (!(work instanceof Promise)) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
