/** Tells whether the first row of a CSV table looks like data instead of a header. */

const DATE = /^(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?!\d)/;
const NUMBER = /^[-+]?\d+(?:[.,]\d+)*$/;
const YEAR = /^(1[5-9]|2[01])\d\d$/;

function kindOf(cell: string): 'date' | 'number' | undefined {
  const text = cell.trim();
  if (DATE.test(text)) return 'date';
  return NUMBER.test(text) ? 'number' : undefined;
}

/** Numbers that often name columns: a year, or values in ascending order beside each other, such as years, months and wavelengths. */
function areNames(first: readonly string[]): boolean {
  const at = first.flatMap((cell, i) => (kindOf(cell) === 'number' ? [i] : []));
  const numbers = at.map((i) => first[i] as string);
  if (numbers.length === 1) return YEAR.test(numbers[0]?.trim() ?? '');
  const areBeside = at.every((i, n) => n === 0 || i === (at[n - 1] as number) + 1);
  return areBeside && numbers.every((cell, i) => i === 0 || Number(cell) > Number(numbers[i - 1]));
}

/**
 * Whether the first column counts up by one from the first row on, beside something else than numbers in that row: `1,Ann`, `2,Bob`. Such a
 * row is a record.
 */
export function countsOn([first = [], ...below]: readonly (readonly string[])[]): boolean {
  const [start = '', ...others] = first;
  const isCounted = (cells: readonly string[], i: number) => cells[0]?.trim() === String(Number(start) + 1 + i);
  return (
    /^\s*\d{1,9}\s*$/.test(start) &&
    below.length > 0 &&
    below.every(isCounted) &&
    others.some((cell) => cell.trim() !== '' && !/^\s*\d+\s*$/.test(cell))
  );
}

/** Whether a cell of the first row is a date or number, above cells that are all dates or numbers too. */
export function looksLikeData([first = [], ...below]: readonly (readonly string[])[]): boolean {
  const named = areNames(first);
  return first.some((cell, i) => {
    const kind = kindOf(cell);
    if (!kind || (kind === 'number' && named)) return false;
    const filled = below.map((cells) => cells[i] ?? '').filter((each) => each.trim() !== '');
    return filled.length > 0 && filled.every((each) => kindOf(each) === kind);
  });
}
