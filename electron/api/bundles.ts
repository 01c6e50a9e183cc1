/** Where unpacked bundles of servers are kept, and their removal with the last server that runs from one. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Upstream } from '../../shared/model/config.ts';
import type { Runtime } from '../app/runtime.ts';

export const bundleFolder = (runtime: Runtime): string => path.join(runtime.dataDirectory, 'bundles');

/** Removes the bundles that `upstream` ran from, unless another server does. */
export async function removeUnusedBundles(runtime: Runtime, upstream: Upstream): Promise<void> {
  const folder = bundleFolder(runtime);
  const names = await readdir(folder).catch(() => []);
  const others = Object.values(runtime.effective().upstreams);
  for (const name of names) {
    const place = path.join(folder, name);
    if (runsFrom(upstream, place) && !others.some((other) => runsFrom(other, place)))
      await rm(place, { recursive: true, force: true });
  }
}

const runsFrom = (upstream: Upstream, place: string): boolean =>
  upstream.type === 'stdio' &&
  [upstream.command, ...upstream.args, upstream.cwd ?? '', ...Object.values(upstream.env)].some((text) => text.includes(place));
