/** The servers found on this computer, and which of them are ticked. */
import { useMemo, useState } from 'react';
import type { OperationOutput } from '../../../shared/contract/contract.ts';
import type { FoundUpstream } from '../../../shared/contract/upstreams.ts';
import type { AppError } from '../../../shared/model/errors.ts';
import { type Answer, useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';

const nothing = {};
const events = ['upstreams.changed', 'status.changed'] as const;

export interface Import {
  answer: Answer<FoundUpstream[]>;
  ticked: ReadonlySet<string>;
  tick(id: string, on: boolean): void;
  run(): Promise<OperationOutput<'upstreams.import'> | undefined>;
  busy: boolean;
  error: AppError | undefined;
}

/** Servers that are not here yet start ticked. */
export function useImport(): Import {
  const answer = useAnswer('upstreams.found', nothing, events);
  const command = useCommand('upstreams.import');
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const ticked = useMemo(
    () => new Set((answer.value ?? []).filter((found) => !found.present && !unticked.has(found.id)).map((found) => found.id)),
    [answer.value, unticked],
  );
  return {
    answer,
    ticked,
    tick(id, on) {
      const next = new Set(unticked);
      if (on) next.delete(id);
      else next.add(id);
      setUnticked(next);
    },
    async run() {
      const imported = await command.run({
        ids: [...ticked],
        shown: Object.fromEntries((answer.value ?? []).map(({ id, revision }) => [id, revision])),
      });
      await answer.refresh();
      return imported;
    },
    busy: command.busy,
    error: command.error,
  };
}
