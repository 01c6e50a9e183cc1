/** Prepares a text file for a format: decompresses it, detects its encoding, and decodes it to UTF-8. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { bytesAfter, firstBytes } from '../core/byte-streams.ts';
import type { StoredText, Utf8Source } from '../core/reader.ts';
import type { ByteSource, ReadOptions, Skips } from '../core/source.ts';
import {
  decodeToUtf8,
  type EncodingHints,
  EncodingWatch,
  HEAD_BYTES,
  htmlDeclaredEncoding,
  type SettledEncoding,
  settleEncoding,
  xmlDeclaredEncoding,
} from './decode.ts';
import { decompress, releasesChunks } from './decompress.ts';
import type { NamedFormat } from './detect.ts';
import { bounded, type Input, type StoredRequest, stored } from './input.ts';

/** How to read a text. */
export interface TextRequest extends StoredRequest {
  readonly named: NamedFormat;
  readonly encoding: string | undefined;
}

/** Facts about a text after its first complete pass. */
export interface TextFacts extends Input {
  readonly settled: SettledEncoding;
}

/** Sees the stored bytes, and their number so far. */
type Tap = (chunk: Uint8Array, bytes: number) => void;

/** The decompressed, undecoded bytes, within the size limit. */
function plainBytes(
  source: ByteSource,
  { named, bound }: TextRequest,
  tap: Tap,
  signal?: AbortSignal,
  options?: ReadOptions,
): AsyncIterable<Uint8Array> {
  const reading = named.compression ? { reuse: releasesChunks(named.compression) } : options;
  const bytes = stored(source.read(signal, reading), signal, tap);
  return named.compression
    ? bounded(decompress(bytes, named.compression, signal), bound, null)
    : bounded(bytes, bound, source.size);
}

function hintsOf({ named, encoding }: TextRequest): EncodingHints {
  const declared = { xml: xmlDeclaredEncoding, html: htmlDeclaredEncoding };
  const { format } = named;
  return { requested: encoding, declaredIn: format === 'xml' || format === 'html' ? declared[format] : undefined };
}

/** Reads a text of any encoding once to detect the encoding; then it can be read decoded. */
export async function readText(source: ByteSource, request: TextRequest): Promise<TextFacts & { text: Utf8Source }> {
  const { named, progress, signal, hashed, head } = request;
  const hash = hashed ? createHash('sha256') : undefined;
  let size = 0;
  let cut = false;
  const plain = (again: AbortSignal | undefined, tap: Tap, options?: ReadOptions) => {
    const whole = plainBytes(source, request, tap, again, options);
    return head === undefined
      ? whole
      : firstBytes(whole, head, () => {
          cut = true;
        });
  };
  const seen: Tap = (chunk, bytes) => {
    hash?.update(chunk);
    size = bytes;
    progress.read(bytes);
  };
  const first = plain(signal, seen, { reuse: true });
  const settled = await settleEncoding(first, hintsOf(request), () => cut);
  progress.nextPass();
  // Offsets can be counted only if the stored bytes are the text.
  const readFrom = named.compression === null && settled.encoding === 'utf-8' && !cut ? source.readFrom : undefined;
  return {
    sha256: hash?.digest('hex') ?? '',
    bytes: size,
    settled,
    cut,
    text: {
      read: (again, options) =>
        decodeToUtf8(
          plain(again, (_, bytes) => progress.read(bytes), cut ? undefined : options),
          settled,
          cut,
        ),
      readFrom:
        readFrom && ((offset, again, options) => stored(readFrom.call(source, offset + settled.bomBytes, again, options), again)),
    },
  };
}

/** Thrown to the reader of a text that was assumed to be UTF-8 and is not, or whose encoding cannot be detected. */
export class NotUtf8 extends Error {}

/**
 * Assumes UTF-8 until a byte proves otherwise: then reading fails with NotUtf8, and the text must be read with
 * `readText`. So most files are hashed, checked and scanned in one pass.
 */
export class Utf8Text {
  /** Known once the text was read whole. */
  facts: TextFacts | undefined;
  private readonly source: ByteSource;
  private readonly request: TextRequest;
  private bomBytes = 0;
  /** Hashing reads the whole file. */
  private readonly skips: Skips | undefined;
  /** The decompressed text, if it is small enough to keep. */
  private kept: KeptText | undefined;

  constructor(source: ByteSource, request: TextRequest) {
    this.source = source;
    this.request = request;
    if (!request.hashed && this.isStored) this.skips = { until: 0, at: 0 };
  }

  /** Whether the bytes that another thread may read are the text. */
  private get isStored(): boolean {
    return this.source.elsewhere !== undefined && this.request.named.compression === null;
  }

  /** The text; seekable if the stored bytes are the text or the decompressed text was kept. */
  get text(): Utf8Source {
    const readFrom = (offset: number, signal?: AbortSignal, options?: ReadOptions) => this.readFrom(offset, signal, options);
    const stored = () => this.stored;
    const seekable = () => (this.request.named.compression ? this.kept?.overflown !== true : this.source.readFrom !== undefined);
    return {
      read: (signal, options) => (this.facts ? this.again(this.facts, signal, options) : this.firstPass(signal, options)),
      get readFrom() {
        return seekable() ? readFrom : undefined;
      },
      get stored() {
        return stored();
      },
    };
  }

  /** Bytes that are kept. */
  get heldBytes(): number {
    return this.kept?.bytes ?? 0;
  }

  /** Frees the kept text; reading continues from the source. */
  close(): void {
    this.kept?.drop();
  }

  private get stored(): StoredText | undefined {
    const { bomBytes: base, skips } = this;
    const { elsewhere, size } = this.source;
    return elsewhere && this.isStored ? { elsewhere, base, size: size - base, skips } : undefined;
  }

  private async *firstPass(signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array> {
    const { request, skips } = this;
    // The next reader needs the bytes that an earlier reader skipped.
    if (skips) Object.assign(skips, { until: 0, at: 0 } satisfies Skips);
    const watch = new EncodingWatch(hintsOf(request));
    const hash = request.hashed ? createHash('sha256') : undefined;
    const kept = request.named.compression ? new KeptText() : undefined;
    let size = 0;
    let head: Uint8Array[] | undefined = [];
    let headBytes = 0;
    const tap: Tap = (chunk, bytes) => {
      hash?.update(chunk);
      if (skips && skips.at !== size) watch.goTo(skips.at);
      size = skips ? skips.at + chunk.length : bytes;
      request.progress.read(size);
    };
    this.kept = kept;
    try {
      for await (const chunk of plainBytes(this.source, request, tap, signal, { ...options, skips })) {
        watch.push(chunk);
        kept?.push(chunk);
        if (head === undefined) yield chunk;
        else {
          headBytes += chunk.length;
          if (headBytes < HEAD_BYTES) {
            head.push(new Uint8Array(chunk));
            continue;
          }
          head.push(chunk);
          yield* this.opened(watch, head);
          head = undefined;
        }
      }
      if (head !== undefined) yield* this.opened(watch, head);
      const settled = watch.settled();
      if (settled.encoding !== 'utf-8' || settled.badAt !== undefined) throw new NotUtf8();
      this.facts ??= { sha256: hash?.digest('hex') ?? '', bytes: size, settled, cut: false };
      request.progress.nextPass();
    } finally {
      // A partial read caches nothing.
      if (this.facts === undefined) kept?.drop();
    }
  }

  /** The beginning, without its byte-order mark. */
  private *opened(watch: EncodingWatch, head: readonly Uint8Array[]): Iterable<Uint8Array> {
    const { encoding, bomBytes } = watch.expected();
    if (encoding !== 'utf-8') throw new NotUtf8();
    this.bomBytes = bomBytes;
    let left = bomBytes;
    for (const chunk of head) {
      const cut = Math.min(left, chunk.length);
      left -= cut;
      if (chunk.length > cut) yield chunk.subarray(cut);
    }
  }

  private again(facts: TextFacts, signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array> {
    if (this.kept?.whole) return this.kept.read(this.bomBytes);
    const { progress } = this.request;
    return decodeToUtf8(
      plainBytes(this.source, this.request, (_, bytes) => progress.read(bytes), signal, options),
      facts.settled,
    );
  }

  private readFrom(offset: number, signal?: AbortSignal, options?: ReadOptions): AsyncIterable<Uint8Array> {
    const { source, bomBytes, kept } = this;
    if (kept?.whole) return kept.read(offset + bomBytes);
    if (!this.request.named.compression && source.readFrom)
      return stored(source.readFrom(offset + bomBytes, signal, options), signal);
    return bytesAfter(this.text.read(signal), offset);
  }
}

/** Total size kept by one thread. Bytes. */
const BUDGET_BYTES = 192 * 1024 * 1024;
/** Bytes yielded without a pause. */
const TURN_BYTES = 1024 * 1024;

let kept = 0;

/** Collects the chunks of one text until they exceed the budget. */
class KeptText {
  overflown = false;
  private chunks: Uint8Array[] = [];
  /** The chunks that are kept. */
  bytes = 0;

  /** Keeps the chunk, which must not be changed afterwards. */
  push(chunk: Uint8Array): void {
    if (this.overflown) return;
    if (kept + chunk.length > BUDGET_BYTES) {
      this.drop();
      return;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    kept += chunk.length;
  }

  /** Whether everything that was pushed is kept. */
  get whole(): boolean {
    return !this.overflown;
  }

  drop(): void {
    kept -= this.bytes;
    this.overflown = true;
    this.chunks = [];
    this.bytes = 0;
  }

  async *read(offset: number): AsyncIterable<Uint8Array> {
    let left = offset;
    let sinceTurn = 0;
    for (const chunk of this.chunks) {
      if (left >= chunk.length) {
        left -= chunk.length;
        continue;
      }
      sinceTurn += chunk.length;
      if (sinceTurn >= TURN_BYTES) {
        // Lets timers, aborts and other calls run.
        await setImmediate();
        sinceTurn = 0;
      }
      yield left > 0 ? chunk.subarray(left) : chunk;
      left = 0;
    }
  }
}
