/** The practice server: a real MCP server over standard input and output that counts what it is given, or keeps it in tables in memory. */
import type { Readable, Writable } from 'node:stream';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ZodError, z } from 'zod';
import { LineTransport } from '../wire/line-transport.ts';
import { createPracticeTables, type PracticeTables } from './practice-table.ts';
import { described, PRACTICE_ARGUMENT, PRACTICE_MESSAGE_BYTES, PRACTICE_TOOL, practiceTool } from './practice-tool.ts';

const callParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

export interface PracticeServerOptions {
  info: { name: string; version: string };
  /** Whether it has the tools of tables too. */
  tables?: boolean | undefined;
  stdin?: Readable | undefined;
  stdout?: Writable | undefined;
  /** Called once the input has ended. */
  onClosed?: (() => void) | undefined;
}

/** Serves until the input ends. It opens no file; what it was given is gone then. */
export function servePractice(options: PracticeServerOptions): void {
  const { info, tables, stdin = process.stdin, stdout = process.stdout } = options;
  const transport = new LineTransport(stdin, stdout, PRACTICE_MESSAGE_BYTES);
  const kept = tables ? createPracticeTables() : undefined;
  serveStdio(() => createPracticeServer(info, kept), { transport });
  const closedBySdk = transport.onclose;
  transport.onclose = () => {
    closedBySdk?.();
    options.onClosed?.();
  };
}

function createPracticeServer(info: PracticeServerOptions['info'], tables: PracticeTables | undefined): Server {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [practiceTool, ...(tables?.tools ?? [])] }));
  server.setRequestHandler('tools/call', { params: callParams }, ({ name, arguments: args = {} }) => {
    const answer = tables && answerOfTables(tables, name, args);
    if (answer !== undefined) return answer;
    if (name !== PRACTICE_TOOL) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}'`);
    if (!Object.hasOwn(args, PRACTICE_ARGUMENT)) {
      return { content: [{ type: 'text', text: `'${PRACTICE_ARGUMENT}' is missing` }], isError: true };
    }
    return { content: [{ type: 'text', text: described(args[PRACTICE_ARGUMENT]) }] };
  });
  return server;
}

function answerOfTables(tables: PracticeTables, name: string, args: unknown) {
  try {
    const text = tables.call(name, args);
    return text === undefined ? undefined : { content: [{ type: 'text' as const, text }] };
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    return { content: [{ type: 'text' as const, text: z.prettifyError(error) }], isError: true };
  }
}
