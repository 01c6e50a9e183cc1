/** Validates a tool's arguments and reports errors for each parameter. */
import type { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { inAgentsWords } from '../../shared/model/messages/message.ts';
import { nearNames } from '../../shared/model/messages/near-names.ts';

/** Parameters of our tools that hold the arguments of the upstream tool. */
const TOOL_ARGS = 'tool_args';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (value === undefined) return 'nothing';
  return `a ${typeof value}`;
};

const kinds: Record<string, string> = {
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const kindNamed = (expected: string): string => kinds[expected] ?? `a ${expected}`;

/** `files[0].path`, as the binding writes paths. */
const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part)),
    '',
  );

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], root);

/** What the branch of a union wanted, where it wanted something else altogether. */
function wanted(issues: readonly Issue[]): string | undefined {
  const [issue] = issues;
  if (issues.length !== 1 || issue === undefined || issue.path.length > 0) return undefined;
  if (issue.code === 'invalid_type') return kindNamed(issue.expected);
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(', ');
  return undefined;
}

interface Complaint {
  message: string;
  hint?: string | undefined;
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

function complaint(schema: z.core.$ZodType, args: unknown, issue: Issue, above: Path, advice: string | undefined): Complaint[] {
  const path = [...above, ...issue.path];
  const name = nameOf(path);
  const given = valueAt(args, path);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path);
    // Of what a caller puts beside our own parameters, most was meant for the tool that is called.
    const forTool = path.length === 0 && known.includes(TOOL_ARGS);
    return issue.keys.map((key) => {
      const near = nearNames(key, known);
      const orForTool = forTool ? ` If it is for the tool itself, it goes into ${TOOL_ARGS}` : '';
      const unlike = `${forTool ? `The tool's own arguments go into ${TOOL_ARGS}. ` : ''}Known parameters: ${known.join(', ')}`;
      return {
        message: `Unknown parameter '${nameOf([...path, key])}'`,
        hint: near === undefined ? unlike : inAgentsWords(near) + orForTool,
      };
    });
  }
  if (given === undefined && path.length > 0) return [{ message: `Missing parameter '${name}'`, hint: advice }];
  if (issue.code === 'invalid_union') {
    const wants = issue.errors.map(wanted);
    const meant = issue.errors.filter((_, at) => wants[at] === undefined);
    const [best] = meant.length > 0 ? meant : [];
    if (best?.[0]) return best.flatMap((inner) => complaint(schema, args, inner, path, advice));
    return [{ message: `Parameter '${name}' must be ${[...new Set(wants)].join(' or ')}, not ${kindOf(given)}` }];
  }
  if (issue.code === 'invalid_type') {
    const expected = kindNamed(issue.expected);
    if (path.length === 0) return [{ message: `The arguments must be ${expected}, not ${kindOf(given)}` }];
    const quoted = typeof given === 'string' && /^\s*[[{]/.test(given);
    return [
      {
        message: `Parameter '${name}' must be ${expected}, not ${kindOf(given)}`,
        hint: quoted ? 'Give it as JSON, not as text that holds JSON' : undefined,
      },
    ];
  }
  if (issue.code === 'invalid_value') {
    const near = typeof given === 'string' ? nearNames(given, issue.values.map(String)) : undefined;
    return [
      {
        message: `Parameter '${name}' must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`,
        hint: near && inAgentsWords(near),
      },
    ];
  }
  return [{ message: `Parameter '${name}' is not valid: ${issue.message.replace(/^\w+ \w+: /, '')}` }];
}

/** The example that ends a tool's description, as advice. */
export const exampleIn = (description: string): string | undefined => {
  const example = /\{".*\}$/.exec(description)?.[0];
  return example && `For example ${example}`;
};

/** The arguments as the schema has them. Throws INVALID_REQUEST, which names every wrong parameter, and where one is missing gives the `advice`. */
export function checkArguments<T extends z.ZodObject>(schema: T, args: unknown, advice?: string): z.infer<T> {
  const checked = schema.safeParse(args ?? {});
  if (checked.success) return checked.data;
  const complaints = checked.error.issues.flatMap((issue) => complaint(schema, args ?? {}, issue, [], advice));
  const hints = [...new Set(complaints.flatMap(({ hint }) => hint ?? []))];
  throw new AppError('INVALID_REQUEST', complaints.map(({ message }) => message).join('; '), {
    ...(hints.length > 0 ? { hint: hints.join(' ') } : {}),
    cause: checked.error,
  });
}
