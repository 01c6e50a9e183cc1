import { expect, it } from 'vitest';
import { APP_CLIENT, agentName, appOfClient } from '../../shared/model/client-name.ts';
import { knownClients } from '../agent-apps/known-clients.ts';
import { agentCalledLately, presentAgents } from './present-agents.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const line = (client: string | null, minutesAgo: number) => ({ client, time: new Date(now - minutesAgo * 60_000).toISOString() });

it('takes only agents for agents, and only lately', () => {
  expect(agentCalledLately([], now)).toBe(false);
  expect(agentCalledLately([line(APP_CLIENT, 1), line(null, 1), line('claude-code', 16)], now)).toBe(false);
  // The person's own calls do not hide it.
  expect(agentCalledLately([line(APP_CLIENT, 1), line('claude-code', 14)], now)).toBe(true);
});

it('knows an app by each of its names, and counts them together', () => {
  const sums = { tokensMeasured: 10, tokensEstimated: 1 };
  const ledger = [
    { client: 'claude-code', calls: 2, last: '2026-11-20T10:00:00Z', ...sums },
    { client: 'Claude Code (review)', calls: 3, last: '2026-11-20T11:00:00Z', ...sums },
    { client: 'a stranger', calls: 1, last: '2026-11-20T09:00:00Z', ...sums },
  ];
  const here = [
    {
      name: 'claude-code',
      version: '2.1',
      transport: 'stdio' as const,
      connected: true,
      since: '2026-11-20T11:30:00Z',
      lastSeen: '2026-11-20T11:40:00Z',
    },
  ];
  expect(presentAgents(here as never, ledger)).toMatchObject([
    {
      name: 'Claude Code',
      app: 'claude-code',
      version: '2.1',
      connected: true,
      calls: 5,
      tokensMeasured: 20,
      tokensEstimated: 2,
    },
    { name: 'a stranger', app: null, connected: false, calls: 1 },
  ]);
});

it('calls apps as the Agents page does', async () => {
  const clients = await knownClients();
  const named = clients.filter(({ id, name }) => appOfClient(name) === id);
  expect(named.length).toBeGreaterThan(8);
  for (const { name } of named) expect(agentName(name)).toBe(name);
  expect(agentName('my own agent')).toBe('my own agent');
});
