/** Reads the server block of MCP clients' configuration files as upstreams. */

import { readFile } from 'node:fs/promises';
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { type Upstream, upstreamNameSchema, upstreamSchema } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { type Message, say, type Text } from '../../shared/model/messages/message.ts';
import { isObject, parseJsonText, schemaFaults } from './json-text.ts';

type Entry = Record<string, unknown>;

const blockKeys = ['mcpServers', 'mcp_servers', 'servers'] as const;

/** Our own keys, allowed in any client's file. Other unknown keys are ignored. */
const ownKeys = ['timeoutMs', 'maxMessageBytes', 'tools', 'confirm', 'enabled', 'proxy'] as const;

/** The servers of a block. One that is not valid does not take the others with it. */
export interface McpServers {
  upstreams: Record<string, Upstream>;
  /** Servers that are left out; each error is a CONFIG_INVALID naming file, server and key. */
  refused: { name: string; error: AppError }[];
}

/**
 * Upstreams by name from a file with a standard block; comments and trailing commas are admitted. Throws CONFIG_INVALID for a file
 * that cannot be read, is no JSON or has no block.
 */
export async function readMcpServersFile(file: string): Promise<McpServers> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw invalid(file, say('serversFile.unreadable'), say('serversFile.unreadable.hint'), cause);
  }
  const parsed = await parseJsonText(text, { comments: true });
  if (!parsed.ok) throw invalid(file, parsed.problem, say('serversFile.correct'));
  return serversOfBlock(parsed.value, file);
}

function serversOfBlock(value: unknown, file: string): McpServers {
  const key = isObject(value) ? blockKeys.find((candidate) => candidate in value) : undefined;
  const block = isObject(value) && key !== undefined ? value[key] : undefined;
  if (!isObject(block)) throw invalid(file, say('serversFile.noBlock'), say('serversFile.noBlock.hint'));
  const upstreams: [string, Upstream][] = [];
  const refused: McpServers['refused'] = [];
  for (const [name, entry] of Object.entries(block)) {
    try {
      const checkedName = upstreamNameSchema.safeParse(name);
      if (!checkedName.success) {
        const fault = checkedName.error.issues[0]?.message ?? '';
        throw invalid(file, say('serversFile.name', { name, fault }), say('serversFile.name.hint'));
      }
      const hint = say('serversFile.correctPlace', { place: `${key}.${name}` });
      upstreams.push([name, upstreamOfEntry(name, entry, file, hint)]);
    } catch (error) {
      refused.push({ name, error: toAppError(error) });
    }
  }
  return { upstreams: Object.fromEntries(upstreams), refused };
}

/** One entry of a block. The name is not checked: it is for the messages, as are `file` and `hint`. Throws CONFIG_INVALID. */
export function upstreamOfEntry(server: string, entry: unknown, file: string, hint: Message): Upstream {
  if (!isObject(entry)) throw invalid(file, say('serversFile.notObject', { server }), hint);
  const refused = (fault: Text) => invalid(file, say('serversFile.entry', { server, fault }), hint);
  const candidate = upstreamOf(entry, refused);
  const upstream = upstreamSchema.safeParse(candidate);
  if (upstream.success) return upstream.data;
  throw refused(schemaFaults(upstream.error, upstreamSchema, candidate));
}

function upstreamOf(entry: Entry, refused: (fault: Message) => AppError): Entry {
  const common: Entry = {};
  for (const key of ownKeys) if (entry[key] !== undefined) common[key] = entry[key];
  if (entry.disabled === true) common.enabled = false;
  if (entry.command !== undefined) {
    const { args, env, cwd, envFile } = entry;
    return { type: 'stdio', command: entry.command, ...present({ args, env: textValues(env), cwd, envFile }), ...common };
  }
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  if (url === undefined) throw refused(say('serversFile.neither'));
  return {
    type: remoteType(entry, refused),
    url,
    ...present({ headers: textValues(entry.headers ?? entry.http_headers) }),
    ...common,
  };
}

function remoteType(entry: Entry, refused: (fault: Message) => AppError): 'http' | 'sse' {
  const said = entry.type ?? entry.transport;
  if (said === undefined) return typeof entry.url === 'string' && /\/sse\/?$/.test(entry.url) ? 'sse' : 'http';
  if (said === 'sse') return 'sse';
  if (said === 'http' || said === 'streamable-http' || said === 'streamableHttp' || said === 'streamable_http') return 'http';
  throw refused(say('serversFile.type', { type: scalarText(said) }));
}

/** Some clients accept numbers and booleans as values; in an environment they become text. */
function textValues(values: unknown): unknown {
  if (!isObject(values)) return values;
  const scalar = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, scalar(value)]));
}

function present(entries: Entry): Entry {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

function invalid(file: string, fault: Text, hint: Message, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', say('serversFile.invalid', { file, fault }), {
    hint,
    details: { path: file },
    cause,
  });
}
