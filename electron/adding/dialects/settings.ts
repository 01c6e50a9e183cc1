/** Blocks of settings in which an app keeps its servers: JSON with comments, TOML and YAML. */
import { say } from '../../../shared/model/messages/message.ts';
import { formatOf } from '../../agent-apps/formats/format-of.ts';
import { isObject, type PlainObject, valueAt } from '../../agent-apps/plain.ts';
import { parseJsonText } from '../../store/json-text.ts';
import { nameOf } from '../command-lines.ts';
import { type Draft, hole, type Input, inputOf, notUsable, type PasteDialect } from '../offer.ts';

/** Where apps keep their servers. */
const blocks: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['mcp_servers'],
  ['servers'],
  ['context_servers'],
  ['mcp', 'servers'],
  ['mcp', 'mcpServers'],
  ['mcp.servers'],
  ['amp.mcpServers'],
  ['extensions'],
];
/** How deep others are looked for, and among how many values. */
const DEEPEST = 6;
const MOST = 5_000;

const startsJson = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:\{|\[\s*\{|"(?:[^"\\\n]|\\.)*"\s*:)/;

export const jsonSettings: PasteDialect = {
  name: 'JSON settings',
  async read(text) {
    if (!startsJson.test(text)) return null;
    const whole = await parseJsonText(text, { comments: true });
    if (whole.ok) return draftsIn(whole.value);
    // As documents show it: `"name": { … }` without the braces around it.
    if (/^\s*"/.test(text)) {
      const inner = await parseJsonText(`{${text.trim().replace(/,$/, '')}}`, { comments: true });
      if (inner.ok) return draftsIn(inner.value);
    }
    throw notUsable(say('pasted.invalid', { format: 'JSON', fault: whole.problem }));
  },
};

export const tomlSettings: PasteDialect = {
  name: 'TOML settings',
  async read(text) {
    if (!/^[ \t]*(?:\[{1,2}[ \t]*["'A-Za-z_][^\]\n]*\]{1,2}|mcp_servers\b[^\n]*=)[ \t]*(?:#[^\n]*)?$/m.test(text)) return null;
    const read = await (await formatOf('toml')).parse(text);
    if (read.ok) return draftsIn(read.value);
    throw notUsable(say('pasted.invalid', { format: 'TOML', fault: read.problem }));
  },
};

export const yamlSettings: PasteDialect = {
  name: 'YAML settings',
  async read(text) {
    // A word before a colon may be prose: one of these is not.
    if (!/^[ \t]*(?:-[ \t]+)?["']?(?:mcp_?servers|servers|extensions|command|cmd|url|uri)["']?:(?:[ \t]|$)/im.test(text))
      return null;
    const read = await (await formatOf('yaml')).parse(text);
    if (read.ok) return draftsIn(read.value);
    throw notUsable(say('pasted.invalid', { format: 'YAML', fault: read.problem }));
  },
};

/** Throws CONFIG_INVALID where there are none. */
function draftsIn(value: unknown): Draft[] {
  const declared = declaredInputs(value);
  const found = serversIn(value).filter(([, entry]) => !isBuiltIn(entry));
  if (found.length === 0) throw notUsable(say('pasted.none'));
  return found.map(([name, entry]) => {
    const own = isObject(entry) ? keychainValues(entry) : { entry, inputs: [] };
    const used = JSON.stringify(own.entry) ?? '';
    return { name, entry: own.entry, inputs: [...declared.filter(({ id }) => used.includes(hole(id))), ...own.inputs] };
  });
}

const declaredInputs = (value: unknown): Input[] =>
  [['inputs'], ['mcp', 'inputs']].flatMap((place) => inputsOf(valueAt(value, place)));

type Named = readonly [name: string, entry: unknown];

function serversIn(value: unknown): Named[] {
  for (const block of blocks) {
    const found = namedIn(valueAt(value, block));
    if (found.length > 0) return found;
  }
  if (isServer(value)) return [[nameOf(value), value]];
  return anywhereIn(value);
}

/** All entries of a block, wrong ones too, so that each can be reported. */
function namedIn(block: unknown): Named[] {
  if (Array.isArray(block)) return block.map((entry) => [nameOf(entry), entry] as const);
  return isObject(block) && !isServer(block) ? Object.entries(block) : [];
}

/** The servers of the outermost value that holds some. */
function anywhereIn(value: unknown): Named[] {
  let level: unknown[] = [value];
  for (let depth = 0, seen = 0; depth < DEEPEST && seen < MOST; depth += 1) {
    for (const one of level) {
      const named = namedIn(one).filter(([, entry]) => isServer(entry));
      if (named.length > 0) return named;
    }
    level = level.flatMap((one) => (Array.isArray(one) ? one : isObject(one) ? Object.values(one) : [])).slice(0, MOST - seen);
    seen += level.length;
  }
  return [];
}

const isServer = (value: unknown): value is PlainObject => {
  if (!isObject(value)) return false;
  if (['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri', 'baseUrl'].some((key) => typeof value[key] === 'string'))
    return true;
  const { command, transport } = value;
  return (
    (Array.isArray(command) && typeof command[0] === 'string') || isServer(command) || isServer(transport) || hasPath(command)
  );
};

const hasPath = (value: unknown): boolean => isObject(value) && typeof value.path === 'string';

/** Parts of Goose that look like its servers. */
const isBuiltIn = (entry: unknown): boolean =>
  isObject(entry) && typeof entry.type === 'string' && /^(?:builtin|platform|frontend|inline_python)$/.test(entry.type);

/** The person enters values that Goose keeps in its keychain and Codex in a terminal's environment. */
function keychainValues(entry: PlainObject): { entry: PlainObject; inputs: Input[] } {
  const names = Array.isArray(entry.env_keys) ? entry.env_keys.filter((name): name is string => typeof name === 'string') : [];
  if (names.length === 0) return { entry, inputs: [] };
  const { env_keys: _, ...rest } = entry;
  const variables = Object.fromEntries(names.map((name) => [name, hole(name)]));
  return {
    entry: { ...rest, envs: { ...variables, ...(isObject(entry.envs) ? entry.envs : {}) } },
    inputs: names.map((id) => inputOf({ id, secret: true })),
  };
}

// The `inputs` of VS Code's settings: what it asks the person for

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

export function inputsOf(value: unknown): Input[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((input) => {
    const id = text(input.id);
    if (id === null) return [];
    const choices = Array.isArray(input.options)
      ? input.options.flatMap((option) => text(isObject(option) ? option.value : option) ?? [])
      : [];
    const preset = text(input.default);
    return [
      inputOf({
        id,
        description: text(input.description),
        ...(typeof input.password === 'boolean' ? { secret: input.password } : {}),
        choices,
        preset,
      }),
    ];
  });
}
