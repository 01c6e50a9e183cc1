/** The files of the Preview page: the one that is open, and those to begin with. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useClient, useEvent } from '../../api/use-client.ts';

interface OpenPreview {
  /** The last view of the file; kept while the file is reopened. */
  view: PreviewView | undefined;
  /** How it was read when it was last read to the end. */
  lastGood: ConversionOptions | undefined;
  /** Why it could not be opened at all. */
  error: AppError | undefined;
  opening: boolean;
  reopen(): void;
}

/** Answers and events may overtake one another: what was read further is newer. */
function newer(before: PreviewView | undefined, now: PreviewView): PreviewView {
  if (before?.id !== now.id) return now;
  const older = before.state !== 'reading' && now.state === 'reading';
  return older || (before.state === now.state && before.bytesRead > now.bytesRead) ? before : now;
}

/** Opens a file anew when it is to be read differently, follows it while it is read, and closes it at the end. */
export function usePreview(path: string, options: ConversionOptions): OpenPreview {
  const client = useClient();
  const [view, setView] = useState<PreviewView>();
  const [error, setError] = useState<AppError>();
  const [opening, setOpening] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const [lastGood, setLastGood] = useState<ConversionOptions>();
  const current = useRef<{ id: string; options: ConversionOptions }>(undefined);
  const key = JSON.stringify(options);
  const latest = useRef(options);
  latest.current = options;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the options; an attempt opens once more
  useEffect(() => {
    let left = false;
    const id = crypto.randomUUID();
    const close = () => void client.call('preview.close', { id }).catch(() => undefined);
    setOpening(true);
    const open = async () => {
      const asked = latest.current;
      current.current = { id, options: asked };
      const first = await client.call('preview.open', { id, path, options: asked });
      if (left) return close();
      setView((before) => newer(before, first));
      setError(undefined);
      setOpening(false);
    };
    open().catch((thrown: unknown) => {
      if (left) return;
      setError(toAppError(thrown));
      setOpening(false);
    });
    return () => {
      left = true;
      close();
    };
  }, [client, path, key, attempt]);

  useEvent('preview.changed', (now) => {
    if (now.id === current.current?.id) setView((before) => newer(before, now));
  });
  useEffect(() => {
    if (view?.state === 'done' && view.id === current.current?.id) setLastGood(current.current.options);
  }, [view]);
  const reopen = useCallback(() => setAttempt((before) => before + 1), []);
  // A program that was started again knows nothing of this preview.
  const lost = useRef(false);
  useEffect(
    () =>
      client.onConnection((connected) => {
        const shown = current.current;
        if (connected && lost.current) reopen();
        else if (connected && shown) {
          // Events may have been missed. A preview that is gone by then is told by what is asked of it next.
          client.call('preview.get', { id: shown.id }).then(
            (now) => now.id === current.current?.id && setView((before) => newer(before, now)),
            () => undefined,
          );
        }
        lost.current = !connected;
      }),
    [client, reopen],
  );
  return { view, lastGood, error, opening, reopen };
}

// Recent files

interface RecentFile {
  path: string;
  /** Size of a file in an allowed folder; for recently viewed files only the path is known. */
  found: { bytes: number; modified: string } | undefined;
}

const SHOWN = 8;
const LOOKED_INTO = 6;
const REMEMBERED = 4;

/** Since the window was opened, newest first. */
let lookedAt: readonly string[] = [];

export function rememberFile(path: string): void {
  lookedAt = [path, ...lookedAt.filter((each) => each !== path)].slice(0, REMEMBERED);
}

/** One that is not there any more. */
export function forgetFile(path: string): void {
  lookedAt = lookedAt.filter((each) => each !== path);
}

/** Those looked at before, and the newest in the folders agents may use. Undefined while the folders are looked into. */
export function useRecentFiles(): readonly RecentFile[] | undefined {
  const client = useClient();
  const [files, setFiles] = useState<readonly RecentFile[]>();
  useEffect(() => {
    let left = false;
    const look = async () => {
      const folders = await client.call('folders.list', {});
      const there = folders.filter(({ exists }) => exists).slice(0, LOOKED_INTO);
      const glances = await Promise.allSettled(there.map(({ path }) => client.call('folders.glance', { path })));
      return glances.flatMap((glance) => (glance.status === 'fulfilled' ? glance.value.recent : []));
    };
    look()
      .catch(() => [])
      .then((recent) => {
        if (left) return;
        const byPath = new Map<string, RecentFile>(lookedAt.map((path) => [path, { path, found: undefined }]));
        for (const { path, bytes, modified } of recent.sort((a, b) => b.modified.localeCompare(a.modified))) {
          byPath.set(path, { path, found: { bytes, modified } });
        }
        setFiles([...byPath.values()].slice(0, SHOWN));
      });
    return () => {
      left = true;
    };
  }, [client]);
  return files;
}
