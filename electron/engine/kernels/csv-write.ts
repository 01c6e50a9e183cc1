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
import { notAsScanned, type Stretch, TableWriter } from './csv-writer.ts';
import { pieces } from './pieces.ts';

/** Whoever stops before this much of the text was written wants a little only. Bytes. */
const BEGINNING_BYTES = 512 * 1024;

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
  const all = { pass: 0, most: Number.POSITIVE_INFINITY };
  const { stored } = text;
  const rest = from && stored && second && !table.cut ? points.from(from.offset + BEGINNING_BYTES) : undefined;
  if (!rest || !stored || !second) {
    yield* writeElements(text, table, plan, { from, ...all }, signal, options);
    return;
  }
  yield* writeElements(text, table, plan, { from, to: rest.offset, ...all }, signal, options);
  const ahead = WriteAhead.begin(stored, table, plan, rest, points, second);
  if (!ahead) {
    yield* writeElements(text, table, plan, { from: rest, ...all }, signal, options);
    return;
  }
  try {
    for (let stretch = 0; stretch < ahead.count; stretch++) {
      const given = yield* written(ahead.parts(stretch, options?.reuse === true), signal);
      // The end comes the usual way, so that a file that has changed meanwhile is noticed before it is given out.
      if (given !== 'all')
        yield* writeElements(text, table, plan, { ...ahead.bounds(stretch), ...all, pass: given }, signal, options);
    }
  } finally {
    await ahead.stop();
  }
}

/** Gives the parts of a stretch, and then tells how many records these were, unless they were all. */
async function* written(
  parts: AsyncGenerator<ElementChunk, boolean>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ElementChunk, number | 'all'> {
  const turns = new Turns();
  let given = 0;
  try {
    for (;;) {
      const { value, done } = await parts.next();
      if (done) return value ? 'all' : given;
      if (turns.due) await turns.give();
      throwIfCancelled(signal);
      given += value.ends.length;
      yield value;
    }
  } finally {
    await parts.return(false);
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
  const writer = new TableWriter(
    table,
    plan,
    { from, pass, most },
    { marked: text.readFrom !== undefined, reuse: options?.reuse === true },
  );
  try {
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
