/** Handlers for status, pause and resume, problems and their remedies. */
import os from 'node:os';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import type { Host, Remedy, Status } from '../../../shared/contract/status.ts';
import type { Text } from '../../../shared/model/messages/message.ts';
import { worded } from '../../../shared/model/messages/received.ts';
import { currentProblems, fix } from '../../app/problems.ts';
import type { HandlerDeps } from './deps.ts';

export async function currentStatus(deps: Pick<HandlerDeps, 'runtime' | 'server' | 'version'>): Promise<Status> {
  const { runtime, server, version } = deps;
  const { url, port } = server.state();
  return {
    state: runtime.pause.on() ? 'paused' : url === null ? 'stopped' : 'running',
    url,
    port,
    version,
    configPath: runtime.config.path,
    problems: await currentProblems(deps),
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
    secrets: 'cipher' in secrets ? { available: true, reason: null } : noSecrets(secrets.reason),
  };
}

function noSecrets(why: Text): Host['secrets'] {
  const { message, said } = worded(why);
  return { available: false, reason: message, said };
}

export function statusHandlers(deps: HandlerDeps) {
  const notified = async () => {
    const status = await currentStatus(deps);
    deps.emit('status.changed', status);
    return status;
  };
  const pause = (on: boolean) => {
    deps.runtime.pause.set(on);
    return notified();
  };
  return {
    'status.get': () => currentStatus(deps),
    'host.get': async () => hostView(deps),
    'server.pause': () => pause(true),
    'server.resume': () => pause(false),
    'problems.fix': async ({ id, remedy }: { id: string; remedy: Remedy }) => {
      await fix(deps, id, remedy);
      return notified();
    },
  } satisfies Partial<Handlers>;
}
