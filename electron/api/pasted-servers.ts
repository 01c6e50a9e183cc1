/** Servers in text that somebody pasted: a whole settings file, a block of it, or a single server. */
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { formatOf } from '../agent-apps/formats/format-of.ts';
import { isObject, type PlainObject, valueAt } from '../agent-apps/plain.ts';
import { parseJsonText } from '../store/json-text.ts';

/** Where servers stand in the settings of the apps we know. */
const blocks = [['mcpServers'], ['mcp_servers'], ['servers'], ['context_servers'], ['mcp', 'servers'], ['extensions']] as const;

/** Entries by name, as they stand there. Throws CONFIG_INVALID, which says what is wrong without quoting the text. */
export async function pastedServers(text: string): Promise<Record<string, unknown>> {
  const value = await parsed(text);
  for (const block of blocks) {
    const servers = valueAt(value, block);
    if (isObject(servers) && Object.keys(servers).length > 0) return servers;
  }
  if (isObject(value)) {
    if (isServer(value)) return { [nameOf(value)]: value };
    const named = Object.entries(value).filter(([, entry]) => isServer(entry));
    if (named.length > 0) return Object.fromEntries(named);
  }
  throw invalid(say('pasted.none'));
}

async function parsed(text: string): Promise<unknown> {
  const whole = await parseJsonText(text, { comments: true });
  if (whole.ok) return whole.value;
  // As documents show it: `"name": { … }` without the braces around it.
  if (/^\s*"/.test(text)) {
    const inner = await parseJsonText(`{${text.trim().replace(/,$/, '')}}`, { comments: true });
    if (inner.ok) return inner.value;
  }
  if (/^[ \t]*\[{1,2}[ \t]*"?mcp_servers/m.test(text)) {
    const toml = await (await formatOf('toml')).parse(text);
    if (toml.ok) return toml.value;
    throw invalid(say('pasted.invalid', { format: 'TOML', fault: toml.problem }));
  }
  throw invalid(say('pasted.invalid', { format: 'JSON', fault: whole.problem }));
}

const isServer = (value: unknown): value is PlainObject =>
  isObject(value) && ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri'].some((key) => typeof value[key] === 'string');

/** What the text calls it, or what it starts or reaches. */
function nameOf(entry: PlainObject): string {
  if (typeof entry.name === 'string' && entry.name.trim() !== '') return entry.name;
  const address = entry.url ?? entry.serverUrl ?? entry.httpUrl ?? entry.uri;
  if (typeof address === 'string') return /^[a-z]+:\/\/([^/:?#]+)/i.exec(address)?.[1] ?? 'server';
  const command = scalarText(entry.command ?? entry.cmd);
  const args = Array.isArray(entry.args) ? entry.args.map(scalarText) : [];
  const runs = /^(?:npx|uvx|bunx|pnpm|yarn|docker|node|python3?|deno|uv)(?:\.\w+)?$/.test(lastPart(command));
  const what =
    (runs ? args.find((arg) => /^[@\w./\\:-]+$/.test(arg) && !/^(?:-|run$|dlx$|exec$|tool$)/.test(arg)) : undefined) ?? command;
  // Without version, scope and ending.
  return lastPart(what.replace(/(.)@[^/@]*$/, '$1')).replace(/\.(?:[cm]?js|py|exe)$/, '') || 'server';
}

const lastPart = (text: string): string => text.split(/[\\/]/).filter(Boolean).at(-1) ?? '';

const invalid = (message: Message) => new AppError('CONFIG_INVALID', message, { hint: say('pasted.hint') });
