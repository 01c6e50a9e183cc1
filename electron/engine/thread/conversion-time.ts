/** Ends conversions by a library that may compute for any time without looking at the clock. */
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import type { ByteSource } from '../core/source.ts';
import { detectFormat } from '../input/detect.ts';

/** Hundreds of pages take a few seconds. */
const PDF_SECONDS = 120;

interface TimeLimit {
  /** Aborted with the caller's signal, or when the time is over. */
  readonly signal: AbortSignal | undefined;
  /** PARSE_FAILED if the time is over. */
  throwIfOver(): void;
  end(): void;
}

/** A cancelled conversion's thread is ended if it does not stop by itself, so the limit holds for any file. */
export function timeLimited(source: ByteSource, { signal, format, as }: ConvertRequest, seconds = PDF_SECONDS): TimeLimit {
  const verbatim = as === 'base64' || as === 'data_uri';
  if (verbatim || detectFormat(source.name, format).format !== 'pdf')
    return { signal, throwIfOver: () => undefined, end: () => undefined };
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, seconds * 1000);
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    throwIfOver() {
      if (!over) return;
      throw new AppError('PARSE_FAILED', say('document.failed', { format: 'pdf', reason: say('document.slow', { seconds }) }), {
        hint: say('document.slow.hint'),
      });
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}
