/** `filebridge sign-in` and `sign-out`: OAuth for a remote server without a window. */
import { spawn } from 'node:child_process';
import { AppError } from '../../shared/model/errors.ts';
import { say as message } from '../../shared/model/messages/message.ts';
import { openRuntime, type Runtime } from '../app/runtime.ts';
import { hasCredentials, type SignInState } from '../upstream/sign-in/sign-ins.ts';
import { commands } from './commands.ts';
import { log, say, sayJson, untilStopped } from './terminal.ts';
import { parse, UsageError } from './usage.ts';

const keptWords = {
  keychain: 'kept in the system keychain',
  file: 'kept in a file only you can read (not encrypted)',
  process: 'not kept: it ends with this program',
};

export function signedInText({ until, renews, kept }: SignInState): string {
  const end = until === null ? '' : ` until ${new Date(until).toISOString()}`;
  return `signed in${end}${renews ? ' (renewed automatically)' : ''}, ${keptWords[kept]}`;
}

export async function signInCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands['sign-in'].options);
  const name = oneServer(positionals, 'sign-in');
  if (values.store !== undefined && values.store !== 'file')
    throw new UsageError(message('usage.store', { store: values.store }));
  const inFile = values.store === 'file';
  const client = givenClient(values['client-id'], values['client-secret-env']);
  const runtime = await openRuntime({
    configPath: values.config,
    upstreamsFile: values.upstreams,
    readOnly: true,
    log: () => undefined,
  });
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  try {
    const url = remoteUrl(runtime, name);
    if (!inFile) {
      log(
        'a terminal has no keychain, so this sign-in ends with this command. To keep it, sign in in the app, or add --store file',
      );
    }
    const state = await runtime.signIns.signIn(name, url, {
      signal: stopping.signal,
      store: inFile ? 'file' : undefined,
      client,
      onLink(link) {
        if (!values.json) say(`Open this link to sign in to '${name}':\n\n  ${link}\n`);
        else sayJson({ link });
        log('waiting for the browser; Ctrl+C ends it');
        if (!values['no-browser']) openInBrowser(link);
      },
    });
    const tools = await runtime.upstreams.tools(name);
    if (values.json) sayJson({ server: name, ...state, tools: tools.length });
    else say(`'${name}': ${signedInText(state)}. It offers ${tools.length} tools.`);
    return 0;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    log('ended; nobody was signed in');
    return 1;
  } finally {
    await runtime.close();
  }
}

export async function signOutCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands['sign-out'].options);
  const name = oneServer(positionals, 'sign-out');
  const runtime = await openRuntime({
    configPath: values.config,
    upstreamsFile: values.upstreams,
    readOnly: true,
    log: () => undefined,
  });
  try {
    const signedOut = await runtime.signIns.signOut(remoteUrl(runtime, name));
    if (values.json) sayJson({ server: name, signedOut });
    else say(signedOut ? `Signed out of '${name}'; its tokens are forgotten.` : `Nobody was signed in to '${name}'.`);
    return 0;
  } finally {
    await runtime.close();
  }
}

/** The secret comes from the environment: arguments show in process lists. */
function givenClient(id: string | undefined, secretIn: string | undefined): { id: string; secret?: string } | undefined {
  if (id === undefined && secretIn !== undefined) throw new UsageError(message('usage.clientSecret'));
  if (id === undefined || secretIn === undefined) return id === undefined ? undefined : { id };
  const secret = process.env[secretIn];
  if (secret === undefined || secret === '') throw new UsageError(message('usage.clientSecretUnset', { variable: secretIn }));
  return { id, secret };
}

function oneServer(positionals: readonly string[], command: string): string {
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new UsageError(message('usage.oneServer', { command }));
  return name;
}

function remoteUrl({ upstreams }: Runtime, name: string): string {
  const upstream = upstreams.config(name);
  if (upstream.type === 'stdio') {
    throw new AppError('INVALID_REQUEST', message('signIn.program', { server: name }), { hint: message('signIn.program.hint') });
  }
  if (hasCredentials(upstream)) {
    throw new AppError('INVALID_REQUEST', message('signIn.header', { server: name }), { hint: message('signIn.header.hint') });
  }
  return upstream.url;
}

/** Without a shell: the address comes from the server. It has been checked to be http or https, which begins with no dash. */
function openInBrowser(link: string): void {
  const [command = '', ...args] =
    process.platform === 'darwin'
      ? ['open', link]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', link]
        : ['xdg-open', link];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  // The link has been printed.
  child.once('error', () => undefined);
  child.unref();
}
