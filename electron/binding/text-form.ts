/** Reads from a tool's definition in which form a text parameter wants a file's content: as text, base64, a data URI, CSV, … */
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { declarationsOf, namesIn } from '../engine/schema/schema-advice.ts';
import { type Alternatives, alternativesOf, type Conjunction, typesOf, walkSchema } from '../engine/schema/schema-walk.ts';

export type TextForm = 'text' | 'base64' | 'data_uri' | 'markdown' | 'html' | 'csv' | 'json';

/** What a definition says about a text parameter. */
export interface FormEvidence {
  form: TextForm;
  /** The tool takes plain text as well: a file of text goes as text, and what is not text in the form. */
  orText: boolean;
  /** Words or a parameter that says so, for messages. */
  said: string;
  /** A parameter beside it that has to say "base64", if the caller does not give it. */
  fill?: { name: string; value: string | boolean } | undefined;
  /** The value may be a list or an object as well: a file that is not bytes goes as its format says. */
  orValue?: boolean;
}

export interface DescribedTool {
  name: string;
  description?: unknown;
  inputSchema: JsonObject;
}

type Segments = readonly (string | number)[];

const BASE64 = /\bb(?:ase)?[\s_-]?64(?!url|[\s_-]?(?:url|decoded|size|length))|ベース\s?64/i;
/** "Not base64", "do not encode as base64", "will be base64-encoded for you", in several languages. */
const NOT_BASE64 = new RegExp(
  [
    String.raw`(?:\b(?:not|never|without|no|nicht|kein\p{L}*|ohne|pas|sans|sin|non)|n['’]t) (?:(?!exceed|more|larger|than|over|contain|includ)[\p{L}-]+ ){0,3}["'“]?base[ _-]?64(?![,"'”]{0,2} ?(?:prefix|header|size|data:))`,
    '(?:不要|无需|不需要|请勿|非|しない|不要な)[^。]{0,12}base ?64|base ?64[^。]{0,8}(?:しない|不要|なし)',
    '(?:will|is|are|gets?|be) (?:then |be |automatically |internally ){0,2}base[ _-]?64[ -]?encoded (?:automatically|internally|by|for you)',
    '(?:automatically|internally) (?:be )?(?:converted |encoded )?(?:to |in |as )?base[ _-]?64',
    String.raw`\b(?:tool|server|it|which|that|api) (?:will )?(?:encodes?|converts?) (?:it |this |them |the \w+ )?(?:to|as|in|into) base[ _-]?64`,
  ].join('|'),
  'iu',
);
const DATA_URI =
  /\bdata[\s_-]?(?:ur[il])s?\b|\bdata:\s?(?:\w+\/[\w.+*-]+|<|\{|\[|\.{3}|…|image|application|audio|video|text)?[^\s"'`]*;base64|(?<![\w])data:(?:image|application|audio|video|text)\//i;
/** "Without the data: prefix". */
const NOT_DATA_URI =
  /(?:\bnot?|n['’]t|\bwithout|\bno|\bexclud\w+|\bomit\w*|\bstrip\w*|\bremov\w+|\bohne|\bkein\w*|\bsans|\bpas|\bsin)\b[^.;]{0,30}\bdata[\s_-]?:?(?:ur[il])?|prefix (?:is )?(?:not|optional|stripped|removed)/i;
/** Text is taken, too. */
const TEXT_TOO = new RegExp(
  [
    String.raw`\b(?:plain[\s-]?|raw |utf-?8[\s-]?(?:encoded )?)?(?:text|string|utf-?8|source)\b[^.]{0,40}\b(?:or|oder|ou|o)\b[^.]{0,40}\bbase[\s_-]?64`,
    String.raw`\bbase[\s_-]?64\b[^.]{0,40}\b(?:or|oder|ou|o)\b[^.]{0,30}\b(?:plain|raw|utf-?8|text)\b`,
    String.raw`\b(?:for|if|when|bei|für|pour|si|para)\b[^.]{0,40}\b(?:binary|binär\w*|binaires?|binari[oa]s?|images?|non-text)\b[^.]{0,60}\bbase[\s_-]?64`,
    String.raw`\bbase[\s_-]?64\b[^.]{0,40}\b(?:for|if|when|bei|für|pour|si|para)\b[^.]{0,40}\b(?:binary|binär\w*|binaires?|binari[oa]s?|images?|non-text)`,
    String.raw`\boptional(?:ly)?\b[^.]{0,20}\bbase[\s_-]?64|\b(?:may|can|could|might)\b[^.]{0,30}\bbase[\s_-]?64`,
    String.raw`(?:文本|テキスト)[^。]{0,12}(?:或|または|か)[^。]{0,12}base\s?64|base\s?64[^。]{0,12}(?:或|または)[^。]{0,12}(?:文本|テキスト)`,
  ].join('|'),
  'i',
);

const BASE64_NAME = /(?:^|_)b(?:ase)?_?64(?:_|$)/;
const DATA_URI_NAME = /(?:^|_)data_?ur[il](?:_|$)/;
/** Names of bytes, where a media type stands beside them. */
const BYTES_NAME =
  /^(?:\w+_)?(?:data|bytes|blob|binary|image|images|audio|video|picture|photo|attachment|file|media)(?:_data|_bytes|_content|_contents)?$/;
export const MEDIA_TYPE_NAME = /^(?:(\w+)_)?(?:mime|mime_?type|content_?type|media_?type)$/;
const ENCODING_NAME = /^(?:(?:content|data|file|body|transfer)_)?encoding$/;

/** `contentB64` as `content_b64`. */
export const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** What is read of a description (characters). */
export const READ_CHARS = 2_000;

const textIn = (conjunctions: readonly Conjunction[], keyword: string): string[] =>
  conjunctions.flat().flatMap((schema) => {
    const value = schema[keyword];
    return typeof value === 'string' ? [value.slice(0, READ_CHARS)] : [];
  });

/** Samples that a schema gives of a value. */
const samplesIn = (conjunctions: readonly Conjunction[]): string[] =>
  conjunctions
    .flat()
    .flatMap(({ examples, example, default: preset }) => [examples, example, preset].flat())
    .filter((value): value is string => typeof value === 'string');

/**
 * The form that a text at `segments` should have; undefined where nothing is said, or the place takes no text alone. `args`: what the caller gives
 * besides, which may say the encoding.
 */
export function formEvidence(tool: DescribedTool, segments: Segments, args?: unknown): FormEvidence | undefined {
  const found = walkSchema(tool.inputSchema, segments);
  if (found === undefined) return undefined;
  const types = typesOf(found);
  types?.delete('null');
  if (types !== undefined && !types.has('string')) return undefined;
  const name = snakeCase(segments.findLast((segment) => typeof segment === 'string') ?? '');
  const siblings = siblingsOf(tool.inputSchema, segments, args);
  const description = textIn(found, 'description').join(' ').slice(0, READ_CHARS).replaceAll(/\s+/g, ' ');
  const encoding = byEncoding(siblings);
  const bytes =
    bySchema(found) ??
    byName(name) ??
    encoding ??
    byWords(description, name, siblings) ??
    bySamples(samplesIn(found)) ??
    byMediaType(name, siblings) ??
    byPurpose(tool, name, description);
  const takesMore = types === undefined || types.has('array') || types.has('object');
  if (bytes !== undefined) {
    const fill = bytes.form === 'base64' ? (bytes.fill ?? encoding?.fill) : undefined;
    const more = types !== undefined && takesMore ? { orText: true, orValue: true } : {};
    return { ...bytes, ...(fill ? { fill } : {}), ...more };
  }
  return takesMore ? undefined : byTextWords(name, description);
}

function bySchema(found: readonly Conjunction[]): FormEvidence | undefined {
  for (const schema of found.flat()) {
    const { contentEncoding, contentMediaType, format } = schema;
    if (typeof contentEncoding === 'string' && /^base64$/i.test(contentEncoding))
      return { form: 'base64', orText: false, said: `contentEncoding: ${contentEncoding}` };
    if (typeof format === 'string' && /^(?:base64|byte|binary)$/i.test(format))
      return { form: 'base64', orText: false, said: `format: ${format}` };
    if (typeof format === 'string' && /^data[-_]?ur[il]$/i.test(format))
      return { form: 'data_uri', orText: false, said: `format: ${format}` };
    if (
      typeof contentMediaType === 'string' &&
      /^(?:image|audio|video)\/(?!svg)|octet-stream|\/pdf|\/zip/i.test(contentMediaType)
    )
      return { form: 'base64', orText: false, said: `contentMediaType: ${contentMediaType}` };
  }
  return undefined;
}

interface Sibling {
  name: string;
  plain: string;
  /** The values it may have; undefined where any. */
  values: string[] | undefined;
  description: string;
  /** Its value if it is not given. */
  preset: unknown;
  isText: boolean;
  given: unknown;
}

/** The parameters beside the one at `segments`, with what the caller gives for them. */
function siblingsOf(inputSchema: JsonObject, segments: Segments, args: unknown): Sibling[] {
  const above = segments.slice(0, -1);
  const found = walkSchema(inputSchema, above) ?? [];
  let given: unknown = args;
  for (const step of above) given = typeof given === 'object' && given !== null ? (given as JsonObject)[step] : undefined;
  const names = new Set(namesIn(found));
  names.delete(String(segments.at(-1)));
  return [...names].map((name) => {
    const schemas = declarationsOf(found.flat(), name).flatMap((schema) => alternativesOf(inputSchema, schema));
    const values = schemas
      .flat()
      .flatMap((schema) => (Array.isArray(schema.enum) ? schema.enum : Object.hasOwn(schema, 'const') ? [schema.const] : []));
    return {
      name,
      plain: snakeCase(name),
      values: values.length > 0 ? values.map(String) : undefined,
      description: textIn(schemas, 'description').join(' '),
      preset: schemas.flat().find((schema) => schema.default !== undefined)?.default,
      isText: typesOf(schemas)?.has('string') ?? true,
      // Hosts send null for parameters that are not used.
      given: isJsonObject(given) && Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined,
    };
  });
}

/** Values of an encoding that mean plain text where another one is base64. */
const PLAIN = /^(?:utf-?8|utf-?16|text|plain|ascii|latin-?1|raw|none|string)$/i;

/** By a parameter `encoding` or `is_base64` beside it. One that speaks of neither base64 nor text is about something else, such as audio. */
function byEncoding(siblings: readonly Sibling[]): FormEvidence | undefined {
  for (const { name, plain, values, description, preset, given } of siblings) {
    if (/^is_?(?:base_?64|binary)(?:_encoded)?$|^base_?64_encoded$/.test(plain)) {
      if (typeof given === 'boolean')
        return { form: given ? 'base64' : 'text', orText: false, said: `${name}: ${String(given)}` };
      return { form: 'base64', orText: true, said: name, fill: { name, value: true } };
    }
    if (!ENCODING_NAME.test(plain)) continue;
    const encoded =
      values?.find((value) => BASE64.test(value)) ?? (values === undefined && BASE64.test(description) ? 'base64' : undefined);
    if (typeof given === 'string' && BASE64.test(given)) return { form: 'base64', orText: false, said: `${name}: ${given}` };
    if (encoded === undefined) continue;
    if (typeof given === 'string') {
      if (PLAIN.test(given)) return { form: 'text', orText: false, said: `${name}: ${given}` };
      continue;
    }
    // Where base64 is what it means without a value, text would be taken for it.
    const isOnly = values?.length === 1 || (typeof preset === 'string' && BASE64.test(preset));
    return { form: 'base64', orText: !isOnly, said: `${name}: ${encoded}`, fill: { name, value: encoded } };
  }
  return undefined;
}

/** Whether a parameter beside `name` describes its file: of no other prefix, and a content type only where it can be a media type. */
function describes(pattern: RegExp, { plain }: Sibling, name: string): boolean {
  const prefix = pattern.exec(plain)?.[1];
  return pattern.test(plain) && (prefix === undefined || name === prefix || name.startsWith(`${prefix}_`));
}

const isMediaType = (sibling: Sibling, name: string): boolean =>
  describes(MEDIA_TYPE_NAME, sibling, name) &&
  (!sibling.plain.endsWith('content_type') ||
    sibling.description === '' ||
    /mime|media|image\/|application\/|text\//i.test(sibling.description));

function byName(name: string): FormEvidence | undefined {
  if (/_(?:name|type|size|length|encoding|url|path)$/.test(name) && !DATA_URI_NAME.test(name)) return undefined;
  if (DATA_URI_NAME.test(name)) return { form: 'data_uri', orText: false, said: name };
  return BASE64_NAME.test(name) ? { form: 'base64', orText: false, said: name } : undefined;
}

function byWords(description: string, name: string, siblings: readonly Sibling[]): FormEvidence | undefined {
  const isBase64 = BASE64.test(description) && !NOT_BASE64.test(description);
  if (DATA_URI.test(description) && !NOT_DATA_URI.test(description)) {
    // "Raw base64 or a data URI" takes either, and a media type beside it says what it is.
    const either =
      isBase64 &&
      /\bor\b|\boder\b|\bou\b|\/|或|または/i.test(description) &&
      !/base[\s_-]?64[\s-]?(?:encoded )?data/i.test(description);
    const typed = siblings.some((sibling) => isMediaType(sibling, name));
    return { form: either && typed ? 'base64' : 'data_uri', orText: TEXT_TOO.test(description), said: 'data URI' };
  }
  if (!isBase64) return undefined;
  return { form: 'base64', orText: TEXT_TOO.test(description), said: BASE64.exec(description)?.[0] ?? 'base64' };
}

/** By an example: a data URI, or a long base64 text that begins as a picture, a PDF or a ZIP file does. */
function bySamples(samples: readonly string[]): FormEvidence | undefined {
  const sample = samples.find((text) => /^data:[\w/+.-]+;base64,/i.test(text));
  if (sample !== undefined) return { form: 'data_uri', orText: false, said: sample.slice(0, 30) };
  const encoded = samples.find((text) => /^(?:iVBORw0KG|\/9j\/|R0lGOD|JVBERi0|UEsDB|UklGR)[A-Za-z0-9+/]*/.test(text));
  return encoded === undefined ? undefined : { form: 'base64', orText: false, said: encoded.slice(0, 30) };
}

/** Bytes beside a media type: `{data, mimeType}`. A text may stand beside one, too. */
function byMediaType(name: string, siblings: readonly Sibling[]): FormEvidence | undefined {
  const type = siblings.find((sibling) => isMediaType(sibling, name));
  if (type === undefined) return undefined;
  if (BYTES_NAME.test(name)) return { form: 'base64', orText: name === 'file' || name === 'data_content', said: type.name };
  return /^(?:\w+_)?(?:content|contents|body|payload)$/.test(name)
    ? { form: 'base64', orText: true, said: type.name }
    : undefined;
}

/** By the tool's own description, for its content. */
function byPurpose({ description }: DescribedTool, name: string, own: string): FormEvidence | undefined {
  if (typeof description !== 'string' || !/(?:^|_)(?:content|contents|data|file|body|image|bytes|attachment|payload)$/.test(name))
    return undefined;
  if (/\btext\b|\bmarkdown\b|\bhtml\b|\bjson\b/i.test(own)) return undefined;
  const said = description.slice(0, READ_CHARS);
  if (!BASE64.test(said) || NOT_BASE64.test(said)) return undefined;
  return { form: 'base64', orText: true, said: BASE64.exec(said)?.[0] ?? 'base64' };
}

/** Forms of text: by the last word of the name, or by the only format that the description names. */
function byTextWords(name: string, description: string): FormEvidence | undefined {
  const last = name.split('_').at(-1) ?? '';
  const byLast = lastWords.get(last);
  if (byLast) return { form: byLast, orText: false, said: name };
  const named = textWords.filter(([, words]) => words.test(description));
  const [only, ...others] = named;
  if (only === undefined || others.length > 0 || PLAIN_TOO.test(description)) return undefined;
  const [form, words] = only;
  // Text that may be JSON is any text; a JSON text is said to be one.
  if (form === undefined || (form === 'json' && !JSON_TEXT.test(description))) return undefined;
  const said = words.exec(description)?.[0] ?? form;
  const at = description.indexOf(said);
  const isDenied = /\b(?:not?|never|without|nicht|kein\w*|ohne|pas|sans|sin)\b[^.;]{0,20}$/i.test(
    description.slice(Math.max(0, at - 30), at),
  );
  return isDenied ? undefined : { form, orText: false, said };
}

const lastWords: ReadonlyMap<string, TextForm> = new Map([
  ['markdown', 'markdown'],
  ['md', 'markdown'],
  ['html', 'html'],
  ['csv', 'csv'],
  ['json', 'json'],
]);
/** Formats of text; those without a form are only counted. */
const textWords: readonly (readonly [TextForm | undefined, RegExp])[] = [
  ['markdown', /\bmarkdown\b/i],
  ['json', /\bjson\b/i],
  ['csv', /\bcsv\b/i],
  ['html', /\bhtml\b/i],
  [undefined, /\b(?:ya?ml|xml|toml|tsv|source code|svg|latex)\b/i],
];
const PLAIN_TOO = /\bplain[\s-]?text\b|\bany (?:text|format|file)\b/i;
const JSON_TEXT =
  /\bjson[\s-]?(?:encoded |formatted )?(?:string|text|serialized|array string)\b|\b(?:stringified|serialized) json\b|\bjson-(?:encoded|stringified)\b|\bas (?:a )?json\b/i;

/** A parameter that is filled in, because the caller gave the file and not what describes it. */
export interface Fill {
  segments: Segments;
  value: string | boolean;
}

const FILE_NAME = /^(?:(\w+)_)?file_?name$/;

/**
 * What describes a file beside the parameter that it goes to, where the caller gives none: its name, its media type, the encoding. `isBytes`: it is
 * sent as base64 or a data URI; of a text, only what the tool requires is filled in.
 */
export function fillsBeside(
  { inputSchema }: DescribedTool,
  segments: Segments,
  args: unknown,
  file: { name: string; mediaType: string | undefined; isBytes: boolean; fill: FormEvidence['fill'] },
): Fill[] {
  const above = segments.slice(0, -1);
  const required = requiredOf(walkSchema(inputSchema, above) ?? []);
  const own = snakeCase(String(segments.at(-1)));
  return siblingsOf(inputSchema, segments, args).flatMap((sibling) => {
    const { name, values, given, isText } = sibling;
    if (given !== undefined) return [];
    const at = [...above, name];
    if (file.isBytes && file.fill?.name === name) return [{ segments: at, value: file.fill.value }];
    if (!isText || !(file.isBytes || required.has(name))) return [];
    const value = describes(FILE_NAME, sibling, own) ? file.name : isMediaType(sibling, own) ? file.mediaType : undefined;
    return value === undefined || (values !== undefined && !values.includes(value)) ? [] : [{ segments: at, value }];
  });
}

/** A parameter beside it for the name of the file: what is sent is the file itself then, and not what it says. */
export function nameBeside(
  { inputSchema }: DescribedTool,
  segments: Segments,
  args: unknown,
  ending: RegExp,
): string | undefined {
  const own = snakeCase(String(segments.at(-1)));
  return siblingsOf(inputSchema, segments, args).find(
    (sibling) => describes(FILE_NAME, sibling, own) || (typeof sibling.given === 'string' && ending.test(sibling.given)),
  )?.name;
}

const requiredOf = (found: Alternatives): ReadonlySet<unknown> =>
  new Set(found.flat().flatMap(({ required }) => (Array.isArray(required) ? required : [])));
