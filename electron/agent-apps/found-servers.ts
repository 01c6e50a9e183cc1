/** Finds servers in the settings of agents' apps on this machine, except Filebridge. */
import { stat } from 'node:fs/promises';
import type { Ours } from './client-config.ts';
import { readClientConfig } from './client-config.ts';
import { ENTRY_NAME, isFilebridge } from './entries.ts';
import { isObject } from './plain.ts';
import { dialectOf, type ReadEntry, readEntry } from './server-entries.ts';
import type { KnownClient } from './types.ts';

export interface FoundServer extends ReadEntry {
  /** Stable while the entry exists. */
  id: string;
  name: string;
  client: string;
  file: string;
}

/** In the order of clients. A file that cannot be read has none, and neither has an entry that is no server. */
export async function foundServers(clients: readonly KnownClient[], ours: Ours): Promise<FoundServer[]> {
  const found = await Promise.all(clients.map((client) => serversOf(client, ours)));
  return found.flat();
}

async function serversOf(client: KnownClient, ours: Ours): Promise<FoundServer[]> {
  const { servers, value } = await readClientConfig(client);
  const own = Object.entries(servers).map(([name, entry]) => ({ id: `${client.id}:${name}`, name, entry, folder: undefined }));
  const projects = client.id === 'claude-code' ? await claudeCodeProjects(value) : [];
  return [...own, ...projects].flatMap(({ id, name, entry, folder }) => {
    if (isOurselves(name, entry, ours)) return [];
    const placed = folder !== undefined && isObject(entry) && entry.command !== undefined ? { cwd: folder, ...entry } : entry;
    const read = readEntry(name, placed, client.file, dialectOf(client.id));
    return read === null ? [] : [{ ...read, id, name, client: client.name, file: client.file }];
  });
}

export const isOurselves = (name: string, entry: unknown, { launch, url }: Ours): boolean =>
  name.toLowerCase() === ENTRY_NAME || isFilebridge(name, entry, launch, url);

/** Servers that Claude Code keeps for one project only, which start in its folder. That is where `claude mcp add` puts them. */
async function claudeCodeProjects(value: unknown) {
  const projects = isObject(value) && isObject(value.projects) ? Object.entries(value.projects) : [];
  const found = projects.flatMap(([folder, project]) =>
    Object.entries(isObject(project) && isObject(project.mcpServers) ? project.mcpServers : {}).map(([name, entry]) => ({
      id: `claude-code:${name}@${folder}`,
      name,
      entry,
      folder,
    })),
  );
  const there = await Promise.all(found.map(({ folder }) => isDirectory(folder)));
  return found.filter((_, index) => there[index]);
}

const isDirectory = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
