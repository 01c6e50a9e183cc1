/** Rows from anywhere in a converted list, for a table that scrolls over all of it. */
import { oneAtATime } from '../../shared/lib/one-at-a-time.ts';
import type { Conversion } from '../engine/core/convert-types.ts';
import type { ElementChunk } from '../engine/core/payload.ts';
import { shortenRecord } from '../engine/json/shorten-record.ts';

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
