/** A file's records as a table of any length and width: only what is in view is drawn and asked for. */
import './record-table.css';
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { PreviewView } from '../../../../shared/contract/preview.ts';
import { type ColumnType, columnTypes } from '../../../../shared/model/conversion.ts';
import { type AppError, toAppError } from '../../../../shared/model/errors.ts';
import { useAnswer, useClient } from '../../../api/use-client.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loaded, Trouble } from '../../../ui/feedback.tsx';
import { formatCount } from '../../../ui/format.ts';
import { TriangleAlert } from '../../../ui/icons/icons.tsx';
import { indentJson, type RecordCells } from '../../../ui/json-text.ts';
import { Cell, cellOf, type RecordColumn, recordColumns } from '../../../ui/records.tsx';
import { t } from '../preview-texts.ts';
import { RowPages } from './row-pages.ts';
import { useTallScroll } from './tall-scroll.ts';

const never = [] as const;
const ROW = 32;
const HEAD = 40;
const TYPED_HEAD = 70;
/** Columns are narrowed to the table's place where they exceed it by at most this factor. */
const MOST_NARROWED = 1.15;

interface Across {
  columns: readonly RecordColumn[];
  items: readonly VirtualItem[];
  /** Width of the row numbers, which stay at the left. */
  numbers: number;
}

/** `marks` says of columns, by name, why they do not fit the chosen tool. */
export function RecordTable({
  preview: { id, rows: count, report },
  typing,
  marks,
  onHeader,
}: {
  preview: PreviewView;
  typing: Typing | undefined;
  marks: ReadonlyMap<string, string>;
  /** Takes the line of a row as the header; undefined where the format has none. */
  onHeader: ((line: number) => void) | undefined;
}) {
  const scroller = useRef<HTMLElement>(null);
  const { pages, version, error, retry, want } = useRows(id, count);
  const typed = report?.columns ?? null;
  const head = typed ? TYPED_HEAD : HEAD;
  const seen = useTallScroll(scroller, { count, rowHeight: ROW, head });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the first rows
  const columns = useMemo(() => recordColumns(typed, pages.first(), t('value')), [typed, pages, version]);
  const numbers = 26 + formatCount(count).length * 8;
  /** By which the columns' widths are multiplied. */
  const scale = () => {
    const room = (scroller.current?.clientWidth ?? 0) - numbers;
    const total = columns.reduce((sum, { width }) => sum + width, 0);
    return room > 0 && total > room && total <= room * MOST_NARROWED ? room / total : 1;
  };
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.floor((columns[index]?.width ?? 0) * scale()),
    paddingStart: numbers,
    scrollPaddingStart: numbers,
    overscan: 3,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have other widths
  useEffect(() => across.measure(), [across, columns]);
  useEffect(() => want(seen.from, seen.to));

  const [chosen, setChosen] = useState<number>();

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    seen.jump(event.key === 'Home' ? 'start' : 'end');
  };
  const line: Across = { columns, items: across.getVirtualItems(), numbers };
  const width = { minWidth: '100%', width: across.getTotalSize() };

  return (
    <>
      <Trouble
        error={error}
        actions={
          <Button size="small" onClick={retry}>
            {t('retry')}
          </Button>
        }
      />
      {chosen !== undefined ? (
        <ChosenRow key={chosen} id={id} row={chosen} onHeader={onHeader} onClose={() => setChosen(undefined)} />
      ) : null}
      <section
        className="record-table"
        ref={scroller}
        aria-label={t('table')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={seen.onScroll}
        onKeyDown={onKeyDown}
      >
        {/* Not a table element: rows that are not in view are left out. */}
        <div role="table" aria-label={t('table')} aria-rowcount={count + 1} aria-colcount={columns.length + 1} style={width}>
          <div role="rowgroup" className="record-head">
            <Line
              index={1}
              line={line}
              height={head}
              number={
                <div role="columnheader" aria-colindex={1} className="record-number" style={{ width: numbers }}>
                  <span className="visually-hidden">{t('rowNumber')}</span>
                </div>
              }
            >
              {(column, item, last) => (
                <ColumnHead
                  key={item.key}
                  column={column}
                  index={item.index}
                  width={item.size}
                  last={last}
                  mark={marks.get(column.name)}
                  typing={column.typed ? typing : undefined}
                />
              )}
            </Line>
          </div>
          <div role="rowgroup" className="record-rows" style={{ height: seen.height }}>
            <div style={{ transform: `translateY(${seen.offset}px)` }} role="presentation">
              {Array.from({ length: seen.to - seen.from }, (_, i) => seen.from + i).map((row) => (
                <RecordLine
                  key={row}
                  row={row}
                  record={pages.row(row)}
                  line={line}
                  chosen={row === chosen}
                  onChoose={() => setChosen(row)}
                />
              ))}
            </div>
          </div>
        </div>
      </section>
    </>
  );
}

/** The row that was clicked, and what can be done with it. */
function ChosenRow({
  id,
  row,
  onHeader,
  onClose,
}: {
  id: string;
  row: number;
  onHeader: ((line: number) => void) | undefined;
  onClose: () => void;
}) {
  const { value, error } = useAnswer('preview.line', { id, row }, never);
  const line = value?.line ?? null;
  const [open, setOpen] = useState(false);
  return (
    <div className="record-chosen">
      <span role="status">{t('rowChosen', { row: formatCount(row + 1) })}</span>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('showRow')}
      </Button>
      <Dialog wide open={open} onClose={() => setOpen(false)} title={t('rowTitle', { row: formatCount(row + 1) })}>
        <WholeRow id={id} row={row} />
      </Dialog>
      {line === null || onHeader === undefined ? null : (
        <Button size="small" onClick={() => onHeader(line)}>
          {t('useRowAsHeader')}
        </Button>
      )}
      <Button size="small" look="quiet" onClick={onClose}>
        {t('close')}
      </Button>
      <Trouble error={error} />
    </div>
  );
}

/** A record as its JSON. */
function WholeRow({ id, row }: { id: string; row: number }) {
  const answer = useAnswer('preview.rows', { id, start: row, count: 1 }, never);
  return (
    <Loaded answer={answer} lines={4}>
      {({ rows: [json = ''] }) => (
        <>
          <CodeBlock code name={t('json')} text={indentJson(json)} />
          {json.includes('…') ? <p className="quiet small">{t('rowShortened')}</p> : null}
        </>
      )}
    </Loaded>
  );
}

function RecordLine({
  row,
  record,
  line,
  chosen,
  onChoose,
}: {
  row: number;
  record: RecordCells | undefined;
  line: Across;
  chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <Line
      index={row + 2}
      line={line}
      height={ROW}
      chosen={chosen}
      onClick={onChoose}
      number={
        <div role="rowheader" aria-colindex={1} className="record-number" style={{ width: line.numbers }}>
          {formatCount(row + 1)}
        </div>
      }
    >
      {(column, item, last) => (
        <div
          role="cell"
          key={item.key}
          aria-colindex={item.index + 2}
          className="record-cell"
          data-numeric={column.numeric || undefined}
          style={last ? { flex: `1 0 ${item.size}px` } : { width: item.size }}
        >
          {record ? <Cell cell={cellOf(record, column)} /> : <span className="record-coming" />}
        </div>
      )}
    </Line>
  );
}

/** One row of heads or cells: its number, then the columns in view, pushed to their place. */
function Line({
  index,
  line: { columns, items, numbers },
  height,
  number,
  chosen,
  onClick,
  children,
}: {
  index: number;
  line: Across;
  height: number;
  number: React.ReactNode;
  chosen?: boolean;
  onClick?: () => void;
  children: (column: RecordColumn, item: VirtualItem, last: boolean) => React.ReactNode;
}) {
  const first = items[0];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard, the header row is a field of how the file is read, and the records are in the JSON tab
    <div
      role="row"
      aria-rowindex={index}
      className="record-line"
      data-chosen={chosen || undefined}
      style={{ height }}
      onClick={onClick}
    >
      {number}
      {first ? <div role="presentation" style={{ flex: 'none', width: first.start - numbers }} /> : null}
      {items.map((item) => {
        const column = columns[item.index];
        // Numbers stay near the others.
        return column ? children(column, item, item.index === columns.length - 1 && !column.numeric) : null;
      })}
    </div>
  );
}

interface Rows {
  pages: RowPages;
  /** Counts what came, so that what is made of the first rows can be made again. */
  version: number;
  error: AppError | undefined;
  retry(): void;
}

/** After reopening, the previous rows stay until the first new ones arrive. */
function useRows(id: string, count: number): Rows & { want(from: number, to: number): void } {
  const client = useClient();
  const [version, setVersion] = useState(0);
  const [error, setError] = useState<AppError>();
  const pages = useMemo(
    () =>
      new RowPages(
        async (start, wanted) => (await client.call('preview.rows', { id, start, count: wanted })).rows,
        (failure) => {
          setError(failure === undefined ? undefined : toAppError(failure));
          setVersion((before) => before + 1);
        },
      ),
    [client, id],
  );
  const shown = useRef(pages);
  if (pages.first().length > 0 || count === 0) shown.current = pages;
  // An error of one preview does not apply to the next.
  useEffect(() => {
    if (pages) setError(undefined);
  }, [pages]);
  return {
    pages: shown.current,
    version,
    error,
    retry: () => {
      setError(undefined);
      pages.retry();
    },
    want: (from, to) => pages.want(from, to, count),
  };
}

/** How a person changes columns' types; null is back to automatic. */
export interface Typing {
  busy: boolean;
  choose(column: string, type: ColumnType | null): void;
}

const typeName = (type: ColumnType) => t(`type_${type}`);

/** A column's name, its type as it is or as it is wanted, and whether it fits the chosen tool. */
function ColumnHead({
  column: { name, typed, numeric },
  index,
  width,
  last,
  mark,
  typing,
}: {
  column: RecordColumn;
  index: number;
  width: number;
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
