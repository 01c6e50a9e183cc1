/** What is wrong and how it can be mended: the port, the configuration, folders, servers. */
import { mkdir } from 'node:fs/promises';
import type { Problem, Remedy } from '../../shared/contract/status.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { ConfigProblem } from '../store/types.ts';
import type { AgentServer } from './agent-server.ts';
import type { Runtime } from './runtime.ts';

/** What problems are seen in and mended on. */
export interface Patient {
  readonly runtime: Runtime;
  readonly server: AgentServer;
}

const configRemedies: Record<ConfigProblem['kind'], Remedy[]> = {
  set_aside: ['reset_config', 'open_settings'],
  ignored: ['reload_config', 'reset_config'],
  unwatched: ['reload_config'],
};

export async function currentProblems({ runtime, server }: Patient): Promise<Problem[]> {
  const problems: Problem[] = runtime.config.problems.map(({ kind, message }) => ({
    id: `config:${kind}`,
    message,
    hint: null,
    subject: runtime.config.path,
    remedies: configRemedies[kind],
  }));
  const { problem } = server.state();
  if (problem !== null) {
    problems.push({
      id: 'port',
      message: problem,
      hint: null,
      subject: null,
      remedies: ['use_free_port', 'open_settings'],
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
  for (const { name, state, lastError } of runtime.upstreams.status()) {
    if (lastError === null || (state !== 'failed' && state !== 'backoff')) continue;
    problems.push({
      id: `upstream:${name}`,
      message: `The server '${name}' does not work`,
      hint: lastError,
      subject: name,
      remedies: runtime.fixed.upstreams ? ['restart_upstream'] : ['restart_upstream', 'edit_upstream'],
    });
  }
  return problems;
}

/** Throws INVALID_REQUEST for a problem that is gone or a remedy that is not for it; what the remedy itself throws otherwise. */
export async function mend(patient: Patient, id: string, remedy: Remedy): Promise<void> {
  const problem = (await currentProblems(patient)).find((each) => each.id === id);
  if (!problem?.remedies.includes(remedy)) {
    throw new AppError('INVALID_REQUEST', 'This problem is gone already', { hint: 'Nothing needs to be done' });
  }
  const { runtime, server } = patient;
  const subject = problem.subject ?? '';
  switch (remedy) {
    case 'use_free_port': {
      await server.move(0);
      const { port } = server.state();
      await runtime.config.update((config) => ({ ...config, server: { ...config.server, port } }));
      return;
    }
    case 'restart_upstream':
      await runtime.upstreams.restart(subject);
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
