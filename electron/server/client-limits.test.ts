import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { CallLimit, MAX_CALLS, wantsBigAnswer } from './client-limits.ts';
import { info } from './fixtures/endpoints.ts';
import { memoryCallService, text } from './fixtures/memory-call-service.ts';
import { serveMcpStdio } from './stdio.ts';

it('counts the calls of each client by itself, whether they end well or not', async () => {
  const pending = new CallLimit(2);
  let fail: (reason: Error) => void = () => undefined;
  const failing = pending.run('one', () => new Promise((_, reject) => (fail = reject)));
  void pending.run('one', () => new Promise(() => undefined));
  await expect(pending.run('one', async () => 'made')).rejects.toThrow('This client has 2 calls under way, which is the limit');
  expect(await pending.run('two', async () => 'made')).toBe('made');
  fail(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect(await pending.run('one', async () => 'made')).toBe('made');
});

it('answers a client that never waits: calls beyond the limit are refused, the others are made', async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const service = memoryCallService({ wait: () => gate.then(() => text('done')) });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveMcpStdio({ service, info, stdin, stdout });
  const answers = new Map<number, { isError?: boolean; content?: { text: string }[] }>();
  createInterface(stdout).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    answers.set(id, result);
  });
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'flood', version: '1' } };
  send({ id: 0, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  const call = { name: 'call_tool', arguments: { server: 'db', tool_name: 'wait' } };
  for (let id = 1; id <= MAX_CALLS + 5; id += 1) send({ id, method: 'tools/call', params: call });
  try {
    await expect.poll(() => answers.size).toBe(1 + 5);
    const refused = JSON.parse(answers.get(MAX_CALLS + 1)?.content?.[0]?.text ?? '');
    expect(refused).toMatchObject({
      error: `This client has ${MAX_CALLS} calls under way, which is the limit`,
      code: 'INVALID_REQUEST',
      tool: 'filebridge:call_tool',
    });
    open();
    await expect.poll(() => answers.size).toBe(1 + MAX_CALLS + 5);
    expect([...answers.values()].filter(({ isError }) => isError)).toHaveLength(5);
  } finally {
    await served.close();
  }
});

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
