/** The beginning of what would be sent: records as a small table, anything else as JSON. */
import type { Approval } from '../../../shared/contract/approvals.ts';
import { Cell } from '../../ui/cell.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { indentJson } from '../../ui/indent-json.ts';
import { formatCount } from '../../ui/numbers.ts';
import { recordCells } from '../../ui/record-cells.ts';
import { cellOf, recordColumns } from '../../ui/record-columns.ts';
import { t } from './approvals-texts.ts';

const SHOWN_COLUMNS = 12;

export function Outgoing({ approval: { firstRecords, records, paths } }: { approval: Approval }) {
  const [only] = firstRecords;
  if (only === undefined) return null;
  // A single one may be a record as well as the arguments as a whole.
  if (firstRecords.length === 1 || paths.length === 0) {
    return (
      <div className="approval-part">
        <h3>{t('outgoing')}</h3>
        <CodeBlock name={t('outgoing')} text={indentJson(only)} copy={false} />
      </div>
    );
  }
  const rows = firstRecords.map(recordCells);
  const columns = recordColumns(null, rows, t('value'));
  const shown = columns.slice(0, SHOWN_COLUMNS);
  const title = t('firstOf', { count: records, first: formatCount(rows.length), shown: formatCount(records) });
  return (
    <div className="approval-part">
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="approval-table" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              {shown.map(({ name, numeric }) => (
                <th key={name} scope="col" className={numeric ? 'number' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: records without identity, which do not change
              <tr key={index}>
                {shown.map((column) => (
                  <td key={column.name} className={column.numeric ? 'number' : undefined}>
                    <Cell cell={cellOf(row, column)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {columns.length > shown.length ? (
        <p className="quiet small">{t('moreColumns', { count: columns.length - shown.length })}</p>
      ) : null}
    </div>
  );
}
