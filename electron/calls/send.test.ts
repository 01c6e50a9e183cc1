import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { personsWords } from '../../shared/model/messages/people.ts';
import { jsonStreamOf, textOf } from '../engine/core/payload.ts';
import { type HttpFixture, listen } from '../upstream/fixtures/http-servers.ts';
import { poolOf, remote } from '../upstream/fixtures/support.ts';
import { callOnce, outcomeAfterSending } from './send.ts';

const args = () => jsonStreamOf(Buffer.from('{"a":1}'));
const failing = async (error: unknown, read: boolean): Promise<AppError> => {
  const failed = await callOnce(args(), async (sent) => {
    if (read) await textOf(sent);
    throw error;
  }).catch((thrown: unknown) => thrown);
  return failed as AppError;
};

describe('an error of a call', () => {
  it.each(['CANCELLED', 'UPSTREAM_TIMEOUT', 'UPSTREAM_CLOSED', 'UPSTREAM_FAILED', 'MESSAGE_TOO_LARGE'] as const)(
    '%s after sending says that the work may have been done',
    async (code) => {
      const failed = await failing(new AppError(code, 'It failed', { hint: 'Do this' }), true);
      expect(failed.text).toBe('It failed. The call may have been carried out: check before calling again. Do this');
      expect(failed).toMatchObject({ code, details: { mayHaveRun: true } });
    },
  );

  it('before sending does not', async () => {
    expect((await failing(new AppError('UPSTREAM_TIMEOUT', 'It failed'), false)).text).toBe('It failed');
  });

  it.each([
    [
      'that the server answered itself',
      new AppError('UPSTREAM_FAILED', 'It failed', { details: { rpc: { code: -32602, message: 'no' } } }),
    ],
    ['of a file that changed, whose message is never completed', new AppError('FILE_CHANGED', 'It failed')],
  ])('%s does not', async (_, error) => {
    expect(await failing(error, true)).toBe(error);
  });
});

it.each([
  [-32001, 'Request timed out', 'unknown'],
  [-32001, 'MCP error', 'unknown'],
  [-32000, 'Connection closed', 'unknown'],
  [-32603, 'upstream request timeout', 'unknown'],
  [-32603, 'fetch failed: read ECONNRESET', 'unknown'],
  [-32603, 'socket hang up', 'unknown'],
  [-32603, 'the table is full', 'refused'],
  [-32000, 'quota exceeded', 'refused'],
  [-32602, 'timeout must be a number', 'refused'],
  [-32601, 'Method not found', 'refused'],
] as const)('the protocol error %s "%s" means %s', async (code, message, outcome) => {
  const error = new AppError('UPSTREAM_FAILED', 'It failed', { details: { rpc: { code, message } } });
  expect(outcomeAfterSending(error)).toBe(outcome);
  expect((await failing(error, true)).details).toEqual({
    rpc: { code, message },
    ...(outcome === 'unknown' ? { mayHaveRun: true } : {}),
  });
});

describe('over HTTP', () => {
  let web: HttpFixture;
  let status: number;
  let calls = 0;
  beforeAll(async () => {
    web = await listen(async (request, response) => {
      if (request.method !== 'POST') {
        response.writeHead(405).end();
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
      if (method === 'tools/call') {
        calls += 1;
        if (status === 0) response.destroy();
        else response.writeHead(status).end();
        return;
      }
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const serverInfo = { name: 'web', version: '1' };
      const answer =
        method === 'initialize'
          ? { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } }
          : { error: { code: -32601, message: 'Method not found' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  afterAll(() => web.close());

  it.each([
    [500, true],
    [502, true],
    [0, true],
    [401, false],
    [403, false],
    [404, false],
    [413, false],
  ])('an answer of %s: %s', async (given, uncertain) => {
    status = given;
    calls = 0;
    const pool = poolOf({ web: remote('http', web.url) });
    try {
      const failed = await callOnce(args(), (sent) => pool.callTool('web', 'take', sent)).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(AppError);
      expect((failed as AppError).details.mayHaveRun === true, String(failed)).toBe(uncertain);
      // Without a session, a 404 does not mean that the call can be repeated.
      expect(calls).toBe(1);
    } finally {
      await pool.close();
    }
  });

  it.each([0, 400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504])('a batch answered with %s is unknown', async (given) => {
    status = given;
    const pool = poolOf({ web: remote('http', web.url) });
    try {
      const failed = await pool.callTool('web', 'take', args()).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(AppError);
      expect(outcomeAfterSending(toAppError(failed)), String(failed)).toBe('unknown');
    } finally {
      await pool.close();
    }
  });
});

it('a failure that may have run is German for persons, its words and its warning', async () => {
  const cause = new AppError('UPSTREAM_CLOSED', say('server.disconnected', { server: 'db', tool: 'add' }), {
    hint: say('server.connectsAgain'),
  });
  expect(personsWords(await failing(cause, true), 'de')).toEqual({
    message: 'Der Server „db“ brach die Verbindung ab, während „add“ lief',
    hint: 'Der Aufruf ist vielleicht ausgeführt worden: Prüfen Sie das, bevor Sie ihn wiederholen. Der nächste Aufruf verbindet wieder',
  });
});
