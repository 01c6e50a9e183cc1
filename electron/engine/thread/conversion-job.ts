/** Runs conversions in a worker thread and holds those that the main thread has open. */
import { AppError } from '../../../shared/model/errors.ts';
import { convert, convertHead } from '../convert/convert.ts';
import type { Conversion } from '../core/convert-types.ts';
import type { ElementChunk } from '../core/payload.ts';
import type { OpenElsewhere, SecondThread } from '../core/source.ts';
import type { Job } from './channel.ts';
import { type Asker, type Handler, messageMemory, onCall, onStream, type Spare } from './handlers.ts';
import {
  type ConversionInput,
  type ConversionProgress,
  closeConversion,
  conversionElements,
  conversionJson,
  locateValue,
  openConversion,
} from './requests.ts';
import { hashBeside } from './second-tasks.ts';
import { ReceivedSources } from './transferable-source.ts';

/** A conversion from its request until it is closed. */
interface Entry {
  readonly lifetime: AbortController;
  conversion?: Conversion;
}

/** JSON text per message. Bytes. */
const MESSAGE_BYTES = 512 * 1024;

/** `openElsewhere` opens sources in this thread; `second` helps with big ones. */
export const conversionJob =
  (openElsewhere: OpenElsewhere, second?: SecondThread): Job =>
  (channel) =>
    handlersOf(new ReceivedSources(channel, openElsewhere), second);

function handlersOf(sources: ReceivedSources, second: SecondThread | undefined): readonly Handler[] {
  const entries = new Map<number, Entry>();

  async function open(input: ConversionInput, asker: Asker<ConversionProgress>) {
    const entry: Entry = { lifetime: new AbortController() };
    entries.set(input.id, entry);
    const { options, bounds, place, head } = input;
    const source = sources.receive(input.source, entry.lifetime.signal);
    const request = {
      ...options,
      bounds,
      place,
      second,
      signal: asker.signal,
      onProgress: (bytesRead: number, totalBytes: number) => asker.tell({ bytesRead, totalBytes }),
    };
    // A sealed source is hashed as it is read: a separate reading could see other bytes.
    const hash = head === undefined && !options.bytesOnly && !options.sealed ? hashBeside(source, second) : undefined;
    const stop = () => void hash?.stop();
    asker.signal.addEventListener('abort', stop, { once: true });
    try {
      const wanted = { ...request, hashedElsewhere: hash !== undefined };
      const conversion = head === undefined ? await convert(source, wanted) : await convertHead(source, wanted, head);
      if (conversion === null) return null;
      entry.conversion = conversion;
      const { kind, records, bytes, seeks, heldBytes, report } = conversion;
      return { kind, records, bytes, seeks, heldBytes, report: hash ? { ...report, sha256: await hash.sha256 } : report };
    } catch (error) {
      stop();
      throw error;
    } finally {
      asker.signal.removeEventListener('abort', stop);
    }
  }

  function find(id: number): Conversion {
    const conversion = entries.get(id)?.conversion;
    if (conversion === undefined) throw new AppError('INTERNAL', 'A conversion was used after it had been closed');
    return conversion;
  }

  return [
    ...sources.handlers,
    onCall(openConversion, open),
    onCall(closeConversion, ({ id }) => {
      const entry = entries.get(id);
      entry?.lifetime.abort();
      entry?.conversion?.close();
      entries.delete(id);
    }),
    onCall(locateValue, ({ id, pointer }) => find(id).locate(pointer)),
    onStream(conversionJson, ({ id }, signal, spare) => gathered(find(id).json(signal, { reuse: true }), spare)),
    onStream(conversionElements, ({ id, start }, signal, spare) => {
      const chunks = find(id).elements({ signal, start, reuse: spare !== undefined });
      return spare === undefined ? chunks : copied(chunks, spare);
    }),
  ];
}

/** The same bytes in chunks of one size, each in separate memory: the cost of a message does not depend on its size. */
async function* gathered(chunks: AsyncIterable<Uint8Array>, spare: Spare): AsyncIterable<Uint8Array> {
  const newMessage = () => new Uint8Array(messageMemory(MESSAGE_BYTES, spare?.()), 0, MESSAGE_BYTES);
  let message = newMessage();
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + MESSAGE_BYTES - filled);
      message.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < MESSAGE_BYTES) continue;
      yield message;
      message = newMessage();
      filled = 0;
    }
  }
  if (filled > 0) yield spare ? message.subarray(0, filled) : message.slice(0, filled);
}

/** The same elements in separate memory. */
async function* copied(chunks: AsyncIterable<ElementChunk>, spare: Spare): AsyncIterable<ElementChunk> {
  for await (const { data, ends, lines, checkpoint } of chunks) {
    const copy = new Uint8Array(messageMemory(Math.max(data.length, MESSAGE_BYTES), spare?.()), 0, data.length);
    copy.set(data);
    yield { data: copy, ends: ends.slice(), ...(lines && { lines: lines.slice() }), checkpoint };
  }
}
