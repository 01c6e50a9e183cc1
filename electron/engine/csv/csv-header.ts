/** Names the columns of a CSV file. */

/** Maximum number of names in a warning. */
const INVENTED_SHOWN = 10;

export interface ColumnNames {
  readonly names: readonly string[];
  /** The first generated names, for columns whose header is empty or repeated. */
  readonly invented: readonly string[];
  /** Key for cells beyond the header. */
  readonly extra: string;
}

/** Names for a table whose first row is data: `column_1`, `column_2`, … */
export function numberedColumns(count: number): ColumnNames {
  return uniqueNames(new Array<string>(count).fill(''));
}

/**
 * Unique names from a header row. The first column with a name keeps it, whatever comes before: in `a,a,a_2` the second
 * column becomes `a_3`. An empty third name becomes `column_3`.
 */
export function uniqueNames(header: readonly string[]): ColumnNames {
  const given = new Set(header);
  // Only looked up if it can matter, so that millions of empty names need no look-ups.
  const hasNumbered = [...given].some((name) => name.startsWith('column_'));
  const seen = new Set<string>();
  const made = new Set<string>();
  const isTaken = (name: string): boolean => given.has(name) || made.has(name) || isNumberOfEmpty(name, header);
  /** Last suffix tried for a name, so that a thousand equal names are numbered in one pass. */
  const tried = new Map<string, number>();
  const numbered = (base: string): string => {
    let n = tried.get(base) ?? 1;
    let name: string;
    do name = `${base}_${++n}`;
    while (isTaken(name));
    tried.set(base, n);
    made.add(name);
    return name;
  };
  const invented: string[] = [];
  const names = header.map((name, i) => {
    if (name !== '' && !seen.has(name)) {
      seen.add(name);
      return name;
    }
    const plain = `column_${i + 1}`;
    const unique = name !== '' ? numbered(name) : hasNumbered && given.has(plain) ? numbered(plain) : plain;
    if (invented.length < INVENTED_SHOWN) invented.push(unique);
    return unique;
  });
  return { names, invented, extra: isTaken('_extra') ? numbered('_extra') : '_extra' };
}

/** Whether an empty column gets this name. Computed from the name, so that millions of them need no set. */
function isNumberOfEmpty(name: string, header: readonly string[]): boolean {
  const number = /^column_([1-9]\d*)$/.exec(name)?.[1];
  return number !== undefined && header[Number(number) - 1] === '';
}
