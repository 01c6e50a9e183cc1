/** Configuration entries for third-party upstream servers from npm and for the test fixtures. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from './cli.ts';

/** Servers that only end-to-end tests call have a package of their own, which `npm test` installs. */
export const serversFolder = path.join(repository, 'e2e', 'servers');

/** A file of a server's package. */
export function installed(...parts: string[]): string {
  const [file, other] = [serversFolder, repository].map((folder) => path.join(folder, 'node_modules', ...parts));
  return existsSync(file as string) ? (file as string) : (other as string);
}

export interface StdioEntry {
  type: 'stdio';
  command: string;
  args: string[];
  env?: Record<string, string>;
}

const nodeServer = (file: string, args: string[] = [], node = process.execPath): StdioEntry => ({
  type: 'stdio',
  command: node,
  args: [file, ...args],
});

export const everything = (): StdioEntry =>
  nodeServer(installed('@modelcontextprotocol', 'server-everything', 'dist', 'index.js'), ['stdio']);

export const filesystem = (folder: string): StdioEntry =>
  nodeServer(installed('@modelcontextprotocol', 'server-filesystem', 'dist', 'index.js'), [folder]);

/** Stores its graph in `file`, as lines of JSON. */
export const knowledgeGraph = (file: string): StdioEntry => ({
  ...nodeServer(installed('@modelcontextprotocol', 'server-memory', 'dist', 'index.js')),
  env: { MEMORY_FILE_PATH: file },
});

/** Its thoughts, which it writes to stderr, go to `log`. */
export const sequentialThinking = (log: string): StdioEntry => {
  const { command, args } = nodeServer(installed('@modelcontextprotocol', 'server-sequential-thinking', 'dist', 'index.js'));
  return { type: 'stdio', command: 'sh', args: ['-c', 'exec "$@" 2>"$0"', log, command, ...args] };
};

export const taskManager = (file: string): StdioEntry => ({
  ...nodeServer(installed('@kazuph', 'mcp-taskmanager', 'dist', 'index.js')),
  env: { TASK_MANAGER_FILE_PATH: file },
});

export const gitServer = (): StdioEntry => nodeServer(installed('@cyanheads', 'git-mcp-server', 'dist', 'index.js'));

export const memoryBank = (folder: string): StdioEntry => ({
  ...nodeServer(installed('@allpepper', 'memory-bank-mcp', 'dist', 'main', 'index.js')),
  env: { MEMORY_BANK_ROOT: folder },
});

export const datasetBuilder = (folder: string): StdioEntry => ({
  ...nodeServer(installed('tryll-dataset-builder-mcp', 'index.js')),
  env: { DATA_DIR: folder },
});

/** `node`: Node 22 or newer. The vault is called "notes". */
export const obsidian = (node: string, vault: string): StdioEntry =>
  nodeServer(installed('obsidian-mcp', 'dist', 'main.js'), ['serve', '--vault', `notes=${vault}`], node);

/** `node`: Node 24. Databases are in `folder`. */
export const sqlite = (node: string, folder: string): StdioEntry => ({
  ...nodeServer(installed('mcp-sqlite-tools', 'dist', 'index.js'), [], node),
  env: { SQLITE_DEFAULT_PATH: folder },
});

export const postgresServer = (url: string): StdioEntry => ({
  ...nodeServer(installed('mcp-postgres-server', 'build', 'index.js')),
  env: { DATABASE_URL: url, PG_ALLOW_WRITE: 'true', PG_STATEMENT_TIMEOUT: '120000' },
});

/** One of the servers in e2e/fixtures. */
export const fixtureServer = (name: string, args: string[] = []): StdioEntry =>
  nodeServer(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), args);
