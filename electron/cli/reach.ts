/** What agents can use, in words for a person at a terminal, and how to give them more. */
import type { Folder } from '../../shared/model/config.ts';
import { commandHint, type Given } from './commands.ts';

/** What a connected agent can use. */
export interface Reach {
  folders: Pick<Folder, 'path' | 'access'>[];
  servers: string[];
}

export const howToAddFolder = (given: Given) => `Allow a folder with ${commandHint('add-folder', 'DIR', given)}`;

/** Where a file names the servers, the configured ones are not used. */
export const howToAddServer = (given: Given) =>
  given.upstreams === undefined
    ? `Add a server with ${commandHint('add-server', '', given)} or in the app, or use --upstreams FILE`
    : `Add a server to ${given.upstreams}`;

/** For an agent without any folder or server. */
export const nothingYet = (given: Given) =>
  `can do nothing yet. ${howToAddFolder(given)} or in the app. ${howToAddServer(given)}`;

export function reachText({ folders, servers }: Reach, given: Given): string {
  if (folders.length === 0 && servers.length === 0) return `It ${nothingYet(given)}.`;
  const withAccess = (access: Folder['access']) => folders.filter((folder) => folder.access === access).map(({ path }) => path);
  const lines: [can: string, what: string[]][] = [
    ['read files in', withAccess('read')],
    ['read and change files in', withAccess('read-write')],
    ['call the servers', servers],
  ];
  return [
    ...lines.filter(([, what]) => what.length > 0).map(([can, what]) => `It can ${can}: ${what.join(', ')}`),
    ...(folders.length === 0 ? [`It can read no files yet. ${howToAddFolder(given)} or in the app.`] : []),
    ...(servers.length === 0 ? [`It can call no servers yet. ${howToAddServer(given)}.`] : []),
  ].join('\n');
}
