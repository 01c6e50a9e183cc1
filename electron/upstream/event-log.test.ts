import { afterEach, expect, it } from 'vitest';
import { until } from '../../shared/lib/fixtures/waiting.ts';
import { EventLog, withoutContent } from './event-log.ts';
import { argumentsOf, fixture, poolOf, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

it('masks secrets and the last tokens, however often they are renewed', () => {
  const log = new EventLog();
  log.secrets = ['a-secret-of-the-entry'];
  for (let time = 0; time < 100; time += 1) log.token = `token-number-${time}-of-many`;
  expect(log.secrets.length).toBeLessThan(10);
  log.add('server', 'a-secret-of-the-entry token-number-99-of-many token-number-98-of-many');
  expect(log.lines[0]?.text).not.toMatch(/secret-of|number/);
});

let pool: UpstreamPool | undefined;
afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

/** A server that answers each call, and before it requests that nobody made. The log holds its command: so the word is put together. */
const straying = `const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = (text) => ({ content: [{ type: 'text', text }] });
    if (method === 'initialize')
      send({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'db', version: '1' } } });
    else if (method === 'tools/call') {
      send({ method: 'notifications/progress', params: { progressToken: 9999, progress: 1, message: ['PRI', 'VATE'].join('') } });
      send({ id: 9998, result: result(['PRI', 'VATE'].join('')) });
      send({ id, result: result('asked for') });
    } else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
  });`;

it('the content of late answers does not reach the log', async () => {
  const logged: string[] = [];
  pool = poolOf({ db: fixture('', { args: ['-e', straying] }) }, { log: (line: string) => logged.push(line) });
  expect(textOf(await pool.callTool('db', 'query', argumentsOf({})))).toBe('asked for');
  const lines = () => (pool as UpstreamPool).log('db').map(({ text }) => text);
  await until(() => lines().some((line) => line.startsWith('dropped an answer to no open request')));
  expect([...lines(), ...logged].join('\n')).not.toContain('PRIVATE');
});

it.each([
  ['Received a response for an unknown message ID: {"jsonrpc":"2.0","id":3,"result":"x"}', /^dropped an answer/],
  ['Received a progress notification for an unknown token: {"params":{"message":"x"}}', /^dropped progress/],
  ['Unknown message type: {"x":1}', /^dropped a message/],
  ['the pipe is closed', /^the pipe is closed$/],
])('%s', (message, said) => {
  expect(withoutContent(message)).toMatch(said);
});

it('the late answer to the question for the era is not worth a line', () => {
  const answer = '{"jsonrpc":"2.0","id":"server-discover-probe-1","error":{"code":-32601,"message":"Method not found"}}';
  expect(withoutContent(`Received a response for an unknown message ID: ${answer}`)).toBeNull();
});
