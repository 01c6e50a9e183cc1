import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { info, token } from './fixtures/endpoints.ts';
import { memoryCallService, text } from './fixtures/memory-call-service.ts';
import { knock } from './local-greeting.ts';
import { type LocalSocket, listenLocally } from './local-socket.ts';

let directory: string;
const ends: (() => unknown)[] = [];
const log: string[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'local-'));
  log.length = 0;
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(directory, { recursive: true, force: true });
});

async function listen(place = directory): Promise<LocalSocket> {
  const service = memoryCallService({ who: (_args, { client }) => text(`called by ${client}`) });
  const socket = await listenLocally({ service, info, directory: place, token, onLog: (line) => log.push(line) });
  ends.push(() => socket.close().catch(() => undefined));
  return socket;
}

async function enter({ address }: LocalSocket): Promise<Socket> {
  const socket = connect(address);
  ends.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** A conversation of lines: sends a request, gives the answer's result. */
async function talk(socket: Socket, name: string) {
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const send = (message: object) => socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: object) => {
    send({ id: 1, method, params });
    return JSON.parse((await lines.next()).value).result;
  };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } });
  send({ method: 'notifications/initialized' });
  return { call: () => ask('tools/call', { name: 'call_tool', arguments: { server: 'db', tool_name: 'who' } }) };
}

describe('the local socket', () => {
  it('serves each that shows the token, and knows it by its own name', async () => {
    const local = await listen();
    const [one, other] = [await enter(local), await enter(local)];
    await knock(one, token, 5000);
    await knock(other, token, 5000);
    const [first, second] = [await talk(one, 'ann'), await talk(other, 'bob')];
    expect(JSON.stringify(await second.call())).toContain('called by bob');
    expect(JSON.stringify(await first.call())).toContain('called by ann');
    expect(local.sessions()).toBe(2);
    one.end();
    await expect.poll(() => local.sessions()).toBe(1);
  });

  it('ends a connection with a wrong token, nonsense or an endless greeting', async () => {
    const local = await listen();
    await expect(knock(await enter(local), 'guess', 5000)).rejects.toThrow();
    for (const said of ['{"jsonrpc":"2.0","id":1,"method":"initialize"}\n', 'x\n', 'x'.repeat(10_000)]) {
      const socket = await enter(local);
      const closed = once(socket, 'close');
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.write(said);
      await closed;
      expect(heard).toBe('');
    }
    expect(log).toHaveLength(4);
    expect(log.join()).not.toContain('guess');
  });

  it.skipIf(process.platform === 'win32')('is for this user only', async () => {
    const { address } = await listen();
    expect((await stat(address)).mode & 0o777).toBe(0o600);
  });

  it('finds a short place where the directory has a long name, and leaves nothing in either', async () => {
    const long = path.join(directory, 'x'.repeat(120));
    const local = await listen(long);
    await knock(await enter(local), token, 5000);
    const parent = path.dirname(local.address);
    await local.close();
    expect(await readdir(directory)).toEqual([]);
    if (process.platform !== 'win32') await expect(stat(parent)).rejects.toThrow('ENOENT');
  });

  it('ends its sessions when it closes, and lets go who has only knocked', async () => {
    const local = await listen();
    const silent = once(await enter(local), 'close');
    const socket = await enter(local);
    await knock(socket, token, 5000);
    await talk(socket, 'ann');
    const closed = once(socket, 'close');
    await local.close();
    await silent;
    await closed;
    expect(await readdir(directory)).toEqual([]);
  });
});
