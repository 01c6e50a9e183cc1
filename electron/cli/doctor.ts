/** `filebridge doctor`: checks what calls depend on, and prints how to fix problems. */
import { constants } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { toAppError } from '../../shared/model/errors.ts';
import { stdioLaunch } from '../agent-apps/agent-launch.ts';
import { agentViews } from '../agent-apps/agent-views.ts';
import type { Ours } from '../agent-apps/client-config.ts';
import { openRuntime, type Runtime } from '../app/runtime.ts';
import { access } from '../files/disk.ts';
import { lastKeptAside } from '../store/config-file.ts';
import { hasCredentials } from '../upstream/sign-in/sign-ins.ts';
import { commandHint, commands, type Given } from './commands.ts';
import { howToAddFolder, howToAddServer } from './reach.ts';
import { signedInText } from './sign-in.ts';
import { errorText, say, sayJson } from './terminal.ts';
import { folderArguments, parse } from './usage.ts';

interface Finding {
  state: 'ok' | 'note' | 'problem';
  subject: string;
  text: string;
}

async function configFindings(file: string): Promise<Finding[]> {
  const there = await access(file).then(
    () => true,
    () => false,
  );
  const subject = 'configuration';
  const aside = await lastKeptAside(file);
  const found = there ? [{ state: 'ok', subject, text: file } as const] : [];
  if (!aside) return there ? found : [{ state: 'note', subject, text: `there is none yet at ${file}; defaults are used` }];
  const next = aside.fault === null ? 'It is valid now: move it' : `${aside.fault}. Correct it and move it`;
  return there
    ? [...found, { state: 'note', subject, text: `an earlier one is kept as ${aside.path}: ${next} to ${file}, or delete it` }]
    : [{ state: 'problem', subject, text: `defaults are used, and yours is kept as ${aside.path}: ${next} to ${file}` }];
}

async function folderFindings(runtime: Runtime, given: Given): Promise<Finding[]> {
  const folders = await runtime.files.folders();
  if (folders.length === 0) {
    const text = `none is allowed yet: agents can read nothing. ${howToAddFolder(given)}, or name it on the command line`;
    return [{ state: 'problem', subject: 'folders', text }];
  }
  return Promise.all(
    folders.map(async ({ path, access: mode, realPath, silent, from }): Promise<Finding> => {
      const subject = `folder ${path}`;
      if (silent) return { state: 'problem', subject, text: 'does not answer. Check the connection to its disk' };
      if (realPath === null) {
        const place = from === 'configuration' ? 'remove it from the configuration' : 'take it off the command line';
        return { state: 'problem', subject, text: `is not there. Create it or ${place}` };
      }
      try {
        await access(realPath, mode === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK);
        return { state: 'ok', subject, text: mode };
      } catch {
        return {
          state: 'problem',
          subject,
          text: `cannot be ${mode === 'read' ? 'read' : 'read and written'} by this user. Change its permissions`,
        };
      }
    }),
  );
}

const throughClient = {
  never: 'calls that need it are refused',
  writes:
    'the client is asked, and could answer by itself, for servers with confirm "writes"; calls of those with "always" are refused',
  always: 'the client is asked, and could answer by itself',
};

function approvalFinding(runtime: Runtime): Finding {
  const setting = runtime.effective().approvals.throughClient;
  const text = `only the person at the app or the console approves calls. Where neither runs, ${throughClient[setting]} (approvals.throughClient: "${setting}")`;
  return { state: setting === 'always' ? 'note' : 'ok', subject: 'approvals', text };
}

async function serverFindings(runtime: Runtime, given: Given): Promise<Finding[]> {
  const names = runtime.upstreams.names();
  if (names.length === 0) {
    return [
      {
        state: 'note',
        subject: 'servers',
        text: `none yet, so there is nothing to call. ${howToAddServer(given)}`,
      },
    ];
  }
  const configured = runtime.effective().upstreams;
  return Promise.all(
    names.map(async (name): Promise<Finding> => {
      const subject = `server ${name}`;
      // The pool throws for a disabled server.
      if (!configured[name]?.enabled) return { state: 'note', subject, text: 'is switched off' };
      try {
        const tools = await runtime.upstreams.tools(name);
        return { state: 'ok', subject, text: `${tools.length} tools${signInText(runtime, name)}` };
      } catch (error) {
        return { state: 'problem', subject, text: errorText(toAppError(error), given) };
      }
    }),
  );
}

/** How long a remote server's sign-in holds, and where it is kept. */
function signInText({ upstreams, signIns }: Runtime, name: string): string {
  const upstream = upstreams.config(name);
  const state = upstream.type === 'stdio' || hasCredentials(upstream) ? null : signIns.state(upstream.url);
  return state ? `; ${signedInText(state)}` : '';
}

/** A port is fine when it is free, or when a Filebridge already answers on it. */
async function portFinding(port: number): Promise<Finding> {
  const subject = `port ${port}`;
  const free = await new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  if (free) return { state: 'ok', subject, text: 'free' };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2000) });
    if (((await answer.json()) as { ok?: boolean }).ok) return { state: 'ok', subject, text: 'a Filebridge is serving on it' };
  } catch {
    // The port is used by another program.
  }
  return {
    state: 'problem',
    subject,
    text: 'is taken by another program. Set "server": {"port": …} in the configuration, or use --port',
  };
}

async function clientFindings(ours: Ours, given: Given): Promise<Finding[]> {
  const found = (await agentViews(ours)).filter(({ state }) => state !== 'absent');
  if (found.length === 0) return [{ state: 'note', subject: 'clients', text: 'no known client is installed for this user' }];
  return found.map(({ id, name, file, state, problem }) => ({
    state: state === 'connected' ? 'ok' : 'note',
    subject: `client ${name}`,
    text:
      state === 'connected'
        ? `starts Filebridge, by ${file}`
        : `${problem ?? 'does not know Filebridge yet'}. ${state === 'broken' ? `Fix ${file}` : `Use ${commandHint('connect', id, given)}`}`,
  }));
}

export async function doctor(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands.doctor.options);
  const started = { configPath: values.config, folders: folderArguments(positionals), upstreamsFile: values.upstreams };
  const runtime = await openRuntime({ ...started, readOnly: true, log: () => undefined });
  try {
    const config: Finding[] =
      runtime.config.problems.length === 0
        ? await configFindings(runtime.config.path)
        : runtime.config.problems.map(({ message }) => ({ state: 'problem', subject: 'configuration', text: message }));
    const refused = runtime.answersRefused();
    const findings: Finding[] = [
      ...config,
      ...(refused ? [{ state: 'problem', subject: 'stored answers', text: errorText(refused, values) } as const] : []),
      ...(await folderFindings(runtime, values)),
      ...runtime.refusedServers.map(({ name, error }) => ({
        state: 'problem' as const,
        subject: `server ${name}`,
        text: errorText(error, values),
      })),
      ...(await serverFindings(runtime, values)),
      approvalFinding(runtime),
      await portFinding(runtime.effective().server.port),
      ...(await clientFindings(
        {
          launch: stdioLaunch(path.dirname(fileURLToPath(import.meta.url)), started),
          url: `http://127.0.0.1:${runtime.effective().server.port}/mcp`,
        },
        values,
      )),
    ];
    const problems = findings.filter((finding) => finding.state === 'problem').length;
    if (values.json) {
      sayJson({ problems, findings });
    } else {
      const marks = { ok: 'ok      ', note: 'note    ', problem: 'problem ' };
      for (const { state, subject, text } of findings) say(`${marks[state]} ${subject}: ${text.replaceAll('\n', '\n  ')}`);
      say(problems === 0 ? 'All is well.' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found.`);
    }
    return problems === 0 ? 0 : 1;
  } finally {
    await runtime.close();
  }
}
