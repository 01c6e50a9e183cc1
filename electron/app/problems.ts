/** Collects problems (port, configuration, folders, servers) and applies their remedies. */
import { mkdir } from 'node:fs/promises';
import type { Problem, Remedy } from '../../shared/contract/status.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { worded } from '../../shared/model/messages/received.ts';
import type { ConfigProblem } from '../store/types.ts';
import type { AgentServer } from './agent-server.ts';
import type { Runtime } from './runtime.ts';

const NEAR_PORTS = 20;

/** Dependencies for finding and fixing problems. */
export interface Patient {
  readonly runtime: Runtime;
  readonly server: AgentServer;
}

const configRemedies: Record<ConfigProblem['kind'], Remedy[]> = {
  set_aside: ['reload_config', 'reset_config'],
  ignored: ['reload_config', 'reset_config'],
  entry: ['reload_config', 'reset_config'],
  unwatched: ['reload_config'],
};

export async function currentProblems({ runtime, server }: Patient): Promise<Problem[]> {
  const problems = runtime.config.problems.map((problem): Problem => {
    const { kind: what, message, hint, said } = problem;
    const entry = what === 'entry' ? problem.entry : null;
    const id = entry === null ? `config:${what}` : `config:${what}:${entry}`;
    return { kind: 'config', id, message, hint, said, remedies: configRemedies[what], what, file: runtime.config.path, entry };
  });
  for (const { name, error } of runtime.refusedServers) {
    const id = `upstreams-file:${name}`;
    problems.push({ kind: 'server_refused', id, ...worded(error.asText, error.hintAsText), server: name, remedies: [] });
  }
  const { problem, port } = server.state();
  if (problem !== null) {
    const words = worded(problem, say('port.unreachable'));
    problems.push({ kind: 'port', id: 'port', ...words, port, remedies: ['use_free_port', 'open_settings'] });
  }
  const refused = runtime.answersRefused();
  if (refused) {
    const folder = runtime.config.current().responses.folder ?? '';
    const words = worded(refused.asText, refused.hintAsText);
    problems.push({ kind: 'answers', id: 'answers', ...words, folder, remedies: ['open_settings'] });
  }
  for (const { path, realPath, silent } of await runtime.files.folders()) {
    if (realPath !== null && !silent) continue;
    const others: Remedy[] = runtime.fixed.folders ? [] : ['remove_folder', 'open_folders'];
    problems.push({
      kind: 'folder_missing',
      id: `folder:${path}`,
      ...(silent
        ? worded(say('folder.silent', { folder: path }), say('folder.silent.hint'))
        : worded(say('folder.missing', { folder: path }), say('folder.missing.hint'))),
      folder: path,
      remedies: silent ? others : ['create_folder', ...others],
    });
  }
  const { upstreams } = runtime.effective();
  const serverRemedies = (...own: Remedy[]): Remedy[] => [
    ...own,
    ...(runtime.fixed.upstreams ? [] : (['edit_upstream'] as const)),
  ];
  for (const { name, state, error } of runtime.upstreams.status()) {
    const upstream = Object.hasOwn(upstreams, name) ? upstreams[name] : undefined;
    if (!upstream?.enabled) continue;
    const missing = runtime.missing(name, upstream);
    if (missing) {
      const words = worded(missing.asText, missing.hintAsText);
      problems.push({ kind: 'secret_missing', id: `secret:${name}`, ...words, server: name, remedies: serverRemedies() });
    } else if (error !== null && ['failed', 'backoff', 'needs_sign_in'].includes(state)) {
      const words = worded(
        say('server.failing', { server: name }),
        say('server.failing.hint', { error: error.asText, hint: error.hintAsText ?? null }),
      );
      const id = `upstream:${name}`;
      problems.push({ kind: 'server_failing', id, ...words, server: name, remedies: serverRemedies('restart_upstream') });
    }
  }
  return problems;
}

/** Throws INVALID_REQUEST for a problem that is gone or a remedy that is not for it; what the remedy itself throws otherwise. */
export async function fix(patient: Patient, id: string, remedy: Remedy): Promise<void> {
  const problem = (await currentProblems(patient)).find((each) => each.id === id);
  if (!problem) throw new AppError('INVALID_REQUEST', say('problem.gone'), { hint: say('problem.gone.hint') });
  if (!problem.remedies.includes(remedy)) throw new AppError('INVALID_REQUEST', say('problem.otherRemedy', { remedy }));
  const { runtime } = patient;
  const folder = problem.kind === 'folder_missing' ? problem.folder : '';
  const name = problem.kind === 'server_failing' ? problem.server : '';
  switch (remedy) {
    case 'use_free_port':
      return moveToFreePort(patient);
    case 'restart_upstream':
      // If it fails again, its message becomes the problem's next hint.
      await runtime.upstreams
        .restart(name)
        .then(() => runtime.upstreams.tools(name, { refresh: true }))
        .catch(() => undefined);
      return;
    case 'create_folder':
      await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
        throw new AppError('FILE_WRITE_FAILED', say('folder.notCreated', { folder }), {
          hint: say('folder.notCreated.hint'),
          cause,
        });
      });
      return;
    case 'remove_folder':
      await runtime.config.update((config) => ({
        ...config,
        folders: config.folders.filter(({ path }) => path !== folder),
      }));
      return;
    case 'reload_config':
      return runtime.config.reload();
    case 'reset_config':
      return runtime.config.restore();
    case 'edit_upstream':
    case 'open_folders':
    case 'open_settings':
      throw new AppError('INVALID_REQUEST', say('problem.onPage', { remedy }));
  }
}

/** The next port upwards that can be had, which is likelier to be free at the next start, too, than one the system picks. */
async function moveToFreePort({ runtime, server }: Patient): Promise<void> {
  const { port: taken } = server.state();
  const near = Array.from({ length: NEAR_PORTS }, (_, index) => taken + 1 + index).filter((port) => port <= 65_535);
  for (const candidate of taken === 0 ? [] : near) {
    try {
      await server.move(candidate);
      break;
    } catch {
      // Taken as well.
    }
  }
  if (server.state().url === null) await server.move(0);
  const { port } = server.state();
  await runtime.config.update((config) => ({ ...config, server: { ...config.server, port } }));
}
