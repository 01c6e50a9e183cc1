import { expect, it } from 'vitest';
import { wantsBigAnswer } from './big-answers.ts';

const call = (name: unknown, args?: unknown) => ({ method: 'tools/call', params: { name, arguments: args } });

it('knows the requests whose answers may be big', () => {
  for (const big of [
    { method: 'resources/read', params: { uri: 'file:///a' } },
    call('read_media_file', { path: '/a.png' }),
    call('job_status', { job_id: '1' }),
    call('list_upstream_tools', { detail: 'full' }),
  ])
    expect(wantsBigAnswer(big), JSON.stringify(big)).toBe(true);
});

it('lets others pass, and messages of any other form', () => {
  for (const other of [
    call('list_upstream_tools', {}),
    call('list_upstream_tools', { detail: 'summary' }),
    call('call_tool', { detail: 'full' }),
    call({ toString: null }, null),
    { method: 'tools/call', params: null },
    { method: 'tools/call', params: 5 },
    { method: 5 },
    { result: {} },
    null,
    undefined,
    'resources/read',
    7,
  ])
    expect(wantsBigAnswer(other), JSON.stringify(other)).toBe(false);
});
