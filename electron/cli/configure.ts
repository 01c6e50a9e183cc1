/** `filebridge add-folder`, `remove-folder` and `list`: the folders and servers of the configuration, by the window's rules. */
import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { joinCommand } from '../../shared/lib/command-line.ts';
import { say as message } from '../../shared/model/messages/message.ts';
import { folderHandlers, folderViews } from '../api/handlers/folders.ts';
import { consoleHost } from '../app/host.ts';
import { openRuntime, type Runtime } from '../app/runtime.ts';
import { namedPath } from '../files/paths.ts';
import { shownTarget } from '../upstream/masking.ts';
import { commandHint, commands } from './commands.ts';
import { howToAddFolder, howToAddServer } from './reach.ts';
import { log, say, sayJson } from './terminal.ts';
import { parse, UsageError } from './usage.ts';

/** A broken configuration file stays where it is, and is not changed. */
export async function withRuntime<T>(
  { config: configPath, upstreams }: { config?: string | undefined; upstreams?: string | undefined },
  work: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const runtime = await openRuntime({ configPath, upstreamsFile: upstreams, readOnly: true, log });
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}

const accessWords = { read: 'read', 'read-write': 'read and change' };

export async function addFolder(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands['add-folder'].options);
  const folder = oneFolder(positionals, 'add-folder');
  const access = values.write ? 'read-write' : 'read';
  return withRuntime(values, async (runtime) => {
    const added = await folderHandlers({ runtime, host: consoleHost })['folders.add']({ path: folder, access, sure: true });
    if (values.json) sayJson({ path: added.path, access });
    else say(`Agents can ${accessWords[access]} files in ${added.path}`);
    if (await isHome(added.path)) {
      const close = commandHint('remove-folder', joinCommand([added.path]), values);
      log(`this is your whole home folder. ${HOME_READ}. To close it again: ${close}`);
    }
    return 0;
  });
}

/** The whole disk is refused. */
const HOME_READ =
  'Agents can read all your own files in it, also those that hold keys and passwords. Only what programs keep there, such as .ssh, and files named like credentials are held back';

const isHome = async (folder: string): Promise<boolean> => (await realpath(folder)) === (await realpath(os.homedir()));

export async function removeFolder(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands['remove-folder'].options);
  const folder = oneFolder(positionals, 'remove-folder');
  return withRuntime(values, async (runtime) => {
    await folderHandlers({ runtime, host: consoleHost })['folders.remove']({ path: folder });
    if (values.json) sayJson({ removed: folder });
    else say(`Agents can no longer reach files in ${folder}`);
    return 0;
  });
}

function oneFolder([folder, ...others]: readonly string[], command: string): string {
  if (folder === undefined || others.length > 0) throw new UsageError(message('usage.oneFolder', { command }));
  return path.resolve(namedPath(folder));
}

export async function listCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands.list.options);
  if (positionals.length > 0) throw new UsageError(message('usage.noArguments', { command: 'list' }));
  return withRuntime(values, async (runtime) => {
    const folders = (await folderViews(runtime)).map((folder) => ({
      path: folder.path,
      access: folder.access,
      exists: folder.exists,
    }));
    const servers = Object.entries(runtime.effective().upstreams).map(([name, upstream]) => ({
      name,
      enabled: upstream.enabled,
      target: shownTarget(upstream),
    }));
    if (values.json) sayJson({ folders, servers });
    else {
      say('Folders');
      for (const { access, path, exists } of folders) say(`  ${access.padEnd(11)} ${path}${exists ? '' : ' (not there)'}`);
      if (folders.length === 0) say(`  none: agents can read nothing. ${howToAddFolder(values)}`);
      say('Servers');
      const width = Math.max(0, ...servers.map(({ name }) => name.length));
      for (const { name, enabled, target } of servers) say(`  ${enabled ? 'on ' : 'off'}  ${name.padEnd(width)}  ${target}`);
      if (servers.length === 0) say(`  none: there is nothing to call. ${howToAddServer(values)}`);
    }
    return 0;
  });
}
