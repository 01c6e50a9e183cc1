/** Cuts a change down to its changed lines and a few around each. */
import type { AgentPlan } from '../../../shared/contract/agents.ts';

export type ShownLine = (AgentPlan['lines'][number] & { number: number }) | { kind: 'gap'; number: number };

/** `number` counts from 0 in the whole; a gap has that of its first line. */
export function withContext(lines: AgentPlan['lines'], around: number): ShownLine[] {
  const near = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => line.kind !== 'same');
  const shown: ShownLine[] = [];
  lines.forEach((line, number) => {
    if (near(number)) shown.push({ ...line, number });
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', number });
  });
  return shown;
}
