import http from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { MAX_BIG_ANSWERS } from './client-limits.ts';
import { httpEndpoint, info } from './fixtures/endpoints.ts';
import { type MemoryTool, memoryCallService, text } from './fixtures/memory-call-service.ts';
import { type HttpOptions, serveMcpHttp } from './http.ts';

const tokens = [
  { token: 'the-token-of-alice-which-is-long-enough', client: 'alice' },
  { token: 'the-token-of-bob-which-is-long-enough-too', client: 'bob' },
] as const;
const [alice, bob] = tokens;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(tools: Record<string, MemoryTool> = {}, options: Partial<HttpOptions> = {}) {
  const service = memoryCallService(tools);
  const served = await serveMcpHttp({ service, info, host: '127.0.0.1', port: 0, tokens: () => tokens, ...options });
  ends.push(() => served.close());
  return { ...served, service };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: '', version: '1' } },
};
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const callOf = (tool_name: string) => ({
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: { name: 'call_tool', arguments: { server: 'db', tool_name } },
});

function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  token: string = alice.token,
  signal?: AbortSignal,
) {
  return fetch(url, {
    signal: signal ?? null,
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Opens a session and returns the header that goes on with it. */
async function openSession(url: string, token: string = alice.token): Promise<{ 'mcp-session-id': string }> {
  const response = await post(url, initialize, {}, token);
  expect(response.status).toBe(200);
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

/** A request with headers that `fetch` would not send. */
function rawRequest(
  url: string,
  options: http.RequestOptions,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    request.once('error', reject);
    request.end();
  });
}

const messageOf = async (response: Response) => ((await response.json()) as { error: { message: string } }).error.message;

describe('the HTTP server', () => {
  it('stays shut without a token, and says what is missing', async () => {
    const { url } = await serve();
    const response = await fetch(url, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="filebridge"');
    expect(await messageOf(response)).toContain('Authorization: Bearer <token>');
  });

  it.each(['wrong', `${alice.token}x`, alice.token.slice(1), ''])('stays shut for the token "%s"', async (token) => {
    const { url, service } = await serve();
    const response = await post(url, list, {}, token);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="filebridge"/);
    await response.text();
    expect(service.asked).toEqual([]);
  });

  it('stays shut for other schemes and for an empty token', async () => {
    const { url } = await serve({}, { tokens: () => [{ token: '', client: 'nobody' }] });
    for (const authorization of ['Bearer', 'Bearer ', `Basic ${alice.token}`, alice.token]) {
      const response = await post(url, list, { authorization });
      expect(response.status).toBe(401);
      await response.text();
    }
  });

  it('shuts as soon as a token is withdrawn', async () => {
    const valid = [...tokens];
    const { url } = await serve({}, { tokens: () => valid });
    const session = await openSession(url);
    expect((await post(url, list, session)).status).toBe(200);
    valid.shift();
    expect((await post(url, list, session)).status).toBe(401);
  });

  it.each(['evil.example', 'evil.example:80', '192.168.0.7', 'localhost.evil.example'])(
    'is not for the host %s',
    async (host) => {
      const { url, port } = await serve();
      const headers = { host, authorization: `Bearer ${alice.token}` };
      expect((await rawRequest(url, { method: 'GET', headers })).status).toBe(403);
      expect((await rawRequest(`http://127.0.0.1:${port}/health`, { method: 'GET', headers })).status).toBe(403);
    },
  );

  it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])('is not for pages of %s', async (origin) => {
    const { url, port } = await serve();
    const response = await post(url, initialize, { origin });
    expect(response.status).toBe(403);
    await response.text();
    expect((await fetch(`http://127.0.0.1:${port}/health`, { headers: { origin } })).status).toBe(403);
  });

  it('sends no CORS headers, not even to a page of this machine that asks first', async () => {
    const { url } = await serve();
    const preflight = await rawRequest(url, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(405);
    const answered = await post(url, initialize, { origin: 'http://localhost:3000' });
    await answered.text();
    expect(answered.status).toBe(200);
    for (const names of [Object.keys(preflight.headers), [...answered.headers.keys()]])
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('tells anyone on this machine that it is there, and no more', async () => {
    const { port } = await serve();
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    expect([response.status, await response.text()]).toEqual([200, '{"ok":true}']);
    expect((await fetch(`http://127.0.0.1:${port}/health`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  });

  it('takes JSON only', async () => {
    const { url } = await serve();
    const form = await post(url, 'a=b', { 'content-type': 'text/plain' });
    expect(form.status).toBe(415);
    await form.text();
    const broken = await post(url, '{"jsonrpc":');
    expect([broken.status, await messageOf(broken)]).toEqual([400, 'The request body is not valid JSON']);
  });

  it('refuses a body over its bound, announced or not', async () => {
    const { url, service } = await serve({}, { maxBodyBytes: 2048 });
    const big = { ...list, params: { padding: 'x'.repeat(4096) } };
    const announced = await post(url, big);
    expect([announced.status, await messageOf(announced)]).toEqual([413, expect.stringContaining('larger than 2 KB')]);
    const streamed = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
      body: new Blob([JSON.stringify(big)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    await streamed.text();
    expect(service.asked).toEqual([]);
  });
});

describe('the HTTP server under load', () => {
  /** Sends the beginning of a body and waits until it is there. */
  async function beginUpload(url: string, bytes: number, token: string = alice.token): Promise<http.ClientRequest> {
    const request = http.request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': bytes },
    });
    request.on('error', () => undefined);
    ends.push(async () => request.destroy());
    await new Promise<void>((resolve) => request.write('x'.repeat(bytes - 1), () => resolve()));
    return request;
  }

  it('bounds the open requests of a client, and serves the others', async () => {
    const { url } = await serve({}, { maxOpenPerClient: 2 });
    await beginUpload(url, 10);
    await beginUpload(url, 10);
    await expect
      .poll(async () => {
        const response = await post(url, list);
        await response.text();
        return [response.status, response.headers.get('retry-after')];
      })
      .toEqual([429, '1']);
    expect((await post(url, initialize, {}, bob.token)).status).toBe(200);
  });

  it('bounds the bytes of all bodies that arrive at the same time', async () => {
    const { url } = await serve({}, { maxArrivingBytes: 20_000 });
    const upload = await beginUpload(url, 15_000);
    await expect
      .poll(async () => {
        const response = await post(url, { ...list, params: { padding: 'x'.repeat(10_000) } });
        await response.text();
        return [response.status, response.headers.get('retry-after')];
      })
      .toEqual([503, '5']);
    expect((await post(url, initialize, {}, bob.token)).status).toBe(200);
    upload.destroy();
    await expect
      .poll(async () => {
        const response = await post(url, { ...initialize, params: { ...initialize.params, padding: 'x'.repeat(10_000) } });
        await response.text();
        return response.status;
      })
      .toBe(200);
  });

  it('makes few answers with whole files for one client until they were sent', async () => {
    let [begun, give] = [0, () => {}];
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    const { url, service } = await serve();
    service.resources.read = async (uri) => {
      begun += 1;
      await given;
      return { uri, mimeType: 'text/plain', text: 'whole' };
    };
    const read = (id: number) => ({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri: 'file:///a' } });
    const session = await openSession(url);
    const bobs = await openSession(url, bob.token);
    const gone = new AbortController();
    const ids = Array.from({ length: MAX_BIG_ANSWERS }, (_, id) => 10 + id);
    const first = ids.map((id) => post(url, read(id), session));
    await expect.poll(() => begun).toBe(MAX_BIG_ANSWERS);
    const leaving = post(url, read(50), session, alice.token, gone.signal).catch(() => 'left');
    const next = ids.map((id) => post(url, read(100 + id), session));
    // Small requests and other clients do not wait.
    expect((await post(url, list, session)).status).toBe(200);
    const other = post(url, read(1), bobs, bob.token);
    await expect.poll(() => begun).toBe(MAX_BIG_ANSWERS + 1);
    gone.abort();
    expect(await leaving).toBe('left');
    give();
    for (const response of [...first, ...next, other]) expect(await (await response).text()).toContain('whole');
    const batch = Array.from({ length: MAX_BIG_ANSWERS + 1 }, (_, id) => read(id));
    expect((await post(url, batch, session)).status).toBe(400);
  });

  it('takes no endless batch', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const batch = Array.from({ length: 101 }, (_, id) => ({ ...list, id }));
    const response = await post(url, batch, session);
    expect([response.status, await messageOf(response)]).toEqual([400, 'A batch may hold 100 messages']);
  });

  it('takes a body in thousands of tiny chunks', async () => {
    const { url } = await serve();
    const text = JSON.stringify({ ...initialize, params: { ...initialize.params, padding: 'x'.repeat(20_000) } });
    const status = await new Promise((resolve, reject) => {
      const request = http.request(
        url,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${alice.token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
        },
        (response) => resolve(response.resume().statusCode),
      );
      request.on('error', reject);
      for (const letter of text) request.write(letter);
      request.end();
    });
    expect(status).toBe(200);
  });
});

describe('a session', () => {
  it('belongs to the token that opened it', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    expect((await post(url, list, session)).status).toBe(200);
    for (const response of [
      await post(url, list, session, bob.token),
      await fetch(url, { headers: { ...session, authorization: `Bearer ${bob.token}`, accept: 'text/event-stream' } }),
      await fetch(url, { method: 'DELETE', headers: { ...session, authorization: `Bearer ${bob.token}` } }),
    ]) {
      expect(response.status).toBe(404);
      await response.text();
    }
    expect((await post(url, list, session)).status).toBe(200);
  });

  it('must exist', async () => {
    const { url } = await serve();
    const unknown = await post(url, list, { 'mcp-session-id': 'made-up' });
    expect([unknown.status, await messageOf(unknown)]).toEqual([404, expect.stringContaining('initialize')]);
    const absent = await post(url, list);
    expect(absent.status).toBe(400);
    await absent.text();
  });

  it('ends when the client says so', async () => {
    const { url } = await serve();
    const session = await openSession(url);
    const ended = await fetch(url, { method: 'DELETE', headers: { ...session, authorization: `Bearer ${alice.token}` } });
    expect(ended.status).toBe(200);
    expect((await post(url, list, session)).status).toBe(404);
  });

  it('expires when nothing has been asked for a while', async () => {
    const idleMs = 1_234_567;
    const { url } = await serve({}, { sessions: { idleMs } });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const session = await openSession(url);
    // Its time begins when the answer has ended; to ask for the session would keep it.
    await expect.poll(() => timers.mock.calls.some(([, ms]) => ms === idleMs)).toBe(true);
    vi.advanceTimersByTime(idleMs);
    expect((await post(url, list, session)).status).toBe(404);
  });

  it('does not expire while a stream of it is open', async () => {
    const idleMs = 1_234_567;
    const { url } = await serve({}, { sessions: { idleMs } });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const session = await openSession(url);
    const leave = new AbortController();
    const stream = await fetch(url, {
      headers: { ...session, authorization: `Bearer ${alice.token}`, accept: 'text/event-stream' },
      signal: leave.signal,
    });
    expect(stream.status).toBe(200);
    await (await post(url, list, session)).text();
    vi.advanceTimersByTime(2 * idleMs);
    expect((await post(url, list, session)).status).toBe(200);
    leave.abort();
  });

  it('makes room for a new one when it has waited longest', async () => {
    const { url } = await serve({}, { sessions: { max: 2 } });
    const first = await openSession(url);
    await pause(5, 'the clock moves on');
    const second = await openSession(url);
    await pause(5, 'the clock moves on');
    await (await post(url, list, first)).text();
    await pause(5, 'the clock moves on');
    const third = await openSession(url);
    expect((await post(url, list, first)).status).toBe(200);
    expect((await post(url, list, second)).status).toBe(404);
    expect((await post(url, list, third)).status).toBe(200);
  });

  /** The session's stream; abort to leave. */
  async function openStream(url: string, session: Record<string, string>): Promise<AbortController> {
    const leave = new AbortController();
    const headers = { ...session, authorization: `Bearer ${alice.token}`, accept: 'text/event-stream' };
    const stream = await fetch(url, { headers, signal: leave.signal });
    expect(stream.status).toBe(200);
    return leave;
  }

  it('without a stream goes before one that has a stream and has waited longer', async () => {
    const { url } = await serve({}, { sessions: { max: 2 } });
    const streaming = await openSession(url);
    const leave = await openStream(url, streaming);
    const idle = await openSession(url);
    const newcomer = await openSession(url);
    expect((await post(url, list, idle)).status).toBe(404);
    expect((await post(url, list, streaming)).status).toBe(200);
    expect((await post(url, list, newcomer)).status).toBe(200);
    leave.abort();
  });

  it('of another client is not ended for a client that has more', async () => {
    const { url } = await serve({}, { sessions: { max: 3 } });
    const ofBob = await openSession(url, bob.token);
    const streaming = await openSession(url);
    const leave = await openStream(url, streaming);
    for (let count = 0; count < 6; count += 1) await openSession(url);
    expect((await post(url, list, ofBob, bob.token)).status).toBe(200);
    leave.abort();
  });

  it('of a client that holds them all makes room for another client', async () => {
    const { url } = await serve({}, { sessions: { max: 2 } });
    const first = await openSession(url);
    const leaves = [await openStream(url, first), await openStream(url, await openSession(url))];
    const ofBob = await openSession(url, bob.token);
    expect((await post(url, list, ofBob, bob.token)).status).toBe(200);
    expect((await post(url, list, first)).status).toBe(404);
    for (const leave of leaves) leave.abort();
  });

  it('is not ended at work: a newcomer is sent away instead', async () => {
    let finish = () => undefined as unknown;
    const { url } = await serve(
      {
        long: () =>
          new Promise((resolve) => {
            finish = () => resolve(text('done'));
          }),
      },
      { sessions: { max: 1 } },
    );
    const session = await openSession(url);
    const call = await post(url, callOf('long'), session);
    const newcomer = await post(url, initialize, {}, bob.token);
    expect(newcomer.status).toBe(503);
    await newcomer.text();
    finish();
    expect(await call.text()).toContain('done');
  });

  it('names the client of its token in the ledger where the client has no name', async () => {
    const { url, service } = await serve({ echo: () => text('ok') });
    await (await post(url, callOf('echo'), await openSession(url, bob.token), bob.token)).text();
    expect(service.asked).toMatchObject([{ client: 'bob' }]);
  });
});

describe('a client of the 2026 era', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'call_tool' };
  const modernCall = (extra: JsonObject = {}) => ({
    ...callOf('ask'),
    params: { ...callOf('ask').params, ...extra, _meta: meta },
  });
  interface Answer {
    result: {
      resultType: string;
      requestState: string;
      inputRequests: Record<string, unknown>;
      content: { text: string }[];
      isError?: boolean;
    };
  }
  const ask: MemoryTool = async (_args, caller) =>
    text(await caller.elicit?.({ message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }));

  it('gets questions as an answer and the answer for its answers', async () => {
    const { url, service } = await serve({ ask });
    const { result: question } = (await (await post(url, modernCall(), headers)).json()) as Answer;
    expect(question).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q1: { method: 'elicitation/create', params: { message: 'Sure?' } } },
    });
    const answers = { inputResponses: { q1: { action: 'accept', content: {} } }, requestState: question.requestState };
    const { result } = (await (await post(url, modernCall(answers), headers)).json()) as Answer;
    expect(result).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: '{"action":"accept","content":{}}' }],
    });
    expect(service.asked).toMatchObject([{ method: 'call', client: 'alice' }]);

    const { result: again } = (await (await post(url, modernCall(answers), headers)).json()) as Answer;
    expect(again.isError).toBe(true);
    expect(again.content[0]?.text).toContain('no longer waits for an answer');
  });

  it('cannot answer the question of another client', async () => {
    const { url } = await serve({ ask });
    const { result: question } = (await (await post(url, modernCall(), headers)).json()) as Answer;
    const answers = { inputResponses: { q1: { action: 'accept', content: {} } }, requestState: question.requestState };
    const { result: stolen } = (await (await post(url, modernCall(answers), headers, bob.token)).json()) as Answer;
    expect(stolen.isError).toBe(true);
    const { result } = (await (await post(url, modernCall(answers), headers)).json()) as Answer;
    expect(result.content[0]?.text).toContain('accept');
  });

  it('leaves no call behind that waits for it when the server closes', async () => {
    let outcome: unknown;
    const { url, close } = await serve({
      ask: async (args, caller) => {
        try {
          return await ask(args, caller);
        } catch (error) {
          outcome = error;
          throw error;
        }
      },
    });
    await (await post(url, modernCall(), headers)).text();
    await close();
    expect(outcome).toMatchObject({ code: 'CANCELLED' });
  });

  it('loses what runs and what waits for it when its token is withdrawn', async () => {
    const valid = [...tokens];
    const cancelled: string[] = [];
    const hang: MemoryTool = (_args, caller) =>
      new Promise((resolve) => {
        caller.signal.addEventListener('abort', () => {
          cancelled.push(caller.client ?? '');
          resolve(text('too late'));
        });
      });
    const asks: MemoryTool = async (args, caller) => {
      try {
        return await ask(args, caller);
      } catch (error) {
        cancelled.push(`${caller.client}'s question`);
        throw error;
      }
    };
    const { url, tokensChanged, service } = await serve({ ask: asks, hang }, { tokens: () => valid });
    const { result: question } = (await (await post(url, modernCall(), headers)).json()) as Answer;
    const running = { ...callOf('hang'), params: { ...callOf('hang').params, _meta: meta } };
    const answers = [alice, bob].map(({ token }) => post(url, running, headers, token).then((answer) => answer.text()));
    const lost = expect(answers[0]).rejects.toThrow();
    await eventually(() => expect(service.asked).toHaveLength(3));
    valid.shift();
    await tokensChanged();
    await lost;
    await eventually(() => expect(cancelled.sort()).toEqual(['alice', "alice's question"]));
    const goOn = modernCall({ requestState: question.requestState, inputResponses: { q1: { action: 'accept', content: {} } } });
    expect((await post(url, goOn, headers)).status).toBe(401);
    expect(cancelled).toHaveLength(2);
    answers[1]?.catch(() => undefined);
  });

  it('is asked again for what it left out', async () => {
    const { url } = await serve({ ask });
    const { result: question } = (await (await post(url, modernCall(), headers)).json()) as Answer;
    const { result: again } = (await (
      await post(url, modernCall({ requestState: question.requestState }), headers)
    ).json()) as Answer;
    expect(again).toEqual(question);
  });

  it('gets blocks of types the SDK does not know of', async () => {
    const { url } = await serve({
      ask: () => ({ content: [{ type: 'hologram', cubes: 3 }], resultType: 'input_required', vendor: 1 }),
    });
    const { result } = (await (await post(url, modernCall(), headers)).json()) as Answer;
    expect(result).toMatchObject({ content: [{ type: 'hologram', cubes: 3 }], resultType: 'complete', vendor: 1 });
  });
});

describe('the server', () => {
  it('talks with clients of both eras at once', async () => {
    const endpoint = await httpEndpoint(memoryCallService({ echo: async (args) => text(args) }));
    ends.push(() => endpoint.close());
    const hosts = await Promise.all([
      endpoint.connect('v1 SDK, 2025'),
      endpoint.connect('v2 SDK, 2026'),
      endpoint.connect('v2 SDK, 2025'),
    ]);
    const answers = await Promise.all(
      hosts.flatMap((host, at) =>
        [1, 2, 3].map((n) => host.callTool('call_tool', { server: 'db', tool_name: 'echo', tool_args: { at, n } })),
      ),
    );
    expect(answers.map(({ content }) => JSON.parse(String(content[0]?.text)))).toEqual(
      [0, 1, 2].flatMap((at) => [1, 2, 3].map((n) => ({ at, n }))),
    );
    for (const host of hosts) await host.close();
  });

  it('says which port is taken and how to choose another', async () => {
    const { port } = await serve();
    await expect(serve({}, { port })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: `Port ${port} is already in use on 127.0.0.1`,
      hint: expect.stringContaining('--port'),
    });
  });

  it('ends the response of a call that its client cancelled', async () => {
    const { url } = await serve({
      slow: (_args: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise<ToolResult>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const session = await openSession(url);
    const calls = await Promise.all(
      [11, 12, 13].map(async (id) => ({ id, response: await post(url, { ...callOf('slow'), id }, session) })),
    );
    for (const { id } of calls)
      await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }, session);
    for (const { response } of calls) expect(await response.text()).not.toContain('"result"');
    expect((await post(url, { ...list, id: 14 }, session)).status).toBe(200);
  });

  it.each([{ accept: '*/*' }, { accept: 'text/html, */*;q=0.8' }])('answers a client that takes $accept', async (headers) => {
    const { url } = await serve();
    expect((await post(url, initialize, headers)).status).toBe(200);
    expect((await post(url, initialize, { accept: 'text/html' })).status).toBe(406);
  });

  it('cancels the calls of a client that dropped its connection, and those alone', async () => {
    const began: string[] = [];
    const cancelled: string[] = [];
    const hang = (name: string) => (_args: unknown, caller: { signal: AbortSignal }) =>
      new Promise<ToolResult>((resolve) => {
        caller.signal.addEventListener('abort', () => {
          cancelled.push(name);
          resolve(text('too late'));
        });
        began.push(name);
      });
    const { url } = await serve({ one: hang('one'), other: hang('other') });
    const session = await openSession(url);
    const gone = new AbortController();
    await post(url, callOf('one'), session, alice.token, gone.signal);
    await post(url, { ...callOf('other'), id: 4 }, session);
    await eventually(() => expect(began.sort()).toEqual(['one', 'other']));
    gone.abort();
    await eventually(() => expect(cancelled).toEqual(['one']));
    expect((await post(url, list, session)).status).toBe(200);
    expect(cancelled).toEqual(['one']);
  });

  it('cancels what runs when it closes, and is gone afterwards', async () => {
    let began = () => undefined as unknown;
    const running = new Promise<void>((resolve) => {
      began = resolve;
    });
    let reason: unknown;
    const { url, close } = await serve({
      hang: (_args, caller) =>
        new Promise((resolve) => {
          caller.signal.addEventListener('abort', () => {
            reason = caller.signal.reason;
            resolve(text('too late'));
          });
          began();
        }),
    });
    const call = await post(url, callOf('hang'), await openSession(url));
    await running;
    await close();
    expect(reason).toBeDefined();
    expect(await call.text().catch(() => '')).not.toContain('too late');
    await expect(fetch(url)).rejects.toThrow();
  });
});
