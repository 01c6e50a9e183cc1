/** Status, pause and resume, problems and what mends them. */

import os from 'node:os';
import type { Handlers } from '../../../shared/contract/router.ts';
import type { Host, Status } from '../../../shared/contract/status.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function currentStatus({ runtime, server, version }: HandlerDeps): Status {
  const { url, port, problem } = server.state();
  const problems = [...runtime.config.problems, ...(problem === null ? [] : [problem])];
  return {
    state: url === null ? 'stopped' : 'running',
    url,
    port,
    version,
    configPath: runtime.config.path,
    problems: problems.map((message, index) => ({ id: String(index), message, hint: null, subject: null, remedies: [] })),
  };
}

function hostView({ host }: HandlerDeps): Host {
  const secrets = host.secrets();
  const platform = (['linux', 'darwin', 'win32'] as const).find((known) => known === process.platform) ?? 'other';
  return {
    kind: host.kind,
    platform,
    home: os.homedir(),
    nativeDialogs: host.pick !== undefined,
    canStartAtLogin: host.startAtLogin !== undefined,
    secrets: 'cipher' in secrets ? { available: true, reason: null } : { available: false, reason: secrets.reason },
  };
}

export function statusHandlers(deps: HandlerDeps) {
  return {
    'status.get': async () => currentStatus(deps),
    'host.get': async () => hostView(deps),
    ...pending('server.pause', 'server.resume', 'problems.mend'),
  } satisfies Partial<Handlers>;
}
