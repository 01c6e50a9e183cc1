/** A table for a parameter of lists of lists: its header, then each record as the list of its values. */
import { throwIfCancelled } from '../core/failures.ts';
import { type ElementChunk, skipElements, type Value } from '../core/payload.ts';
import { type Member, MemberReader } from '../json/json-members.ts';
import { ChunkWriter } from './chunk-writer.ts';

const NULL = Buffer.from('null');
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d] as const;

/** The records with these columns as rows below their header; an absent value is null. */
export function headerAndRows(value: Value, columns: readonly string[]): Value {
  return {
    kind: 'array',
    json: value.json,
    elements: (signal, from, options) => {
      const rows = rowsOf(value.elements(signal, undefined, options), columns, signal);
      return from === undefined ? rows : skipElements(rows, from.record);
    },
    locate: async ([index, column, ...rest]) => {
      const record = Number(index) - 1;
      if (record < 0) return undefined;
      const name = columns[Number(column)];
      return value.locate([record, ...(name === undefined ? [] : [name, ...rest])]);
    },
  };
}

async function* rowsOf(
  elements: AsyncIterable<ElementChunk>,
  columns: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ElementChunk> {
  const places = new Map(columns.map((name, index) => [name, index]));
  const cells = new Array<Member | undefined>(columns.length);
  const reader = new MemberReader();
  const writer = new ChunkWriter();
  writer.begin(undefined);
  writer.out.bytes(Buffer.from(JSON.stringify(columns)));
  writer.end();
  for await (const { data, ends, lines } of elements) {
    throwIfCancelled(signal);
    let start = 0;
    for (let index = 0; index < ends.length; index += 1) {
      const end = ends[index] as number;
      writer.begin(lines?.[index]);
      reader.read(data, start, end);
      cells.fill(undefined);
      for (let at = 0; at < reader.count; at += 1) {
        const member = reader.members[at] as Member;
        const place = places.get(member.name);
        if (place !== undefined) cells[place] = member;
      }
      writer.out.byte(OPEN);
      for (const [place, cell] of cells.entries()) {
        if (place > 0) writer.out.byte(COMMA);
        if (cell === undefined) writer.out.bytes(NULL);
        else writer.out.bytes(data, cell.start, cell.end);
      }
      writer.out.byte(CLOSE);
      writer.end();
      start = end + 1;
    }
    const chunk = writer.take();
    if (chunk !== undefined) yield chunk;
  }
  const last = writer.take();
  if (last !== undefined) yield last;
}
