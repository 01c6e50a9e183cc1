/** The registry's description of a server, `server.json` (schema 2025-12-11): packages to run and addresses to reach. */
import { z } from 'zod';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { isObject } from '../../agent-apps/plain.ts';
import { parseJsonText } from '../../store/json-text.ts';
import { type Draft, hole, type Input, inputOf, notUsable, type PasteDialect } from '../offer.ts';

const plainInput = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  format: z.string().optional(),
  value: z.string().optional(),
  isSecret: z.boolean().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
};
const variables = z.record(z.string(), z.object(plainInput)).optional();
const inputSchema = z.object({ ...plainInput, variables });
const keyed = inputSchema.extend({ name: z.string().min(1) });
const argumentSchema = inputSchema.extend({
  type: z.string(),
  name: z.string().optional(),
  valueHint: z.string().optional(),
  isRepeated: z.boolean().optional(),
});
const transportSchema = z.object({
  type: z.string(),
  url: z.string().optional(),
  headers: z.array(keyed).optional(),
  variables,
});
const packageSchema = z.object({
  registryType: z.string(),
  identifier: z.string().min(1),
  version: z.string().optional(),
  runtimeHint: z.string().optional(),
  transport: transportSchema,
  runtimeArguments: z.array(argumentSchema).optional(),
  packageArguments: z.array(argumentSchema).optional(),
  environmentVariables: z.array(keyed).optional(),
});
const serverSchema = z.object({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  version: z.string().optional(),
  packages: z.array(packageSchema).optional(),
  remotes: z.array(transportSchema).optional(),
});
export type ServerJson = z.infer<typeof serverSchema>;
type Package = z.infer<typeof packageSchema>;
type Argument = z.infer<typeof argumentSchema>;
type Described = z.infer<typeof inputSchema>;

export const serverJson: PasteDialect = {
  name: 'server.json',
  async read(text) {
    if (!/^\s*\{/.test(text) || !/"(?:packages|remotes)"/.test(text)) return null;
    const read = await parseJsonText(text, { comments: true });
    const found = read.ok ? described(read.value) : [];
    return found.length === 0 ? null : found.flatMap(draftsOfServer);
  },
};

/** Alone, as the registry's answer about one, or in its list. */
function described(value: unknown): unknown[] {
  if (!isObject(value)) return [];
  if (Array.isArray(value.packages) || Array.isArray(value.remotes)) return [value];
  if (isObject(value.server)) return described(value.server);
  return Array.isArray(value.servers) ? value.servers.flatMap(described) : [];
}

/** One draft for each way to run or reach the server. Throws CONFIG_INVALID for a description that does not hold to the schema. */
function draftsOfServer(value: unknown): Draft[] {
  const read = serverSchema.safeParse(value);
  if (!read.success) {
    const place = read.error.issues[0]?.path.join('.') ?? '';
    throw notUsable(say('pasted.serverJson', { place }), say('pasted.serverJson.hint'));
  }
  const server = read.data;
  const common = {
    name: server.name.split('/').at(-1) ?? server.name,
    title: server.title ?? null,
    description: server.description ?? null,
  };
  const drafts = [
    ...(server.remotes ?? []).map((remote) => ({ ...common, way: 'remote', ...remoteDraft(remote) })),
    ...(server.packages ?? []).map((one) => ({ ...common, way: one.registryType, ...packageDraft(server.name, one) })),
  ];
  if (drafts.length === 0) throw notUsable(say('pasted.none'));
  return drafts;
}

/** Collects inputs while texts with holes are made. */
class Holes {
  readonly inputs: Input[] = [];

  /** The text of a value: fixed, with variables in braces, or the person's own. */
  of(id: string, described: Described, label?: string): string {
    const { value, variables = {} } = described;
    if (value === undefined) return this.#hole(id, described, label);
    return value.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (variable === undefined) return whole;
      return variable.value ?? this.#hole(name, variable);
    });
  }

  #hole(
    wanted: string,
    { description, isRequired, format, isSecret, default: preset, placeholder, choices }: Described,
    label?: string,
  ) {
    let id = wanted;
    for (let number = 2; this.inputs.some((input) => input.id === id); number += 1) id = `${wanted}-${number}`;
    this.inputs.push(
      inputOf({
        id,
        ...(label === undefined ? {} : { label }),
        description: description ?? null,
        kind:
          format === 'number' || format === 'boolean'
            ? format
            : format === 'filepath'
              ? pathKind(`${wanted} ${description ?? ''}`)
              : 'text',
        ...(isSecret === undefined ? {} : { secret: isSecret }),
        required: isRequired ?? false,
        choices: choices ?? [],
        preset: preset ?? null,
        example: placeholder ?? null,
      }),
    );
    return hole(id);
  }
}

const pathKind = (words: string): 'file' | 'folder' =>
  /\bfile|\.\w+\b.*file/i.test(words) && !/director|folder/i.test(words) ? 'file' : 'folder';

function remoteDraft({
  type,
  url,
  headers,
  variables,
}: z.infer<typeof transportSchema>): Pick<Draft, 'entry' | 'inputs' | 'refusal'> {
  const holes = new Holes();
  if (url === undefined || !/^(?:streamable-http|sse)$/.test(type)) return refused(say('offer.transport', { type }));
  const entry = {
    type: type === 'sse' ? 'sse' : 'http',
    url: holes.of('url', { value: url, variables }),
    headers: Object.fromEntries((headers ?? []).map((header) => [header.name, holes.of(header.name, header, header.name)])),
  };
  return { entry, inputs: holes.inputs };
}

function refused(message: Message): Pick<Draft, 'entry' | 'inputs' | 'refusal'> {
  const refusal = new AppError('CONFIG_INVALID', message, { hint: say('offer.otherWay') });
  return { entry: null, inputs: [], refusal };
}

/** `npx -y name@1.2.3`, `uvx name@1.2.3`, `docker run -i --rm image`, `dnx name@1.2.3 --yes`. */
function packageDraft(server: string, one: Package): Pick<Draft, 'entry' | 'inputs' | 'refusal'> {
  const { registryType, identifier, version, runtimeHint, transport } = one;
  if (transport.type !== 'stdio') return refused(say('offer.listens', { server }));
  const holes = new Holes();
  const env = Object.fromEntries(
    (one.environmentVariables ?? []).map((each) => [each.name, holes.of(each.name, each, each.name)]),
  );
  const runtime = (one.runtimeArguments ?? []).flatMap((argument) => argumentOf(argument, holes));
  const own = (one.packageArguments ?? []).flatMap((argument) => argumentOf(argument, holes));
  const pinned = version === undefined || version === 'latest' ? identifier : `${identifier}@${version}`;
  const has = (option: RegExp) => runtime.flat().some((word) => option.test(word));
  const made = { env, inputs: holes.inputs };
  const done = (command: string, args: (string | string[])[]) => ({
    entry: { command, args, env: made.env },
    inputs: made.inputs,
  });
  switch (registryType) {
    case 'npm': {
      const command = runtimeHint ?? 'npx';
      const yes = command === 'npx' && !has(/^(?:-y|--yes)$/) ? ['-y'] : [];
      return done(command, [...yes, ...runtime, pinned, ...own]);
    }
    case 'pypi':
      return done(runtimeHint ?? 'uvx', [
        ...runtime,
        ...(has(new RegExp(`^${escaped(identifier)}(?:[@=\\[]|$)`)) ? [] : [pinned]),
        ...own,
      ]);
    case 'oci': {
      const image =
        /[:@]/.test(identifier.split('/').at(-1) ?? '') || version === undefined ? identifier : `${identifier}:${version}`;
      // One that stays empty is not passed on.
      const passed = Object.keys(env).flatMap((name) => ['-e', name]);
      const options = [...(has(/^(?:-i|--interactive|-[a-z]*i[a-z]*)$/) ? [] : ['-i']), ...(has(/^--rm/) ? [] : ['--rm'])];
      const words = runtime[0] === 'run' ? runtime.slice(1) : runtime;
      return done(runtimeHint ?? 'docker', ['run', ...options, ...words, ...passed, image, ...own]);
    }
    case 'nuget':
      return done(runtimeHint ?? 'dnx', [
        ...runtime,
        pinned,
        ...(has(/^--yes$/) ? [] : ['--yes']),
        ...(own.length === 0 ? [] : ['--', ...own]),
      ]);
    case 'mcpb':
      return refused(say('pasted.download'));
    default:
      return refused(say('offer.package', { type: registryType }));
  }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** An argument, as a list where it is left out as a whole. */
function argumentOf(argument: Argument, holes: Holes): (string | string[])[] {
  const { type, name, valueHint, isRepeated } = argument;
  if (type === 'named') {
    const flag = name ?? '';
    const bare = flag.replace(/^-+/, '');
    if (
      argument.value === undefined &&
      argument.format === undefined &&
      argument.isRequired !== true &&
      argument.default === undefined &&
      argument.description === undefined
    )
      return [flag];
    if (argument.format === 'boolean' && argument.value === undefined) return [[flag, holes.of(bare, argument, flag)]];
    const value = holes.of(bare, argument, flag);
    return value === '' ? [flag] : flag.endsWith('=') ? [`${flag}${value}`] : [[flag, value]];
  }
  const value = holes.of(valueHint ?? 'argument', argument);
  const last = holes.inputs.at(-1);
  if (isRepeated && last && value === hole(last.id)) holes.inputs[holes.inputs.length - 1] = { ...last, multiple: true };
  return [value];
}
