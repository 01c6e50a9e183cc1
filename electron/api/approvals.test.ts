import { describe, expect, it } from 'vitest';
import type { CallerContext } from '../calls/types.ts';
import type { Progress } from '../upstream/types.ts';
import { type ApprovalsOptions, createApprovals } from './approvals.ts';

const request = { server: 'db', tool: 'insert', paths: ['/a.csv'], records: 2, bytes: 10, firstRecords: ['{}'] };

function open(options: Partial<ApprovalsOptions> = {}) {
  return createApprovals({
    timeoutMs: () => 60_000,
    attended: () => true,
    target: (server) => `node ${server}.js`,
    always: async () => undefined,
    ...options,
  });
}

function caller(more: Partial<CallerContext> = {}): CallerContext {
  return { signal: new AbortController().signal, client: 'an agent', progress: () => undefined, log: () => undefined, ...more };
}

describe('the approval queue', () => {
  it('keeps a host waiting with progress that leaves room for the call’s own, until the answer', async () => {
    const told: Progress[] = [];
    const approvals = open({ heartbeatMs: 10 });
    const answer = approvals.approve(request, caller({ progress: (each) => told.push(each) }));
    while (told.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    await approvals.answer(approvals.list()[0]?.id ?? '', 'once');
    expect(await answer).toBe('allowed');
    const values = told.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(values.at(-1)).toBeLessThan(0.1);
    expect(told[0]?.message).toContain('Waiting for the user');
    const after = told.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(told).toHaveLength(after);
  });

  it('says when a question has to be asked elsewhere', async () => {
    const approvals = open({ attended: () => false });
    expect(await approvals.approve(request, caller())).toBe('elsewhere');
    expect(approvals.list()).toEqual([]);
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

  it('tells of each change, and of a new question apart', async () => {
    const heard: [number, string | undefined][] = [];
    const approvals = open();
    approvals.onChange((list, asked) => heard.push([list.length, asked?.tool]));
    const first = approvals.approve(request, caller());
    const second = approvals.approve({ ...request, tool: 'delete' }, caller());
    approvals.close();
    expect(await Promise.all([first, second])).toEqual(['unanswered', 'unanswered']);
    expect(heard).toEqual([
      [1, 'insert'],
      [2, 'delete'],
      [1, undefined],
      [0, undefined],
    ]);
  });
});
