/** Small parts that the tables of wordings share. */

/** `1 row has`, `2 rows have`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `line 3, column 4`. */
export const place = (line: number, column: number | undefined, lineWord: string, columnWord: string): string =>
  column === undefined ? `${lineWord} ${line}` : `${lineWord} ${line}, ${columnWord} ${column}`;

export const quotedList = (
  sheets: readonly { name: string; hidden: boolean }[],
  hidden: string,
  open = "'",
  close = "'",
): string => sheets.map((sheet) => `${open}${sheet.name}${close}${sheet.hidden ? ` (${hidden})` : ''}`).join(', ');

/** Set where a companion was called: the names of its parameters that hold our own. Agents read there where an option belongs. */
export interface InCompanion {
  options?: string | undefined;
  saveAs?: string | undefined;
}

export const inOptions = (options: string | undefined): string => (options === undefined ? '' : ` (in ${options})`);
