/** JSON that people edit: parsed, and its errors worded plainly, with the place. Never quotes possible secrets. */
import type { ParseError } from 'jsonc-parser';
import { z } from 'zod';
import { type Message, type PlainCode, say, type Text } from '../../shared/model/messages/message.ts';

export type ParsedJson = { ok: true; value: unknown } | { ok: false; problem: string };

const words: Record<string, string> = {
  InvalidSymbol: 'an unknown word; texts need double quotes',
  InvalidNumberFormat: 'a malformed number',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'something follows after the end',
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed',
  UnexpectedEndOfNumber: 'a number is cut short',
  InvalidUnicode: 'a malformed \\u escape',
  InvalidEscapeCharacter: 'an unknown escape after a backslash; write \\\\ for a backslash itself',
  InvalidCharacter: 'a character that is not allowed; line breaks in texts are written \\n',
};

/** Parses text; `comments` admits comments and trailing commas, as editors' settings files have them. */
export async function parseJsonText(text: string, { comments = false } = {}): Promise<ParsedJson> {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(bare) };
  } catch {
    // Node's own message quotes the text; the place is looked up below.
  }
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(bare, errors, { allowTrailingComma: comments, disallowComments: !comments });
  const error = errors[0];
  if (error === undefined && comments) return { ok: true, value };
  const before = bare.slice(0, error?.offset ?? bare.length).split('\n');
  const reason = error === undefined ? 'not valid JSON' : (words[printParseErrorCode(error.error)] ?? 'not valid JSON');
  return { ok: false, problem: `${reason} at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}` };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Errors of a schema: key, actual value, expected value

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const SHOWN_FAULTS = 3;
const QUOTED_CHARS = 40;
const SHOWN_KEY_CHARS = 80;

const kinds: Readonly<Record<string, PlainCode>> = {
  string: 'setting.kind.string',
  number: 'setting.kind.number',
  int: 'setting.kind.int',
  boolean: 'setting.kind.boolean',
  array: 'setting.kind.list',
  object: 'setting.kind.group',
  record: 'setting.kind.group',
};

function kindNamed(name: string): Text {
  const code = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return code === undefined ? name : say(code);
}

/** One phrase per fault, by key: `folders[0].access is "write", but must be "read" or "read-write"`. */
export function schemaFaults(error: z.ZodError, schema: z.ZodType, value: unknown): Message {
  const faults = error.issues.slice(0, SHOWN_FAULTS).map((issue) => phrase(issue, schema, value));
  const more = error.issues.length - faults.length;
  if (more > 0) faults.push(say('setting.more', { more }));
  return faults.reduce((first, then) => say('setting.several', { first, then }));
}

function phrase(issue: Issue, schema: z.ZodType, value: unknown): Message {
  const key = keyOf(issue.path);
  const there = at(value, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return must(key, there, kindNamed(issue.expected));
    case 'invalid_value':
      return must(key, there, oneOf(issue.values), true);
    case 'invalid_union': {
      const options = (issue as { options?: unknown }).options;
      return Array.isArray(options) ? must(key, there, oneOf(options), true) : say('setting.noForm', { key });
    }
    case 'too_small':
      if (issue.origin === 'string') return say('setting.empty', { key });
      return must(key, there, bound(issue.inclusive ? 'atLeast' : 'moreThan', issue.minimum), true);
    case 'too_big':
      return must(key, there, bound('atMost', issue.maximum), true);
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, issue.path, schema, value);
    case 'invalid_key':
      return say('setting.name', { key, reason: issue.issues[0]?.message ?? say('setting.nameCharacters') });
    case 'invalid_format':
      // The text may contain a password.
      return issue.format === 'url' ? say('setting.url', { key }) : say('setting.other', { key, reason: issue.message });
    default:
      return say('setting.other', { key, reason: issue.message });
  }
}

const bound = (kind: 'atLeast' | 'moreThan' | 'atMost', limit: number | bigint) =>
  say('setting.bound', { bound: kind, limit: String(limit) });

function must(key: string, there: unknown, expected: Text, quoted = false): Message {
  if (there === undefined) return say('setting.missing', { key, expected });
  return say('setting.wrong', { key, found: (quoted ? quote(there) : undefined) ?? kindOf(there), expected });
}

function unknownKeys(keys: readonly string[], path: Path, schema: z.ZodType, value: unknown): Message {
  return say('setting.unknown', { keys: keys.map((key) => keyOf([...path, key])), known: knownKeys(schema, path, value) });
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

const oneOf = (values: readonly unknown[]) => say('setting.oneOf', { values: values.map((value) => JSON.stringify(value)) });

/** Short enough to be quoted; only asked where a few words or a number belong. */
function quote(value: unknown): string | undefined {
  if (typeof value === 'string' && value.length <= QUOTED_CHARS) return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function kindOf(value: unknown): Text {
  if (value === null) return 'null';
  if (Array.isArray(value)) return kindNamed('array');
  return value === true || value === false ? String(value) : kindNamed(typeof value);
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
