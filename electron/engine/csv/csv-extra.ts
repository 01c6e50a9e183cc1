/** How to treat cells after the last column. */
import type { ConversionOptions } from '../../../shared/model/conversion.ts';

/** The kernel's numbers; see assembly/csv-scan.ts. */
export const extraCells = {
  /** Such a row is an error. */
  refused: 0,
  kept: 1,
  cut: 2,
  /** An empty cell after the last column is cut, more is an error: each row ends with a delimiter. */
  emptyCut: 3,
} as const;
export type ExtraCells = keyof typeof extraCells;

/** `trailing`: the rows end with a delimiter, the header does not. */
export function extraCellsOf({ ragged }: ConversionOptions, trailing: boolean): ExtraCells {
  if (ragged === 'keep') return 'kept';
  if (ragged === 'cut') return 'cut';
  return trailing ? 'emptyCut' : 'refused';
}
