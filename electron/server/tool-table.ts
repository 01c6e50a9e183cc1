/** Table of our own tools: definition and handler of each. */

import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { failureResult } from '../calls/output.ts';
import type { CallService } from '../calls/service.ts';
import {
  type CallerContext,
  callAndStoreSchema,
  callSchema,
  describeToolSchema,
  fileCallSchema,
  jobRequestSchema,
  listToolsSchema,
  previewSchema,
} from '../calls/types.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { checkArguments } from './check-arguments.ts';
import { publishedSchema } from './published-schema.ts';
import type { PublishedTool, ToolAnnotations, ToolSource } from './tool-source.ts';

/** One row of the table. */
export interface OwnTool {
  name: string;
  title: string;
  /** One line. */
  description: string;
  /** Arguments that make sense: published after the description. */
  example: JsonObject;
  inputSchema: z.ZodObject;
  annotations: ToolAnnotations;
  /** Advice for calls that lack a parameter. */
  advice?: 'parameter.jobExample';
  /** Takes the arguments as they came; throws INVALID_REQUEST where they do not fit `inputSchema`. */
  handler(service: CallService, args: unknown, caller: CallerContext): Promise<ToolResult>;
}

/** Binds a handler to its schema, so that publishing, validation and handling use the same type. */
function tool<T extends z.ZodObject>(
  row: Omit<OwnTool, 'inputSchema' | 'handler'> & {
    inputSchema: T;
    handler(service: CallService, args: z.infer<T>, caller: CallerContext): Promise<ToolResult>;
  },
): OwnTool {
  const example = JSON.stringify(row.example);
  const advice = example === '{}' ? undefined : say(row.advice ?? 'parameter.example', { example });
  const { inputSchema } = row;
  const help = { advice, elsewhere: (parameter: string) => toolsWith(parameter, inputSchema) };
  return { ...row, handler: (service, args, caller) => row.handler(service, checkArguments(inputSchema, args, help), caller) };
}

/** Tools that take a parameter, among those that call tools as this one does, or do not as this one. */
function toolsWith(parameter: string, own: z.ZodObject): string[] {
  const takes = ({ shape }: z.ZodObject, name: string) => Object.hasOwn(shape, name);
  return ownTools
    .filter(({ inputSchema }) => takes(inputSchema, parameter) && takes(inputSchema, 'tool_args') === takes(own, 'tool_args'))
    .map(({ name }) => name);
}

/** Annotations of tools that call other tools: they assume the worst, because the upstream tool may do anything. */
const callsUpstream: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
/** Asks the configured servers, which may be anywhere, and changes nothing. */
const asksUpstream: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
/** Annotations of tools that only read local data. */
const looks: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Keeps the rest of a job from being sent; what was sent stays, so nothing is destroyed. */
const stops: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const job = { inputSchema: jobRequestSchema, advice: 'parameter.jobExample' } as const;

export const ownTools: readonly OwnTool[] = [
  tool({
    name: 'call_tool_with_file_content',
    title: 'Call a tool with a file',
    description: 'Call an upstream tool with the content of a file.',
    example: {
      server: 'db',
      tool_name: 'bulk_insert',
      path: '/data/users.csv',
      data_key: 'records',
      tool_args: { table: 'users' },
    },
    inputSchema: fileCallSchema,
    annotations: callsUpstream,
    handler: (service, args, caller) => service.callWithFile(args, caller),
  }),
  tool({
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Call an upstream tool with plain arguments.',
    example: { server: 'db', tool_name: 'query', tool_args: { sql: 'SELECT 1' } },
    inputSchema: callSchema,
    annotations: callsUpstream,
    handler: (service, args, caller) => service.call(args, caller),
  }),
  tool({
    name: 'call_tool_and_store',
    title: 'Call a tool, store its answer',
    description: 'Call an upstream tool and get a link to its answer, stored as a file.',
    example: { server: 'db', tool_name: 'dump', filename: 'users.csv' },
    inputSchema: callAndStoreSchema,
    annotations: callsUpstream,
    handler: (service, args, caller) => service.callAndStore(args, caller),
  }),
  tool({
    name: 'preview_file',
    title: 'Preview a file',
    description: 'Show what a file turns into. Options are those of file calls.',
    example: { path: '/data/users.csv', rows: 3 },
    inputSchema: previewSchema,
    annotations: looks,
    handler: (service, args, caller) => service.preview(args, caller),
  }),
  tool({
    name: 'list_upstream_tools',
    title: 'List upstream tools',
    description: 'List the servers that can be called, with their tools.',
    example: { server: 'db', query: 'insert' },
    inputSchema: listToolsSchema,
    annotations: asksUpstream,
    handler: (service, args, caller) => service.listUpstreamTools(args, caller),
  }),
  tool({
    name: 'describe_upstream_tool',
    title: 'Describe a tool',
    description: 'Show one upstream tool with its input schema.',
    example: { server: 'db', tool_name: 'bulk_insert' },
    inputSchema: describeToolSchema,
    annotations: asksUpstream,
    handler: (service, args, caller) => service.describeUpstreamTool(args, caller),
  }),
  tool({
    name: 'list_allowed_directories',
    title: 'List allowed directories',
    description: 'List the folders that files may be read from or written to.',
    example: {},
    inputSchema: z.strictObject({}),
    annotations: looks,
    handler: (service, _args, caller) => service.listAllowedDirectories(caller),
  }),
  tool({
    name: 'job_status',
    title: 'Follow a job',
    description: 'Show how far a background call is, or its answer.',
    example: { job_id: '3f2a91c0' },
    ...job,
    annotations: looks,
    handler: (service, args, caller) => service.jobStatus(args, caller),
  }),
  tool({
    name: 'cancel_job',
    title: 'Cancel a job',
    description: 'End a background call; what was sent stays sent.',
    example: { job_id: '3f2a91c0' },
    ...job,
    annotations: stops,
    handler: (service, args, caller) => service.cancelJob(args, caller),
  }),
];

const asksForText = (args: unknown): boolean => (args as { output_format?: unknown } | undefined)?.output_format === 'string';

/** Our own tools over a call service. Whatever a handler throws becomes a result that the model can read. */
export function ownToolSource(service: CallService): ToolSource {
  let published: readonly PublishedTool[] | undefined;
  const answer = async (row: OwnTool, args: unknown, caller: CallerContext): Promise<ToolResult> => {
    try {
      return await row.handler(service, args, caller);
    } catch (error) {
      if (error instanceof AppError && caller.raises?.(error)) throw error;
      return failureResult(error, { server: 'filebridge', tool: row.name }, asksForText(args) ? 'string' : 'json');
    }
  };
  return {
    async list() {
      published ??= ownTools.map(({ name, title, description, example, inputSchema, annotations }) => ({
        name,
        title,
        description: `${description} ${JSON.stringify(example)}`,
        inputSchema: publishedSchema(inputSchema, name === 'call_tool_with_file_content' ? 'in full' : 'by reference'),
        annotations,
      }));
      return published;
    },
    call(name, args, caller) {
      const row = ownTools.find((candidate) => candidate.name === name);
      return row && answer(row, args, caller);
    },
  };
}
