import { describe, expect, it } from 'vitest';
import { type Config, configSchema, type Upstream, upstreamSchema } from '../../shared/model/config.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import { callNeedsConfirmation, confirmCall } from './approve.ts';
import { approvalRequest } from './fixtures/approval-request.ts';
import type { ApprovalAnswer, CallDeps, CallerContext } from './types.ts';

type Confirm = 'writes' | 'always';
type Through = Config['approvals']['throughClient'];

/** What becomes of a call, and what its client was asked, where the client says yes to everything. */
async function outcome(options: {
  confirm: Confirm;
  through?: Through;
  person?: ApprovalAnswer;
  mute?: boolean;
  args?: string;
  window?: boolean;
}) {
  const { confirm, through, person, mute, args, window } = options;
  const approvals = through === undefined ? {} : { throughClient: through };
  const config = configSchema.parse({ version: 1, approvals });
  const upstream = upstreamSchema.parse({ type: 'stdio', command: 'db', confirm });
  const deps = {
    config: () => config,
    upstreams: { config: () => upstream },
    ...(person ? { approve: async () => person } : {}),
    ...(window === undefined ? {} : { windowRuns: async () => window }),
  } as unknown as CallDeps;
  const asked: unknown[] = [];
  const caller = {
    elicit: mute ? undefined : async (params: unknown) => asked.push(params) && { action: 'accept', content: { confirm: true } },
  } as unknown as CallerContext;
  const result = await confirmCall(
    deps,
    args === undefined ? approvalRequest : { ...approvalRequest, arguments: [args] },
    caller,
  ).then(
    () => 'made',
    (error: Error & { hint?: string }) => `${error.message}. ${error.hint}`,
  );
  return { result, asked: asked.length };
}

describe('a server that is asked about when it may write', () => {
  const upstream = upstreamSchema.parse({ type: 'stdio', command: 'db', confirm: 'writes' });
  const reading = { name: 'list', inputSchema: {}, annotations: { readOnlyHint: true } };
  const asks = (tool: UpstreamTool, first: boolean | undefined, entry: Upstream = upstream) => {
    const known = first === undefined ? {} : { readOnlyAtFirst: async () => first };
    return callNeedsConfirmation({ upstreams: { config: () => entry }, ...known } as unknown as CallDeps, 'db', tool);
  };

  it('is believed that a tool only reads as long as it always said so', async () => {
    expect(await asks(reading, true)).toBe(false);
    expect(await asks(reading, undefined)).toBe(false);
    expect(await asks(reading, false)).toBe(true);
    for (const annotations of [{ readOnlyHint: false }, {}, undefined]) {
      expect(await asks({ ...reading, ...(annotations ? { annotations } : { annotations: {} }) }, true)).toBe(true);
    }
    expect(await asks(reading, false, { ...upstream, confirm: 'never' })).toBe(false);
  });
});

describe('who approves a call', () => {
  it.each(['refused', 'unanswered'] as const)('the person alone where there is a window: %s stays refused', async (person) => {
    for (const confirm of ['writes', 'always'] as const) {
      const { result, asked } = await outcome({ confirm, through: 'always', person });
      expect(result).toMatch(/refused by the user|nobody answered/);
      expect(asked).toBe(0);
    }
    expect(await outcome({ confirm: 'always', person: 'allowed' })).toEqual({ result: 'made', asked: 0 });
  });

  it.each<[Through | undefined, Confirm, boolean]>([
    [undefined, 'writes', true],
    [undefined, 'always', false],
    ['never', 'writes', false],
    ['never', 'always', false],
    ['writes', 'writes', true],
    ['writes', 'always', false],
    ['always', 'writes', true],
    ['always', 'always', true],
  ])('without a window, with throughClient %s and confirm %s: the client %s', async (through, confirm, allowed) => {
    const { result, asked } = await outcome({ confirm, ...(through ? { through } : {}) });
    expect(asked).toBe(allowed ? 1 : 0);
    if (allowed) expect(result).toBe('made');
    else expect(result).toContain(`"approvals": {"throughClient": "${confirm}"}`);
  });

  it('not the client while a window runs that this program does not belong to', async () => {
    const { result, asked } = await outcome({ confirm: 'writes', through: 'always', window: true });
    expect(result).toContain('only the person at the open Filebridge window may give');
    expect(asked).toBe(0);
    expect(await outcome({ confirm: 'writes', window: false })).toEqual({ result: 'made', asked: 1 });
  });

  it('nobody where what is sent is too long to be shown whole by the client', async () => {
    const args = JSON.stringify({ sql: `${' '.repeat(20_000)}DROP TABLE users` });
    const { result, asked } = await outcome({ confirm: 'writes', args });
    expect(result).toContain('too long to be shown whole by the client. Ask the user to open the Filebridge window');
    expect(asked).toBe(0);
    expect(await outcome({ confirm: 'writes', args, person: 'allowed' })).toEqual({ result: 'made', asked: 0 });
  });

  it('nobody where a client that may be asked cannot be', async () => {
    expect((await outcome({ confirm: 'writes', mute: true })).result).toContain('there is nobody to ask');
  });
});
