/** Words schema errors plainly: key, actual value, expected value. Never quotes possible secrets. */
import { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const SHOWN_FAULTS = 3;
const QUOTED_CHARS = 40;
const SHOWN_KEY_CHARS = 80;

const kinds: Record<string, string> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list [ … ]',
  object: 'a group { … }',
  record: 'a group { … }',
};

/** One phrase per fault, by key: `folders[0].access is "write", but must be "read" or "read-write"`. */
export function schemaFaults(error: z.ZodError, schema: z.ZodType, value: unknown): string {
  const phrases = error.issues.map((issue) => phrase(issue, schema, value));
  const more = phrases.length - SHOWN_FAULTS;
  return [...phrases.slice(0, SHOWN_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function phrase(issue: Issue, schema: z.ZodType, value: unknown): string {
  const key = keyOf(issue.path);
  const there = at(value, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return must(key, there, kinds[issue.expected] ?? issue.expected);
    case 'invalid_value':
      return must(key, there, oneOf(issue.values), true);
    case 'invalid_union': {
      const options = (issue as { options?: unknown }).options;
      return Array.isArray(options) ? must(key, there, oneOf(options), true) : `${key} fits none of its possible forms`;
    }
    case 'too_small':
      if (issue.origin === 'string') return `${key} is empty`;
      return must(key, there, `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`, true);
    case 'too_big':
      return must(key, there, `at most ${issue.maximum}`, true);
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, issue.path, schema, value);
    case 'invalid_key':
      return `${key} is no possible name: ${issue.issues[0]?.message ?? 'other characters are needed'}`;
    case 'invalid_format':
      // The text may contain a password.
      return issue.format === 'url' ? `${key} must be an address such as https://example.com/mcp` : `${key}: ${issue.message}`;
    default:
      return `${key}: ${issue.message}`;
  }
}

function must(key: string, there: unknown, expected: string, quoted = false): string {
  if (there === undefined) return `${key} is missing; it must be ${expected}`;
  return `${key} is ${(quoted ? quote(there) : undefined) ?? kindOf(there)}, but must be ${expected}`;
}

function unknownKeys(keys: readonly string[], path: Path, schema: z.ZodType, value: unknown): string {
  const names = keys.map((key) => keyOf([...path, key])).join(', ');
  const known = knownKeys(schema, path, value);
  const hint = known.length === 0 ? '' : ` (known here: ${known.join(', ')})`;
  return `${names} ${keys.length === 1 ? 'is no setting' : 'are no settings'}${hint}`;
}

/** `folders[0].path`, `upstreams."my server".url`. */
export function keyOf(path: Path): string {
  if (path.length === 0) return 'the whole';
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const text = String(part).slice(0, SHOWN_KEY_CHARS);
      const name = /^[\w-]+$/.test(text) ? text : JSON.stringify(text);
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => JSON.stringify(value));
  return shown.length < 2 ? (shown[0] ?? 'nothing') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

/** Short enough to be quoted; only asked where a few words or a number belong. */
function quote(value: unknown): string | undefined {
  if (typeof value === 'string' && value.length <= QUOTED_CHARS) return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return kinds.array as string;
  return value === true || value === false ? String(value) : (kinds[typeof value] ?? typeof value);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inside, part) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, part)
        ? (inside as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  );
}

/** The schema's keys at a path of a value; none if unknown. */
export function knownKeys(schema: z.ZodType, path: Path, value: unknown): string[] {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodDiscriminatedUnion) {
    const { discriminator, options } = bare.def;
    const type = at(value, [discriminator]);
    const option = options.find((each) => (each as z.ZodObject).shape[discriminator]?.safeParse(type).success);
    return option ? knownKeys(option as z.ZodType, path, value) : [];
  }
  const [part, ...rest] = path;
  if (part === undefined) return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
  const inside =
    bare instanceof z.ZodObject
      ? bare.shape[String(part)]
      : bare instanceof z.ZodArray
        ? bare.element
        : bare instanceof z.ZodRecord
          ? bare.valueType
          : undefined;
  return inside === undefined ? [] : knownKeys(inside as z.ZodType, rest, at(value, [part]));
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const wrapped =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable;
  return wrapped ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}
