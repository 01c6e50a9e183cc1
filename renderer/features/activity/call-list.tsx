/** Any number of calls as a table of which only the rows in view exist. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { LedgerEntry } from '../../../shared/model/call.ts';
import { Attempt, callName, callPlace, Outcome, savedTokens } from '../../ui/calls.tsx';
import { fileName, formatBytes, formatDuration, formatTime } from '../../ui/format.ts';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './activity-texts.ts';
import type { Calls } from './use-calls.ts';

const ROW = 56;
/** The headings stay above the rows, in the same scroller, so that both scroll sideways together. */
const HEAD = 39;
const columns = ['time', 'tool', 'file', 'tokensSaved', 'took', 'outcome'] as const;

function Cells({ entry, now }: { entry: LedgerEntry; now: Date }) {
  const first = entry.paths[0];
  return (
    <>
      <span role="cell" className="quiet">
        <time dateTime={entry.time}>{formatTime(entry.time, now)}</time>
      </span>
      <span role="cell" className="call-cell">
        <b>{callName(entry)}</b>
        <small className="quiet">
          <Attempt entry={entry} />
          {callPlace(entry)}
        </small>
      </span>
      <span role="cell" className="call-cell" title={entry.paths.join('\n')}>
        <span>{first === undefined ? '–' : fileName(first)}</span>
        <small className="quiet">{first === undefined ? '' : formatBytes(entry.inputBytes)}</small>
      </span>
      <span role="cell" className="number" data-column="tokensSaved">
        {savedTokens(entry.savings)}
      </span>
      <span role="cell" className="number quiet">
        {formatDuration(entry.durationMs)}
      </span>
      <span role="cell">
        <Outcome outcome={entry.outcome} />
      </span>
    </>
  );
}

export function CallList({ calls }: { calls: Calls }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, go] = useLocation();
  const total = calls.total ?? 0;
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    scrollMargin: HEAD,
    overscan: 8,
  });
  const items = rows.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  useEffect(() => calls.show(from, to), [calls, from, to]);
  const now = new Date();

  const open = (entry: LedgerEntry | undefined) => {
    if (entry) go(`/activity/${encodeURIComponent(entry.id)}`);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (event.key === 'Enter') return open(calls.at(index));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const target = step === undefined ? undefined : index + step;
    if (target === undefined || target < 0 || target >= total) return;
    event.preventDefault();
    rows.scrollToIndex(target);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus());
  };

  return (
    <div className="call-list" role="table" aria-label={t('table')} aria-rowcount={total + 1}>
      <div className="call-list-body" ref={scroller}>
        <div role="rowgroup" className="call-list-head">
          <div role="row" aria-rowindex={1} className="call-row">
            {columns.map((column) => (
              <span
                key={column}
                role="columnheader"
                data-column={column}
                className={column === 'tokensSaved' || column === 'took' ? 'number' : undefined}
              >
                {ui(column)}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="call-list-rows" style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const entry = calls.at(index);
            return (
              <div
                key={index}
                role="row"
                tabIndex={0}
                data-index={index}
                aria-rowindex={index + 2}
                className="call-row"
                style={{ transform: `translateY(${start - HEAD}px)`, height: ROW }}
                onClick={() => open(entry)}
                onKeyDown={(event) => onKeyDown(event, index)}
              >
                {entry ? <Cells entry={entry} now={now} /> : <span role="cell" className="call-waiting" aria-busy="true" />}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
