/** Upstream servers of other people, from npm, and our own fixtures, as configuration entries. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from './cli.ts';

const installed = (...parts: string[]): string => path.join(repository, 'node_modules', ...parts);

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

/** `node` must be a Node 24. Databases lie in `folder`. */
export const sqlite = (node: string, folder: string): StdioEntry => ({
  ...nodeServer(installed('mcp-sqlite-tools', 'dist', 'index.js'), [], node),
  env: { SQLITE_DEFAULT_PATH: folder },
});

export const postgresServer = (url: string): StdioEntry =>
  nodeServer(installed('@henkey', 'postgres-mcp-server', 'build', 'index.js'), ['--connection-string', url]);

/** One of the servers in e2e/fixtures. */
export const fixtureServer = (name: string, args: string[] = []): StdioEntry =>
  nodeServer(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), args);
