/**
 * Handshake on a local socket: the client sends the token in one line, the server confirms in one line, then MCP follows. Kept small,
 * because every agent starts a new client process.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';

/** Maximum size of a greeting (bytes). */
const MAX_GREETING = 4096;
const NEWLINE = 0x0a;

/** Sends the token and waits for the confirmation. Rejects on timeout. */
export async function knock(socket: Socket, token: string, timeoutMs: number): Promise<void> {
  socket.write(`${JSON.stringify({ filebridge: 1, token })}\n`);
  const answer = await firstLine(socket, timeoutMs);
  if ((answer as { ok?: unknown } | null)?.ok !== true) throw new Error('the greeting was refused');
}

/** Waits for the token. Rejects for a wrong token and on timeout. */
export async function admit(socket: Socket, token: string, timeoutMs: number): Promise<void> {
  const greeting = (await firstLine(socket, timeoutMs)) as { filebridge?: unknown; token?: unknown } | null;
  if (greeting?.filebridge !== 1 || !same(String(greeting.token), token)) throw new Error('the greeting is wrong');
  socket.write(`${JSON.stringify({ ok: true })}\n`);
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const same = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));

/** The first line as JSON; what came behind it is left in the socket, which is paused. */
function firstLine(socket: Socket, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    const timer = setTimeout(() => finish(new Error('there was no greeting in time')), timeoutMs);
    const gone = () => finish(new Error('the connection ended before the greeting'));
    const hear = (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(NEWLINE);
      if (end < 0 && held.length > MAX_GREETING) finish(new Error('the greeting is too long'));
      if (end < 0) return;
      try {
        const line: unknown = JSON.parse(held.subarray(0, end).toString('utf8'));
        finish(undefined, line, held.subarray(end + 1));
      } catch (error) {
        finish(error);
      }
    };
    function finish(error: unknown, line?: unknown, rest?: Buffer): void {
      clearTimeout(timer);
      socket.off('data', hear).off('close', gone).off('end', gone).pause();
      if (rest?.length) socket.unshift(rest);
      if (error === undefined) resolve(line);
      else reject(error);
    }
    socket.on('data', hear).once('close', gone).once('end', gone);
  });
}
