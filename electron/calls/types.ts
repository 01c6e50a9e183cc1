/** Requests of calls, who makes them, and what calls need of the rest of the program. */

import { z } from 'zod';
import type { Approval } from '../../shared/contract/approvals.ts';
import {
  batchSchema,
  fileBindingSchema,
  onConflictModes,
  outputFormats,
  responseFormats,
  toolArgsSchema,
} from '../../shared/model/call.ts';
import type { Config, ToolFingerprint } from '../../shared/model/config.ts';
import { conversionShape } from '../../shared/model/conversion.ts';
import type { AppError } from '../../shared/model/errors.ts';
import type { Text } from '../../shared/model/messages/message.ts';
import type { Converter } from '../engine/index.ts';
import type { FolderClient } from '../files/client-folders.ts';
import type { FileAccess } from '../files/types.ts';
import type { Receipts } from '../store/receipts.ts';
import type { SentFiles } from '../store/sent-files.ts';
import type { Ledger } from '../store/types.ts';
import type { JsonObject, Progress, Root, UpstreamPool } from '../upstream/types.ts';
import type { CallTarget } from './events.ts';
import type { Attempts, RunningCalls, StoppedCalls } from './running-calls.ts';

const target = {
  server: z.string().describe('Server'),
  tool_name: z.string().describe('Tool'),
  tool_args: toolArgsSchema.optional().describe('Arguments'),
};

const output = {
  output_format: z.enum(outputFormats).optional().describe('string: content'),
  template: z.string().optional().describe('"{{text}}"'),
};

export const storageShape = {
  storage_path: z.string().optional().describe('Folder'),
  filename: z.string().optional().describe('Its name'),
  description: z.string().optional().describe('About it'),
  response_format: z.enum(responseFormats).optional().describe('Its format'),
  overwrite: z.boolean().optional().describe('Replace it'),
  records: z.string().min(1).optional().describe('"result.rows"'),
};

const path = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

export const fileCallShape = {
  ...target,
  path: path.optional().describe('File or files'),
  file_path: z.string().min(1).optional().describe('As path'),
  files: z.array(fileBindingSchema).min(1).optional().describe('With options'),
  data_key: z.string().optional().describe('Place: "files[0].content"'),
  combine: z.enum(['concat', 'list']).optional().describe('Arrays'),
  ...conversionShape,
  batch: batchSchema.optional().describe('In parts'),
  background: z.boolean().optional().describe('Gives job_id'),
  on_conflict: z.enum(onConflictModes).optional().describe('If in tool_args'),
  ...output,
  ...storageShape,
  dry_run: z.boolean().optional().describe('Send nothing'),
} as const;
export const fileCallSchema = z.strictObject(fileCallShape);
export type FileCallRequest = z.infer<typeof fileCallSchema>;

export const callSchema = z.strictObject({ ...target, ...output });
export type CallRequest = z.infer<typeof callSchema>;

export const callAndStoreSchema = z.strictObject({ ...target, ...output, ...storageShape });
export type CallAndStoreRequest = z.infer<typeof callAndStoreSchema>;

export const previewSchema = z.strictObject({
  path: z.string().min(1).describe('File'),
  rows: z.int().min(0).max(1000).optional().describe('First rows, 5 if absent'),
  ...conversionShape,
});
export type PreviewRequest = z.infer<typeof previewSchema>;

export const listToolsSchema = z.strictObject({
  server: z.string().optional().describe('Only this server'),
  query: z.string().optional().describe('Words to look for'),
  detail: z.enum(['names', 'summary', 'full']).optional().describe('summary if absent'),
});
export type ListToolsRequest = z.infer<typeof listToolsSchema>;

export const describeToolSchema = z.strictObject({ server: target.server, tool_name: target.tool_name });
export const jobRequestSchema = z.strictObject({ job_id: z.string().describe('Of the call') });

export const targetOf = ({ server, tool_name: tool }: { server: string; tool_name: string }): CallTarget => ({ server, tool });

/** The caller of a call: how to reach it while the call runs. */
export interface CallerContext {
  signal: AbortSignal;
  /** Name of the client, for the ledger. */
  client: string | null;
  /** Tells clients apart: jobs and stored answers are seen by the one that made them. Absent for the person's own calls. */
  owner?: string | undefined;
  /** Id of the call's ledger entry, once it is framed. */
  call?: string | undefined;
  progress(progress: Progress): void;
  log(params: JsonObject): void;
  /** The hint of a failure in the words of the tool that was called, where its parameters are named otherwise than ours. */
  hintFor?: ((error: AppError) => Text | undefined) | undefined;
  /** Whether the caller wants this failure thrown, as the JSON-RPC error that the server answered with, instead of a result. */
  raises?: ((error: AppError) => boolean) | undefined;
  /** `_meta` of the caller's request that is meant for the server. */
  meta?: JsonObject | undefined;
  /** Present when the client can be asked. */
  elicit?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
  sample?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
  /** The folders that the client works in; present when it can be asked. Of a call in the background they are asked for before it begins. */
  roots?: (() => Promise<readonly Root[]>) | undefined;
}

/** A stored answer that `resources/list` and `resources/read` serve. */
export interface StoredResource {
  uri: string;
  name: string;
  path: string;
  mimeType: string;
  size: number;
  description?: string | undefined;
}

export interface ResourceContent {
  uri: string;
  mimeType: string;
  text?: string;
  blob?: string;
}

/** A request to a server other than a tool call. */
export interface UpstreamRequest {
  server: string;
  method: 'prompts/get' | 'resources/read' | 'completion/complete';
  params: JsonObject;
  /** The prompt, resource or template, as the server calls it. */
  about: string;
}

// Dependencies of calls on the rest of the program.

/** The same parts as a person reads them; null for a part that the definition does not have. */
export type ToolTexts = Record<keyof ToolFingerprint, string | null>;

/** An approval as shown to the person, and the tool's definition at that time: "always" applies to this definition only. */
export type ApprovalRequest = Omit<Approval, 'id' | 'call' | 'asked' | 'leftMs' | 'client' | 'changes'> & {
  fingerprint: ToolFingerprint;
  /** The texts that the fingerprint is computed from, as they are shown. */
  texts: ToolTexts;
  /** Records of a payload that is a list, by their place among those that are sent. Absent where nothing comes from a file. */
  readRecords?: (payload: number, from: number, count: number) => Promise<string[]>;
};

export type ApprovalAnswer = 'allowed' | 'refused' | 'unanswered';

/** Access of each client to stored answers. */
export interface ClientStores {
  of(client: FolderClient): { files: FileAccess; folder: string };
  /** A connection has ended. */
  left(connection: string): void;
}

export interface CallDeps {
  readonly config: () => Config;
  readonly files: FileAccess;
  readonly converter: Converter;
  readonly upstreams: UpstreamPool;
  readonly ledger: Pick<Ledger, 'append'>;
  /** Receipts on disk; absent: batched calls cannot be resumed by id. */
  readonly receipts?: Receipts;
  /** Files that were sent to tools before; absent: repetitions are not noticed. */
  readonly sentFiles?: SentFiles;
  /** Folder for stored answers where neither the call nor the configuration names one. */
  readonly responsesDirectory: string;
  /** Keeps apart what clients store there; absent: all store into that folder itself. */
  readonly clients?: ClientStores | undefined;
  /**
   * Asks the person at the window or console, and nobody else: a client must not approve its own call. Absent in a program without
   * either, where `approvals.throughClient` decides.
   */
  readonly approve?: (request: ApprovalRequest, caller: CallerContext) => Promise<ApprovalAnswer>;
  /**
   * Without `approve`: whether a window or console runs all the same, as one that was opened after this program. Then no client is asked,
   * and calls that need an approval are refused. Absent: none does.
   */
  readonly windowRuns?: () => Promise<boolean>;
  /** Whether a tool called itself read-only when it was first seen; absent: what it says now is believed. */
  readonly readOnlyAtFirst?: (server: string, tool: string) => Promise<boolean>;
  /** While true, calls are refused with PAUSED. */
  readonly paused?: () => boolean;
  /** The calls that are running; absent: nobody watches. */
  readonly running?: RunningCalls;
  /** Batched calls that can be gone on with; absent: none is kept. */
  readonly stopped?: Pick<StoppedCalls, 'keep' | 'forget'>;
  /** Hears the words of a failed call, by the id of its ledger line. They may hold data, so they go nowhere else. */
  readonly failed?: (entryId: string, message: string, error?: AppError) => void;
  /** The person makes the call in the window, where it is shown first: a list that one message cannot take is cut unasked, and what was partly sent is sent. */
  readonly byPerson?: boolean;
  /** Recognises repeated calls; absent: none is. */
  readonly attempts?: Attempts;
  readonly log: (line: string) => void;
}

// Identifies clients across restarts.

type Asking = Pick<CallerContext, 'owner' | 'client'>;

const isConnection = (owner: string): boolean => owner.startsWith('stdio:');

/** A connection over stdio has no token, and another owner each time; the name that its client gives has to do. */
export const lastingOwner = ({ owner = '', client }: Asking): string => (isConnection(owner) ? `stdio:${client ?? ''}` : owner);

/** The client as the folders for stored answers tell it. */
export const folderClient = (asking: Asking): FolderClient => ({
  lasting: lastingOwner(asking),
  connection: asking.owner !== undefined && isConnection(asking.owner) ? asking.owner : undefined,
});
