/** Table of the file tools: name, schema, annotations, description and handler of each. */
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { FileOperations } from '../files/tools/operations.ts';
import type { NotedText } from '../files/tools/text-parts.ts';
import type { JsonObject } from '../upstream/types.ts';
import { checkArguments } from './check-arguments.ts';

/** A tool's result. */
export interface Outcome {
  /** Text is an answer of one text block. */
  answer: string | JsonObject;
  /** A separate text block after the answer. */
  note?: string | undefined;
  /** Bytes read or written, for the ledger. */
  bytes?: number;
}

/** One row of the table. */
export interface FileTool {
  name: string;
  title: string;
  description: string;
  inputSchema: z.ZodObject;
  annotations: JsonObject;
  /** The kind of its ledger entry; directory listings are not recorded. */
  kind: 'file_read' | 'file_write' | undefined;
  run(files: FileOperations, args: unknown, signal: AbortSignal): Promise<Outcome & { paths: string[] }>;
}

const reads = { readOnlyHint: true, openWorldHint: false };
const writes = (idempotentHint: boolean, destructiveHint: boolean) => ({
  readOnlyHint: false,
  idempotentHint,
  destructiveHint,
  openWorldHint: false,
});

const contentReaders = new Set(['read_file', 'read_text_file', 'read_media_file', 'read_multiple_files']);

function tool<T extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  inputSchema: T,
  annotations: JsonObject,
  run: (files: FileOperations, args: z.infer<T>, signal: AbortSignal) => Promise<Outcome>,
): FileTool {
  return {
    name,
    title,
    description,
    inputSchema,
    annotations,
    kind: annotations.readOnlyHint === false ? 'file_write' : contentReaders.has(name) ? 'file_read' : undefined,
    async run(files, args, signal) {
      const checked = checkArguments(inputSchema, args);
      return { ...(await run(files, checked, signal)), paths: pathsIn(checked) };
    },
  };
}

/** The paths that a call names. */
export const pathsIn = (args: JsonObject): string[] =>
  ['path', 'source', 'destination', 'paths'].flatMap((key) => args[key] ?? []).filter((each) => typeof each === 'string');

const path = z.strictObject({ path: z.string() });
const line = z.int().positive().optional();
const text = z.strictObject({
  path: z.string(),
  tail: z.number().optional().describe('Last N lines'),
  head: z.number().optional().describe('First N lines'),
  start_line: line,
  end_line: line,
  offset: z.int().nonnegative().optional().describe('From this byte'),
});
const officialText = { path: z.string(), tail: z.number().optional(), head: z.number().optional() };
const excludePatterns = z.array(z.string()).optional().default([]);
const ends = z.strictObject({ source: z.string(), destination: z.string() });

const noted = ({ text, note }: NotedText): Outcome => ({ answer: text, note });

const readText = async (files: FileOperations, { path, ...part }: z.infer<typeof text>, signal: AbortSignal) => {
  const read = await files.readText(path, part, signal);
  return { ...noted(read), bytes: Buffer.byteLength(read.text) };
};

export const fileTools: readonly FileTool[] = [
  tool('read_file', 'Read File (Deprecated)', 'Use read_text_file instead.', z.strictObject(officialText), reads, readText),
  tool(
    'read_text_file',
    'Read Text File',
    'Read a text file or some lines. To pass it on, give another tool its path instead.',
    text,
    reads,
    readText,
  ),
  tool('read_media_file', 'Read Media File', 'Read a file as image, audio or base64.', path, reads, async (files, args) => {
    const { block, bytes } = await files.readMedia(args.path);
    return { answer: { content: [block], structuredContent: { content: [block] } }, bytes };
  }),
  tool(
    'read_multiple_files',
    'Read Multiple Files',
    'Read several text files.',
    z.strictObject({ paths: z.array(z.string()).min(1) }),
    reads,
    async (files, args, signal) => {
      const answer = await files.readMany(args.paths, signal);
      return { answer, bytes: Buffer.byteLength(answer) };
    },
  ),
  tool(
    'write_file',
    'Write File',
    'Create or replace a file with content or content_base64.',
    z.strictObject({
      path: z.string(),
      content: z.string().optional(),
      content_base64: z.string().optional(),
      append: z.boolean().optional(),
      create_directories: z.boolean().optional(),
    }),
    writes(true, true),
    async (files, args) => {
      const content = exactlyOne(args, 'content', '');
      const how = { append: args.append ?? false, createDirectories: args.create_directories ?? false };
      return { answer: `Successfully wrote to ${args.path}`, ...(await files.write(args.path, content, how)) };
    },
  ),
  tool(
    'edit_file',
    'Edit File',
    'Replace text in a file. Answers with a diff.',
    z.strictObject({
      path: z.string(),
      edits: z.array(
        z.strictObject({
          oldText: z.string().optional(),
          oldText_base64: z.string().optional(),
          newText: z.string().optional(),
          newText_base64: z.string().optional(),
          replaceAll: z.boolean().optional(),
        }),
      ),
      // Some give it once for all of them, beside the list.
      replaceAll: z.boolean().optional(),
      dryRun: z.boolean().default(false).describe('Only show the diff'),
    }),
    writes(false, true),
    async (files, args, signal) => {
      const edits = args.edits.map((edit, index) => ({
        oldText: exactlyOne(edit, 'oldText', `edits[${index}].`),
        newText: exactlyOne(edit, 'newText', `edits[${index}].`),
        replaceAll: edit.replaceAll ?? args.replaceAll ?? false,
      }));
      return noted(await files.edit(args.path, edits, args.dryRun, signal));
    },
  ),
  tool(
    'create_directory',
    'Create Directory',
    'Create a directory and its parents.',
    path,
    writes(true, false),
    async (files, args) => {
      await files.createDirectory(args.path);
      return { answer: `Successfully created directory ${args.path}` };
    },
  ),
  tool('list_directory', 'List Directory', 'List a directory.', path, reads, async (files, args) =>
    noted(await files.list(args.path)),
  ),
  tool(
    'list_directory_with_sizes',
    'List Directory with Sizes',
    'List a directory with sizes.',
    z.strictObject({ path: z.string(), sortBy: z.enum(['name', 'size']).optional().default('name') }),
    reads,
    async (files, args) => noted(await files.listWithSizes(args.path, args.sortBy)),
  ),
  tool(
    'directory_tree',
    'Directory Tree',
    'Show all below a directory as JSON.',
    z.strictObject({ path: z.string(), excludePatterns }),
    reads,
    async (files, args, signal) => noted(await files.tree(args.path, args.excludePatterns, signal)),
  ),
  tool('move_file', 'Move File', 'Move or rename; never over anything.', ends, writes(false, true), async (files, args) => {
    await files.move(args.source, args.destination);
    return { answer: `Successfully moved ${args.source} to ${args.destination}` };
  }),
  tool(
    'search_files',
    'Search Files',
    'Find files by glob, e.g. "**/*.csv".',
    z.strictObject({ path: z.string(), pattern: z.string(), excludePatterns }),
    reads,
    async (files, args, signal) => noted(await files.search(args.path, args.pattern, args.excludePatterns, signal)),
  ),
  tool('get_file_info', 'Get File Info', 'Size, times, type, permissions.', path, reads, async (files, args) => ({
    answer: await files.info(args.path),
  })),
  tool(
    'copy_file',
    'Copy File',
    'Copy a file.',
    ends.extend({ create_directories: z.boolean().optional() }),
    writes(false, false),
    async (files, args, signal) => ({
      bytes: await files.copy(args.source, args.destination, args.create_directories ?? false, signal),
      answer: `Successfully copied ${args.source} to ${args.destination}`,
    }),
  ),
  tool(
    'delete_file',
    'Delete File',
    'Move a file to the trash.',
    path.extend({ permanent: z.boolean().optional() }),
    writes(false, true),
    async (files, args) => {
      const where = await files.delete(args.path, args.permanent ?? false);
      return { answer: where === 'trash' ? `Moved ${args.path} to the trash` : `Deleted ${args.path}` };
    },
  ),
];

/** The text as it is, or the bytes of `<name>_base64`; an empty one is one. Throws INVALID_REQUEST naming the parameter. */
function exactlyOne(args: Record<string, unknown>, name: string, above: string): string | Buffer {
  const [plain, encoded] = [args[name], args[`${name}_base64`]];
  if (typeof plain === 'string' && encoded === undefined) return plain;
  if (plain === undefined && typeof encoded === 'string') return bytesOf(encoded, `${above}${name}_base64`);
  const fault = say('parameter.oneSource', { parameter: `${above}${name}`, name, missing: plain === undefined });
  throw new AppError('INVALID_REQUEST', fault);
}

/** RFC 4648 section 4, padded, without line breaks, and with no bits left over: what another encoder would write for the same bytes. */
function bytesOf(encoded: string, name: string): Buffer {
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') === encoded) return bytes;
  const prefix = /^data:[^,]{0,100},/.exec(encoded)?.[0];
  throw new AppError('INVALID_REQUEST', say('parameter.base64', { name }), {
    hint: prefix === undefined ? say('parameter.base64.hint') : say('parameter.base64.dataUrl', { prefix }),
  });
}
