/** What a host gets and what it leaves behind: the same for a program with a model, a command line and an SDK. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import { cliFile } from '../cli.ts';
import { type Home, openHome } from '../filebridge.ts';
import type { JsonObject } from '../mcp-clients.ts';
import { filesystem, fixtureServer } from '../upstreams.ts';
import { type ModelApi, type Search, type SentTool, startModelApi } from './model-api.ts';

const run = promisify(execFile);

export interface Scene {
  home: Home;
  /** How the host starts Filebridge. */
  server: { command: string; args: string[]; env: Record<string, string> };
  /** Answers as the host's model. */
  model: ModelApi;
  /** The call that the model, or the person at the command line, makes. */
  tool: string;
  args: JsonObject;
  /** A folder that the host may take for its home and its project. */
  folder: string;
  /** What arrived at the upstream. */
  arrived(): Promise<unknown[]>;
  close(): Promise<void>;
}

export interface Outcome {
  /** Every tool that the host sent to its model, or showed to a person. */
  tools: SentTool[];
  /** What came back from the call, as text. */
  result: string;
  /** What the program printed and asked for: shown when a test fails. */
  diary: string;
}

export interface Host {
  name: string;
  /** Packages in e2e/hosts; none for the SDKs that Filebridge itself depends on. */
  packages: readonly string[];
  /** What it puts before the names of our tools. */
  prefix: string;
  /** A call by which its model finds our tools, if it does not send them all. */
  search?: Search;
  /** Rejects if it does not start here. It may use the folder as its home. */
  check(folder: string): Promise<unknown>;
  run(scene: Scene): Promise<Outcome>;
}

const csv = 'zip,age,member,note\n01234,36,true,"a ""note"""\n00501,7,false,\n';
/** What the upstream must get. */
export const records = [
  { zip: '01234', age: 36, member: true, note: 'a "note"' },
  { zip: '00501', age: 7, member: false, note: null },
];

/** Filebridge with two upstreams: one that notes its calls, and one with the schemas of a well-known server. */
export async function openScene({ search }: Host): Promise<Scene> {
  const home = await openHome({ expose: { fileTools: true, upstreamTools: 'companions' } });
  const { workspace } = home;
  const notes = workspace.at('calls.jsonl');
  const mcpServers = {
    records: { ...fixtureServer('echo-arguments.mjs'), env: { CALLS_FILE: notes } },
    files: filesystem(workspace.at('data')),
  };
  const tool = 'call_tool_with_file_content';
  const args = {
    server: 'records',
    tool_name: 'insert_records',
    path: await home.file('people.csv', csv),
    data_key: 'records',
    tool_args: { table: 'people' },
  };
  await workspace.file('host/project/.keep', '');
  const model = await startModelApi(tool, args, search);
  return {
    home,
    server: {
      command: process.execPath,
      // The file's path shows whose process it is. Folders are in the configuration: a host's roots replace those named here.
      args: [cliFile, 'serve', '--stdio', '--upstreams', await workspace.file('servers.json', JSON.stringify({ mcpServers }))],
      env: { HOME: home.user, FILEBRIDGE_CONFIG: home.configFile, FILEBRIDGE_DATA: home.dataDirectory },
    },
    model,
    tool,
    args,
    folder: workspace.at('host'),
    arrived: async () => (existsSync(notes) ? linesOf(await readFile(notes, 'utf8')).map((line) => JSON.parse(line)) : []),
    async close() {
      await model.close();
      try {
        await eventually(async () => expect(await processesNaming(workspace.root)).toEqual([]));
      } finally {
        await workspace.remove();
      }
    },
  };
}

/** Command lines of processes that name this folder. None on Windows, which has no `ps`. */
async function processesNaming(folder: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 });
  return linesOf(stdout).filter((line) => line.includes(folder));
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
