/** The first and the last records of a list: as a small table, or as text where a table would leave something out. */
import { visibleJson, visibleText } from '../../../shared/lib/visible-text.ts';
import { formatCount } from '../../ui/format.ts';
import { indentJson, type RecordCells, recordCells } from '../../ui/json-text.ts';
import { CELL_CHARS, Cell, cellOf, cellText, type RecordColumn, recordColumns } from '../../ui/records.tsx';
import { t } from './approvals-texts.ts';
import { EndMark } from './end-mark.tsx';
import { Scrolling } from './scrolling.tsx';

/** More than this are read more easily as text, which scrolls in one direction. */
const TABLE_COLUMNS = 12;

interface RecordsProps {
  title: string;
  first: readonly string[];
  /** Empty where `first` is all of them. */
  last: readonly string[];
  records: number;
}

export function Records({ title, first, last, records }: RecordsProps) {
  const heads = first.map(recordCells);
  const tails = last.map(recordCells);
  const columns = recordColumns(null, [...heads, ...tails], t('value'));
  const between = records - first.length - last.length;
  const gap = tails.length === 0 ? undefined : t('between', { count: between, shown: formatCount(between) });
  const fits = columns.length <= TABLE_COLUMNS && [...first, ...last].every(isWhole) && [...heads, ...tails].every(isShort);
  if (!fits) return <RecordTexts title={title} first={first} last={last} gap={gap} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="approval-table" tabIndex={0} role="group" aria-label={title}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, numeric }) => (
              <th key={name} scope="col" className={numeric ? 'number' : undefined}>
                {visibleText(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Rows rows={heads} columns={columns} ends={tails.length === 0} />
          {gap === undefined ? null : (
            <tr className="approval-gap">
              <td colSpan={columns.length}>{gap}</td>
            </tr>
          )}
          <Rows rows={tails} columns={columns} ends />
        </tbody>
      </table>
    </div>
  );
}

/** Neither cut nor with two members of one name, of which a table has room for one only. */
function isWhole(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
    return (indentJson(json).match(MEMBER) ?? []).length === Object.keys(value).length;
  } catch {
    return false;
  }
}

/** The beginning of a member of the outermost object in indented JSON, whose strings have no line breaks. */
const MEMBER = /\n {2}"/g;

function isShort(record: RecordCells): boolean {
  const cells = record.kind === 'value' ? [record.cell] : [...record.cells.values()];
  return cells.every((cell) => cellText(cell, true).length <= CELL_CHARS);
}

function RecordTexts({ title, first, last, gap }: Pick<RecordsProps, 'title' | 'first' | 'last'> & { gap: string | undefined }) {
  const shown = (records: readonly string[]) => records.map((json) => visibleJson(indentJson(json))).join('\n');
  return (
    <Scrolling name={title}>
      {shown(first)}
      {gap === undefined ? null : <span className="approval-gap">{gap}</span>}
      {shown(last)}
    </Scrolling>
  );
}

/** `ends`: nothing comes after these rows. */
function Rows({ rows, columns, ends }: { rows: readonly RecordCells[]; columns: readonly RecordColumn[]; ends: boolean }) {
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: records without identity, which do not change
    <tr key={index}>
      {columns.map((column, at) => (
        <td key={column.name} className={column.numeric ? 'number' : undefined}>
          <Cell cell={cellOf(row, column)} visible />
          {ends && index === rows.length - 1 && at === columns.length - 1 ? <EndMark /> : null}
        </td>
      ))}
    </tr>
  ));
}
