/** The practice server: a real MCP server over standard input and output whose only tool counts what it is given. */
import type { Readable, Writable } from 'node:stream';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { WholeLines } from './whole-lines.ts';

/** The name of its tool, and of the argument that takes any JSON. */
export const PRACTICE_TOOL = 'count_records';
export const PRACTICE_ARGUMENT = 'records';

/** The biggest message it takes. Bytes. */
export const PRACTICE_MESSAGE_BYTES = 64 * 1024 * 1024;

const FIELDS_SHOWN = 12;

const tool = {
  name: PRACTICE_TOOL,
  title: 'Count records',
  description: 'Counts the records it is given and keeps nothing. For trying out.',
  inputSchema: {
    type: 'object' as const,
    // No type: a file may become anything, and all of it can be counted.
    properties: { [PRACTICE_ARGUMENT]: { description: 'A list of records, or any other JSON' } },
    required: [PRACTICE_ARGUMENT],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

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
  const lines = new WholeLines(PRACTICE_MESSAGE_BYTES);
  stdin.pipe(lines);
  const transport = new StdioServerTransport(lines, stdout, { maxBufferSize: 2 * PRACTICE_MESSAGE_BYTES });
  serveStdio(() => createPracticeServer(info), { transport });
  const closedBySdk = transport.onclose;
  transport.onclose = () => {
    closedBySdk?.();
    options.onClosed?.();
  };
}

function createPracticeServer(info: PracticeServerOptions['info']): Server {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', { params: callParams }, ({ name, arguments: args = {} }) => {
    if (name !== PRACTICE_TOOL) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}'`);
    if (!Object.hasOwn(args, PRACTICE_ARGUMENT)) {
      return { content: [{ type: 'text', text: `'${PRACTICE_ARGUMENT}' is missing` }], isError: true };
    }
    return { content: [{ type: 'text', text: described(args[PRACTICE_ARGUMENT]) }] };
  });
  return server;
}

const counted = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What came, in a sentence. */
export function described(value: unknown): string {
  if (Array.isArray(value)) return `Counted ${counted(value.length, 'record')}${fieldsOf(value[0])}.`;
  if (typeof value === 'string') return `Got one text of ${counted(value.length, 'character')}.`;
  if (typeof value === 'object' && value !== null) {
    return `Got one object with ${counted(Object.keys(value).length, 'entry', 'entries')}.`;
  }
  return value === null ? 'Got an empty value (null).' : `Got one value, a ${typeof value}.`;
}

function fieldsOf(record: unknown): string {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return '';
  const names = Object.keys(record);
  const more = names.length > FIELDS_SHOWN ? `, and ${names.length - FIELDS_SHOWN} more` : '';
  return names.length === 0 ? '' : ` with ${names.slice(0, FIELDS_SHOWN).join(', ')}${more}`;
}
