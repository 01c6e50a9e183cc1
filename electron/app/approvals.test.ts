import { describe, expect, it, vi } from 'vitest';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { approvalRequest as request } from '../calls/fixtures/approval-request.ts';
import type { CallerContext } from '../calls/types.ts';
import type { Progress } from '../upstream/types.ts';
import { type ApprovalsOptions, createApprovals } from './approvals.ts';

function open(options: Partial<ApprovalsOptions> = {}) {
  return createApprovals({
    timeoutMs: () => 60_000,
    maxOpen: () => 3,
    always: async () => undefined,
    ...options,
  });
}

function caller(more: Partial<CallerContext> = {}): CallerContext {
  return { signal: new AbortController().signal, client: 'an agent', progress: () => undefined, log: () => undefined, ...more };
}

describe('the approval queue', () => {
  it('keeps a host waiting with progress that leaves room for the call’s own, until the answer', async () => {
    vi.useFakeTimers();
    try {
      const sent: Progress[] = [];
      const approvals = open({ heartbeatMs: 10 });
      const answer = approvals.approve(request, caller({ progress: (each) => sent.push(each) }));
      await vi.advanceTimersByTimeAsync(50);
      expect(sent.length).toBeGreaterThanOrEqual(3);
      await approvals.answer(approvals.list()[0]?.id ?? '', 'once');
      expect(await answer).toBe('allowed');
      const values = sent.map(({ progress }) => progress);
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      expect(values.at(-1)).toBeLessThan(0.1);
      expect(sent[0]?.message).toContain('Waiting for the user');
      const after = sent.length;
      await vi.advanceTimersByTimeAsync(1_000);
      expect(sent).toHaveLength(after);
    } finally {
      vi.useRealTimers();
    }
  });

  it('bounds what one client, and all clients together, may have open', async () => {
    const approvals = open();
    const tooMany = { code: 'CONFIRMATION_REFUSED', hint: expect.stringContaining('limits.maxOpenApprovals') };
    const ask = (client: string) => approvals.approve(request, caller({ client }));
    const open3 = (client: string) => Promise.all([ask(client), ask(client), ask(client)]);
    const waiting = ['a', 'b', 'c'].map(open3);
    await expect(ask('a')).rejects.toMatchObject({ ...tooMany, message: expect.stringContaining('3 calls of this client') });
    const last = open3('d');
    await expect(ask('e')).rejects.toMatchObject({ ...tooMany, message: expect.stringContaining('12 calls of all clients') });
    const [first] = approvals.list();
    await approvals.answer(first?.id ?? '', 'once');
    const next = ask('a');
    expect(approvals.list()).toHaveLength(12);
    approvals.close();
    expect(await waiting[0]).toEqual(['allowed', 'unanswered', 'unanswered']);
    expect((await Promise.all([...waiting.slice(1), last])).flat()).toEqual(Array(9).fill('unanswered'));
    expect(await next).toBe('unanswered');
  });

  it('counts by token, whatever name a client gives', async () => {
    const approvals = open();
    const ask = (owner: string, client: string) => approvals.approve(request, caller({ owner, client }));
    const waiting = ['one', 'another', 'a third'].map((name) => ask('token a', name));
    await expect(ask('token a', 'a fourth')).rejects.toMatchObject({ code: 'CONFIRMATION_REFUSED' });
    waiting.push(ask('token b', 'one'), ask('token b', 'one'), ask('token b', 'one'));
    expect(approvals.list()).toHaveLength(6);
    approvals.close();
    expect(await Promise.all(waiting)).toEqual(Array(6).fill('unanswered'));
  });

  it('bounds the length of what is open, but always shows one', async () => {
    const approvals = open();
    const text = 'x'.repeat(5 * 1024 * 1024);
    const payload = { place: 'rows', records: 2, bytes: 1, list: true, files: [], first: [text], last: [] };
    for (const more of [{ arguments: [text] }, { description: text }, { payloads: [payload] }]) {
      const long = { ...request, ...more };
      const first = approvals.approve(long, caller());
      await expect(approvals.approve(long, caller({ client: 'another' }))).rejects.toMatchObject({
        code: 'CONFIRMATION_REFUSED',
      });
      const short = approvals.approve(request, caller());
      for (const { id } of approvals.list()) await approvals.answer(id, 'refuse');
      expect(await Promise.all([first, short])).toEqual(['refused', 'refused']);
    }
  });

  it('does not ask for a call that was cancelled already', async () => {
    const approvals = open();
    await expect(approvals.approve(request, caller({ signal: AbortSignal.abort() }))).rejects.toThrow();
    expect(approvals.list()).toEqual([]);
  });

  it('keeps a question open when “always” cannot be kept', async () => {
    const approvals = open({
      always: async () => {
        throw new Error('the disk is full');
      },
    });
    const answer = approvals.approve(request, caller());
    const id = approvals.list()[0]?.id ?? '';
    await expect(approvals.answer(id, 'always')).rejects.toThrow('the disk is full');
    expect(approvals.list()).toHaveLength(1);
    await approvals.answer(id, 'once');
    expect(await answer).toBe('allowed');
  });

  it('lets “always” stand while it is being kept, whatever the clock or another window says', async () => {
    vi.useFakeTimers();
    try {
      let keep = () => {};
      const kept = new Promise<void>((resolve) => {
        keep = resolve;
      });
      const approvals = open({ timeoutMs: () => 30, always: () => kept });
      const call = approvals.approve(request, caller());
      const id = approvals.list()[0]?.id ?? '';
      const always = approvals.answer(id, 'always');
      for (const decision of ['refuse', 'once', 'always'] as const)
        await expect(approvals.answer(id, decision)).rejects.toMatchObject({ hint: 'It is being answered already' });
      // Longer than the approval stays open.
      await vi.advanceTimersByTimeAsync(100);
      keep();
      await always;
      expect(await call).toBe('allowed');
      expect(approvals.list()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives time for another answer when “always” could not be kept, and no longer', async () => {
    vi.useFakeTimers();
    try {
      const approvals = open({
        timeoutMs: () => 1_000,
        always: async () => {
          await pause(5_000, 'the disk is slow');
          throw new Error('the disk is full');
        },
      });
      const call = approvals.approve(request, caller());
      const [asked] = approvals.list();
      const refused = expect(approvals.answer(asked?.id ?? '', 'always')).rejects.toThrow('the disk is full');
      await vi.advanceTimersByTimeAsync(5_000);
      await refused;
      expect(approvals.list()[0]?.leftMs).toBeGreaterThan(10_000);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await call).toBe('unanswered');
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([-365, 365])('keeps its time when the clock is set by %i days meanwhile', async (days) => {
    let fail = () => undefined as unknown;
    const approvals = open({
      timeoutMs: () => 60_000,
      always: () =>
        new Promise((_, reject) => {
          fail = () => reject(new Error('the disk is full'));
        }),
    });
    const call = approvals.approve(request, caller());
    const refused = expect(approvals.answer(approvals.list()[0]?.id ?? '', 'always')).rejects.toThrow('the disk is full');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
    try {
      fail();
      await refused;
      const left = approvals.list()[0]?.leftMs;
      expect(left).toBeGreaterThan(20_000);
      expect(left).toBeLessThanOrEqual(60_000);
    } finally {
      vi.useRealTimers();
    }
    approvals.close();
    expect(await call).toBe('unanswered');
  });

  it('does not open a question again that was cancelled while “always” was being kept', async () => {
    const leaving = new AbortController();
    const approvals = open({
      always: async () => {
        leaving.abort();
        throw new Error('the disk is full');
      },
    });
    const call = approvals.approve(request, caller({ signal: leaving.signal }));
    const cancelled = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(approvals.answer(approvals.list()[0]?.id ?? '', 'always')).rejects.toThrow('the disk is full');
    await cancelled;
    expect(approvals.list()).toEqual([]);
  });

  it('allows with “always” what waits for the same tool, and not what it has become meanwhile', async () => {
    const kept: unknown[] = [];
    const approvals = open({ always: async (...said) => void kept.push(said) });
    const changed = { ...request, fingerprint: { ...request.fingerprint, inputSchema: 'other' } };
    const calls = [request, changed, request].map((each) => approvals.approve(each, caller()));
    await approvals.answer(approvals.list()[0]?.id ?? '', 'always');
    expect(kept).toEqual([['db', 'insert', request.fingerprint, request.texts]]);
    expect(await Promise.all([calls[0], calls[2]])).toEqual(['allowed', 'allowed']);
    expect(approvals.list()).toHaveLength(1);
    approvals.close();
    expect(await calls[1]).toBe('unanswered');
  });

  it('shows what changed since “always” was said, as far as that was kept', async () => {
    const texts = { ...request.texts, entry: 'node server.js', description: 'Inserts rows' };
    const before = async () => ({ ...texts, description: 'Reads rows', annotations: '{"readOnlyHint": true}' });
    const approvals = open({ before });
    const call = approvals.approve({ ...request, texts, lapsed: ['entry', 'description', 'annotations'] }, caller());
    await expect.poll(() => approvals.list().length).toBe(1);
    expect(approvals.list()[0]?.changes).toEqual([
      { part: 'description', before: 'Reads rows', after: 'Inserts rows' },
      { part: 'annotations', before: '{"readOnlyHint": true}', after: null },
    ]);
    approvals.close();
    expect(await call).toBe('unanswered');
  });

  it('tells of each change', async () => {
    const heard: [string, string][] = [];
    const approvals = open();
    approvals.onChange((change, { tool }) => heard.push([change, tool]));
    const first = approvals.approve(request, caller());
    const second = approvals.approve({ ...request, tool: 'delete' }, caller());
    approvals.close();
    expect(await Promise.all([first, second])).toEqual(['unanswered', 'unanswered']);
    expect(heard).toEqual([
      ['asked', 'insert'],
      ['asked', 'delete'],
      ['closed', 'insert'],
      ['closed', 'delete'],
    ]);
  });
});
