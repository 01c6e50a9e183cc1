/** A path as people write it: `~/Documents` for what is in the home folder; the whole of it as its title. */
import { Fragment } from 'react';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { useAnswer } from '../api/use-client.ts';

const nothing = {};
const never = [] as const;

export function PathText({ path }: { path: string }) {
  const short = useShortPath();
  return (
    <span className="path" title={path}>
      {breakable(visibleText(short(path)))}
    </span>
  );
}

/** For a path within a sentence. */
export function useShortPath(): (path: string) => string {
  const home = useAnswer('host.get', nothing, never).value?.home;
  return (path) => shortPath(path, home);
}

/** Lines break between names rather than in them. */
const breakable = (path: string) =>
  path.split(/(?<=[\\/])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

export function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === '' || /^[/\\]$/.test(home)) return path;
  if (path === home) return '~';
  const rest = path.startsWith(home) ? path.slice(home.length) : '';
  return /^[/\\]/.test(rest) ? `~${rest}` : path;
}
