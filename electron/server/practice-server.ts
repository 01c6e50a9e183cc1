/** The practice server: a real MCP server over standard input and output whose only tool counts what it is given. */
import type { Readable, Writable } from 'node:stream';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { LineTransport } from './line-transport.ts';
import { described, PRACTICE_ARGUMENT, PRACTICE_MESSAGE_BYTES, PRACTICE_TOOL, practiceTool } from './practice-tool.ts';

const callParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

export interface PracticeServerOptions {
  info: { name: string; version: string };
  stdin?: Readable | undefined;
  stdout?: Writable | undefined;
  /** Called once the input has ended. */
  onClosed?: (() => void) | undefined;
}

/** Serves until the input ends. It opens nothing and keeps nothing. */
export function servePractice(options: PracticeServerOptions): void {
  const { info, stdin = process.stdin, stdout = process.stdout } = options;
  const transport = new LineTransport(stdin, stdout, PRACTICE_MESSAGE_BYTES);
  serveStdio(() => createPracticeServer(info), { transport });
  const closedBySdk = transport.onclose;
  transport.onclose = () => {
    closedBySdk?.();
    options.onClosed?.();
  };
}

function createPracticeServer(info: PracticeServerOptions['info']): Server {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [practiceTool] }));
  server.setRequestHandler('tools/call', { params: callParams }, ({ name, arguments: args = {} }) => {
    if (name !== PRACTICE_TOOL) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}'`);
    if (!Object.hasOwn(args, PRACTICE_ARGUMENT)) {
      return { content: [{ type: 'text', text: `'${PRACTICE_ARGUMENT}' is missing` }], isError: true };
    }
    return { content: [{ type: 'text', text: described(args[PRACTICE_ARGUMENT]) }] };
  });
  return server;
}
