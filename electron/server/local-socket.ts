/** The MCP server for programs of the same user on this machine: a Unix socket or a Windows pipe, each connection a session of its own. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { CallService } from '../calls/service.ts';

import { ConnectionBound } from '../wire/http-server.ts';
import { admit } from './local-greeting.ts';
import type { PresentClients } from './present-clients.ts';
import { serveMcpStdio } from './stdio.ts';
import type { ToolSource } from './tool-source.ts';
import type { UpstreamOffers } from './upstream-offers.ts';

export interface LocalSocketOptions {
  service: CallService;
  info: { name: string; version: string };
  sources?: readonly ToolSource[] | undefined;
  offers?: UpstreamOffers | undefined;
  /** Hears which clients are here. */
  present?: PresentClients | undefined;
  /** Where the socket lies, if its path is short enough for the system. */
  directory: string;
  /** The token that clients must send. */
  token: string;
  onLog?: ((line: string) => void) | undefined;
}

export interface LocalSocket {
  address: string;
  /** Number of open sessions. */
  sessions(): number;
  close(): Promise<void>;
}

const GREETING_MS = 5_000;
/** Time limit for the peer to close the connection (milliseconds). */
const LEAVE_MS = 1_000;
/** Maximum number of connections. */
const MAX_CONNECTIONS = 500;
/** macOS takes 104 bytes with the ending NUL, Linux 108. */
const MAX_PATH_BYTES = 103;

export async function listenLocally(options: LocalSocketOptions): Promise<LocalSocket> {
  const { service, info, sources, offers, present, token, onLog = () => undefined } = options;
  const { address, remove } = await place(options.directory);
  const open = new Map<Socket, () => Promise<void>>();
  const connected = new Set<Socket>();

  async function welcome(socket: Socket): Promise<void> {
    try {
      await admit(socket, token, GREETING_MS);
    } catch (error) {
      onLog(`a local connection was refused: ${error instanceof Error ? error.message : String(error)}`);
      socket.destroy();
      return;
    }
    if (socket.destroyed) return;
    bound.claim(socket);
    const session = serveMcpStdio({
      service,
      info,
      sources,
      offers,
      present,
      stdin: socket,
      stdout: socket,
      onLog,
      onClosed: () => takeLeave(socket),
    });
    open.set(socket, () => session.close());
  }

  const server = createServer((socket) => {
    // Its end says all there is to say.
    socket.on('error', () => undefined);
    connected.add(socket);
    socket.once('close', () => {
      connected.delete(socket);
      open.delete(socket);
    });
    void welcome(socket);
  });
  const bound = new ConnectionBound(server, MAX_CONNECTIONS);
  server.listen(address);
  await once(server, 'listening');
  if (process.platform !== 'win32') await chmod(address, 0o600);
  server.on('error', (error) => onLog(`local socket: ${error.message}`));

  return {
    address,
    sessions: () => open.size,
    async close() {
      const closed = once(server, 'close');
      server.close();
      await Promise.all([...open.values()].map((end) => end()));
      // Connections still in the handshake are closed at once.
      for (const socket of connected) if (!open.has(socket)) socket.destroy();
      await closed;
      await remove();
    },
  };
}

/** The last answer is still being sent; unread input would make the system discard it. */
function takeLeave(socket: Socket): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), LEAVE_MS).unref();
}

/** A new socket address and the function that removes it. */
async function place(directory: string): Promise<{ address: string; remove(): Promise<void> }> {
  const name = `filebridge-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return { address: `\\\\.\\pipe\\${name}`, remove: async () => undefined };
  const wanted = path.join(directory, `${name}.sock`);
  if (Buffer.byteLength(wanted) <= MAX_PATH_BYTES) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return { address: wanted, remove: () => rm(wanted, { force: true }) };
  }
  // A folder accessible only to this user.
  const own = await mkdtemp(path.join(os.tmpdir(), 'filebridge-'));
  return { address: path.join(own, 'agents.sock'), remove: () => rm(own, { recursive: true, force: true }) };
}
