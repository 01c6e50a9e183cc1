/** Starts the practice server for new users; it is started like any server but not listed. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PRACTICE_SERVER } from '../../shared/model/client-name.ts';
import { type AgentLaunch, launchOf } from '../agent-apps/agent-launch.ts';
import type { CallDeps } from '../calls/types.ts';
import { PRACTICE_MESSAGE_BYTES } from '../server/practice-tool.ts';
import type { UpstreamPool } from '../upstream/types.ts';
import type { Runtime } from './runtime.ts';

const goods = ['Tea', 'Coffee', 'Cups', 'Spoons', 'Sugar'];
const SAMPLE = [
  'order,customer,article,quantity,price',
  ...Array.from(
    { length: 200 },
    (_, i) => `${1001 + i},C${100 + (i % 37)},${goods[i % 5]},${1 + (i % 9)},${(2.5 + (i % 13)).toFixed(2)}`,
  ),
  '',
].join('\n');

export interface Practice {
  /** Dependencies of calls to the practice server, which starts with its first call. */
  deps(own: CallDeps): CallDeps;
  /** The path of a small table to try with. */
  sample(): Promise<string>;
  close(): Promise<void>;
}

export function createPractice(runtime: Pick<Runtime, 'poolOf'>, launch: AgentLaunch): Practice {
  let pool: UpstreamPool | undefined;
  let folder: Promise<string> | undefined;
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
    async sample() {
      folder ??= mkdtemp(path.join(os.tmpdir(), 'filebridge-sample-'));
      const file = path.join(await folder, 'orders.csv');
      await writeFile(file, SAMPLE);
      return file;
    },
    async close() {
      await pool?.close();
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
