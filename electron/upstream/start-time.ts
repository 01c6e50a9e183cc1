/** How long a server may take to start. */
import type { Upstream } from '../../shared/model/config.ts';

const START_MS = 60_000;
/** Ended halfway, npx leaves a cache behind that it cannot use, so that the next start fails, too. */
const FETCHED_START_MS = 180_000;

/** Programs that fetch a server before its first start. */
const fetchers = /^(?:npx|pnpx|bunx|npm|pnpm|yarn|uvx?|pipx|docker|podman|nerdctl|dnx)$/i;

/** Milliseconds. */
export function startTime(upstream: Upstream): number {
  if (upstream.type !== 'stdio') return START_MS;
  const program = upstream.command.split(/[\\/]/).at(-1) ?? '';
  return fetchers.test(program.replace(/\.(?:exe|cmd|bat)$/i, '')) ? FETCHED_START_MS : START_MS;
}
