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
