/** The log's entries by position, fetched in pages as they come into view and kept fresh as calls are added. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ActivityFilter } from '../../../shared/contract/activity.ts';
import type { LedgerEntry } from '../../../shared/model/call.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useClient } from '../../api/client-context.ts';
import { useEvent } from '../../api/use-event.ts';

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
