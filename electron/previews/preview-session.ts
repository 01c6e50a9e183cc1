/** One file that is looked at in the window: its beginning at once, all of it as it is read, rows from anywhere. */

import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import type { ConversionOptions, ConversionReport } from '../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { Conversion, ConvertRequest, EngineBounds } from '../engine/core/convert-types.ts';
import type { ElementChunk } from '../engine/core/payload.ts';
import type { Converter } from '../engine/index.ts';
import { detectFormat } from '../engine/input/detect.ts';
import { type ListInside, listsInside } from '../engine/json/lists-inside.ts';
import { shortenRecord } from '../engine/json/shorten-record.ts';
import type { OpenFile } from '../files/types.ts';
import { type FileLine, linesAround } from './lines-around.ts';
import { relabelled, TypedConversions, typesWanted } from './typed-conversions.ts';

/**
 * What is told of a file before all of it was read comes from so many first bytes: a megabyte and a little, so that a
 * thread of its own reads them, and a multiple of three, as base64 wants it.
 */
const HEAD_BYTES = 3 * 350_000;
/** A file without a telling beginning that is read within this time is answered as a whole. */
const SHORT_WAIT_MS = 150;
/** Bytes of an object's JSON that are searched for lists. */
const SEARCHED_FOR_LISTS = 16 * 1024 * 1024;
const LISTS_GIVEN = 20;

export interface PreviewState {
  readonly path: string;
  /** `reading`: report and rows are those of the beginning; `failed`: they may still be. */
  readonly state: 'reading' | 'done' | 'failed';
  readonly bytesRead: number;
  readonly totalBytes: number;
  readonly report: ConversionReport | null;
  /** How many `rows` can give now; none of what is no list. */
  readonly rows: number;
  readonly error: AppError | null;
}

export interface PreviewSessionOptions {
  /** Owned by the session from now on. */
  readonly file: OpenFile;
  readonly options: ConversionOptions;
  readonly bounds: EngineBounds;
  readonly converter: Converter;
  /** Called whenever `state` says something new. */
  readonly onChange: () => void;
}

export class PreviewSession {
  readonly file: OpenFile;
  readonly options: ConversionOptions;
  private readonly bounds: EngineBounds;
  private readonly converter: Converter;
  private readonly onChange: () => void;
  private readonly ending = new AbortController();
  private readonly reading: Promise<Conversion>;
  private readonly headDone: Promise<void>;
  private headSeen: () => void = () => undefined;
  private head: Conversion | null = null;
  private whole: Conversion | null = null;
  private shown: RowReader | null = null;
  private readonly typed: TypedConversions;
  /** Closed at the end. */
  private readonly owned = new Set<Conversion>();
  /** The reading that is in progress. */
  private readonly looks = new Set<Promise<unknown>>();
  private bytesRead = 0;
  private error: AppError | null = null;
  private closed = false;
  /** Calls that work on the file now. */
  private borrowers = 0;

  constructor({ file, options, bounds, converter, onChange }: PreviewSessionOptions) {
    this.file = file;
    this.options = options;
    this.bounds = bounds;
    this.converter = converter;
    this.onChange = onChange;
    this.typed = new TypedConversions((place) => converter.convert(file.source, { ...this.request(), place }));
    this.headDone = new Promise((resolve) => {
      this.headSeen = resolve;
    });
    this.reading = this.read();
    this.reading.catch((error: unknown) => this.fail(error));
  }

  get state(): PreviewState {
    const known = this.whole ?? this.head;
    return {
      path: this.file.path,
      state: this.error ? 'failed' : this.whole ? 'done' : 'reading',
      bytesRead: this.bytesRead,
      totalBytes: this.file.size,
      report: known?.report ?? null,
      rows: known?.kind === 'array' ? known.records : 0,
      error: this.error,
    };
  }

  /** Resolves as soon as there is something to show: the beginning, all of a small file, or a failure. */
  async ready(): Promise<void> {
    const whole = this.reading.then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([this.headDone, whole]);
    if (this.head || this.whole || this.error) return;
    let timer: NodeJS.Timeout | undefined;
    const soon = new Promise((resolve) => {
      timer = setTimeout(resolve, SHORT_WAIT_MS);
    });
    await Promise.race([soon, whole]);
    clearTimeout(timer);
  }

  /** Rows of what was read so far. */
  async rows(start: number, count: number): Promise<string[]> {
    this.assertOpen();
    return this.unmixed(async () => (await this.shown?.rows(start, count)) ?? []);
  }

  /** The JSON that would be sent, from its beginning, up to some bytes. */
  async json(maxBytes: number): Promise<{ text: string; complete: boolean }> {
    this.assertOpen();
    const known = this.whole ?? this.head;
    if (known === null) return { text: '', complete: false };
    return this.unmixed(() => firstBytes(known, this.whole === null, maxBytes, this.ending.signal));
  }

  /** The lists inside an object, the longest first; none of another value. */
  async lists(): Promise<ListInside[]> {
    this.assertOpen();
    const known = this.whole ?? this.head;
    if (known?.kind !== 'object') return [];
    const lists = await this.unmixed(() => listsInside(known.json(this.ending.signal), SEARCHED_FOR_LISTS));
    return lists.slice(0, LISTS_GIVEN);
  }

  /** The line of the file on which a row begins, as error messages count it; of a sheet, its row. Null where the format has none. */
  async line(row: number): Promise<number | null> {
    this.assertOpen();
    const known = this.whole ?? this.head;
    if (known?.kind !== 'array') return null;
    return (await this.unmixed(() => known.locate([row])))?.line ?? null;
  }

  /** The file's own lines around one of them, whether it could be converted or not. */
  async around(line: number): Promise<FileLine[]> {
    this.assertOpen();
    const { encoding, entry } = this.options;
    const asText = { as: 'text', encoding, entry, bytesOnly: true, bounds: this.bounds, signal: this.ending.signal } as const;
    return this.unmixed(async () => {
      const text = await this.own(this.converter.convert(this.file.source, asText));
      return linesAround(text, line, this.ending.signal);
    });
  }

  /** FILE_CHANGED, which ends the preview, where the file is no longer what was read. */
  async assertUnchanged(): Promise<void> {
    if (this.error === null) await this.unmixed(async () => undefined);
  }

  /**
   * The conversion that a call with this file asks for: the one that is shown, or the one whose columns have the types of
   * the tool's schema, each made once. It belongs to the session.
   */
  async convert({ place }: Pick<ConvertRequest, 'place'>): Promise<Conversion> {
    if (place === undefined) return this.reading;
    await Promise.race([this.headDone, this.reading]);
    const early = typesWanted(this.state.report, this.options, place);
    // An error in the beginning is final: there is no need to read the rest.
    if (early?.differs) return this.typed.get(early.key, place);
    const whole = await this.reading;
    const wanted = typesWanted(whole.report, this.options, place);
    if (wanted === null) return whole;
    return wanted.differs ? this.typed.get(wanted.key, place) : relabelled(whole, wanted.types);
  }

  /** Keeps the session alive, closed or not, until what is answered is called. */
  borrow(): () => Promise<void> {
    this.borrowers += 1;
    let returned = false;
    return async () => {
      if (returned) return;
      returned = true;
      this.borrowers -= 1;
      if (this.closed && this.borrowers === 0) await this.end();
    };
  }

  /** Stops what is being read and lets go of the file, once no call works on it. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.borrowers === 0) await this.end();
  }

  /** The same at once, whoever works on it. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.shown?.close();
    for (const conversion of this.owned) conversion.close();
    this.typed.close();
    await this.file.close();
  }

  private request(): ConvertRequest {
    return { ...this.options, bounds: this.bounds, signal: this.ending.signal };
  }

  private async read(): Promise<Conversion> {
    const { file, converter } = this;
    if (file.size > HEAD_BYTES || detectFormat(file.source.name).compression !== null) {
      const converting = converter.convertHead(file.source, this.request(), HEAD_BYTES).catch((error: unknown) => {
        // Only the transform may name what comes later in the file; whatever else is wrong stays wrong.
        if (error instanceof AppError && error.code === 'TRANSFORM_FAILED') return null;
        throw error;
      });
      const head = await this.unmixed(() => this.own(converting));
      if (head !== null && head.report.sha256 !== '') return this.finish(head);
      this.head = head;
      if (head) this.shown = new RowReader(head, this.ending.signal);
      this.headSeen();
      this.onChange();
    }
    const onProgress = (bytesRead: number) => {
      this.bytesRead = bytesRead;
      this.onChange();
    };
    const converting = converter.convert(file.source, { ...this.request(), onProgress });
    return this.finish(await this.unmixed(() => this.own(converting)));
  }

  private async own<T extends Conversion | null>(made: Promise<T>): Promise<T> {
    const conversion = await made;
    if (conversion === null) return conversion;
    if (this.ending.signal.aborted) conversion.close();
    else this.owned.add(conversion);
    return conversion;
  }

  private finish(whole: Conversion): Conversion {
    const { head, shown } = this;
    this.whole = whole;
    this.head = null;
    this.shown = new RowReader(whole, this.ending.signal);
    this.bytesRead = this.file.size;
    this.onChange();
    // Rows of the beginning may still be on their way.
    void Promise.allSettled(this.looks).then(async () => {
      await shown?.close();
      if (head) {
        head.close();
        this.owned.delete(head);
      }
    });
    return whole;
  }

  /** Returns the value; throws FILE_CHANGED and ends the preview if it mixes two states of the file. */
  private async unmixed<T>(look: () => Promise<T>): Promise<T> {
    const seen = look();
    this.looks.add(seen);
    await seen.catch(() => undefined);
    this.looks.delete(seen);
    if (this.ending.signal.aborted) throw previewClosed();
    if (this.error?.code === 'FILE_CHANGED') throw this.error;
    try {
      await this.file.assertUnchanged();
    } catch (error) {
      this.fail(error);
      throw error;
    }
    return seen;
  }

  private fail(error: unknown): void {
    if (this.ending.signal.aborted || this.error) return;
    this.error = toAppError(error);
    this.onChange();
  }

  private assertOpen(): void {
    if (this.closed) throw previewClosed();
  }
}

/** For a preview that was closed, or that another run of the program had opened. */
export function previewClosed(): AppError {
  return new AppError('INVALID_REQUEST', say('preview.closed'), { hint: say('preview.closed.hint') });
}

async function firstBytes(
  conversion: Conversion,
  isHead: boolean,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ text: string; complete: boolean }> {
  const parts: Uint8Array[] = [];
  // The bracket or quote that ends the beginning's JSON is not there in the whole.
  const available = isHead ? conversion.bytes - 1 : conversion.bytes;
  let left = Math.min(maxBytes, available);
  for await (const chunk of conversion.json(signal)) {
    parts.push(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
    if (left === 0) break;
  }
  const complete = !isHead && conversion.bytes <= maxBytes;
  // A character that the end cuts is left out.
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(parts), { stream: true }), complete };
}

// Rows from anywhere in a converted list, for a table that scrolls over all of it.

/** Where every look from the start costs, what was read last is kept. Bytes. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Elements `start` to `end` (excluded) of the list. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly chunk: ElementChunk;
}

/** A reading that goes on where it stopped. */
interface Cursor {
  readonly chunks: AsyncIterator<ElementChunk>;
  next: number;
}

export class RowReader {
  private readonly conversion: Conversion;
  private readonly signal: AbortSignal;
  /** Read last, in the list's order. Only where the conversion cannot seek. */
  private kept: Stretch[] = [];
  private keptBytes = 0;
  private cursor: Cursor | undefined;
  private readonly inTurn = oneAtATime();

  constructor(conversion: Conversion, signal: AbortSignal) {
    this.conversion = conversion;
    this.signal = signal;
  }

  /** Rows `start` and on as JSON text, the long values in them shortened; fewer at the end of the list, none of what is no list. */
  rows(start: number, count: number): Promise<string[]> {
    const { kind, records, seeks } = this.conversion;
    if (kind !== 'array' || start >= records) return Promise.resolve([]);
    if (seeks) return this.sought(start, count);
    // One after the other: they share the cursor.
    return this.inTurn(() => this.followed(start, Math.min(start + count, records)));
  }

  private async sought(start: number, count: number): Promise<string[]> {
    const rows: string[] = [];
    let at = start;
    for await (const chunk of this.conversion.elements({ signal: this.signal, start })) {
      const end = at + chunk.ends.length;
      addRows(rows, { start: at, end, chunk }, at, start + count);
      at = end;
      if (rows.length >= count) break;
    }
    return rows;
  }

  private async followed(start: number, end: number): Promise<string[]> {
    const rows: string[] = [];
    for (let at = start; at < end; at = start + rows.length) {
      const stretch = this.kept.find((each) => each.start <= at && at < each.end) ?? (await this.readTo(at));
      if (stretch === undefined) break;
      addRows(rows, stretch, at, end);
    }
    return rows;
  }

  /** Reads on up to an element, from the start again where it was passed; what lies before it is kept for scrolling back. */
  private async readTo(record: number): Promise<Stretch | undefined> {
    if (this.cursor === undefined || this.cursor.next > record) {
      await this.close();
      this.cursor = { chunks: this.conversion.elements({ signal: this.signal })[Symbol.asyncIterator](), next: 0 };
    }
    const { cursor } = this;
    for (;;) {
      const { done, value: chunk } = await cursor.chunks.next().catch((error: unknown) => {
        // A reading that failed is over: the next row starts another.
        this.cursor = undefined;
        throw error;
      });
      if (done) return undefined;
      const stretch = { start: cursor.next, end: cursor.next + chunk.ends.length, chunk };
      cursor.next = stretch.end;
      this.keep(stretch);
      if (record < stretch.end) return stretch;
    }
  }

  private keep(stretch: Stretch): void {
    this.kept.push(stretch);
    this.keptBytes += stretch.chunk.data.length;
    while (this.keptBytes > KEPT_BYTES && this.kept.length > 1) {
      this.keptBytes -= this.kept.shift()?.chunk.data.length ?? 0;
    }
  }

  /** Lets go of what is kept and of the reading that goes on. */
  async close(): Promise<void> {
    const { cursor } = this;
    this.cursor = undefined;
    this.kept = [];
    this.keptBytes = 0;
    await cursor?.chunks.return?.();
  }
}

function addRows(rows: string[], { start, chunk }: Stretch, from: number, to: number): void {
  const { data, ends } = chunk;
  for (let index = from - start; index < ends.length && start + index < to; index += 1) {
    rows.push(shortenRecord(data, index === 0 ? 0 : (ends[index - 1] as number) + 1, ends[index] as number));
  }
}
