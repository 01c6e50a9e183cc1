/** Applies transforms that the CSV kernel can do while writing a table. */
import type { Transform } from '../../../shared/model/conversion.ts';
import type { Utf8Source } from '../core/reader.ts';
import type { ResumePoints } from '../core/resume-points.ts';
import type { Value } from '../core/value.ts';
import { planSelection, type WritePlan } from './csv-plan.ts';
import type { Table } from './csv-reference.ts';
import { planTests } from './csv-where.ts';
import { writeElements } from './csv-write.ts';

/** Largest count of the kernel. */
const MAX_COUNT = 0xffff_ffff;

/** Undefined if the kernel cannot do the transform's steps. */
export function planTransform(
  table: Table,
  transform: Transform,
  hasExtra: boolean,
  isExact: (source: number) => boolean,
): WritePlan | undefined {
  const tests = planTests(transform.where ?? [], table, isExact);
  if (!tests || (tests.length > 0 && !table.keyed)) return undefined;
  const plan = planSelection(table, transform, hasExtra);
  return plan && { ...plan, tests };
}

/** The records after the streaming steps of a transform. */
export function transformedElements(
  text: Utf8Source,
  table: Table,
  plan: WritePlan,
  { offset = 0, limit = Number.POSITIVE_INFINITY }: Transform,
  resumePoints: ResumePoints,
): Value['elements'] {
  return (signal, from, again) => {
    // Text before the offset is skipped if reading can start close to it and all records count.
    const near = text.readFrom && plan.tests.length === 0 ? resumePoints.before(offset) : undefined;
    const start = from ?? near ?? resumePoints.before(0);
    const pass = from || !start ? 0 : Math.min(offset - start.record, MAX_COUNT);
    return writeElements(text, table, plan, { from: start, pass, most: limit - (from?.record ?? 0) }, signal, again);
  };
}
