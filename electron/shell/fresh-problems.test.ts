import { describe, expect, it } from 'vitest';
import { problemMemory } from './fresh-problems.ts';

const problem = (id: string, message = 'is down') => ({
  kind: 'server_failing' as const,
  id,
  message,
  hint: null,
  server: id,
  remedies: [],
});
const hour = 60 * 60_000;

describe('problems to tell of', () => {
  it('are shown once, even if they are seen again', () => {
    const fresh = problemMemory();
    expect(fresh([problem('db')], 0).map(({ id }) => id)).toEqual(['db']);
    expect(fresh([problem('db'), problem('web')], 1).map(({ id }) => id)).toEqual(['web']);
    expect(fresh([], 2)).toEqual([]);
    expect(fresh([problem('db')], 3)).toEqual([]);
  });

  it('are shown again when they change, or return after a long time', () => {
    const fresh = problemMemory();
    fresh([problem('db')], 0);
    expect(fresh([problem('db', 'refuses the password')], 1)).toHaveLength(1);
    expect(fresh([problem('db')], 2 * hour)).toHaveLength(1);
  });
});
