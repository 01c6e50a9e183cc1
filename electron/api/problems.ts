/** What is wrong and how it can be mended: the port, the configuration, folders, servers. */
import { mkdir } from 'node:fs/promises';
import type { Problem, Remedy } from '../../shared/contract/status.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { ConfigProblem } from '../store/types.ts';
import type { AgentServer } from './agent-server.ts';
import type { Runtime } from './runtime.ts';

const NEAR_PORTS = 20;

/** What problems are seen in and mended on. */
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
  const problems: Problem[] = runtime.config.problems.map(({ kind, entry, message, hint }) => ({
    id: entry === undefined ? `config:${kind}` : `config:${kind}:${entry}`,
    message,
    hint,
    subject: runtime.config.path,
    remedies: configRemedies[kind],
  }));
  for (const { name, error } of runtime.refusedServers) {
    const { message, hint = null } = error;
    problems.push({ id: `upstreams-file:${name}`, message, hint, subject: name, remedies: [] });
  }
  const { problem } = server.state();
  if (problem !== null) {
    problems.push({
      id: 'port',
      ...problem,
      subject: null,
      remedies: ['use_free_port', 'open_settings'],
    });
  }
  const refused = runtime.answersRefused();
  if (refused) {
    const { message, hint = null } = refused;
    problems.push({
      id: 'answers',
      message,
      hint,
      subject: runtime.config.current().responses.folder,
      remedies: ['open_settings'],
    });
  }
  for (const folder of await runtime.files.folders()) {
    if (folder.realPath !== null) continue;
    problems.push({
      id: `folder:${folder.path}`,
      message: `The folder '${folder.path}' is not there`,
      hint: 'It may be on a drive that is not connected. Agents get nothing from it',
      subject: folder.path,
      remedies: runtime.fixed.folders ? ['create_folder'] : ['create_folder', 'remove_folder', 'open_folders'],
    });
  }
  const { upstreams } = runtime.effective();
  const serverRemedies = (...own: Remedy[]): Remedy[] => [
    ...own,
    ...(runtime.fixed.upstreams ? [] : (['edit_upstream'] as const)),
  ];
  for (const { name, state, lastError, lastHint } of runtime.upstreams.status()) {
    const upstream = Object.hasOwn(upstreams, name) ? upstreams[name] : undefined;
    if (!upstream?.enabled) continue;
    const missing = runtime.missing(name, upstream);
    if (missing) {
      const { message, hint = null } = missing;
      problems.push({ id: `secret:${name}`, message, hint, subject: name, remedies: serverRemedies() });
    } else if (lastError !== null && ['failed', 'backoff', 'needs_sign_in'].includes(state)) {
      const message = `The server '${name}' does not work`;
      problems.push({
        id: `upstream:${name}`,
        message,
        hint: lastHint === null ? lastError : `${lastError}. ${lastHint}`,
        subject: name,
        remedies: serverRemedies('restart_upstream'),
      });
    }
  }
  return problems;
}

/** Throws INVALID_REQUEST for a problem that is gone or a remedy that is not for it; what the remedy itself throws otherwise. */
export async function mend(patient: Patient, id: string, remedy: Remedy): Promise<void> {
  const problem = (await currentProblems(patient)).find((each) => each.id === id);
  if (!problem) throw new AppError('INVALID_REQUEST', 'This problem is gone already', { hint: 'Nothing needs to be done' });
  if (!problem.remedies.includes(remedy)) throw new AppError('INVALID_REQUEST', `'${remedy}' does not mend this problem`);
  const { runtime } = patient;
  const subject = problem.subject ?? '';
  switch (remedy) {
    case 'use_free_port':
      return moveToFreePort(patient);
    case 'restart_upstream':
      // What it says when it fails again is the problem's next hint.
      await runtime.upstreams
        .restart(subject)
        .then(() => runtime.upstreams.tools(subject, { refresh: true }))
        .catch(() => undefined);
      return;
    case 'create_folder':
      await mkdir(subject, { recursive: true }).catch((cause: unknown) => {
        throw new AppError('FILE_WRITE_FAILED', `The folder '${subject}' could not be created`, {
          hint: 'Create it yourself, or take it off the list',
          cause,
        });
      });
      return;
    case 'remove_folder':
      await runtime.config.update((config) => ({
        ...config,
        folders: config.folders.filter((folder) => folder.path !== subject),
      }));
      return;
    case 'reload_config':
      return runtime.config.reload();
    case 'reset_config':
      return runtime.config.restore();
    case 'edit_upstream':
    case 'open_folders':
    case 'open_settings':
      throw new AppError('INVALID_REQUEST', `'${remedy}' is done on its page`);
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
