/** The first and the last records of a list as a small table. */
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { Cell } from '../../ui/cell.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { type RecordCells, recordCells } from '../../ui/record-cells.ts';
import { cellOf, type RecordColumn, recordColumns } from '../../ui/record-columns.ts';
import { t } from './approvals-texts.ts';

const SHOWN_COLUMNS = 40;

interface RecordTableProps {
  title: string;
  first: readonly string[];
  /** Empty where `first` is all of them. */
  last: readonly string[];
  records: number;
}

export function RecordTable({ title, first, last, records }: RecordTableProps) {
  const heads = first.map(recordCells);
  const tails = last.map(recordCells);
  const columns = recordColumns(null, [...heads, ...tails], t('value'));
  const shown = columns.slice(0, SHOWN_COLUMNS);
  const between = records - first.length - last.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="approval-table" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              {shown.map(({ name, numeric }) => (
                <th key={name} scope="col" className={numeric ? 'number' : undefined}>
                  {visibleText(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Rows rows={heads} columns={shown} />
            {tails.length === 0 ? null : (
              <tr className="approval-gap">
                <td colSpan={shown.length}>{t('between', { count: between, shown: formatCount(between) })}</td>
              </tr>
            )}
            <Rows rows={tails} columns={shown} />
          </tbody>
        </table>
      </div>
      {columns.length > shown.length ? (
        <p className="quiet small">{t('moreColumns', { count: columns.length - shown.length })}</p>
      ) : null}
    </>
  );
}

function Rows({ rows, columns }: { rows: readonly RecordCells[]; columns: readonly RecordColumn[] }) {
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: records without identity, which do not change
    <tr key={index}>
      {columns.map((column) => (
        <td key={column.name} className={column.numeric ? 'number' : undefined}>
          <Cell cell={cellOf(row, column)} visible />
        </td>
      ))}
    </tr>
  ));
}
