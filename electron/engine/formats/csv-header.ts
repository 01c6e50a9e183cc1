/** Names the columns of a CSV file. */

export interface ColumnNames {
  readonly names: readonly string[];
  /** Names that were made up because the header gave none, or gave one twice. */
  readonly invented: readonly string[];
  /** Key for cells beyond the header. */
  readonly extra: string;
}

/** The number of columns, when the first row is data: `column_1`, `column_2`, … */
export function numberedColumns(count: number): ColumnNames {
  return uniqueNames(Array.from({ length: count }, (_, i) => `column_${i + 1}`));
}

/**
 * Unique names from a header row. The first of each name keeps it, whatever comes before: in `a,a,a_2` the second column
 * becomes `a_3`. An empty third name becomes `column_3`.
 */
export function uniqueNames(header: readonly string[]): ColumnNames {
  const used = new Set(header.filter((name) => name !== ''));
  const seen = new Set<string>();
  /** Last number tried for a name, so that a thousand like names are numbered in one go. */
  const tried = new Map<string, number>();
  const invented: string[] = [];
  const numbered = (base: string): string => {
    let n = tried.get(base) ?? 1;
    let name: string;
    do name = `${base}_${++n}`;
    while (used.has(name));
    tried.set(base, n);
    return name;
  };
  const names = header.map((given, i) => {
    if (given !== '' && !seen.has(given)) {
      seen.add(given);
      return given;
    }
    const plain = `column_${i + 1}`;
    const name = given === '' && !used.has(plain) ? plain : numbered(given === '' ? plain : given);
    used.add(name);
    if (invented.length < 10) invented.push(name);
    return name;
  });
  return { names, invented, extra: used.has('_extra') ? numbered('_extra') : '_extra' };
}
