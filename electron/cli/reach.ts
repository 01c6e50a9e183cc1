/** What agents can use, in words for a person at a terminal, and how to give them more. */
import type { Folder } from '../../shared/model/config.ts';

/** What a connected agent can use. */
export interface Reach {
  folders: Pick<Folder, 'path' | 'access'>[];
  servers: string[];
}

const ADD_FOLDER = "Allow a folder with 'filebridge add-folder DIR'";
const ADD_SERVER = "'filebridge add-server'";

/** For an agent without any folder or server. */
export const NOTHING_YET = `can do nothing yet. ${ADD_FOLDER} and add a server with ${ADD_SERVER}, or do both in the app`;

export function reachText({ folders, servers }: Reach): string {
  if (folders.length === 0 && servers.length === 0) return `It ${NOTHING_YET}.`;
  const withAccess = (access: Folder['access']) => folders.filter((folder) => folder.access === access).map(({ path }) => path);
  const lines: [can: string, what: string[]][] = [
    ['read files in', withAccess('read')],
    ['read and change files in', withAccess('read-write')],
    ['call the servers', servers],
  ];
  return [
    ...lines.filter(([, what]) => what.length > 0).map(([can, what]) => `It can ${can}: ${what.join(', ')}`),
    ...(folders.length === 0 ? [`It can read no files yet. ${ADD_FOLDER}, or in the app.`] : []),
    ...(servers.length === 0 ? [`It can call no servers yet. Add one with ${ADD_SERVER}, or in the app.`] : []),
  ].join('\n');
}
