/** Calls that need a person's approval: asked at the window or console; only a program without either may ask through the client. */
import type { Config, FileChange, Upstream } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { approvalText } from './approval-text.ts';
import type { ApprovalRequest, CallDeps } from './deps.ts';
import { refuseWhilePaused } from './recorded.ts';
import { alwaysAllowed } from './tool-fingerprint.ts';
import type { CallerContext } from './types.ts';

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
  const upstream = deps.upstreams.config(server);
  const readOnlyAtFirst = upstream.confirm === 'writes' ? await deps.readOnlyAtFirst?.(server, tool.name) : undefined;
  return needsConfirmation(upstream, tool, readOnlyAtFirst ?? true);
}

/**
 * Asks, and throws CONFIRMATION_REFUSED unless the answer is yes; PAUSED if the user paused Filebridge meanwhile: a call that waits has
 * not begun.
 */
export async function confirmCall(deps: CallDeps, request: ApprovalRequest, caller: CallerContext): Promise<void> {
  const { confirm } = deps.upstreams.config(request.server);
  await ask(deps, request, caller, { confirm, silence: `set "confirm": "never" for server '${request.server}'` });
  refuseWhilePaused(deps);
}

/** What asking takes of the rest of the program. */
export type AskDeps = Pick<CallDeps, 'config' | 'approve' | 'windowRuns' | 'paused'>;

/** The same for a file tool of ours, where a folder's setting asks. */
export async function confirmChange(
  deps: AskDeps,
  request: ApprovalRequest,
  caller: CallerContext,
  rule: { folder: string; change: FileChange },
): Promise<void> {
  const silence = `have the user set "approve": {"${rule.change}": false} for the folder '${rule.folder}' in the configuration`;
  await ask(deps, request, caller, { confirm: 'writes', silence });
  refuseWhilePaused(deps);
}

interface Rule {
  /** Which value of `approvals.throughClient` is enough to ask the client. */
  confirm: Upstream['confirm'];
  /** What ends the asking. */
  silence: string;
}

async function ask(deps: AskDeps, request: ApprovalRequest, caller: CallerContext, { confirm, silence }: Rule): Promise<void> {
  const name = `${request.server}:${request.tool}`;
  if (deps.approve) {
    const answer = await deps.approve(request, caller);
    if (answer === 'allowed') return;
    if (answer === 'refused') throw refusedByUser(name);
    throw refused(
      `The call of ${name} needs a confirmation, and nobody answered within ${spell(deps.config().limits.approvalTimeoutMs)} in the Filebridge app`,
      'Ask the user to look at the Filebridge app, then call again',
    );
  }
  if (await deps.windowRuns?.()) {
    throw new AppError('CONFIRMATION_REFUSED', say('approval.notThroughWindow', { name }), {
      hint: say('approval.notThroughWindow.hint'),
    });
  }
  if (!mayAskClient(deps.config().approvals.throughClient, confirm)) {
    throw refused(
      `The call of ${name} needs a confirmation, which only a person in the Filebridge app may give`,
      `Start the Filebridge app or 'filebridge console' and call again. "approvals": {"throughClient": "${confirm}"} in the configuration would let the client ask, and answer, instead${request.loss ? `; or ${silence}` : ''}`,
    );
  }
  if (!caller.elicit) {
    throw refused(
      `The call of ${name} needs a confirmation, and there is nobody to ask`,
      `Connect the client to the Filebridge app by its address, use a client that supports elicitation, or ${silence}`,
    );
  }
  const text = approvalText(request);
  if (text === undefined) {
    throw refused(
      `The call of ${name} needs a confirmation, and what it would send is too long to be shown whole by the client`,
      'Ask the user to open the Filebridge window and to approve the call there, then call again; or put long arguments into a file',
    );
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

const refusedByUser = (name: string) =>
  refused(`The call of ${name} was refused by the user`, 'Ask the user what they want instead of trying again');

const refused = (message: string, hint: string) => new AppError('CONFIRMATION_REFUSED', message, { hint });

/** A time as people say it: "90 seconds", "2 minutes". */
function spell(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
