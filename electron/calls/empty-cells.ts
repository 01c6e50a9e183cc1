/** Empty cells anywhere in a table, in columns for which the tool's schema allows neither null nor absence. */
import { say } from '../../shared/model/messages/message.ts';
import type { SchemaProblem } from '../binding/check.ts';
import type { SchemaPlace } from '../engine/core/convert-types.ts';
import { type Member, MemberReader } from '../engine/json/json-members.ts';
import { columnAdvice, emptyCells } from '../engine/schema/schema-advice.ts';
import type { PreparedPayload } from './payloads.ts';

interface EmptyCell {
  record: number;
  column: string;
}

/** The first such cell of a list; reads it whole only where its columns have empty cells. `pointerOf`: the cell's place in the arguments. */
export async function emptyCellRefused(
  list: PreparedPayload,
  { inputSchema, segments }: SchemaPlace,
  pointerOf: (cell: EmptyCell) => Pick<SchemaProblem, 'pointer' | 'record'>,
  isSent: (record: number) => boolean,
  signal: AbortSignal,
): Promise<SchemaProblem | undefined> {
  if (list.kind !== 'array') return undefined;
  const whereEmpty = emptyCells(inputSchema, segments);
  const columns = list.reports.flatMap((report) => report.columns ?? []);
  const names = columns.filter(({ name, empty }) => empty > 0 && whereEmpty(name) === 'refused').map(({ name }) => name);
  const cell = names.length === 0 ? undefined : await firstEmpty(list, new Set(names), isSent, signal);
  if (cell === undefined) return undefined;
  return {
    rule: 'type',
    types: [columnAdvice(inputSchema, segments)(cell.column) ?? ''],
    what: say('schema.emptyCell', { what: say('schema.notEmpty') }),
    emptyIn: cell.column,
    ...pointerOf(cell),
    ...(await list.locate([cell.record, cell.column])),
  };
}

async function firstEmpty(
  list: PreparedPayload,
  names: ReadonlySet<string>,
  isSent: (record: number) => boolean,
  signal: AbortSignal,
): Promise<EmptyCell | undefined> {
  const reader = new MemberReader();
  let record = 0;
  for await (const { data, ends } of list.elements({ signal, reuse: true })) {
    const isEmpty = ({ name, start }: Member) => data[start] === 0x6e && names.has(name);
    let start = 0;
    for (const end of ends) {
      if (isSent(record) && reader.read(data, start, end) === 'object') {
        const found = reader.members.slice(0, reader.count).find(isEmpty);
        if (found) return { record, column: found.name };
      }
      record += 1;
      start = end + 1;
    }
  }
  return undefined;
}
