/** The servers of the page: those that fit what was typed, in the order that was chosen. */
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';

export const orders = ['problems', 'name', 'added'] as const;
export type Order = (typeof orders)[number];

/** Whether a server wants something of the person. One that is switched off does not. */
export const hasProblem = ({ enabled, state, lastFailure, toolChanges }: UpstreamView): boolean =>
  enabled && (state === 'failed' || state === 'needs_sign_in' || lastFailure !== null || toolChanges > 0);

/** Lower comes first. */
const urgency = (server: UpstreamView): number => (hasProblem(server) ? 0 : server.enabled ? 1 : 2);

export function arranged(servers: readonly UpstreamView[], typed: string, order: Order): UpstreamView[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = servers.filter(({ name, target }) => {
    const text = `${name} ${target}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (order === 'added') return fitting;
  const byName = (one: UpstreamView, other: UpstreamView) =>
    one.name.localeCompare(other.name, undefined, { numeric: true, sensitivity: 'base' });
  return fitting.sort(order === 'name' ? byName : (one, other) => urgency(one) - urgency(other) || byName(one, other));
}
