/** A column's name, its type as it is or as it is wanted, and whether it fits the chosen tool. */
import { type ColumnType, columnTypes } from '../../../../shared/model/conversion.ts';
import { TriangleAlert } from '../../../ui/icons/icons.tsx';
import { formatCount } from '../../../ui/numbers.ts';
import type { RecordColumn } from '../../../ui/records.tsx';
import { t } from '../preview-texts.ts';

/** How a person changes columns' types; null is back to automatic. */
export interface Typing {
  busy: boolean;
  choose(column: string, type: ColumnType | null): void;
}

const typeName = (type: ColumnType) => t(`type_${type}`);

export function ColumnHead({
  column: { name, typed, numeric, width },
  index,
  last,
  mark,
  typing,
}: {
  column: RecordColumn;
  index: number;
  last: boolean;
  mark: string | undefined;
  typing: Typing | undefined;
}) {
  const empty = typed && typed.empty > 0 ? t('emptyCells', { count: typed.empty, shown: formatCount(typed.empty) }) : undefined;
  return (
    <div
      role="columnheader"
      aria-colindex={index + 2}
      className="record-column"
      data-numeric={numeric || undefined}
      data-marked={mark !== undefined || undefined}
      style={last ? { flex: `1 0 ${width}px` } : { width }}
    >
      <div className="record-name" title={[name, empty, mark].filter(Boolean).join('\n')}>
        {mark === undefined ? null : <TriangleAlert aria-hidden="true" />}
        <span>{name}</span>
        {mark === undefined ? null : <span className="visually-hidden">{mark}</span>}
      </div>
      {typed && typing ? (
        <select
          className="record-type"
          aria-label={t('typeOf', { name })}
          data-chosen={typed.decidedBy === 'caller' || undefined}
          value={typed.decidedBy === 'caller' ? typed.type : ''}
          disabled={typing.busy}
          onChange={(event) => typing.choose(name, columnTypes.find((type) => type === event.target.value) ?? null)}
        >
          <option value="">
            {typed.decidedBy === 'caller' ? t('automatic') : t('typeFound', { type: typeName(typed.type) })}
          </option>
          {columnTypes.map((type) => (
            <option key={type} value={type}>
              {typeName(type)}
            </option>
          ))}
        </select>
      ) : null}
    </div>
  );
}
