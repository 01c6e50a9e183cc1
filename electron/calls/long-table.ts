/** A long answer as CSV or TSV: the table that `tableText` makes of one that is held, a part at a time. */
import { type Element, jsonElements } from '../engine/json/json-elements.ts';
import { type Member, MemberReader } from '../engine/json/json-members.ts';
import { NeedsWhole } from '../engine/json/json-rewrite.ts';
import { cellsOf, shareColumns } from '../engine/json/table-cells.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** More names are no columns of a table that is worth to be written in parts. */
const MAX_COLUMNS = 100_000;
/** Cells that are written at once, unless a row has more. */
const CELLS_AT_ONCE = 256 * 1024;

/** Where an answer's table is. */
interface Found {
  /** The list of its rows, among an object's members. */
  member: number;
  /** Columns by name; undefined if rows are lists or single values. */
  columns: Map<string, number> | undefined;
}

/** Facts about a list. */
interface List {
  columns: Map<string, number>;
  onlyRecords: boolean;
  elements: number;
  /** Members of all records. */
  members: number;
}

/**
 * The table in JSON without layout, read again at each call; undefined where there is none in it. Throws NeedsWhole where it cannot be
 * written in parts.
 */
export async function longTable(json: () => Bytes, delimiter: string): Promise<(() => Bytes) | undefined> {
  const found = await tableIn(json());
  if (!found) return undefined;
  const { default: papaparse } = await import('papaparse');
  const { member, columns } = found;
  const fields = columns && [...columns.keys()];
  const reader = new MemberReader();
  const rowsAtOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, columns?.size ?? 1)));
  return async function* rows() {
    let first = true;
    for await (const elements of jsonElements(json())) {
      const rows = elements.filter((element) => element.member === member);
      // A record of two bytes has a cell in every column.
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        const data = rows.slice(from, from + rowsAtOnce).map(({ json }) => cellsOf(reader, json, 0, json.length, columns));
        const text = papaparse.unparse(fields ? { fields, data } : data, { delimiter, header: first });
        yield Buffer.from(first ? text : `\r\n${text}`);
        first = false;
      }
    }
  };
}

async function tableIn(json: Bytes): Promise<Found | undefined> {
  const lists = new Map<number, List>();
  const reader = new MemberReader();
  let isList: boolean | undefined;
  const noted = async function* () {
    for await (const chunk of json) {
      isList ??= chunk[0] === 0x5b;
      yield chunk;
    }
  };
  for await (const elements of jsonElements(noted())) for (const element of elements) note(reader, lists, element);
  const tables = [...lists].filter(([, list]) => isTable(list));
  const [only] = tables;
  if (tables.length === 1 && only) return { member: only[0], columns: only[1].columns };
  return isList && lists.size > 0 ? { member: 0, columns: undefined } : undefined;
}

function note(reader: MemberReader, lists: Map<number, List>, { member, json }: Element): void {
  let list = lists.get(member);
  if (!list) {
    list = { columns: new Map(), onlyRecords: true, elements: 0, members: 0 };
    lists.set(member, list);
  }
  list.elements += 1;
  if (!list.onlyRecords) return;
  list.onlyRecords = reader.read(json, 0, json.length) === 'object';
  if (!list.onlyRecords) return;
  list.members += reader.count;
  for (let index = 0; index < reader.count; index += 1) {
    const { name } = reader.members[index] as Member;
    if (!list.columns.has(name)) list.columns.set(name, list.columns.size);
  }
  if (list.columns.size > MAX_COLUMNS) throw new NeedsWhole('there are too many columns');
}

function isTable({ columns, onlyRecords, elements, members }: List): boolean {
  return onlyRecords && shareColumns(elements, () => columns.size, members);
}
