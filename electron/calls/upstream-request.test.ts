/** Prompts, resources and completions of servers are asked about, paused and recorded as calls are. */

import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { configSchema, upstreamSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { JsonObject } from '../upstream/types.ts';
import { createCallService } from './service.ts';
import type { ApprovalAnswer, ApprovalRequest, CallDeps, CallerContext, UpstreamRequest } from './types.ts';

const prompt: UpstreamRequest = {
  server: 'db',
  method: 'prompts/get',
  params: { name: 'review', arguments: { code: 'a = 1' } },
  about: 'review',
};

async function outcomeOf(
  request: UpstreamRequest,
  given: { confirm?: string; answer?: ApprovalAnswer; paused?: boolean; fails?: AppError; movedTo?: string } = {},
) {
  const { confirm = 'never', answer = 'allowed', paused = false, fails, movedTo } = given;
  let upstream = upstreamSchema.parse({ type: 'stdio', command: 'db', confirm });
  const shown: ApprovalRequest[] = [];
  const sent: JsonObject[] = [];
  const ledger: Omit<LedgerEntry, 'id' | 'time' | 'durationMs'>[] = [];
  const deps = {
    config: () => configSchema.parse({ version: 1 }),
    upstreams: {
      config: () => upstream,
      used: () => upstream,
      target: () => ({ target: 'db', folder: null }),
      async request(_server: string, { method, params }: { method: string; params: JsonObject }) {
        sent.push({ method, params });
        if (fails) throw fails;
        return { messages: [] };
      },
    },
    ledger: { append: async (entry: LedgerEntry) => void ledger.push(entry) },
    paused: () => paused,
    async approve(asked: ApprovalRequest) {
      shown.push(asked);
      if (movedTo !== undefined) upstream = upstreamSchema.parse({ type: 'stdio', command: movedTo, confirm });
      return answer;
    },
    log: () => undefined,
  } as unknown as CallDeps;
  const caller = { signal: new AbortController().signal, client: 'host' } as unknown as CallerContext;
  const result = await createCallService(deps)
    .upstreamRequest(request, caller)
    .catch((error: AppError) => error.code);
  return { result, shown, sent, line: ledger.map(({ kind, server, tool, outcome }) => ({ kind, server, tool, outcome })) };
}

const line = (outcome: string, tool = 'prompts/get review') => [{ kind: 'call', server: 'db', tool, outcome }];

it('is sent, and leaves a line in the ledger', async () => {
  const { result, sent, line: lines } = await outcomeOf(prompt);
  expect(result).toEqual({ messages: [] });
  expect(sent).toEqual([{ method: 'prompts/get', params: prompt.params }]);
  expect(lines).toEqual(line('ok'));
});

it('is refused while paused', async () => {
  const { result, sent, line: lines } = await outcomeOf(prompt, { paused: true });
  expect([result, sent, lines]).toEqual(['PAUSED', [], line('blocked')]);
});

it('throws the error of the server as it is', async () => {
  const fails = new AppError('UPSTREAM_FAILED', 'no', { details: { rpc: { code: 4711, message: 'no' } } });
  const { result, line: lines } = await outcomeOf(prompt, { fails });
  expect([result, lines]).toEqual(['UPSTREAM_FAILED', line('failed')]);
});

it('leaves no query of an address in the ledger, where a secret may be', async () => {
  const uri = 'https://example.com/file?token=secret#part';
  const request: UpstreamRequest = { server: 'db', method: 'resources/read', params: { uri }, about: uri };
  expect((await outcomeOf(request)).line).toEqual(line('ok', 'resources/read https://example.com/file'));
});

describe('a server whose every call needs an approval', () => {
  it('is asked for a prompt once a person saw what is sent', async () => {
    const { shown, sent } = await outcomeOf(prompt, { confirm: 'always' });
    expect(shown).toMatchObject([{ server: 'db', tool: 'prompts/get', arguments: [JSON.stringify(prompt.params)] }]);
    expect(sent).toHaveLength(1);
  });

  it('is not asked where the person refuses, or the entry changed meanwhile', async () => {
    expect(await outcomeOf(prompt, { confirm: 'always', answer: 'refused' })).toMatchObject({
      result: 'CONFIRMATION_REFUSED',
      sent: [],
    });
    expect(await outcomeOf(prompt, { confirm: 'always', movedTo: 'other' })).toMatchObject({
      result: 'UPSTREAM_CLOSED',
      sent: [],
    });
  });

  it('completes nothing, and nobody is asked', async () => {
    const completion: UpstreamRequest = { ...prompt, method: 'completion/complete' };
    expect(await outcomeOf(completion, { confirm: 'always' })).toMatchObject({
      result: 'CONFIRMATION_REFUSED',
      shown: [],
      sent: [],
    });
  });
});

it('needs no approval where only writing does', async () => {
  expect(await outcomeOf(prompt, { confirm: 'writes' })).toMatchObject({ shown: [], sent: [{}] });
});
