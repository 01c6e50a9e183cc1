/** Which columns do not fit the chosen tool, and why, for the table's heads. */
import type { BoundPreview } from '../../../../shared/contract/preview.ts';
import { words } from '../../../i18n/words.ts';
import { t } from '../preview-texts.ts';

export function columnMarks(bound: BoundPreview | undefined): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const column of bound?.unknownColumns ?? []) marks.set(column, t('columnUnknown'));
  for (const mismatch of bound?.mismatches ?? [])
    if (mismatch.column !== null && !marks.has(mismatch.column)) marks.set(mismatch.column, words(mismatch).message);
  return marks;
}
