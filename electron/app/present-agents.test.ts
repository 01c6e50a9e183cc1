import { expect, it } from 'vitest';
import { APP_CLIENT } from '../../shared/model/client-name.ts';
import { agentCalledLately } from './present-agents.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const line = (client: string | null, minutesAgo: number) => ({ client, time: new Date(now - minutesAgo * 60_000).toISOString() });

it('takes only agents for agents, and only lately', () => {
  expect(agentCalledLately([], now)).toBe(false);
  expect(agentCalledLately([line(APP_CLIENT, 1), line(null, 1), line('claude-code', 16)], now)).toBe(false);
  // The person's own calls do not hide it.
  expect(agentCalledLately([line(APP_CLIENT, 1), line('claude-code', 14)], now)).toBe(true);
});
