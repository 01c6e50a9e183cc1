/** A running `filebridge serve --stdio` with a real MCP client, in a separate home. */

import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { limits } from '../../shared/lib/fixtures/limits.ts';
import { cliFile, type Workspace } from './cli.ts';

export interface Block {
  type: string;
  text?: string;
  uri?: string;
  size?: number;
  [key: string]: unknown;
}

/** A tool's result as the client received it. */
export interface Answer {
  isError: boolean;
  /** All text blocks, joined. */
  text: string;
  blocks: Block[];
  /** The text as JSON. */
  json(): Record<string, unknown>;
}

export interface Session {
  readonly client: Client;
  readonly pid: number;
  readonly dataDirectory: string;
  readonly configFile: string;
  stderr(): string;
  call(tool: string, args: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Answer>;
  /** `call_tool_with_file_content`. */
  send(args: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Answer>;
  close(): Promise<void>;
}

export interface SessionOptions {
  folders?: { path: string; access?: 'read' | 'read-write'; allowSensitive?: string[] }[];
  upstreams?: Record<string, unknown>;
  limits?: Record<string, number>;
  responses?: Record<string, unknown>;
  env?: Record<string, string>;
  prefix?: string[];
  /** Data directory; one inside the workspace if absent. */
  data?: string;
  /** Starts with this configuration file as it is. */
  configFile?: string;
}

const anyResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  isError: z.boolean().optional(),
});

export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

/** Configuration of a stdio upstream that runs one of the fixtures. */
export function fixtureUpstream(
  name: string,
  options: { args?: string[] } & Record<string, unknown> = {},
): Record<string, unknown> {
  const { args = [], ...rest } = options;
  return { type: 'stdio', command: process.execPath, args: [fixture(name), ...args], ...rest };
}

/** A configuration value that refers to an environment variable. */
export const reference = (variable: string): string => `\${${variable}}`;

let homes = 0;

export async function openSession(workspace: Workspace, options: SessionOptions = {}): Promise<Session> {
  homes += 1;
  const home = workspace.at(`.home-${homes}`);
  const dataDirectory = options.data ?? path.join(home, 'data');
  await mkdir(home, { recursive: true });
  const configFile =
    options.configFile ??
    (await workspace.file(
      path.join(`.home-${homes}`, 'config.json'),
      JSON.stringify({
        version: 1,
        folders: options.folders ?? [],
        upstreams: options.upstreams ?? {},
        ...(options.limits ? { limits: options.limits } : {}),
        ...(options.responses ? { responses: options.responses } : {}),
        expose: { fileTools: false, upstreamTools: 'none' },
        server: { port: 0 },
      }),
    ));
  const [command = process.execPath, ...args] = [...(options.prefix ?? []), process.execPath, cliFile, 'serve', '--stdio'];
  const transport = new StdioClientTransport({
    command,
    args,
    env: {
      ...(process.env as Record<string, string>),
      ...options.env,
      FILEBRIDGE_CONFIG: configFile,
      FILEBRIDGE_DATA: dataDirectory,
    },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const client = new Client({ name: 'auditor', version: '1' });
  await client.connect(transport);
  const call: Session['call'] = async (name, args_, extra = {}) => {
    const result = await client.request({ method: 'tools/call', params: { name, arguments: args_ } }, anyResult, {
      timeout: limits.wait,
      ...extra,
    });
    const text = result.content
      .flatMap((block) => (block.type === 'text' && block.text !== undefined ? [block.text] : []))
      .join('\n');
    return { isError: result.isError === true, text, blocks: result.content as Block[], json: () => JSON.parse(text) };
  };
  return {
    client,
    pid: transport.pid ?? 0,
    dataDirectory,
    configFile,
    stderr: () => stderr,
    call,
    send: (args_, extra) => call('call_tool_with_file_content', args_, extra),
    close: () => client.close(),
  };
}

/** Text of every file under a directory, by path. */
export async function readAllUnder(directory: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    // Lock files appear and disappear.
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) found.set(file, text);
  }
  return found;
}

/** Whether a process is running and is not a zombie. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return !/^\d+ \(.*\) Z/s.test(stat);
  } catch {
    return false;
  }
}
