/** A client without an SDK: sends and receives lines of JSON-RPC over stdio without interpreting them. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { cliFile } from './cli.ts';
import { endProcess } from './filebridge.ts';
import type { JsonObject } from './mcp-clients.ts';

export type Era = '2025-11-25' | '2026-07-28';

export interface RawClient {
  /** What the server said of itself; 2025 era only. */
  instructions: string | undefined;
  /** The response line as received. */
  request(method: string, params?: JsonObject): Promise<string>;
  close(): Promise<void>;
}

const clientInfo = { name: 'raw', version: '1.0.0' };

/** Starts `serve --stdio` in this environment. */
export async function openRawClient(era: Era, env: Record<string, string>, capabilities: JsonObject = {}): Promise<RawClient> {
  const child = spawn(process.execPath, [cliFile, 'serve', '--stdio'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (line: string) => void>();
  createInterface(child.stdout).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: number };
    if (id !== undefined) waiting.get(id)?.(line);
  });
  const send = (message: JsonObject) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  // In the 2026-07-28 revision each message carries its metadata.
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  let last = 0;
  const request: RawClient['request'] = (method, params = {}) => {
    last += 1;
    const id = last;
    send({ id, method, params: era === '2026-07-28' ? { ...params, _meta: { ...(params._meta as object), ..._meta } } : params });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  let instructions: string | undefined;
  if (era === '2025-11-25') {
    const greeting = await request('initialize', { protocolVersion: era, capabilities, clientInfo });
    instructions = (JSON.parse(greeting) as { result: { instructions?: string } }).result.instructions;
    send({ method: 'notifications/initialized' });
  }
  return { instructions, request, close: () => endProcess(child) };
}
