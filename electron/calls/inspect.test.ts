import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import type { UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { listUpstreamTools } from './inspect.ts';

const tool = (name: string, description: string): UpstreamTool => ({ name, description, inputSchema: { type: 'object' } });

/** Only what a list asks of a pool. */
function poolOf(tools: Record<string, () => Promise<UpstreamTool[]>>): UpstreamPool {
  const pool: Pick<UpstreamPool, 'names' | 'tools'> = {
    names: () => Object.keys(tools),
    tools: (name) => (tools[name] as () => Promise<UpstreamTool[]>)(),
  };
  return pool as UpstreamPool;
}
const signal = new AbortController().signal;
afterEach(() => vi.useRealTimers());

describe('listUpstreamTools', () => {
  it('gives a dead server a row of its own', async () => {
    const pool = poolOf({
      db: async () => [tool('insert', 'Puts rows\ninto a table')],
      dead: () => Promise.reject(new AppError('UPSTREAM_UNREACHABLE', 'gone', { hint: 'Start it' })),
    });
    expect(await listUpstreamTools(pool, {}, signal)).toEqual({
      servers: [
        { server: 'db', tools: [{ name: 'insert', description: 'Puts rows' }] },
        { server: 'dead', error: 'gone. Start it', code: 'UPSTREAM_UNREACHABLE' },
      ],
    });
  });

  it('does not wait for a server that is slow to start', async () => {
    vi.useFakeTimers();
    const pool = poolOf({ db: async () => [tool('insert', '')], slow: () => new Promise(() => undefined) });
    const listed = listUpstreamTools(pool, { detail: 'names' }, signal);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await listed).toMatchObject({ servers: [{ tools: ['insert'] }, { server: 'slow', code: 'UPSTREAM_TIMEOUT' }] });
  });

  it('finds tools by every word of a query', async () => {
    const pool = poolOf({ db: async () => [tool('bulk_insert', 'Many rows'), tool('insert', 'One row')] });
    expect(await listUpstreamTools(pool, { query: 'INSERT many', detail: 'names' }, signal)).toEqual({
      servers: [{ server: 'db', tools: ['bulk_insert'] }],
    });
  });

  it('finds the other tools beside one whose title is no text', async () => {
    const strange = { ...tool('insert', 'One row'), title: { toString: 'x' } } as unknown as UpstreamTool;
    const pool = poolOf({ db: async () => [strange, tool('bulk_insert', 'Many rows')] });
    expect(await listUpstreamTools(pool, { query: 'insert', detail: 'names' }, signal)).toEqual({
      servers: [{ server: 'db', tools: ['insert', 'bulk_insert'] }],
    });
  });

  it('says first that no tool fits a query, where there are some', async () => {
    const pool = poolOf({ db: async () => [tool('insert', ''), tool('drop', '')], bare: async () => [] });
    const servers = [
      { server: 'db', tools: [] },
      { server: 'bare', tools: [] },
    ];
    const listed = await listUpstreamTools(pool, { query: 'weather' }, signal);
    expect(listed).toEqual({ hint: 'No tool has all words of "weather". Without query all 2 tools are listed', servers });
    expect(Object.keys(listed)[0]).toBe('hint');
    expect(await listUpstreamTools(poolOf({ bare: async () => [] }), { query: 'x' }, signal)).toEqual({ servers: [servers[1]] });
  });
});
