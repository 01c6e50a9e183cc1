/** Converts where it stalls nobody: small files in this thread, others in a worker thread. */
import { AppError } from '../../../shared/model/errors.ts';
import { convert, convertHead } from '../convert.ts';
import type { Conversion, ConvertRequest } from '../convert-types.ts';
import { noElements } from '../failures.ts';
import type { ByteSource } from '../source.ts';
import {
  type ConversionFacts,
  closeConversion,
  conversionElements,
  conversionJson,
  locateValue,
  openConversion,
} from './conversion-messages.ts';
import { createThreadPool, type ThreadLease, type ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';
import { isHeavy } from './weight.ts';

/** `convert` and `convertHead`, wherever they run. */
export interface Converter {
  convert(source: ByteSource, request: ConvertRequest): Promise<Conversion>;
  convertHead(source: ByteSource, request: ConvertRequest, bytes: number): Promise<Conversion | null>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** All in the thread of the caller. */
export const inProcess: Converter = { convert, convertHead, close: async () => undefined };

/** Heavy sources in threads of their own. The same bytes and the same errors come out. */
export function threadedConverter(options: ThreadPoolOptions): Converter {
  const pool = createThreadPool(options);
  return {
    async convert(source, request) {
      if (!isHeavy(source, request)) return convert(source, request);
      return (await convertInThread(pool, source, request)) as Conversion;
    },
    async convertHead(source, request, bytes) {
      return isHeavy(source, request, bytes)
        ? convertInThread(pool, source, request, bytes)
        : convertHead(source, request, bytes);
    },
    close: () => pool.close(),
  };
}

let lastId = 0;

/** Null only where `convertHead` gives null. */
export async function convertInThread(
  pool: ThreadPool,
  source: ByteSource,
  request: ConvertRequest,
  head?: number,
): Promise<Conversion | null> {
  const { signal, onProgress, bounds, place, ...options } = request;
  const lease = pool.lease();
  const lent = lease.sources.lend(source);
  lastId += 1;
  const id = lastId;
  const lifetime = new AbortController();
  const close = () => {
    if (lifetime.signal.aborted) return;
    lifetime.abort(new AppError('INTERNAL', 'The conversion was closed'));
    lease.sources.takeBack(lent);
    lease.release(lease.channel.call(closeConversion, { id }));
  };
  try {
    const facts = await lease.channel.call(
      openConversion,
      { id, source: lent, options, bounds, place, head },
      { signal, onEvent: ({ bytesRead, totalBytes }) => onProgress?.(bytesRead, totalBytes) },
    );
    if (facts !== null) return conversionOf(lease, id, facts, lifetime.signal, close);
  } catch (error) {
    close();
    throw error;
  }
  close();
  return null;
}

function conversionOf(
  { channel }: ThreadLease,
  id: number,
  facts: ConversionFacts,
  until: AbortSignal,
  close: () => void,
): Conversion {
  return {
    ...facts,
    json: (signal) => channel.stream(conversionJson, { id }, { signal, until }),
    elements({ signal, start = 0 } = {}) {
      if (facts.kind !== 'array') throw noElements(facts.kind);
      return channel.stream(conversionElements, { id, start }, { signal, until });
    },
    locate: (pointer) => channel.call(locateValue, { id, pointer }, { until }),
    close,
  };
}
