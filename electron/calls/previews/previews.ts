/** The files that are open in the window: a few at a time, by name, with word of their progress. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import type { EngineBounds } from '../../engine/convert-types.ts';
import type { Converter } from '../../engine/index.ts';
import type { FileAccess, OpenFile } from '../../files/types.ts';
import { conversionOf } from '../payloads.ts';
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

export class Previews {
  private readonly options: PreviewsOptions;
  /** In the order of their opening. */
  private readonly entries = new Map<string, Entry>();
  private closed = false;

  constructor(options: PreviewsOptions) {
    this.options = options;
  }

  /** Errors are those of opening; what is wrong with the content is in the state. */
  async open(path: string, options: ConversionOptions): Promise<NamedPreview> {
    const file = await this.options.files.open(path);
    if (this.closed) {
      await file.close();
      throw previewClosed();
    }
    const id = randomUUID();
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
   * A session for a call with a file: the one that shows it with these options, or one of the call's own. To be
   * returned afterwards; closing the preview meanwhile does the call no harm.
   */
  async borrow(path: string, options: ConversionOptions): Promise<{ session: PreviewSession; giveBack: () => Promise<void> }> {
    const wanted = conversionOf(options);
    const shown = [...this.entries.values()]
      .map(({ session }) => session)
      .find(({ file, options: own }) => file.path === path && isDeepStrictEqual(own, wanted));
    // One that fails here, or has failed before, is of no use to the call: the file may be well by now.
    await shown?.assertUnchanged().catch(() => undefined);
    const usable = shown?.state.state === 'failed' ? undefined : shown;
    const session = usable ?? this.start(await this.options.files.open(path), wanted, () => undefined);
    const giveBack = session.borrow();
    if (!usable) await session.close();
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

  async closeAll(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.entries.keys()].map((id) => this.close(id)));
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
