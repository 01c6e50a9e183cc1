/** Runs heavy conversions in worker threads and small ones in the calling thread. */
import type { TokenCount } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { formatTable } from '../../../shared/model/formats.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { convert, convertHead } from '../convert/convert.ts';
import type { Conversion, ConvertRequest } from '../core/convert-types.ts';
import { noElements, throwIfCancelled } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { detectFormat } from '../input/detect.ts';
import {
  type ConversionFacts,
  closeConversion,
  conversionElements,
  conversionJson,
  countTokensOf,
  locateValue,
  openConversion,
  tokensOf,
} from './requests.ts';
import { createThreadPool, type ThreadLease, type ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';
import type { TransferableSource } from './transferable-source.ts';

/** `convert`, `convertHead` and token counting, in whichever thread they run. */
export interface Converter {
  convert(source: ByteSource, request: ConvertRequest): Promise<Conversion>;
  convertHead(source: ByteSource, request: ConvertRequest, bytes: number): Promise<Conversion | null>;
  /** Tokens of a text: exact up to a few hundred kilobytes, estimated from samples beyond that. */
  countTokens(text: string): Promise<TokenCount>;
  /** Stops everything that is in progress. */
  close(): Promise<void>;
}

/** Runs everything in the calling thread. */
export const inProcess: Converter = { convert, convertHead, countTokens: tokensOf, close: async () => undefined };

/**
 * Converts heavy sources in worker threads, with the same bytes and errors as in the calling thread. Caches closed
 * conversions, so that a preview, a dry run and the call itself read an unchanged file once.
 */
export function threadedConverter(options: ThreadPoolOptions): Converter {
  const pool = createThreadPool(options);
  const cache = new ConversionCache<CachedConversion>();
  return {
    async convert(source, request) {
      if (!isHeavy(source, request)) return convert(source, request);
      const key = source.identity === undefined ? undefined : keyOf(source, request);
      if (key === undefined) return (await convertInThread(pool, source, request)) as Conversion;
      request.signal?.throwIfAborted();
      const toCache = (entry: CachedConversion) => cache.put(key, entry);
      const known = cache.take(key)?.reopen(source, toCache);
      if (known === undefined) return (await convertInThread(pool, source, request, { toCache })) as Conversion;
      request.onProgress?.(source.size, source.size);
      return known;
    },
    async convertHead(source, request, bytes) {
      return isHeavy(source, request, bytes)
        ? convertInThread(pool, source, request, { head: bytes })
        : convertHead(source, request, bytes);
    },
    async countTokens(text) {
      const lease = pool.lease('small');
      try {
        return await lease.channel.call(countTokensOf, { text });
      } finally {
        lease.release(Promise.resolve());
      }
    },
    async close() {
      cache.clear();
      await pool.close();
    },
  };
}

/** Everything that determines the result. */
function keyOf({ identity, name }: ByteSource, { signal: _, onProgress: __, second: ___, ...options }: ConvertRequest): string {
  return JSON.stringify([identity, name, options]);
}

/** A closed conversion that its thread still holds. */
interface CachedConversion extends CacheEntry {
  /** Reopens it for a source with the same bytes; undefined if the thread has ended. */
  reopen(source: ByteSource, toCache: ToCache): Conversion | undefined;
}

type ToCache = (entry: CachedConversion) => void;

let lastId = 0;

interface InThreadOptions {
  /** Reads only this many bytes, as `convertHead` does. */
  head?: number | undefined;
  /** Caches the conversion when it is closed. Absent: it is freed. */
  toCache?: ToCache | undefined;
}

/** Null only if `convertHead` returns null. */
export async function convertInThread(
  pool: ThreadPool,
  source: ByteSource,
  request: ConvertRequest,
  { head, toCache }: InThreadOptions = {},
): Promise<Conversion | null> {
  const { signal, onProgress, bounds, place, second: _, ...options } = request;
  const limited = timeLimited(source, request);
  const lease = pool.lease();
  const transferred = lease.sources.transfer(source);
  lastId += 1;
  const id = lastId;
  const giveUp = () => {
    lease.sources.revoke(transferred);
    lease.release(lease.channel.call(closeConversion, { id }, { brief: true }));
  };
  try {
    const facts = await lease.channel.call(
      openConversion,
      { id, source: transferred, options, bounds, place, head },
      { signal: limited.signal, onEvent: ({ bytesRead, totalBytes }) => onProgress?.(bytesRead, totalBytes) },
    );
    if (facts !== null) return new InThread(id, transferred, facts).open(lease, toCache);
  } catch (error) {
    giveUp();
    throwIfCancelled(signal);
    limited.throwIfOver();
    throw error;
  } finally {
    limited.end();
  }
  giveUp();
  return null;
}

/** A conversion in a thread: open with a lease, or cached without one. */
class InThread {
  private readonly id: number;
  private readonly transferred: TransferableSource;
  private readonly facts: ConversionFacts;

  constructor(id: number, transferred: TransferableSource, facts: ConversionFacts) {
    this.id = id;
    this.transferred = transferred;
    this.facts = facts;
  }

  open(lease: ThreadLease, toCache: ToCache | undefined): Conversion {
    const { id, transferred, facts } = this;
    const { channel } = lease;
    const lifetime = new AbortController();
    const until = lifetime.signal;
    return {
      ...facts,
      json: (signal, options) => channel.stream(conversionJson, { id }, { signal, until, reuse: options?.reuse }),
      elements({ signal, start = 0, reuse } = {}) {
        if (facts.kind !== 'array') throw noElements(facts.kind);
        return channel.stream(conversionElements, { id, start }, { signal, until, reuse });
      },
      locate: (pointer) => channel.call(locateValue, { id, pointer }, { until }),
      close: () => {
        if (until.aborted) return;
        lifetime.abort(new AppError('INTERNAL', 'The conversion was closed'));
        lease.sources.revoke(transferred);
        if (toCache === undefined) {
          lease.release(channel.call(closeConversion, { id }, { brief: true }));
          return;
        }
        lease.release(Promise.resolve());
        toCache(this.cached(lease));
      },
    };
  }

  private cached(lease: ThreadLease): CachedConversion {
    return {
      bytes: this.facts.heldBytes,
      get alive() {
        return lease.alive;
      },
      drop: () => {
        const again = lease.again();
        again?.release(again.channel.call(closeConversion, { id: this.id }, { brief: true }));
      },
      reopen: (source, toCache) => {
        const again = lease.again();
        if (again === undefined) return undefined;
        again.sources.replace(this.transferred, source);
        return this.open(again, toCache);
      },
    };
  }
}

/** Decompressed, this much may be any size. Bytes. */
const PACKED_BYTES = 32 * 1024;

/** Whether to convert the source, or its first `head` bytes, in a thread. */
function isHeavy(source: ByteSource, request: ConvertRequest, head = Number.POSITIVE_INFINITY): boolean {
  const { format, compression } = detectFormat(source.name, request.format);
  const { heavyFrom } = formatTable[format ?? 'text'];
  return Math.min(source.size, head) > (compression === null ? heavyFrom : Math.min(heavyFrom, PACKED_BYTES));
}

/** Total size of the cache, in the threads' memory. Bytes. */
const BUDGET_BYTES = 64 * 1024 * 1024;
/** Each entry holds checkpoints and the format's results, however large the file is. */
const MAX_ENTRIES = 16;

/** A closed conversion that can be reopened. */
export interface CacheEntry {
  /** Memory that it holds, in bytes. */
  readonly bytes: number;
  /** Whether its thread is still running. */
  readonly alive: boolean;
  /** Frees it. */
  drop(): void;
}

/** Evicts the least recently cached entries first. */
export class ConversionCache<Entry extends CacheEntry> {
  private readonly entries = new Map<string, Entry>();

  /** Removes the entry and returns it. */
  take(key: string): Entry | undefined {
    const found = this.entries.get(key);
    this.entries.delete(key);
    return found?.alive ? found : undefined;
  }

  put(key: string, entry: Entry): void {
    this.entries.get(key)?.drop();
    this.entries.delete(key);
    this.entries.set(key, entry);
    let bytes = 0;
    let count = 0;
    for (const [each, { bytes: held, alive, drop }] of [...this.entries].reverse()) {
      bytes += held;
      count += 1;
      if (alive && bytes <= BUDGET_BYTES && count <= MAX_ENTRIES) continue;
      this.entries.delete(each);
      drop();
    }
  }

  clear(): void {
    for (const { drop } of this.entries.values()) drop();
    this.entries.clear();
  }
}

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
