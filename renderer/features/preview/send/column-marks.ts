/** Which columns do not fit the chosen tool, and why, for the table's heads. */
import type { BoundPreview } from '../../../../shared/contract/preview.ts';
import { t } from '../preview-texts.ts';

export function columnMarks(bound: BoundPreview | undefined): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const column of bound?.unknownColumns ?? []) marks.set(column, t('columnUnknown'));
  for (const { column, message } of bound?.mismatches ?? [])
    if (column !== null && !marks.has(column)) marks.set(column, message);
  return marks;
}
