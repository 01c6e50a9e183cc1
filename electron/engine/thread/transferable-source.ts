/** Lets another thread read a source: directly if possible, otherwise this thread reads and sends the bytes. */
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import type { ByteSource, Elsewhere, OpenElsewhere, ReadOptions, SharedSource } from '../core/source.ts';
import type { Channel } from './channel.ts';
import { callName, type Handler, onCall, onStream, streamName } from './handlers.ts';

/** Transferable handle of a source. */
export interface TransferableSource {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  /** Whether it can be read from any offset. */
  readonly seekable: boolean;
  /** Plain data with which the receiving thread opens the source itself. */
  readonly facts?: unknown;
  readonly log?: Uint8Array | undefined;
  readonly logUnread?: boolean | undefined;
  readonly isUnfinished?: boolean | undefined;
}

const readTransferred = streamName<{ source: number; offset: number | null }, Uint8Array>('source.read');
/** Replaces a revoked source: the new source's facts. */
const replaceShared = callName<{ source: number; facts: unknown }, void>('source.replace');
/** Answered once the source is no longer read. */
const revokeShared = callName<{ source: number }, void>('source.revoke');

/** The sources that this thread has transferred. */
export class TransferableSources {
  private readonly channel: Channel;
  private readonly sources = new Map<number, { source: ByteSource; letGo: (() => void) | undefined }>();
  private lastId = 0;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  readonly handlers: readonly Handler[] = [
    onStream(readTransferred, ({ source, offset }, signal) => {
      const transferred = this.sources.get(source)?.source;
      if (transferred === undefined) throw revoked();
      return offset === null || transferred.readFrom === undefined
        ? transferred.read(signal)
        : transferred.readFrom(offset, signal);
    }),
  ];

  transfer(source: ByteSource): TransferableSource {
    this.lastId += 1;
    this.keep(this.lastId, source);
    const { name, size, readFrom, elsewhere, log, logUnread, isUnfinished } = source;
    return {
      id: this.lastId,
      name,
      size,
      seekable: readFrom !== undefined,
      facts: elsewhere?.facts,
      log,
      logUnread,
      isUnfinished,
    };
  }

  /** Replaces a revoked source by another one with the same bytes. */
  replace({ id }: TransferableSource, source: ByteSource): void {
    this.keep(id, source);
    if (source.elsewhere === undefined) return;
    // If the thread has ended, the next request to it fails.
    this.channel.call(replaceShared, { source: id, facts: source.elsewhere.facts }, { brief: true }).catch(() => undefined);
  }

  revoke({ id }: TransferableSource): void {
    const letGo = this.sources.get(id)?.letGo;
    this.sources.delete(id);
    if (letGo !== undefined) this.channel.call(revokeShared, { source: id }, { brief: true }).then(letGo, letGo);
  }

  private keep(id: number, source: ByteSource): void {
    this.sources.set(id, { source, letGo: source.elsewhere?.hold() });
  }
}

/** The sources that this thread has received. */
export class ReceivedSources {
  private readonly channel: Channel;
  private readonly openElsewhere: OpenElsewhere;
  /** Sources that this thread reads directly. */
  private readonly shared = new Map<number, { source: SharedSource; facts: unknown }>();

  constructor(channel: Channel, openElsewhere: OpenElsewhere) {
    this.channel = channel;
    this.openElsewhere = openElsewhere;
  }

  readonly handlers: readonly Handler[] = [
    onCall(replaceShared, ({ source, facts }) => {
      this.open(source, facts);
    }),
    onCall(revokeShared, async ({ source }) => {
      const shared = this.shared.get(source)?.source;
      this.shared.delete(source);
      await shared?.close();
    }),
  ];

  /** Opens the source in this thread, until `until` is aborted. */
  receive({ id, name, size, seekable, facts, log, logUnread, isUnfinished }: TransferableSource, until: AbortSignal): ByteSource {
    const isShared = facts !== undefined;
    if (isShared) this.open(id, facts);
    const elsewhere = () => this.elsewhere(id);
    const read = (offset: number | null, signal?: AbortSignal, options?: ReadOptions) =>
      isShared
        ? this.readShared(id, offset ?? 0, until, signal, options)
        : this.channel.stream(readTransferred, { source: id, offset }, { signal, until });
    return {
      name,
      size,
      log,
      logUnread,
      isUnfinished,
      read: (signal, options) => read(null, signal, options),
      ...(seekable
        ? { readFrom: (offset: number, signal?: AbortSignal, options?: ReadOptions) => read(offset, signal, options) }
        : {}),
      get elsewhere() {
        return elsewhere();
      },
    };
  }

  private open(id: number, facts: unknown): void {
    this.shared.set(id, { source: this.openElsewhere(facts), facts });
  }

  /** For transferring it to a further thread. */
  private elsewhere(id: number): Elsewhere | undefined {
    const shared = this.shared.get(id);
    return shared && { facts: shared.facts, hold: shared.source.hold, readNow: shared.source.readNow };
  }

  private async *readShared(
    id: number,
    offset: number,
    until: AbortSignal,
    signal?: AbortSignal,
    options?: ReadOptions,
  ): AsyncGenerator<Uint8Array> {
    const shared = this.shared.get(id)?.source;
    if (shared === undefined) throw revoked();
    for await (const chunk of shared.readFrom(offset, signal, options)) {
      if (until.aborted) throw toAppError(until.reason);
      yield chunk;
    }
  }
}

const revoked = () => new AppError('INTERNAL', 'A source was read after it had been taken back');
