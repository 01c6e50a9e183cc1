/** The MCP server over stdio, for the client that started this process. */

import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { limitedLog } from '../../shared/lib/rate-limit.ts';
import type { CallService } from '../calls/service.ts';

import { LineTransport } from '../wire/line-transport.ts';
import { PendingCalls } from './caller.ts';
import { bigAnswersOnLines, CallLimit } from './client-limits.ts';
import { announceLists, createMcpServer, type ServedThings } from './mcp-server.ts';
import type { PresentClients } from './present-clients.ts';
import type { ToolSource } from './tool-source.ts';
import { ownToolSource } from './tool-table.ts';
import type { UpstreamOffers } from './upstream-offers.ts';

/** Maximum line size; agents type arguments, which are much shorter (bytes). */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface StdioOptions {
  service: CallService;
  info: { name: string; version: string };
  /** Tools beside our own. */
  sources?: readonly ToolSource[] | undefined;
  /** Prompts and resources of upstreams. */
  offers?: UpstreamOffers | undefined;
  /** Hears which clients are here. */
  present?: PresentClients | undefined;
  stdin?: Readable | undefined;
  stdout?: Writable | undefined;
  /** Lines for people; standard output belongs to the protocol. */
  onLog?: ((line: string) => void) | undefined;
  /** Hears the roots of the client that started us. */
  onRoots?: ((uris: readonly string[]) => Promise<void>) | undefined;
  /** Called once, when the host has closed our input or `close` has run. */
  onClosed?: (() => void) | undefined;
}

/** Serves until the input ends. The era is the one the client opens with. Nothing but protocol is written to `stdout`. */
export function serveMcpStdio(options: StdioOptions): { close(): Promise<void> } {
  const { service, info, stdin = process.stdin, stdout = process.stdout } = options;
  const onLog = limitedLog(options.onLog ?? (() => undefined));
  const pending = new PendingCalls();
  // Each connection is a client, and the app serves many of them.
  const owner = `stdio:${randomUUID()}`;
  const transport = new LineTransport(stdin, stdout, MAX_MESSAGE_BYTES, bigAnswersOnLines);
  const things: ServedThings = {
    service,
    info,
    sources: [ownToolSource(service), ...(options.sources ?? [])],
    offers: options.offers,
    pending,
    present: options.present,
    callLimit: new CallLimit(),
    log: onLog,
    onRoots: options.onRoots,
  };
  const handle = serveStdio(
    ({ era }) => {
      const client = { era, transport: 'stdio' as const, owner, name: null };
      const server = createMcpServer(things, client);
      announceLists(things, server, client);
      return server;
    },
    { transport, onerror: (error) => onLog(`MCP: ${error.message}`) },
  );

  const closedBySdk = transport.onclose;
  transport.onclose = () => {
    closedBySdk?.();
    pending.close();
    service.resources.left(owner);
    options.onClosed?.();
  };
  return handle;
}
