/** Requests and answers that take longer than the limits of a server, in real time. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { pause } from '../../shared/lib/fixtures/waiting.ts';
import { count, head, serve, visit } from './http-server-fixture.ts';

describe('a bounded HTTP server', () => {
  it('ends a request whose body stops arriving', async () => {
    const port = await serve(count, { pauseMs: 2_000 });
    const half = await visit(port, `${head(100)}half of it`);
    expect(await half.closed).toContain('408 Request Timeout');
  });

  it('takes a body that goes on for longer than any limit', async () => {
    const port = await serve(count, { headersMs: 4_000, pauseMs: 6_000 });
    const slow = await visit(port, head(10));
    for (let sent = 0; sent < 10; sent += 1) {
      await pause(800, 'the sender is slow');
      slow.socket.write('x');
    }
    await expect.poll(slow.received).toContain('bytes: 10');
  });

  it('leaves answers and event streams any time', async () => {
    const answers: ServerResponse[] = [];
    const port = await serve(
      (request, response) => {
        if (request.method === 'GET') response.writeHead(200).write('first ');
        answers.push(response);
        request.resume();
      },
      { headersMs: 2_000, pauseMs: 2_000 },
    );
    const call = await visit(port, `${head(2)}{}`);
    const stream = await visit(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answers.length).toBe(2);
    await pause(5_000, 'the answer takes longer than the limits for requests');
    for (const answer of answers) answer.end('late');
    await expect.poll(call.received).toContain('late');
    await expect.poll(stream.received).toContain('late');
  });
});
