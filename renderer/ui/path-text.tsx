/** A path as people write it: `~/Documents` for what is in the home folder; the whole of it as its title. */
import { Fragment } from 'react';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { useAnswer } from '../api/use-client.ts';

const nothing = {};
const never = [] as const;

export function PathText({ path }: { path: string }) {
  const host = useAnswer('host.get', nothing, never);
  return (
    <span className="path" title={path}>
      {breakable(visibleText(shortPath(path, host.value?.home)))}
    </span>
  );
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
