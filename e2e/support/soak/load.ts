/**
 * Forty agents that call tools with and without files, some of which disconnect during a call; records the outcome that
 * each agent saw.
 */
import { unlink } from 'node:fs/promises';
import { pause } from '../../../shared/lib/fixtures/waiting.ts';
import { cliFile } from '../cli.ts';
import { type Answer, type ClientKind, clientKinds, type JsonObject, type McpClient, openClient } from '../mcp-clients.ts';
import { seeded } from '../seeded-content.ts';
import type { SoakedProgram } from './program.ts';

export const AGENTS = 40;

/** Pause of an agent between calls, in milliseconds. */
const PAUSE_MS = { least: 50, most: 450 };

export interface SentCall {
  id: string;
  agent: string;
  kind: 'call' | 'file_call' | 'call_and_store';
  /** Hash of the file that was sent, if any. */
  path: string | undefined;
  records: number;
  /** Undefined for a call without an answer. */
  isError: boolean | undefined;
  fates: Fates;
}

export interface Load {
  calls: SentCall[];
  /** Answers that contain data of other calls. */
  misdelivered: string[];
  /** Answers that lack what the server returns for such a call. */
  wrong: string[];
  vanished: number;
}

/** Runs until `until`, in the milliseconds of `Date.now()`, and waits for pending answers. */
export async function runLoad(program: SoakedProgram, seed: number, until: number): Promise<Load> {
  const load: Load = { calls: [], misdelivered: [], wrong: [], vanished: 0 };
  await Promise.all(Array.from({ length: AGENTS }, (_, index) => new Agent(program, load, seed, index).run(until)));
  return load;
}

class Agent {
  readonly #program: SoakedProgram;
  readonly #load: Load;
  readonly #random: () => number;
  readonly #index: number;
  readonly #name: string;
  readonly #kind: ClientKind;
  readonly #stdio: boolean;
  #calls = 0;
  #client: McpClient | undefined;

  constructor(program: SoakedProgram, load: Load, seed: number, index: number) {
    this.#program = program;
    this.#load = load;
    this.#random = seeded(seed * 1000 + index);
    this.#index = index;
    this.#name = `agent${index}`;
    this.#kind = clientKinds[index % clientKinds.length] ?? 'v1';
    this.#stdio = index % 2 === 0;
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) {
      this.#client ??= await this.#connect();
      // Everyone begins in one of these ways, so that a short run has all of them.
      const chance = this.#calls === 0 ? ([0, 0.1, 0.45, 0.9, Number.NaN][this.#index % 5] ?? 0) : this.#random();
      if (Number.isNaN(chance)) await this.#refused(this.#client);
      else if (chance < 0.02) await this.#vanish(this.#client);
      else if (chance < 0.4) await this.#echo(this.#client);
      else if (chance < 0.5) await this.#store(this.#client);
      else await this.#insert(this.#client);
      await pause(PAUSE_MS.least + this.#random() * (PAUSE_MS.most - PAUSE_MS.least), 'clients work at their own pace');
    }
    await this.#client?.close();
  }

  #connect(): Promise<McpClient> {
    const { home, url, token } = this.#program;
    const stdio = { command: process.execPath, args: [cliFile, 'serve', '--stdio'], env: home.env, onStderr: () => undefined };
    return openClient(this.#kind, this.#stdio ? stdio : { url, token }, { name: this.#name });
  }

  #server(): string {
    const { servers } = this.#program;
    return servers[Math.floor(this.#random() * servers.length)] ?? '';
  }

  #begin(kind: SentCall['kind'], records = 0, path?: string): SentCall {
    const call = { id: this.#nextId(), agent: this.#name, kind, path, records, isError: undefined, fates: fatesIn(undefined) };
    this.#load.calls.push(call);
    return call;
  }

  #nextId(): string {
    this.#calls += 1;
    return `${this.#name}-${this.#calls}.`;
  }

  /** Undefined without an answer. */
  async #answer(call: SentCall, request: Promise<Answer>): Promise<Answer | undefined> {
    const answer = await request.catch(() => undefined);
    if (answer === undefined) {
      // The session may have ended: the next call opens another.
      await this.#client?.close().catch(() => undefined);
      this.#client = undefined;
      return undefined;
    }
    call.isError = answer.isError;
    call.fates = fatesIn(answer, call);
    const named = JSON.stringify(answer.result).match(/agent\d+-\d+\./g) ?? [];
    if (named.some((id) => id !== call.id)) this.#load.misdelivered.push(`${call.id} got ${named.join(', ')}`);
    return answer;
  }

  #expect(call: SentCall, answer: Answer | undefined, said: string): void {
    if (answer && !answer.isError && !JSON.stringify(answer.result).includes(said)) {
      this.#load.wrong.push(`${call.id}: ${answer.text.slice(0, 200)}`);
    }
  }

  async #echo(client: McpClient): Promise<void> {
    const call = this.#begin('call');
    const server = this.#server();
    const request =
      this.#random() < 0.5
        ? client.call(`${server}__echo`, { nonce: call.id })
        : client.call('call_tool', { server, tool_name: 'echo', tool_args: { nonce: call.id } });
    this.#expect(call, await this.#answer(call, request), `echo ${call.id}`);
  }

  async #refused(client: McpClient): Promise<void> {
    const request = { server: 'nobody', tool_name: 'echo', tool_args: {} };
    await this.#answer(this.#begin('call'), client.call('call_tool', request));
  }

  /** Stores the answer and reads it by its link. */
  async #store(client: McpClient): Promise<void> {
    const call = this.#begin('call_and_store');
    const request = { server: this.#server(), tool_name: 'echo', tool_args: { nonce: call.id } };
    const answer = await this.#answer(call, client.call('call_tool_and_store', request));
    const uri = answer?.isError === false && answer.blocks.find(({ type }) => type === 'resource_link')?.uri;
    if (!uri) return this.#expect(call, answer, 'resource_link');
    const read = await client.request('resources/read', { uri });
    if (!JSON.stringify(read).includes(`echo ${call.id}`)) this.#load.wrong.push(`${call.id}: the stored answer is another`);
  }

  async #insert(client: McpClient): Promise<void> {
    const { call, request, said } = await this.#prepareInsert();
    this.#expect(call, await this.#answer(call, client.call(request.name, request.args)), said);
    await unlink(call.path ?? '');
  }

  async #prepareInsert() {
    const { home } = this.#program;
    const records = 1 + Math.floor(this.#random() * 60);
    const path = home.at(`${this.#name}-${this.#calls + 1}.csv`);
    const call = this.#begin('file_call', records, path);
    await home.file(
      `${this.#name}-${this.#calls}.csv`,
      `call,n\n${Array.from({ length: records }, (_, n) => `${call.id},${n}\n`).join('')}`,
    );
    const server = this.#server();
    const batch = {
      size: 1 + Math.floor(this.#random() * 15),
      concurrency: 1 + Math.floor(this.#random() * 4),
      on_error: this.#random() < 0.5 ? 'stop' : 'continue',
    };
    const way = this.#random();
    const whole = { server, tool_name: 'insert', path, data_key: 'records', output_format: 'structured' };
    const kept = `kept ${records} of ${call.id}`;
    if (way < 0.2) return { call, request: { name: `${server}__insert`, args: { records_path: path } }, said: kept };
    const name = 'call_tool_with_file_content';
    if (way < 0.5) return { call, request: { name, args: whole }, said: kept };
    return { call, request: { name, args: { ...whole, batch } }, said: `${records} of ${records} records accepted` };
  }

  /** During a call, kills the process or closes the socket. */
  async #vanish(client: McpClient): Promise<void> {
    this.#load.vanished += 1;
    const { call, request } = await this.#prepareInsert();
    const gone = new AbortController();
    const pending = this.#stdio ? client.call(request.name, request.args) : this.#post(request, gone.signal);
    const answered = this.#answer(call, pending);
    await pause(this.#random() * 30, 'the kill comes at any moment');
    if (client.pid === undefined) gone.abort();
    else process.kill(client.pid, 'SIGKILL');
    await answered;
  }

  /** A call whose socket can be closed: in the revision without sessions, a request is independent. */
  async #post({ name, args }: { name: string; args: object }, signal: AbortSignal): Promise<Answer> {
    const era = '2026-07-28';
    const response = await fetch(this.#program.url, {
      method: 'POST',
      signal,
      headers: {
        authorization: `Bearer ${this.#program.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': era,
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          arguments: args,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': era,
            'io.modelcontextprotocol/clientInfo': { name: this.#name, version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    await response.text();
    // An answer that arrived anyway is treated as unread.
    throw new Error('nobody reads this');
  }
}

/** Whether a record was kept: exactly once, never, or at most once. */
export type Fate = 'kept' | 'not kept' | 'unknown';

/** The outcome of every record in order, as runs. */
type Fates = { from: number; to: number; fate: Fate }[];

interface Row {
  start: number;
  records: number;
  ok: boolean;
  message?: string;
}

/** Without an answer, any outcome is possible. */
function fatesIn(answer: Answer | undefined, call: { id: string; records: number } = { id: '', records: 0 }): Fates {
  const all = (fate: Fate): Fates => [{ from: 0, to: Number.POSITIVE_INFINITY, fate }];
  if (answer === undefined) return all('unknown');
  const rows = batchesOf(answer);
  if (rows !== undefined && rows.length > 0) return rowFates(rows, call);
  if (!answer.isError) return all('kept');
  return all(answer.text.includes(`refused ${call.id}`) ? 'not kept' : 'unknown');
}

function rowFates(rows: readonly Row[], call: { id: string; records: number }): Fates {
  const seen = rows.map(({ start, records, ok, message }): Fates[number] => {
    const refused = message?.includes(`refused ${call.id}`);
    return { from: start, to: start + records, fate: ok ? 'kept' : refused ? 'not kept' : 'unknown' };
  });
  const unsent: Fates = [];
  let at = 0;
  for (const { from, to } of [...seen].sort((a, b) => a.from - b.from)) {
    if (from > at) unsent.push({ from: at, to: from, fate: 'not kept' });
    at = Math.max(at, to);
  }
  return [...seen, ...unsent, { from: at, to: Number.POSITIVE_INFINITY, fate: 'not kept' }];
}

function batchesOf(answer: Answer): Row[] | undefined {
  try {
    return (answer.json() as { receipt?: JsonObject & { batches?: Row[] } }).receipt?.batches;
  } catch {
    // An error text, or an answer as the tool gave it.
    return undefined;
  }
}
