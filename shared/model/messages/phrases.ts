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

/** Headings or slides under which something is, and how many more there are. */
export interface Places {
  named: readonly string[];
  more: number;
}

/** ` (under 'Prices', 'Terms' and 2 more)`. */
export const inPlaces = (
  { named, more }: Places,
  words = { at: 'at', more: 'more', and: 'and' },
  quote = (name: string) => `'${name}'`,
): string =>
  named.length === 0
    ? ''
    : ` (${words.at} ${named.map(quote).join(', ')}${more > 0 ? ` ${words.and} ${more} ${words.more}` : ''})`;

/** Set where a companion was called: the names of its parameters that hold our own. Agents read there where an option belongs. */
export interface InCompanion {
  options?: string | undefined;
}

export const inOptions = (options: string | undefined): string => (options === undefined ? '' : ` (in ${options})`);

/** `5 s`, `1.5 s`, `800 ms`. */
export function seconds(ms: number, decimal = '.'): string {
  return ms < 1_000 ? `${ms} ms` : `${String(Math.round(ms / 100) / 10).replace('.', decimal)} s`;
}

/** Resources that a system runs out of. */
export type Resource = 'files' | 'processes' | 'memory';

/** A program that starts servers: the product that has it, where to install that from, and what else to do. */
export interface Installation {
  product: string;
  from: string;
  /** The program comes with a product of another name. */
  bundled: boolean;
  also?: 'start' | 'python3';
}

export type FileKind = 'a directory' | 'a named pipe' | 'a socket' | 'a link' | 'a device';

/** Folders that a hint names, and how many it leaves out. */
export interface ListedFolders {
  shown: readonly { path: string; access: 'read' | 'read-write' | 'absent' | 'silent' }[];
  more: number;
}

export const listedFolders = (
  { shown, more }: ListedFolders,
  words: Record<'read' | 'read-write' | 'absent' | 'silent' | 'more' | 'and', string>,
): string =>
  `${shown.map(({ path, access }) => `${path} (${words[access]})`).join(', ')}${more > 0 ? ` ${words.and} ${more} ${words.more}` : ''}`;

/** What a file holds, by the kind of its value. */
export const contents = {
  array: 'a list',
  object: 'an object',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** What people call it, or the name itself where they have no other. */
export const namedIn = (names: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(names, name) ? (names[name] ?? name) : name;
