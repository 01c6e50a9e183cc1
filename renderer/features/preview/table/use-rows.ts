/** The rows of an open preview that are in view. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type AppError, toAppError } from '../../../../shared/model/errors.ts';
import { useClient } from '../../../api/client-context.ts';
import { RowPages } from './row-pages.ts';

export interface Rows {
  pages: RowPages;
  /** Counts what came, so that what is made of the first rows can be made again. */
  version: number;
  error: AppError | undefined;
  retry(): void;
}

/** After reopening, the previous rows stay until the first new ones arrive. */
export function useRows(id: string, count: number): Rows & { want(from: number, to: number): void } {
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
