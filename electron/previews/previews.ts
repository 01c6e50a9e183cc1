/** The files that are open in the window: a few at a time, by name, with word of their progress. */

import { isDeepStrictEqual } from 'node:util';
import type { ConversionOptions } from '../../shared/model/conversion.ts';
import { conversionOf } from '../calls/open.ts';
import type { EngineBounds } from '../engine/core/convert-types.ts';
import type { Converter } from '../engine/index.ts';
import type { FileAccess, OpenFile } from '../files/types.ts';
import { PreviewSession, type PreviewState, previewClosed } from './preview-session.ts';

/** Each holds a file open and some megabytes; the window shows one. */
const MOST_OPEN = 4;
/** Progress is told no more often. */
const TELL_EVERY_MS = 250;

export interface NamedPreview extends PreviewState {
  readonly id: string;
}

export interface PreviewsOptions {
  readonly files: FileAccess;
  readonly bounds: () => EngineBounds;
  readonly converter: Converter;
  /** Told at most four times a second for each preview, and always of how it ended. */
  readonly onChange: (preview: NamedPreview) => void;
}

interface Entry {
  readonly id: string;
  readonly session: PreviewSession;
  readonly tell: { timer: NodeJS.Timeout | undefined; last: number };
}

interface SharedSession {
  readonly session: PreviewSession;
  readonly giveBack: () => Promise<void>;
}

export class Previews {
  private readonly options: PreviewsOptions;
  /** In the order of their opening. */
  private readonly entries = new Map<string, Entry>();
  private readonly uses = new Set<{ session: PreviewSession; working: Promise<unknown> }>();
  private readonly ending = new AbortController();

  constructor(options: PreviewsOptions) {
    this.options = options;
  }

  /** `id` is the caller's; one that is open is closed first. Errors are those of opening; what is wrong with the content is in the state. */
  async open(id: string, path: string, options: ConversionOptions): Promise<NamedPreview> {
    const file = await this.options.files.open(path);
    if (this.ending.signal.aborted) {
      await file.close();
      throw previewClosed();
    }
    await this.close(id);
    const session = this.start(file, conversionOf(options), () => this.changed(id));
    this.entries.set(id, { id, session, tell: { timer: undefined, last: 0 } });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= MOST_OPEN) break;
      await this.close(oldest);
    }
    await session.ready();
    return { id, ...session.state };
  }

  async get(id: string): Promise<NamedPreview> {
    const { session } = this.entry(id);
    // A change is what the state then tells of.
    await session.assertUnchanged().catch(() => undefined);
    return { id, ...session.state };
  }

  session(id: string): PreviewSession {
    return this.entry(id).session;
  }

  /**
   * Works on a file for a call: with the session that shows it with these options, or with one of the call's own. Closing
   * the preview meanwhile does the call no harm.
   */
  async use<T>(
    path: string,
    options: ConversionOptions,
    work: (session: PreviewSession, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const wanted = conversionOf(options);
    const shown = [...this.entries.values()]
      .map(({ session }) => session)
      .find(({ file, options: own }) => file.path === path && isDeepStrictEqual(own, wanted));
    const { session, giveBack } = (shown && (await sharedSession(shown))) ?? (await this.ownSession(path, wanted));
    const working = work(session, this.ending.signal).finally(giveBack);
    const use = { session, working };
    this.uses.add(use);
    return working.finally(() => this.uses.delete(use));
  }

  /** Ends when it is given back. */
  private async ownSession(path: string, options: ConversionOptions): Promise<SharedSession> {
    const session = this.start(await this.options.files.open(path), options, () => undefined);
    const giveBack = session.borrow();
    await session.close();
    return { session, giveBack };
  }

  private start(file: OpenFile, options: ConversionOptions, onChange: () => void): PreviewSession {
    const { bounds, converter } = this.options;
    return new PreviewSession({ file, options, bounds: bounds(), converter, onChange });
  }

  /** Closing what is not open is no error. */
  async close(id: string): Promise<void> {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.delete(id);
    clearTimeout(entry.tell.timer);
    await entry.session.close();
  }

  /** The files that are shown now. */
  shown(): string[] {
    return [...this.entries.keys()];
  }

  /** Ends everything, calls under way too. */
  async closeAll(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.shown().map((id) => this.close(id)));
    const uses = [...this.uses];
    await Promise.all(uses.map(({ session }) => session.end()));
    await Promise.allSettled(uses.map(({ working }) => working));
  }

  private entry(id: string): Entry {
    const entry = this.entries.get(id);
    if (!entry) throw previewClosed();
    return entry;
  }

  private changed(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    const { tell, session } = entry;
    const now = () => {
      clearTimeout(tell.timer);
      tell.timer = undefined;
      tell.last = performance.now();
      this.options.onChange({ id, ...session.state });
    };
    const wait = tell.last + TELL_EVERY_MS - performance.now();
    if (session.state.state !== 'reading' || wait <= 0) now();
    else tell.timer ??= setTimeout(now, wait);
  }
}

/** One that has failed, or fails here, is of no use to a call: the file may be well by now. */
async function sharedSession(session: PreviewSession): Promise<SharedSession | undefined> {
  const giveBack = session.borrow();
  await session.assertUnchanged().catch(() => undefined);
  if (session.state.state !== 'failed') return { session, giveBack };
  await giveBack();
  return undefined;
}
