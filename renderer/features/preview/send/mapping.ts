/** Which column of a file goes into which column of a tool, and the options that make it so. */
import { nearMisses } from '../../../../shared/lib/near-misses.ts';
import type { ConversionOptions } from '../../../../shared/model/conversion.ts';
import { sameMeaning } from './same-meaning.ts';

/** What the person chose, by the tool's column: a column of the file, or null for none. */
export interface Mapping {
  readonly chosen: Readonly<Record<string, string | null>>;
  /** What every record gets, as the person typed it, by the tool's column. */
  readonly fixed: Readonly<Record<string, string>>;
  /** The tool's columns in which each record gets its number, from 1. */
  readonly numbered: readonly string[];
  /** Columns that go into none of the tool's are left out. */
  readonly onlyMapped: boolean;
}

export const noMapping: Mapping = { chosen: {}, fixed: {}, numbered: [], onlyMapped: false };

/** What a record has under a name that others chose, such as `constructor`. */
export const ownMember = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The column of the file that goes into each of the tool's: the one chosen, else one of the same name that goes nowhere else. */
export function sources(
  { chosen }: Mapping,
  columns: readonly string[],
  wanted: readonly string[],
): ReadonlyMap<string, string | null> {
  const taken = new Set(Object.entries(chosen).flatMap(([name, column]) => (wanted.includes(name) && column ? [column] : [])));
  return new Map(
    wanted.map((name) => {
      const own = columns.includes(name) && !taken.has(name) ? name : null;
      const one = ownMember(chosen, name);
      return [name, one === undefined || (one !== null && !columns.includes(one)) ? own : one];
    }),
  );
}

/** Chooses a column; one that went elsewhere goes there no more. */
export function withChoice(mapping: Mapping, name: string, column: string | null): Mapping {
  const others = Object.entries(mapping.chosen).filter(
    ([other, taken]) => other !== name && (column === null || taken !== column),
  );
  const { [name]: _, ...fixed } = mapping.fixed;
  const numbered = mapping.numbered.filter((each) => each !== name);
  return { ...mapping, chosen: { ...Object.fromEntries(others), [name]: column }, fixed, numbered };
}

/** Gives every record the same text instead of a column of the file. */
export function withFixed(mapping: Mapping, name: string, text: string): Mapping {
  const free = withChoice(mapping, name, null);
  return { ...free, fixed: { ...free.fixed, [name]: text } };
}

/** Gives each record its number instead of a column of the file. */
export function withNumber(mapping: Mapping, name: string): Mapping {
  const free = withChoice(mapping, name, null);
  return { ...free, numbered: [...free.numbered, name] };
}

/** A column with a near name, or one that means the same, that goes nowhere, for one of the tool's that has none. */
export function suggestion(
  name: string,
  from: ReadonlyMap<string, string | null>,
  columns: readonly string[],
): string | undefined {
  const used = new Set(from.values());
  const free = columns.filter((column) => !used.has(column));
  return nearMisses(name, free)[0] ?? sameMeaning(name, free);
}

/** A column in the expression language, whose quotes cannot be in a name. */
const quoted = (name: string) => (name.includes('`') ? `$lookup($, ${JSON.stringify(name)})` : `\`${name}\``);

/** A column of the tool. */
export interface Wanted {
  readonly name: string;
  readonly type: string;
}

/** A number as the column's type wants it, of a record whose index is `$at`. */
const numberIn = ({ type }: Wanted) =>
  type.split(' or ').some((each) => each !== 'string' && each !== 'null') ? '$at + 1' : '$string($at + 1)';

/** The options, with which the file's columns go where they are to go, and every record gets `fixed`: JSON by column. Unchanged where nothing has to be done. */
export function mapped(
  options: ConversionOptions,
  mapping: Mapping,
  columns: readonly string[],
  wanted: readonly Wanted[],
  fixed: ReadonlyMap<string, string>,
): ConversionOptions {
  const names = wanted.map(({ name }) => name);
  const from = sources(mapping, columns, names);
  const numbered = wanted.filter(({ name }) => mapping.numbered.includes(name));
  const isNew = fixed.size > 0 || numbered.length > 0;
  const into = new Map([...from].flatMap(([name, column]) => (column === null ? [] : [[column, name] as const])));
  // A column that has the name of one of the tool's, and does not go there, would go there all the same.
  const kept = columns.filter((column) => into.has(column) || (!mapping.onlyMapped && !names.includes(column)));
  const rename = Object.fromEntries([...into].filter(([column, name]) => column !== name));
  const select = kept.length === columns.length ? undefined : kept;
  if (select === undefined && Object.keys(rename).length === 0 && !isNew) return options;
  const { transform } = options;
  if (transform?.expression === undefined && !isNew)
    return {
      ...options,
      transform: { ...transform, ...(select && { select }), ...(Object.keys(rename).length > 0 && { rename }) },
    };
  // An expression comes last: what it finds is renamed in it. Only an expression can give what is not in the file.
  const members = [
    ...kept.map((column) => `${JSON.stringify(into.get(column) ?? column)}: ${quoted(column)}`),
    ...[...fixed].map(([name, json]) => `${JSON.stringify(name)}: ${json}`),
    ...numbered.map((column) => `${JSON.stringify(column.name)}: ${numberIn(column)}`),
  ];
  const each = numbered.length > 0 ? '#$at' : '';
  const list = transform?.expression === undefined ? '$' : `(${transform.expression})`;
  return { ...options, transform: { ...transform, expression: `[${list}${each}.{${members.join(', ')}}]` } };
}
