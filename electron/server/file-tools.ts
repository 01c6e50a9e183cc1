/** MCP source of the file tools: compatible with the official filesystem server, with extensions. */

import type { LedgerEntry } from '../../shared/model/call.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { changeApproval } from '../calls/approval-request.ts';
import { confirmChange } from '../calls/approve.ts';
import { awaitingApproval, type Call, recordedCall, refuseWhilePaused } from '../calls/call.ts';
import { failureResult } from '../calls/output.ts';
import type { CallDeps, CallerContext } from '../calls/types.ts';
import { notesIn } from '../files/tools/change-notes.ts';
import type { FileOperations } from '../files/tools/operations.ts';
import type { KeptChanges } from '../store/kept-changes.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { type FileTool, fileTools, type Outcome, pathsIn } from './file-tool-table.ts';
import { publishedSchema } from './published-schema.ts';
import type { PublishedTool, ToolSource } from './tool-source.ts';

/** Dependencies of recorded calls. */
export type FileToolDeps = Pick<
  CallDeps,
  'config' | 'approve' | 'windowRuns' | 'ledger' | 'paused' | 'failed' | 'log' | 'running'
> & {
  /** The client's file access. */
  filesOf: (caller: CallerContext) => FileOperations;
  /** Keeps what is needed to undo changes; absent: they cannot be undone. */
  changes?: KeptChanges | undefined;
  /** Whether the tools are currently offered. */
  offered: () => boolean;
  /** Subscribes to changes of that. */
  onChange?: ToolSource['onChange'];
};

const contentSchema = { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] };

/** Output schema of `read_media_file`. */
const mediaSchema = {
  type: 'object',
  properties: {
    content: {
      type: 'array',
      items: { type: 'object', properties: { type: { type: 'string', enum: ['image', 'audio', 'resource'] } } },
    },
  },
  required: ['content'],
};

/** Tools whose text can be long: hosts hand structured content to the model as well, and it would read the text twice. */
const isLongText = (name: string): boolean => name.startsWith('read_') && name !== 'read_media_file';

function published({ name, title, description, inputSchema, annotations }: FileTool): PublishedTool {
  return {
    name,
    title,
    description,
    inputSchema: publishedSchema(inputSchema, 'by reference'),
    ...(isLongText(name) ? {} : { outputSchema: name === 'read_media_file' ? mediaSchema : contentSchema }),
    annotations,
  };
}

const textBlock = (text: string) => ({ type: 'text', text });

const answerOf = ({ name }: FileTool, { answer, note }: Outcome): ToolResult =>
  typeof answer === 'string'
    ? {
        content: [textBlock(answer), ...(note === undefined ? [] : [textBlock(note)])],
        ...(isLongText(name) ? {} : { structuredContent: { content: answer, ...(note === undefined ? {} : { note }) } }),
      }
    : (answer as ToolResult);

/** A failure in plain words, as the official server gives it. */
const failureOf = (error: AppError): ToolResult => ({ content: [textBlock(error.text)], isError: true });

/** The tools over the user's files. What reads or changes content is written to the ledger; nothing is done while the user has paused. */
export function fileToolSource(deps: FileToolDeps): ToolSource {
  let list: readonly PublishedTool[] | undefined;

  async function unrecorded(row: FileTool, args: unknown, caller: CallerContext): Promise<ToolResult> {
    try {
      refuseWhilePaused(deps);
      return answerOf(row, await row.run(deps.filesOf(caller), args, caller.signal));
    } catch (error) {
      return failed(row, error, caller);
    }
  }

  const asking = (row: FileTool, args: unknown, { events, caller }: Call): FileOperations => {
    const { id, time, client } = events.facts;
    return deps
      .filesOf(caller)
      .asking(
        ({ rule, ...loss }) =>
          awaitingApproval(events, () => confirmChange(deps, changeApproval(row.name, args, loss), caller, rule)),
        deps.changes && notesIn(deps.changes, deps.log, { id, time, client }),
      );
  };

  async function recorded(row: FileTool, kind: LedgerEntry['kind'], args: unknown, caller: CallerContext): Promise<ToolResult> {
    const target = { server: 'filebridge', tool: row.name };
    const paths = pathsIn((args ?? {}) as JsonObject);
    const { value, failure } = await recordedCall(deps, { kind, target, caller, paths }, async (call) => {
      const outcome = await row.run(asking(row, args, call), args, call.caller.signal);
      await call.events.tell({ type: 'opened', paths, inputBytes: outcome.bytes ?? 0 });
      return outcome;
    });
    if (failure?.code === 'PAUSED' || failure?.code === 'CANCELLED') return failureResult(failure, target, 'string');
    return failure ? failureOf(failure) : answerOf(row, value as Outcome);
  }

  function failed(row: FileTool, error: unknown, caller: CallerContext): ToolResult {
    if (caller.signal.aborted)
      return failureResult(new AppError('CANCELLED', say('call.cancelled')), { server: 'filebridge', tool: row.name }, 'string');
    const known = toAppError(error);
    if (known.code === 'INTERNAL') deps.log(`internal error: ${known.stack ?? known.message}`);
    return failureOf(known);
  }

  return {
    ...(deps.onChange ? { onChange: deps.onChange } : {}),
    async list() {
      list ??= fileTools.map(published);
      return deps.offered() ? list : [];
    },
    call(name, args, caller) {
      const row = deps.offered() ? fileTools.find((candidate) => candidate.name === name) : undefined;
      return row && (row.kind ? recorded(row, row.kind, args, caller) : unrecorded(row, args, caller));
    },
  };
}
