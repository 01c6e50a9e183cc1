/** Second pass of the CSV kernel over a text: writes its records, from a mark on. */

import { throwIfCancelled } from '../failures.ts';
import type { Table } from '../formats/csv.ts';
import type { Utf8Source } from '../formats/reader.ts';
import { firstBytes } from '../input.ts';
import type { ElementChunk, SourceMark } from '../payload.ts';
import type { ResumePoints } from '../resume-points.ts';
import type { SecondThread } from '../second-thread.ts';
import type { ReadOptions } from '../source.ts';
import { Turns } from '../turns.ts';
import { TEXT_BYTES } from './csv-kernel.ts';
import type { WritePlan } from './csv-plan.ts';
import { WriteAhead } from './csv-write-ahead.ts';
import { allFrom, notAsScanned, type Records, TableWriter } from './csv-writer.ts';
import { pieces } from './pieces.ts';

/** Whoever stops before this much of the text was written wants a little only. Bytes. */
const BEGINNING_BYTES = 512 * 1024;

/** Which records are written, up to where. */
interface Stretch extends Omit<Records, 'from'> {
  /** Without it, there is nothing to write. */
  readonly from: SourceMark | undefined;
  /** The offset at which a record starts that is not written, if there is one. */
  readonly to?: number | undefined;
}

/** All records from a mark on, by two threads where there is a second one and the text is long. */
export async function* writeTable(
  text: Utf8Source,
  table: Table,
  plan: WritePlan,
  from: SourceMark | undefined,
  { second, points }: { second: SecondThread | undefined; points: ResumePoints },
  signal?: AbortSignal,
  options?: ReadOptions,
): AsyncIterable<ElementChunk> {
  const { stored } = text;
  const rest = from && stored && second && !table.cut ? points.from(from.offset + BEGINNING_BYTES) : undefined;
  if (!from || !rest || !stored || !second) {
    if (from) yield* writeElements(text, table, plan, allFrom(from), signal, options);
    return;
  }
  yield* writeElements(text, table, plan, { ...allFrom(from), to: rest.offset }, signal, options);
  const ahead = WriteAhead.begin(stored, table, plan, rest, points, second);
  if (!ahead) {
    yield* writeElements(text, table, plan, allFrom(rest), signal, options);
    return;
  }
  const reuse = options?.reuse === true;
  const turns = new Turns();
  try {
    for (let stretch = 0; stretch < ahead.count; stretch++) {
      let given = 0;
      ahead.begin(stretch);
      for (;;) {
        const next = ahead.next(reuse);
        // Seldom is anything waited for.
        const part = next instanceof Promise ? await next : next;
        if (!part) break;
        if (turns.due) await turns.give();
        throwIfCancelled(signal);
        given += part.ends.length;
        yield part;
      }
      // The end comes the usual way, so that a file that has changed meanwhile is noticed before it is given out.
      const { from, to } = ahead.bounds(stretch);
      if (!ahead.isDone) yield* writeElements(text, table, plan, { ...allFrom(from), to, pass: given }, signal, options);
    }
  } finally {
    await ahead.stop();
  }
}

export async function* writeElements(
  text: Utf8Source,
  table: Table,
  plan: WritePlan,
  { from, to, pass, most }: Stretch,
  signal?: AbortSignal,
  options?: ReadOptions,
): AsyncIterable<ElementChunk> {
  if (!from || most === 0) return;
  const rest = textAt(text, from.offset, signal);
  const chunks = to === undefined ? rest : firstBytes(rest, to - from.offset, () => undefined);
  const writer = new TableWriter(table, plan, { marked: text.readFrom !== undefined, reuse: options?.reuse === true });
  try {
    writer.begin({ from, pass, most });
    yield* recordsOf(writer, chunks, table.cut, signal);
  } finally {
    writer.kernel.release();
  }
}

async function* recordsOf(
  writer: TableWriter,
  chunks: AsyncIterable<Uint8Array>,
  cut: boolean,
  signal?: AbortSignal,
): AsyncIterable<ElementChunk> {
  let begun = false;
  for await (const parts of pieces(chunks, TEXT_BYTES, signal)) {
    for (const piece of parts) {
      for (let at = 0; at < piece.length; ) {
        at += writer.kernel.fill(piece, at);
        // Whoever wants a little has it in the first piece.
        if (!writer.kernel.isFull && begun) continue;
        begun = true;
        for (let part = writer.next(); part; part = writer.next()) yield part;
        if (writer.left === 0) return;
      }
    }
  }
  for (let part = writer.next(); part; part = writer.next()) yield part;
  if (cut || writer.left === 0) return;
  writer.kernel.endText();
  for (let part = writer.next(); part; part = writer.next()) yield part;
  if (writer.left > 0 && writer.kernel.from < writer.kernel.end) throw notAsScanned();
}

/** The text from an offset on; where it cannot be read from there, what comes before is read past. */
async function* textAt(text: Utf8Source, offset: number, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  if (text.readFrom) {
    yield* text.readFrom(offset, signal, { reuse: true });
    return;
  }
  let left = offset;
  for await (const chunk of text.read(signal, { reuse: true })) {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    if (skipped < chunk.length) yield skipped > 0 ? chunk.subarray(skipped) : chunk;
  }
}
