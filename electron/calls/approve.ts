/** Calls that need a person's approval: asked at the window or console; only a program without either may ask through the client. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalLoss, ApprovalPayload } from '../../shared/contract/approvals.ts';
import { formatBytes } from '../../shared/lib/bytes.ts';
import { visibleJson, visibleText } from '../../shared/lib/visible-text.ts';
import type { Config, FileChange, ToolFingerprint, Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, type Message, say } from '../../shared/model/messages/message.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { refuseWhilePaused } from './call.ts';
import type { OpenedFiles } from './open.ts';
import { sentBeforeText } from './sent-before.ts';
import type { ApprovalRequest, CallDeps, CallerContext, ToolTexts } from './types.ts';

/**
 * Whether the upstream's settings ask for a confirmation of this tool. A tool that does not call itself read-only may write, and one
 * that did not when it was first seen is not believed later.
 */
export function needsConfirmation(upstream: Upstream, tool: UpstreamTool, readOnlyAtFirst: boolean): boolean {
  if (alwaysAllowed(upstream, tool).allowed) return false;
  if (upstream.confirm === 'always') return true;
  return upstream.confirm === 'writes' && !(readOnlyAtFirst && tool.annotations?.readOnlyHint === true);
}

/** The same for a call, where what the tool said of itself at first is known. */
export async function callNeedsConfirmation(deps: CallDeps, server: string, tool: UpstreamTool): Promise<boolean> {
  const upstream = deps.upstreams.used(server);
  const readOnlyAtFirst = upstream.confirm === 'writes' ? await deps.readOnlyAtFirst?.(server, tool.name) : undefined;
  return needsConfirmation(upstream, tool, readOnlyAtFirst ?? true);
}

/**
 * Asks, and throws CONFIRMATION_REFUSED unless the answer is yes; PAUSED if the user paused Filebridge meanwhile: a call that waits has
 * not begun.
 */
export async function confirmCall(deps: CallDeps, request: ApprovalRequest, caller: CallerContext): Promise<void> {
  const { confirm } = deps.upstreams.config(request.server);
  await ask(deps, request, caller, { confirm, silence: say('approval.silence.server', { server: request.server }) });
  refuseWhilePaused(deps);
}

/** After an approval. Throws FILE_CHANGED. */
export async function refuseIfChangedSinceShown(opened: OpenedFiles): Promise<void> {
  try {
    await opened.assertUnchanged();
  } catch (cause) {
    const { details } = toAppError(cause);
    const path = typeof details.path === 'string' ? details.path : null;
    throw new AppError('FILE_CHANGED', say('approval.fileChanged', { path }), {
      hint: say('approval.fileChanged.hint'),
      details,
      cause,
    });
  }
}

/** After an approval. Throws CONFIRMATION_REFUSED, and what the server's tools throw. */
export async function refuseIfToolChangedSinceShown(
  { upstreams }: Pick<CallDeps, 'upstreams'>,
  { server, tool, fingerprint }: ApprovalRequest,
  signal: AbortSignal,
): Promise<void> {
  const now = await upstreams.tool(server, tool, { signal });
  if (isDeepStrictEqual(toolFingerprint(upstreams.used(server), now), fingerprint)) return;
  throw new AppError('CONFIRMATION_REFUSED', say('approval.toolChanged', { server, tool }), {
    hint: say('approval.toolChanged.hint'),
  });
}

/** Dependencies of approvals. */
export type AskDeps = Pick<CallDeps, 'config' | 'approve' | 'windowRuns' | 'paused'>;

/** The same for a file tool of ours, where a folder's setting asks. */
export async function confirmChange(
  deps: AskDeps,
  request: ApprovalRequest,
  caller: CallerContext,
  rule: { folder: string; change: FileChange },
): Promise<void> {
  const silence = say('approval.silence.folder', rule);
  await ask(deps, request, caller, { confirm: 'writes', silence });
  refuseWhilePaused(deps);
}

interface Rule {
  /** Which value of `approvals.throughClient` is enough to ask the client. */
  confirm: Upstream['confirm'];
  /** How to stop being asked, as a message. */
  silence: Message;
}

async function ask(deps: AskDeps, request: ApprovalRequest, caller: CallerContext, { confirm, silence }: Rule): Promise<void> {
  const name = `${request.server}:${request.tool}`;
  if (deps.approve) {
    const answer = await deps.approve(request, caller);
    if (answer === 'allowed') return;
    if (answer === 'refused') throw refusedByUser(name);
    throw refused(
      say('approval.nobodyAnswered', { name, seconds: Math.max(1, Math.round(deps.config().limits.approvalTimeoutMs / 1000)) }),
      say('approval.nobodyAnswered.hint'),
    );
  }
  if (await deps.windowRuns?.()) {
    throw refused(say('approval.notThroughWindow', { name }), say('approval.notThroughWindow.hint'));
  }
  if (!mayAskClient(deps.config().approvals.throughClient, confirm)) {
    throw refused(
      say('approval.personOnly', { name }),
      say('approval.personOnly.hint', { confirm, silence: request.loss ? silence : null }),
    );
  }
  if (!caller.elicit) {
    throw refused(say('approval.nobody', { name }), say('approval.nobody.hint', { silence }));
  }
  const text = approvalText(request);
  if (text === undefined) {
    throw refused(say('approval.tooLong', { name }), say('approval.tooLong.hint'));
  }
  const elicited = await caller.elicit({
    mode: 'form',
    message: text,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Make this call' } },
      required: ['confirm'],
    },
  });
  const confirmed = elicited.action === 'accept' && (elicited.content as { confirm?: unknown } | undefined)?.confirm === true;
  if (!confirmed) throw refusedByUser(name);
}

/** A client can answer its own question, so `throughClient` says for which servers that is good enough. */
function mayAskClient(allowed: Config['approvals']['throughClient'], confirm: Upstream['confirm']): boolean {
  return allowed === 'always' || (allowed === 'writes' && confirm !== 'always');
}

const refusedByUser = (name: string) => refused(say('approval.refused', { name }), say('approval.refused.hint'));

const refused = (message: Message, hint: Message) => new AppError('CONFIRMATION_REFUSED', message, { hint });

/** Clients cut longer texts, or show them where nobody reads to the end. Characters. */
const LONGEST_TEXT = 20_000;
/** Length of the shown beginning and end of a record. Characters. */
const RECORD_CHARS = 1_000;

/** Undefined for a call whose text is too long to be shown whole. */
export function approvalText(request: ApprovalRequest): string | undefined {
  const { server, tool, target, folder, description, calls, payloads, sentBefore } = request;
  const lines = [
    `Call ${visibleText(server)}:${visibleText(tool)}?`,
    `Server: ${visibleText(target)}${folder === null ? '' : ` in ${visibleText(folder)}`}`,
    ...(description === null ? [] : ['What the server says about the tool:', ...marked(description)]),
    ...(request.loss === undefined ? [] : lossLines(request.loss)),
    `Arguments: ${argumentText(request)}`,
    ...(request.meta === undefined ? [] : [`Beside them, as _meta: ${visibleJson(request.meta)}`]),
    ...payloads.flatMap((payload, index) => contentLines(payload, index + 1)),
    ...sentBefore.map((before) => visibleText(sentBeforeText(before))),
    ...(request.keyArgument === undefined
      ? []
      : [visibleText(inAgentsWords(say('idempotency.eachCall', { argument: request.keyArgument })))]),
    ...(payloads.length === 0 ? [] : [`Calls: ${calls.exact ? '' : 'about '}${calls.count}`]),
  ];
  const text = lines.join('\n');
  return text.length > LONGEST_TEXT ? undefined : text;
}

/** Puts `> ` before each line of a server's text, so that no line of it looks like one of Filebridge's. */
const marked = (text: string): string[] =>
  visibleText(text.replaceAll('\r\n', '\n'), { keepLines: true })
    .split('\n')
    .map((line) => `> ${line}`);

function argumentText({ arguments: parts, payloads }: ApprovalRequest): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return visibleJson(part);
      return payloads[part]?.place === null ? `⟨members of content ${part + 1}⟩` : `⟨content ${part + 1}⟩`;
    })
    .join('');
}

function contentLines({ place, list, records, bytes, files, first, last }: ApprovalPayload, number: number): string[] {
  const where = place === null ? 'among the arguments' : `in ${visibleText(place)}`;
  const counted = list ? `${records} ${records === 1 ? 'record' : 'records'}, ` : '';
  return [
    `Content ${number} ${where}: ${counted}${formatBytes(bytes)}, from`,
    ...files.map((file) => `- ${visibleText(file.path)} (${formatBytes(file.bytes)}${list ? `, ${file.records} records` : ''})`),
    ...(first.length === 0 ? [] : [last.length > 0 ? 'First:' : 'All of it:']),
    ...first.map((json) => (last.length === 0 ? visibleJson(json) : shownEnds(json))),
    ...(last.length === 0 ? [] : ['Last:']),
    ...last.map(shownEnds),
  ];
}

function shownEnds(json: string): string {
  const text = visibleJson(json);
  const left = text.length - RECORD_CHARS;
  if (left <= 0) return text;
  return `${text.slice(0, RECORD_CHARS / 2)}… (${left} more characters) …${text.slice(-RECORD_CHARS / 2)}`;
}

const changeWords = {
  delete: 'Would delete for good, without the trash',
  trash: 'Would move to the trash',
  overwrite: 'Would replace the content of',
  edit: 'Would change the content of',
  move: 'Would move',
} as const;

function lossLines({ change, path, destination, kind, bytes, newBytes, beginning, whole, diff }: ApprovalLoss): string[] {
  const size = kind === 'file' ? formatBytes(bytes) : kind;
  const after = newBytes === null ? '' : `, then ${formatBytes(newBytes)}`;
  return [
    `${changeWords[change]}: ${visibleText(path)} (${size}${after})`,
    ...(destination === null ? [] : [`To: ${visibleText(destination)}`]),
    ...(diff === null ? [] : ['The change:', ...marked(diff)]),
    ...(diff !== null || beginning === null ? [] : [whole ? 'It holds:' : 'It begins:', ...marked(beginning)]),
  ];
}

// Fingerprints of tools that a person always allows: hashes of the server's entry and of each part of the tool's definition.

/** Why an "always" holds no longer: the parts that changed, or `unrecorded` where nothing was kept with it. */
export type Lapse = keyof ToolFingerprint | 'unrecorded';

export function toolFingerprint(upstream: Upstream, tool: UpstreamTool): ToolFingerprint {
  return {
    entry: entryFingerprint(upstream),
    description: digest([tool.title, tool.description]),
    inputSchema: digest(tool.inputSchema),
    outputSchema: digest(tool.outputSchema),
    annotations: digest(tool.annotations),
  };
}

/** Longer texts are cut, visibly. Characters. */
const TEXT_CHARS = 20_000;

/** `place` is where calls go, with secrets masked. */
export function toolTexts(upstream: Upstream, place: { target: string; folder: string | null }, tool: UpstreamTool): ToolTexts {
  const names = Object.keys(upstream.type === 'stdio' ? upstream.env : upstream.headers).sort();
  return {
    entry: shown([place.target, place.folder, names.join(', ')].filter((line) => line !== null && line !== '').join('\n')),
    description: shown([tool.title, tool.description].filter((text) => typeof text === 'string').join('\n')),
    inputSchema: shown(tool.inputSchema),
    outputSchema: shown(tool.outputSchema),
    annotations: shown(tool.annotations),
  };
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, inKeyOrder, 2);
  const more = text.length - TEXT_CHARS;
  return more > 0 ? `${text.slice(0, TEXT_CHARS)}… (+${more})` : text;
}

/** Whether the person always allowed this tool as it is now, and if they allowed it as something else, what changed. */
export function alwaysAllowed(upstream: Upstream, tool: UpstreamTool): { allowed: boolean; lapsed: Lapse[] } {
  if (!upstream.confirmExcept?.includes(tool.name)) return { allowed: false, lapsed: [] };
  const { confirmSeen = {} } = upstream;
  const seen = Object.hasOwn(confirmSeen, tool.name) ? confirmSeen[tool.name] : undefined;
  if (seen === undefined) return { allowed: false, lapsed: ['unrecorded'] };
  const now = toolFingerprint(upstream, tool);
  const lapsed = (Object.keys(now) as (keyof ToolFingerprint)[]).filter((part) => now[part] !== seen[part]);
  return { allowed: lapsed.length === 0, lapsed };
}

export const entryFingerprint = (upstream: Upstream): string => digest(entryOf(upstream));

/** Where calls go. Values of variables and headers are left out: tokens are renewed. */
function entryOf(upstream: Upstream): unknown {
  return upstream.type === 'stdio'
    ? [upstream.type, upstream.command, upstream.args, upstream.cwd, Object.keys(upstream.env).sort()]
    : [upstream.type, upstream.url, Object.keys(upstream.headers).sort()];
}

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, inKeyOrder) ?? '')
    .digest('hex')
    .slice(0, 32);

/** A server may list the same members in another order at its next start. */
function inKeyOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
