/** One try of an attack and its outcome; and every tool of Filebridge that takes a path. */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject, McpClient } from '../mcp-clients.ts';
import { SECRET, type World } from './world.ts';

/** `harmless`: the call succeeded, but revealed and changed nothing. */
export type Outcome = 'refused' | 'harmless' | 'open';

export interface Tried {
  what: string;
  outcome: Outcome;
}

export type ToolCall = readonly [tool: string, args: JsonObject];

/** Every way to read a file by its path. */
export function reading(world: World, file: string): ToolCall[] {
  const send = { server: 'echo', tool_name: 'anything' };
  const copy = world.at('out', randomUUID());
  return [
    ['read_text_file', { path: file }],
    ['preview_file', { path: file }],
    ['call_tool_with_file_content', { ...send, path: file, data_key: 'a', as: 'text' }],
    ['call_tool_with_file_content', { ...send, path: [world.at('ordinary.txt'), file], data_key: 'a', combine: 'list' }],
    ['call_tool_with_file_content', { ...send, files: [{ path: file, data_key: 'a', as: 'base64' }] }],
    ['call_tool_with_file_content', { ...send, path: file, data_key: 'a', dry_run: true }],
    ['echo__no_list', { name_path: file }],
    ['call_tool', { server: 'echo', tool_name: 'no_list', tool_args: { name_path: file } }],
    ['read_file', { path: file, head: 1 }],
    ['read_text_file', { path: file, start_line: 1, end_line: 2 }],
    ['read_media_file', { path: file }],
    ['read_multiple_files', { paths: [world.at('ordinary.txt'), file] }],
    ['edit_file', { path: file, edits: [{ oldText: 'S', newText: 'T' }], dryRun: true }],
    ['copy_file', { source: file, destination: copy }],
    ['move_file', { source: file, destination: copy }],
  ];
}

/** Every way to write a file by its path. */
export function writing(world: World, file: string): ToolCall[] {
  const content = 'evil';
  const into = { server: 'echo', tool_name: 'anything', overwrite: true };
  return [
    ['write_file', { path: file, content }],
    ['write_file', { path: file, content, append: true, create_directories: true }],
    ['write_file', { path: file, content_base64: 'ZXZpbA==' }],
    ['edit_file', { path: file, edits: [{ oldText: 'S', newText: 'evil' }] }],
    ['edit_file', { path: file, edits: [{ oldText: '', newText: 'evil' }] }],
    ['copy_file', { source: world.at('ordinary.txt'), destination: file, create_directories: true }],
    ['move_file', { source: world.at('movable'), destination: file }],
    ['move_file', { source: file, destination: world.at('out', randomUUID()) }],
    ['delete_file', { path: file, permanent: true }],
    ['delete_file', { path: file }],
    ['create_directory', { path: file }],
    ['call_tool_and_store', { ...into, storage_path: path.dirname(file), filename: path.basename(file) }],
    ['call_tool_with_file_content', { ...into, path: world.at('ordinary.txt'), data_key: 'a', storage_path: file }],
  ];
}

/** What is at a path: a file's content, the names in a directory, another kind of entry, or nothing. */
export async function stateOf(file: string): Promise<string> {
  const there = await lstat(file).catch(() => undefined);
  if (there === undefined) return 'nothing';
  if (there.isDirectory()) return `names ${await readdir(file)}`;
  return there.isFile() ? `file ${await readFile(file, 'utf8')}` : `mode ${there.mode}`;
}

const GIVEN_AWAY = [SECRET, SECRET.replace('S', 'T'), Buffer.from(SECRET).toString('base64').slice(0, 24)];

/** Makes the call, then checks its answer and the state of `watched`. */
export async function attempt(client: McpClient, [tool, args]: ToolCall, watched: readonly string[]): Promise<Tried> {
  const before = await Promise.all(watched.map(stateOf));
  const { text, refused } = await client.call(tool, args).then(
    (answer) => ({ text: JSON.stringify(answer.result), refused: answer.isError }),
    (error: unknown) => ({ text: String(error), refused: true }),
  );
  const after = await Promise.all(watched.map(stateOf));
  const changed = after.some((state, index) => state !== before[index]);
  // A secret copied to a readable place counts as revealed.
  const carried = path.basename(path.dirname(String(args.destination))) === 'out' ? await stateOf(String(args.destination)) : '';
  const leaked = GIVEN_AWAY.some((mark) => text.includes(mark) || carried.includes(mark));
  return { what: `${tool} ${JSON.stringify(args)}`, outcome: leaked || changed ? 'open' : refused ? 'refused' : 'harmless' };
}
