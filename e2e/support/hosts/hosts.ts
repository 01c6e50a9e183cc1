/** All hosts, each run once: what it sends to its model, and what becomes of a call by path. */
import { openWorkspace } from '../cli.ts';
import { agents } from './agents.ts';
import { clients } from './clients.ts';
import { type Host, type Outcome, openScene } from './host.ts';
import type { SentTool } from './model-api.ts';
import { installHosts, packageVersion } from './programs.ts';

export const hosts: readonly Host[] = [...agents, ...clients];

export interface Observation extends Outcome {
  /** Tool calls that reached the upstream. */
  arrived: unknown[];
}

const observations = new Map<Host, Promise<Observation>>();

/** Runs the host with Filebridge, on first use only. */
export function observe(host: Host): Promise<Observation> {
  const observed = observations.get(host) ?? run(host);
  observations.set(host, observed);
  return observed;
}

async function run(host: Host): Promise<Observation> {
  const scene = await openScene(host);
  try {
    const outcome = await host.run(scene);
    return { ...outcome, arrived: await scene.arrived() };
  } finally {
    await scene.close();
  }
}

/** Our tools as this host sends them to its model: with its prefix, and with the schema as it changed it. */
export async function toolsSentBy(host: Host): Promise<SentTool[]> {
  const { tools } = await observe(host);
  return tools.filter(({ name }) => name.startsWith(host.prefix));
}

export type Presence = { versions: string; missing?: undefined } | { versions?: undefined; missing: string };

/** The versions of the host's packages, or why it cannot run here. Installs the packages on first use. */
export async function presenceOf({ name, packages, check }: Host): Promise<Presence> {
  if (packages.length === 0) return { versions: '' };
  const failed = installHosts();
  if (failed !== undefined) return { missing: `${name}: ${failed}` };
  const place = await openWorkspace();
  try {
    await check(place.root);
    return { versions: (await Promise.all(packages.map(packageVersion))).join(', ') };
  } catch (error) {
    const here = `${process.platform}-${process.arch} with Node ${process.versions.node}`;
    return { missing: `${name} does not start on ${here}: ${error instanceof Error ? error.message : error}` };
  } finally {
    await place.remove();
  }
}
