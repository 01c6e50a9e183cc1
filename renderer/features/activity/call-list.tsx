/** The log of calls as a table: only the rows in view are drawn and fetched. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ActivityFilter } from '../../../shared/contract/activity.ts';
import { type LedgerEntry, savedBy } from '../../../shared/model/call.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useClient, useEvent } from '../../api/use-client.ts';
import { Attempt, callDetail, callDoes, fileFacts, Outcome, savedTokens, whyNot } from '../../ui/calls.tsx';
import { fileName, formatDuration, formatTime } from '../../ui/format.ts';
import { t as ui } from '../../ui/ui-texts.ts';
import { t } from './activity-texts.ts';

/** Room for three lines. */
const ROW = 66;
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
        <b>{callDoes(entry)}</b>
        <small className="quiet" title={callDetail(entry)}>
          <Attempt entry={entry} />
          {callDetail(entry)}
        </small>
      </span>
      <span role="cell" className="call-cell" title={entry.paths.join('\n')}>
        <span>{first === undefined ? '–' : fileName(first)}</span>
        <small className="quiet">{fileFacts(entry)}</small>
      </span>
      <span role="cell" className="number" data-column="tokensSaved">
        {savedTokens(savedBy(entry))}
      </span>
      <span role="cell" className="number quiet" data-column="took">
        {formatDuration(entry.durationMs)}
      </span>
      <span role="cell">
        <Outcome outcome={entry.outcome} why={whyNot(entry)} />
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
  // Tab comes to one row, and the arrow keys to the others. The one used last may be out of view.
  const [used, setUsed] = useState(0);
  const reached = used >= from && used <= to ? used : from;
  useEffect(() => calls.show(from, to), [calls, from, to]);
  const now = new Date();

  const open = (entry: LedgerEntry | undefined) => {
    if (entry) go(`/activity/${encodeURIComponent(entry.id)}`);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') return open(calls.at(used));
    const target = { ArrowDown: used + 1, ArrowUp: used - 1, Home: 0, End: total - 1 }[event.key];
    if (target === undefined || target < 0 || target >= total) return;
    event.preventDefault();
    // The next key may come before the row is drawn.
    setUsed(target);
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
                tabIndex={index === reached ? 0 : -1}
                onFocus={() => setUsed(index)}
                data-index={index}
                aria-rowindex={index + 2}
                className="call-row"
                style={{ transform: `translateY(${start - HEAD}px)`, height: ROW }}
                onClick={() => open(entry)}
                onKeyDown={onKeyDown}
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

const PAGE = 100;
/** Pages kept; more are far from view. */
const MOST_PAGES = 20;
const LIVE_MS = 250;

export interface Calls {
  /** Undefined until the first answer. */
  total: number | undefined;
  error: AppError | undefined;
  /** Undefined while it is being fetched; asking for it fetches it. */
  at(index: number): LedgerEntry | undefined;
  /** Says which positions are in view. */
  show(from: number, to: number): void;
}

/** The log's entries by position, fetched in pages as they come into view and kept fresh as calls are added. */
export function useCalls(filter: ActivityFilter): Calls {
  const client = useClient();
  const [total, setTotal] = useState<number>();
  const [error, setError] = useState<AppError>();
  const [pages, setPages] = useState<ReadonlyMap<number, readonly LedgerEntry[]>>(new Map());
  const wanted = useRef<readonly [number, number]>([0, 0]);
  // Answers to an older question are dropped.
  const turn = useRef(0);
  const running = useRef(new Set<number>());

  const fetchPage = useCallback(
    async (page: number) => {
      if (running.current.has(page)) return;
      running.current.add(page);
      const asked = turn.current;
      try {
        const found = await client.call('ledger.find', { filter, offset: page * PAGE, limit: PAGE });
        if (asked !== turn.current) return;
        setError(undefined);
        setTotal(found.total);
        setPages((before) => {
          const kept = [...before].filter(([other]) => other !== page).slice(-(MOST_PAGES - 1));
          return new Map([...kept, [page, found.entries]]);
        });
      } catch (thrown) {
        if (asked === turn.current) setError(toAppError(thrown));
      } finally {
        if (asked === turn.current) running.current.delete(page);
      }
    },
    [client, filter],
  );

  const refresh = useCallback(() => {
    turn.current += 1;
    running.current = new Set();
    const [from, to] = wanted.current;
    for (let page = from; page <= to; page += 1) void fetchPage(page);
  }, [fetchPage]);

  useEffect(() => {
    wanted.current = [0, 0];
    setPages(new Map());
    refresh();
  }, [refresh]);

  // New calls shift every position: what is in view is asked for again, a burst once, by whatever filter there is by then.
  const latest = useRef(refresh);
  latest.current = refresh;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const callsCame = useRef(() => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latest.current();
      const [from, to] = wanted.current;
      setPages((before) => new Map([...before].filter(([page]) => page >= from && page <= to)));
    }, LIVE_MS);
  });
  useEvent('ledger.appended', callsCame.current);
  // Some may have come unheard.
  useEffect(() => client.onConnection((connected) => connected && callsCame.current()), [client]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = useCallback(
    (from: number, to: number) => {
      wanted.current = [Math.floor(from / PAGE), Math.floor(to / PAGE)];
      for (let page = wanted.current[0]; page <= wanted.current[1]; page += 1) if (!pages.has(page)) void fetchPage(page);
    },
    [pages, fetchPage],
  );

  return { total, error, at: (index) => pages.get(Math.floor(index / PAGE))?.[index % PAGE], show };
}
