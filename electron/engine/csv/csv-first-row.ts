/** Tells whether the first row of a CSV table looks like data instead of a header. */

const DATE = /^(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?!\d)/;
const NUMBER = /^[-+]?\d+(?:[.,]\d+)*$/;
const YEAR = /^(1[5-9]|2[01])\d\d$/;

function kindOf(cell: string): 'date' | 'number' | undefined {
  const text = cell.trim();
  if (DATE.test(text)) return 'date';
  return NUMBER.test(text) ? 'number' : undefined;
}

/** Numbers that often name columns: a year, or values in ascending order such as years, months and wavelengths. */
function areNames(numbers: readonly string[]): boolean {
  if (numbers.length === 1) return YEAR.test(numbers[0]?.trim() ?? '');
  return numbers.every((cell, i) => i === 0 || Number(cell) > Number(numbers[i - 1]));
}

/** Whether a cell of the first row is a date or number, above cells that are all dates or numbers too. */
export function looksLikeData([first = [], ...below]: readonly (readonly string[])[]): boolean {
  const named = areNames(first.filter((cell) => kindOf(cell) === 'number'));
  return first.some((cell, i) => {
    const kind = kindOf(cell);
    if (!kind || (kind === 'number' && named)) return false;
    const filled = below.map((cells) => cells[i] ?? '').filter((each) => each.trim() !== '');
    return filled.length > 0 && filled.every((each) => kindOf(each) === kind);
  });
}
