import { expect, it } from 'vitest';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { arranged, type Order } from './servers-page.tsx';

const server = (name: string, changes: Partial<UpstreamView> = {}): UpstreamView => ({
  name,
  type: 'stdio',
  target: `npx -y ${name}-mcp`,
  enabled: true,
  confirm: 'never',
  state: 'idle',
  lastFailure: null,
  serverInfo: null,
  protocolVersion: null,
  toolCount: null,
  destructive: [],
  exceptions: 0,
  toolChanges: 0,
  signIn: null,
  fixed: false,
  ...changes,
});
const failure = { code: 'UPSTREAM_UNREACHABLE', message: 'gone', hint: null };
const servers = [
  server('tasks10'),
  server('off', { enabled: false, state: 'disabled', lastFailure: failure }),
  server('Äpfel', { state: 'ready' }),
  server('tasks9', { state: 'failed', lastFailure: failure }),
  server('mail', { state: 'needs_sign_in', type: 'http', target: 'https://mail.example/mcp' }),
  server('changed', { state: 'ready', toolChanges: 2 }),
  server('again', { state: 'backoff', lastFailure: failure }),
];
const names = (typed: string, order: Order) => arranged(servers, typed, order).map(({ name }) => name);

it('puts servers that want something of the person first, and those switched off last', () => {
  expect(names('', 'problems')).toEqual(['again', 'changed', 'mail', 'tasks9', 'Äpfel', 'tasks10', 'off']);
});

it('sorts by name as people do, or leaves them as they were added', () => {
  expect(names('', 'name')).toEqual(['again', 'Äpfel', 'changed', 'mail', 'off', 'tasks9', 'tasks10']);
  expect(names('', 'added')).toEqual(servers.map(({ name }) => name));
});

it('finds them by name, command and address', () => {
  expect(names('TASKS', 'name')).toEqual(['tasks9', 'tasks10']);
  expect(names('mail.example', 'name')).toEqual(['mail']);
  expect(names(' npx  9 ', 'name')).toEqual(['tasks9']);
  expect(names('nothing', 'name')).toEqual([]);
});
