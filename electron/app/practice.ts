/** Starts the practice server for new users; it is started like any server but not listed. */

import { type AgentLaunch, launchOf } from '../agent-apps/agent-launch.ts';
import type { CallDeps } from '../calls/types.ts';
import { PRACTICE_MESSAGE_BYTES } from '../server/practice-tool.ts';
import type { UpstreamPool } from '../upstream/types.ts';
import type { Runtime } from './runtime.ts';

/** Its name in the ledger. */
export const PRACTICE_SERVER = 'Filebridge practice';

export interface Practice {
  /** Dependencies of calls to the practice server, which starts with its first call. */
  deps(own: CallDeps): CallDeps;
  close(): Promise<void>;
}

export function createPractice(runtime: Pick<Runtime, 'poolOf'>, launch: AgentLaunch): Practice {
  let pool: UpstreamPool | undefined;
  const start = (): UpstreamPool => {
    const { command, args, env } = launchOf(launch, 'practice-server');
    return runtime.poolOf(
      {
        [PRACTICE_SERVER]: {
          type: 'stdio',
          command,
          args: [...args],
          env: { ...env },
          cwd: null,
          enabled: true,
          confirm: 'never',
          maxMessageBytes: PRACTICE_MESSAGE_BYTES,
        },
      },
      new Map(),
    );
  };
  return {
    deps(own) {
      pool ??= start();
      // What is practised may be repeated.
      const { sentFiles: _, receipts: __, stopped: ___, ...rest } = own;
      return { ...rest, upstreams: pool };
    },
    close: async () => pool?.close(),
  };
}
