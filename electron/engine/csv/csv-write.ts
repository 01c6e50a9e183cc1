/** Second pass of the CSV kernel over a text: writes its records, starting at a checkpoint. */

import { EventLoopYield, firstBytes, pieces } from '../core/byte-streams.ts';
import { throwIfCancelled } from '../core/failures.ts';
import type { Checkpoint, ElementChunk } from '../core/payload.ts';
import type { Utf8Source } from '../core/reader.ts';
import type { ResumePoints } from '../core/resume-points.ts';
import type { ReadOptions, SecondThread } from '../core/source.ts';
import { TEXT_BYTES } from './csv-kernel.ts';
import { WriteAhead } from './csv-parallel-write.ts';
import type { WritePlan } from './csv-plan.ts';
import type { Table } from './csv-reference.ts';
import { ALL, notAsScanned, type Records, TableWriter } from './csv-writer.ts';

/** A reader that stops before this much text was written wants only a few records. Bytes. */
const BEGINNING_BYTES = 512 * 1024;

/** The range of records to write. */
interface Stretch extends Omit<Records, 'from'> {
  /** Absent: there is nothing to write. */
  readonly from: Checkpoint | undefined;
  /** Offset of the first record that is not written, if there is one. */
  readonly to?: number | undefined;
}

/** How a table is written. */
interface Writing {
  readonly text: Utf8Source;
  readonly table: Table;
  readonly plan: WritePlan;
  readonly signal: AbortSignal | undefined;
  readonly options: ReadOptions | undefined;
}

/** All records from a checkpoint on; by two threads if there is a second one and the text is long. */
export function writeTable(
  text: Utf8Source,
  table: Table,
  plan: WritePlan,
  from: Checkpoint | undefined,
  { second, points }: { second: SecondThread | undefined; points: ResumePoints },
  signal?: AbortSignal,
  options?: ReadOptions,
): AsyncIterable<ElementChunk> {
  const writing = { text, table, plan, signal, options };
  const rest = from && second && text.stored && !table.cut ? points.from(from.offset + BEGINNING_BYTES) : undefined;
  if (!from || !rest || !second) return writeElements(text, table, plan, { ...ALL, from }, signal, options);
  return inTurn([
    () => writeElements(text, table, plan, { ...ALL, from, to: rest.offset }, signal, options),
    () => {
      const ahead = text.stored && WriteAhead.begin(text.stored, table, plan, rest, points, second);
      return ahead ? writtenByTwo(ahead, writing) : writeElements(text, table, plan, { ...ALL, from: rest }, signal, options);
    },
  ]);
}

/** Kept short, as are all generators on the path of each part: optimizing long ones costs more than it saves. */
async function* inTurn(parts: readonly (() => AsyncIterable<ElementChunk>)[]): AsyncIterable<ElementChunk> {
  for (const part of parts) yield* part();
}

async function* writtenByTwo(ahead: WriteAhead, writing: Writing): AsyncIterable<ElementChunk> {
  const reuse = writing.options?.reuse === true;
  const yielding = new EventLoopYield();
  try {
    for (let stretch = 0; stretch < ahead.count; stretch++) {
      let given = 0;
      ahead.begin(stretch);
      for (;;) {
        const next = ahead.next(reuse);
        // Awaits rarely happen.
        const part = next instanceof Promise ? await next : next;
        if (!part) break;
        if (yielding.due) await yielding.pause();
        throwIfCancelled(writing.signal);
        given += part.ends.length;
        yield part;
      }
      // The last part is read in the usual way, so that a change of the file is noticed before it is yielded.
      if (!ahead.isDone) yield* writtenAfter(ahead.bounds(stretch), given, writing);
    }
  } finally {
    await ahead.stop();
  }
}

/** The rest of a stretch after the records that were yielded. */
function writtenAfter(
  { from, to }: Pick<Stretch, 'from' | 'to'>,
  given: number,
  { text, table, plan, signal, options }: Writing,
): AsyncIterable<ElementChunk> {
  return writeElements(text, table, plan, { ...ALL, from, to, pass: given }, signal, options);
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
  const writer = new TableWriter(table, plan, { withCheckpoints: text.readFrom !== undefined, reuse: options?.reuse === true });
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
        // The first piece is enough for a reader that wants few records.
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

/** The text from an offset on; reads past earlier text if the source cannot seek. */
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
