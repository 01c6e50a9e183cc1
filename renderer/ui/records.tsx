/** Records as a table: its columns (those the file names, and those its rows turn out to have), and one cell. */
import './records.css';
import { visibleJson, visibleText } from '../../shared/lib/visible-text.ts';
import type { Column } from '../../shared/model/conversion.ts';
import { asItIs } from '../visible/jsx-runtime.ts';
import { cellContent, type RecordCells } from './json-text.ts';
import { t } from './ui-texts.ts';

export interface RecordColumn {
  /** Name of an object's member, index in a list, or null for a single value. */
  readonly source: { member: string } | { item: number } | 'whole';
  readonly name: string;
  /** The type decision for a column of a table file. */
  readonly typed: Column | undefined;
  readonly numeric: boolean;
  /** Pixels. */
  readonly width: number;
}

const NARROWEST = 88;
const WIDEST = 340;
const CHAR = 7.4;
const PADDING = 26;
/** Room for the type's choice under a name. */
const NARROWEST_TYPED = 134;
const JUDGED_ROWS = 60;

export function cellOf(record: RecordCells, { source }: RecordColumn): string | undefined {
  if (source === 'whole') return record.kind === 'value' ? record.cell : undefined;
  if ('member' in source) return record.kind === 'object' ? record.cells.get(source.member) : undefined;
  return record.kind === 'list' ? record.cells[source.item] : undefined;
}

type Source = Pick<RecordColumn, 'source' | 'name' | 'typed'>;

/** `columns` are the file's own; `whole` names the column of records that are single values. */
export function recordColumns(columns: readonly Column[] | null, first: readonly RecordCells[], whole: string): RecordColumn[] {
  const found = new Map<string, Source>();
  const add = (key: string, source: Source) => {
    if (!found.has(key)) found.set(key, source);
  };
  const lists = first[0]?.kind === 'list';
  columns?.forEach((typed, item) => {
    if (lists) add(`item ${item}`, { source: { item }, name: typed.name, typed });
    else add(`member ${typed.name}`, { source: { member: typed.name }, name: typed.name, typed });
  });
  for (const record of first) {
    if (record.kind === 'value') add('whole', { source: 'whole', name: whole, typed: undefined });
    else if (record.kind === 'list') {
      for (let item = found.size; item < record.cells.length; item += 1) {
        add(`item ${item}`, { source: { item }, name: String(item + 1), typed: undefined });
      }
    } else
      for (const member of record.cells.keys()) add(`member ${member}`, { source: { member }, name: member, typed: undefined });
  }
  return [...found.values()].map((source) => measured(source, first));
}

function measured(column: Source, first: readonly RecordCells[]): RecordColumn {
  let longest = column.name.length * 1.08;
  let numbers = 0;
  let others = 0;
  for (const record of first.slice(0, JUDGED_ROWS)) {
    const cell = cellOf(record, { ...column, numeric: false, width: 0 });
    if (cell === undefined) continue;
    const { kind, text } = cellContent(cell);
    longest = Math.max(longest, text.length);
    if (kind === 'number') numbers += 1;
    else if (kind !== 'null') others += 1;
  }
  const width = Math.round(Math.min(WIDEST, longest * CHAR + PADDING));
  return {
    ...column,
    numeric: column.typed ? column.typed.type === 'number' : numbers > 0 && others === 0,
    width: Math.max(column.typed ? NARROWEST_TYPED : NARROWEST, width),
  };
}

/** Longer text is cut. */
export const CELL_CHARS = 400;

/** The text that a cell shows for its JSON, before it is cut. */
export function cellText(cell: string, visible: boolean): string {
  const { kind, text } = cellContent(cell);
  if (!visible) return text;
  return kind === 'nested' ? visibleJson(text) : visibleText(text);
}

/** One value of a record; what is not text looks different from text. `cell` is JSON text; undefined for what a record does not have. `visible` names characters that cannot be seen. */
export function Cell({ cell, visible = false }: { cell: string | undefined; visible?: boolean }) {
  if (cell === undefined) return null;
  const { kind } = cellContent(cell);
  const text = cellText(cell, visible);
  if (kind === 'text' && text === '') {
    return (
      <span className="cell" data-kind="empty" title={t('emptyText')}>
        &quot;&quot;
      </span>
    );
  }
  const shown = text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
  return (
    <span className="cell" data-kind={kind} title={text.length > 12 ? text.slice(0, 2000) : undefined}>
      {asItIs(shown)}
    </span>
  );
}
