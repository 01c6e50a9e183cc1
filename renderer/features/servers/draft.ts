/** Converts between a server's form and its configuration. */
import type { UpstreamDetail, UpstreamDraft } from '../../../shared/contract/upstreams.ts';
import { joinCommand, splitCommand } from '../../../shared/lib/command-line.ts';
import { proxySchema, upstreamNameSchema } from '../../../shared/model/config.ts';

export interface VariableEntry {
  /** Keeps a row's identity while its name is typed. */
  key: number;
  name: string;
  value: string;
  secret: boolean;
  /** A secret is stored under this name already. */
  stored: boolean;
}

export interface ServerEntry {
  name: string;
  kind: 'command' | 'address';
  command: string;
  url: string;
  sse: boolean;
  variables: VariableEntry[];
  cwd: string;
  envFile: string;
  /** An address, `direct`, or empty for the system's. */
  proxy: string;
  /** Seconds and MB as typed; empty for the default. */
  timeout: string;
  maxMessage: string;
  confirm: UpstreamDraft['confirm'];
}

/** Names of texts that say what is wrong with a field. */
export type EntryProblems = Partial<
  Record<
    'name' | 'command' | 'url' | 'proxy' | 'timeout' | 'maxMessage',
    'needName' | 'badName' | 'needCommand' | 'openQuote' | 'needUrl' | 'badProxy' | 'badNumber'
  >
>;

const SECOND = 1000;
const MIB = 1024 * 1024;

export const emptyEntry: ServerEntry = {
  name: '',
  kind: 'command',
  command: '',
  url: '',
  sse: false,
  variables: [],
  cwd: '',
  envFile: '',
  proxy: '',
  timeout: '',
  maxMessage: '',
  confirm: 'never',
};

export function entryOf(server: UpstreamDetail): ServerEntry {
  return {
    name: server.name,
    kind: server.type === 'stdio' ? 'command' : 'address',
    command: server.type === 'stdio' ? joinCommand([server.command, ...server.args]) : '',
    url: server.url,
    sse: server.type === 'sse',
    variables: server.variables.map(({ name, kind, value }, key) => ({
      key,
      name,
      value: value ?? '',
      secret: kind === 'secret',
      stored: kind === 'secret',
    })),
    cwd: server.cwd ?? '',
    envFile: server.envFile ?? '',
    proxy: server.proxy ?? '',
    timeout: server.timeoutMs === null ? '' : String(server.timeoutMs / SECOND),
    maxMessage: server.maxMessageBytes === null ? '' : String(server.maxMessageBytes / MIB),
    confirm: server.confirm,
  };
}

const positive = (text: string): number | undefined => {
  const number = Number(text.replace(',', '.'));
  return number > 0 && Number.isFinite(number) ? number : undefined;
};

export function problemsOf(entry: ServerEntry): EntryProblems {
  const problems: EntryProblems = {};
  if (entry.name.trim() === '') problems.name = 'needName';
  else if (!upstreamNameSchema.safeParse(entry.name.trim()).success) problems.name = 'badName';
  if (entry.kind === 'command') {
    const words = splitCommand(entry.command);
    if (words === undefined) problems.command = 'openQuote';
    else if (words.length === 0) problems.command = 'needCommand';
  } else if (!/^https?:\/\/[^\s/]/.test(entry.url.trim())) {
    problems.url = 'needUrl';
  }
  if (entry.kind === 'address' && entry.proxy.trim() !== '' && !proxySchema.safeParse(entry.proxy.trim()).success)
    problems.proxy = 'badProxy';
  for (const field of ['timeout', 'maxMessage'] as const) {
    if (entry[field].trim() !== '' && positive(entry[field]) === undefined) problems[field] = 'badNumber';
  }
  return problems;
}

/** The server described by an entry without problems. */
export function draftOf(entry: ServerEntry): UpstreamDraft {
  const [command = '', ...args] = entry.kind === 'command' ? (splitCommand(entry.command) ?? []) : [];
  const timeout = positive(entry.timeout);
  const maxMessage = positive(entry.maxMessage);
  return {
    name: entry.name.trim(),
    type: entry.kind === 'command' ? 'stdio' : entry.sse ? 'sse' : 'http',
    command,
    args,
    cwd: entry.kind === 'command' && entry.cwd.trim() !== '' ? entry.cwd.trim() : null,
    ...(entry.kind === 'command' && entry.envFile.trim() !== '' ? { envFile: entry.envFile.trim() } : {}),
    url: entry.kind === 'address' ? entry.url.trim() : '',
    ...(entry.kind === 'address' && entry.proxy.trim() !== '' ? { proxy: entry.proxy.trim() } : {}),
    variables: entry.variables
      .filter((variable) => variable.name.trim() !== '')
      .map(({ name, value, secret, stored }) => ({
        name: name.trim(),
        secret,
        value: secret && stored && value === '' ? null : value,
      })),
    timeoutMs: timeout === undefined ? null : Math.round(timeout * SECOND),
    maxMessageBytes: maxMessage === undefined ? null : Math.round(maxMessage * MIB),
    confirm: entry.confirm,
  };
}
