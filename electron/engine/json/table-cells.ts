/** Records in JSON text as the rows of a table: strings as they are, null and absent empty, anything else as its JSON. */
import { decodeString, type Member, type MemberReader } from './json-members.ts';

const QUOTE = 0x22;

/** The cells of one record; `columns`: their places by name, without which lists and single values are rows. */
export function cellsOf(
  reader: MemberReader,
  json: Uint8Array,
  start: number,
  end: number,
  columns: ReadonlyMap<string, number> | undefined,
): string[] {
  const kind = reader.read(json, start, end);
  if (kind === 'scalar' || (kind === 'object' && !columns)) return [cellOf(json, start, end)];
  const cells = new Array<string>(columns?.size ?? reader.count).fill('');
  for (let index = 0; index < reader.count; index += 1) {
    const { name, start: from, end: to } = reader.members[index] as Member;
    cells[columns ? (columns.get(name) as number) : index] = cellOf(json, from, to);
  }
  return cells;
}

function cellOf(json: Uint8Array, start: number, end: number): string {
  if (json[start] === QUOTE) return decodeString(json, start, end);
  const text = Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('utf8');
  return text === 'null' ? '' : text;
}

/** A cell of a table of GitHub Flavored Markdown. */
export const markdownCell = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n|\r|\n/g, '<br>');

/** Cells that a table may have whatever is in them. */
const FEW_CELLS = 1_000_000;
/** Cells that a bigger table may have for each that is filled. */
const CELLS_PER_MEMBER = 64;

/**
 * Whether records have names in common, as those of a table do: each name takes a cell of every record, so that a small file whose
 * records share none could fill memory and disk.
 */
export function shareColumns(records: number, columns: () => number, members: number): boolean {
  // There are no more names than members.
  if (records * members <= FEW_CELLS) return true;
  const cells = records * columns();
  return cells <= FEW_CELLS || cells <= CELLS_PER_MEMBER * members;
}
