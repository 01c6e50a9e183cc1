/** Files to begin with: those looked at before, and the newest in the folders agents may use. */
import { useEffect, useState } from 'react';
import { useClient } from '../../api/client-context.ts';

export interface RecentFile {
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

/** Undefined while the folders are looked into. */
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
