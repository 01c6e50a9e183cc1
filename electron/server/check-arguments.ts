/** Validates a tool's arguments and reports errors for each parameter. */
import type { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import type { ValueKind, Wanted } from '../../shared/model/messages/agents.en/arguments.ts';
import { type Message, nearNames, say } from '../../shared/model/messages/message.ts';

/** Parameters of our tools that hold the arguments of the upstream tool. */
const TOOL_ARGS = 'tool_args';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const kindOf = (value: unknown): ValueKind => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return kindNamed(value === undefined ? 'undefined' : typeof value);
};

const kinds: Record<string, ValueKind> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  int: 'integer',
  array: 'list',
  object: 'object',
  record: 'object',
  null: 'null',
  undefined: 'nothing',
};
const kindNamed = (name: string): ValueKind => (Object.hasOwn(kinds, name) && kinds[name]) || 'other';

const asJson = (values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value));

/** `files[0].path`, as the binding writes paths. */
const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part)),
    '',
  );

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], root);

/** The expected type of a union's branch, if the value has another type. */
function wanted(issues: readonly Issue[]): Wanted | undefined {
  const [issue] = issues;
  if (issues.length !== 1 || issue === undefined || issue.path.length > 0) return undefined;
  if (issue.code === 'invalid_type') return { kind: kindNamed(issue.expected) };
  if (issue.code === 'invalid_value') return { values: asJson(issue.values) };
  return undefined;
}

/** The form of parameters whose kind alone does not say how they are written. */
const forms: Readonly<Record<string, string>> = {
  where: '[{"column": "amount", "op": ">", "value": 100}]',
  select: '["id", "name"]',
  rename: '{"old name": "new_name"}',
  types: '{"zip": "string"}',
  nulls: '["n/a", "-"]',
};

function formOf(path: Path, given: unknown): Message | undefined {
  const name = String(path.at(-1));
  if (name === 'batch' && typeof given === 'number') return say('parameter.batchSize', { size: given });
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  return form === undefined ? undefined : say('parameter.form', { name, form });
}

interface Complaint {
  message: Message;
  hint?: Message | undefined;
}

/** The parameters of the schema at `path`. */
function knownKeys(schema: z.core.$ZodType, path: Path): string[] {
  let nodes = [schema];
  const open = (node: z.core.$ZodType): z.core.$ZodType[] => {
    const def = (node as z.core.$ZodTypes)._zod.def;
    if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default') return open(def.innerType);
    if (def.type === 'union') return def.options.flatMap(open);
    return [node];
  };
  for (const part of path) {
    nodes = nodes.flatMap(open).flatMap((node) => {
      const def = (node as z.core.$ZodTypes)._zod.def;
      if (def.type === 'object') return def.shape[String(part)] ?? [];
      if (def.type === 'array') return [def.element];
      return [];
    });
  }
  return nodes.flatMap(open).flatMap((node) => {
    const def = (node as z.core.$ZodTypes)._zod.def;
    return def.type === 'object' ? Object.keys(def.shape) : [];
  });
}

interface Help {
  /** What to do where a parameter is missing. */
  readonly advice?: Message | undefined;
  /** Names of other tools that take a parameter. */
  readonly elsewhere?: ((parameter: string) => readonly string[]) | undefined;
}

/** What holds for all complaints about the arguments. */
interface Context extends Help {
  /** The parameters that are missing. */
  readonly missing: readonly string[];
}

function complaint(schema: z.core.$ZodType, args: unknown, issue: Issue, above: Path, context: Context): Complaint[] {
  const path = [...above, ...issue.path];
  const name = nameOf(path);
  const given = valueAt(args, path);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path);
    // Unknown parameters are usually meant for the tool that is called.
    const forTool = path.length === 0 && known.includes(TOOL_ARGS) ? TOOL_ARGS : null;
    // One that is like no other may be meant for the one that is missing.
    const [only, ...more] = path.length === 0 && forTool === null && issue.keys.length === 1 ? context.missing : [];
    const meant = only === undefined || more.length > 0 ? null : say('names.near', { names: [only] });
    return issue.keys.map((key) => {
      const inside = known.find((each) => knownKeys(schema, [...path, each]).includes(key));
      const tools = path.length === 0 ? (context.elsewhere?.(key) ?? []) : [];
      const hint = inside
        ? say('parameter.inside', { key, inside: nameOf([...path, inside]) })
        : tools.length > 0
          ? say('parameter.elsewhere', { key, tools, forTool })
          : say('parameter.unknown.hint', { near: nearNames(key, known) ?? meant, known, forTool });
      return { message: say('parameter.unknown', { name: nameOf([...path, key]) }), hint };
    });
  }
  if (given === undefined && path.length > 0) return [{ message: say('parameter.missing', { name }), hint: context.advice }];
  if (issue.code === 'invalid_union') {
    const wants = issue.errors.map(wanted);
    const meant = issue.errors.filter((_, at) => wants[at] === undefined);
    const [best] = meant.length > 0 ? meant : [];
    if (best?.[0]) return best.flatMap((inner) => complaint(schema, args, inner, path, context));
    return [
      {
        message: say('parameter.kind', { name, wanted: distinct(wants), given: kindOf(given), text: shortText(given) }),
        hint: formOf(path, given),
      },
    ];
  }
  if (issue.code === 'invalid_type') {
    const quoted = typeof given === 'string' && /^\s*[[{]/.test(given);
    return [
      {
        message: say('parameter.kind', {
          name: path.length === 0 ? null : name,
          wanted: [{ kind: kindNamed(issue.expected) }],
          given: kindOf(given),
        }),
        hint: quoted && path.length > 0 ? say('parameter.quoted') : formOf(path, given),
      },
    ];
  }
  if (issue.code === 'invalid_value') {
    const near = typeof given === 'string' ? nearNames(given, issue.values.map(String)) : undefined;
    return [
      {
        message: say('parameter.values', { name, values: asJson(issue.values) }),
        hint: near,
      },
    ];
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const of = issue.origin === 'string' ? 'characters' : issue.origin === 'array' ? 'items' : 'value';
    // Above a whole number: the next one, where only whole numbers are taken.
    const least =
      issue.code === 'too_small' ? String(issue.inclusive === false ? Number(issue.minimum) + 1 : issue.minimum) : null;
    const most = issue.code === 'too_big' ? String(issue.maximum) : null;
    return [{ message: say('parameter.bounds', { name, least, most, of }) }];
  }
  return [{ message: say('parameter.invalid', { name, reason: issue.message }) }];
}

/** A text that a message can show, where some texts are taken. */
const shortText = (given: unknown): string | undefined => (typeof given === 'string' && given.length <= 40 ? given : undefined);

const distinct = (wants: readonly (Wanted | undefined)[]): Wanted[] => {
  const known = new Map(wants.flatMap((each) => (each === undefined ? [] : [[JSON.stringify(each), each] as const])));
  return [...known.values()];
};

/** The arguments as the schema has them. Throws INVALID_REQUEST, which names every wrong parameter, and where one is missing gives the advice. */
export function checkArguments<T extends z.ZodObject>(schema: T, args: unknown, help: Help = {}): z.infer<T> {
  const checked = schema.safeParse(args ?? {});
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const absent = ({ path }: Issue) => path.length === 1 && valueAt(args ?? {}, path) === undefined;
  const context = { ...help, missing: issues.filter(absent).map(({ path }) => nameOf(path)) };
  const complaints = issues.flatMap((issue) => complaint(schema, args ?? {}, issue, [], context));
  const hints = new Map(complaints.flatMap(({ hint }) => (hint === undefined ? [] : [[JSON.stringify(hint), hint] as const])));
  throw new AppError('INVALID_REQUEST', say('parameter.several', { faults: complaints.map(({ message }) => message) }), {
    ...(hints.size > 0 ? { hint: say('parameter.hints', { hints: [...hints.values()] }) } : {}),
    cause: checked.error,
  });
}
