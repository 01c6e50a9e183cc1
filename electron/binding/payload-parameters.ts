/**
 * Decides which parameters of a tool take a file's content, for companions, inference, the audit, the search and the window: by name, description,
 * type, bounds, examples and what the tool is for. Everything else is still reached by a data key.
 */
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { propertyNames } from '../engine/schema/schema-advice.ts';
import { alternativesOf, type Conjunction, typesOf } from '../engine/schema/schema-walk.ts';
import { valueFormats } from './data-key.ts';
import { type DescribedTool, formEvidence, MEDIA_TYPE_NAME, READ_CHARS, snakeCase } from './text-form.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Last words of names that hold content. */
const CONTENT = words(
  `content contents body html xhtml markdown md csv tsv xml svg yaml yml json jsonl geojson toml latex code script css javascript typescript stylesheet
   source_code raw stacktrace traceback logs manifest mermaid plantuml graphviz diagram document stdin patch diff bytes blob buffer base64 b64 payload
   transcript transcription dialogue attachment lyrics notebook snippet ics vcard srt vtt subtitles readme changelog dockerfile modelfile makefile
   article essay manuscript openapi swagger certificate corpus abstract chapter shader gherkin dsl`,
);
/** Last words of names that hold content or a short text: what the description and the tool say decides. */
const EITHER = words(
  `text data message input image file audio video photo picture note notes memo story definition spec specification schema style template config
   configuration values option analysis report workflow plan section paragraph record row entity object properties fields dataset graph scene model page
   post letter draft reply answer response query sql statement statements migration tasks resume instructions policy pipeline mapping mappings layout
   theme connections attributes children value form survey quiz compose dag source tree steps tools parts`,
);
/** Last words of names of objects that are documents: their files are JSON. */
const DOCUMENTS = words(
  `schema workflow workflows dashboard collection spec specification graph scene tree layout template definition resume theme style diagram plan pipeline`,
);
/** Last words of names of lists that hold records. */
const RECORDS = words(
  `rows records data dataset values documents docs entities relations relationships points vectors nodes edges vertices items elements files features
   entries messages contacts events pages blocks observations objects tasks issues requests questions slides cells series
   contents texts lines paragraphs chapters chunks segments sentences images triples facts memories transactions products customers
   users leads subscribers todos cards notes embeddings samples examples datapoints cases results responses shapes frames sheets tables charts
   history conversation turns changes children workflows`,
);
/** Last words of names of lists of texts that are content each. */
const TEXTS = words(
  'documents docs texts contents lines paragraphs chunks sentences segments passages pages sections observations',
);
/** Last words of names of lists of numbers that are data. */
const NUMBERS = words('data values vector vectors embedding embeddings series points samples bytes numbers coordinates');
/** Names of lists that are records only where the tool writes. */
const WRITES = words(
  `create add insert update upsert write append upload import put set save push send post publish deploy apply draft replace patch edit generate render
   make build convert install upgrade transform execute exec run eval analyze analyse validate parse translate summarize embed index ingest store load bulk batch draw plot
   format lint encode compile submit register copy process compare count diff hash preview optimize reply speak synthesize remember log record commit rephrase
   improve proofread check rerank reflect sync merge attach fill compose new enrich extract chart invoke test`,
);
const READS = words(
  `get list search find read fetch delete remove describe show lookup browse open close query download export watch wait archive cancel stop revoke
   retrieve view select click hover scroll navigate drag press exists rename move`,
);
/** Tools for short texts between people. */
const TALKS = words('message messages chat reaction sms dm webhook mention');
/** Tools for remarks on something, and for the short texts of a drawing. */
const REMARKS = words('comment comments review reply annotation sticky shape checklist mindmap activity');
/** What stands before `code` in a name that is code to run. */
const PROGRAM = words(
  'source html css js javascript ts typescript python java sql shell bash script program mermaid latex user custom new old full raw base64 shader component svg',
);

const FORMATS =
  /\b(?:x?html|markdown|xml|svg|csv|yaml|json|geojson|latex|mermaid|plantuml|base[\s-]?64|ndjson|jsonl|javascript|typescript|python|sql script|(?:shell|bash) script|adf|rich text|css)\b/i;
const WHOLE =
  /\b(?:content|contents|body|source(?: code)?|(?:full|complete|entire|raw|whole) (?:text|content|document|source|json|specification|definition|\w+ object))\b|\b(?:the|a|of) (?:file|document|article|transcript|essay|manifest|script|template)\b|multi-?line/i;
const ENTIRE =
  /\b(?:full|complete|entire|whole)\b[^.]{0,30}\b(?:text|content|source|code|document|data|logs?|transcript|article|json|body|markdown|html|documentation)\b/i;
const TEXT_TO =
  /\b(?:text|input|string|content|passage|document|data)s? (?:to|for|that (?:should|will) be) (?:be )?(?:translat|rephras|summari|analy|convert|speak|synthesi|speech|audio|embed|process|search|check|proofread|tokeni|pars|writ|insert|append|count|classif|extract|improv|correct|index|stor|lint|format|render|validat)|\b(?:e-?mail|message|reply|letter) (?:body|text)\b|\b(?:first|second|original|modified|source) text\b|\b(?:request|response|in the|http) body\b|\bdata to (?:post|put|patch|send)\b/i;
const RECORDS_TO =
  /\b(?:array|list|batch|set|collection)s? of (?:the |new |data |json )?[\w\s{}[\],:'"-]{1,40}?(?:objects?|records|rows|entities|documents|points|items|elements|files|entries|nodes|edges)?\b[^.]{0,30}\b(?:to|for) (?:be )?(?:creat|insert|add|updat|writ|import|upsert|upload|send|push|index|process|stor|sav|plot|commit|append)|\bdata (?:for|points?)\b|\brows? (?:of data|to)\b/i;
const SHORT =
  /^(?!if\b|when\b)(?:(?:the|a|an|your|optional|new|unique|target|specific|full|exact|comma[\s-]separated)[\s:]+)*(?:\w+ ){0,2}(?:id|ids|identifiers?|uuid|name|names|title|titles|url|urls|uri|path|paths|slug|key|keys|e-?mail(?: address)?|addresses|token|selector|locator|type|number|language|colou?r|date|status|username|timestamp|query|search|keywords?|filter|tags?|labels?|cursor|format|mode|role|password|delimiter|regex|pattern|expression|version|locale|reason|summary|subject|caption|prompt)\b(?! (?:content|body|object|of the content))/i;
const SENTENCE =
  /\b(?:short|brief|one[\s-]line|single[\s-]line|sentence|summary|max(?:imum)? \d{1,3} char|natural language|question|prompt|\d+[\s-]character|bio)\b/i;

const OPTIONS =
  /\b(?:filters?|options?|settings?|parameters|headers|metadata|additional|environment|variables|sort|pagination|preferences)\b/i;

/** Shorter bounds leave no room for a file (characters). */
const SHORT_CHARS = 512;
/** A bound from which on a text is a document (characters). */
const LONG_CHARS = 5_000;
/** What a list or an object in the items of a list counts less: the outer one is what a file holds. */
const INNER = 1;
/** Names that data keys cannot contain. */
const REFUSED = words('__proto__ constructor prototype');

interface Purpose {
  verb: number;
  talks: boolean;
  remarks: boolean;
  /** Whether a parameter says a media type, as beside bytes. */
  hasMediaType: boolean;
}

const described = new WeakMap<JsonObject, Purpose>();

/** Whether a tool writes (1), reads (-1) or neither, by the words of its name, and whether it is for short texts. */
function purposeOf({ name, inputSchema }: DescribedTool): Purpose {
  const known = described.get(inputSchema);
  if (known) return known;
  const parts = snakeCase(name.slice(0, 200)).split('_');
  // A list at the end is what the tool is about, not what it does.
  const first = parts.find((part, at) => WRITES.has(part) || (READS.has(part) && (part !== 'list' || at < parts.length - 1)));
  const isMail = parts.some((part) => /^e?mails?$/.test(part));
  const purpose = {
    verb: first === undefined ? 0 : WRITES.has(first) ? 1 : -1,
    talks: !isMail && parts.some((part) => TALKS.has(part)),
    remarks: !isMail && parts.some((part) => REMARKS.has(part)),
    hasMediaType: propertyNames(inputSchema).some((each) => MEDIA_TYPE_NAME.test(snakeCase(each))),
  };
  described.set(inputSchema, purpose);
  return purpose;
}

/** Decisions by schema and name: a call with a list of files asks once for each item. */
const decided = new WeakMap<JsonObject, WeakMap<JsonObject, Map<string, boolean>>>();

/** Whether a parameter, or an item's member, takes a file: `schema` is one that declares it under `properties`. */
export function takesFile(tool: DescribedTool, name: string, schema: unknown): boolean {
  if (name === '' || REFUSED.has(name)) return false;
  if (!isJsonObject(schema)) return weigh(tool, name, schema);
  const ofTool = decided.get(tool.inputSchema) ?? new WeakMap<JsonObject, Map<string, boolean>>();
  decided.set(tool.inputSchema, ofTool);
  const ofSchema = ofTool.get(schema) ?? new Map<string, boolean>();
  ofTool.set(schema, ofSchema);
  const known = ofSchema.get(name) ?? weigh(tool, name, schema);
  ofSchema.set(name, known);
  return known;
}

function weigh(tool: DescribedTool, name: string, schema: unknown): boolean {
  const root = tool.inputSchema;
  const alternatives = alternativesOf(root, schema);
  const description = alternatives
    .flat()
    .flatMap((part) => (typeof part.description === 'string' ? [part.description.slice(0, READ_CHARS)] : []))
    .join(' ');
  const all = typesOf(alternatives);
  const isUnion = (all?.has('string') ?? false) && (all?.has('object') ?? false);
  const isInner = isJsonObject(schema) && !membersOf(root).has(schema);
  return alternatives.some((conjunction) => {
    const types = typesOf([conjunction]);
    types?.delete('null');
    if (types?.size === 0 || isBounded(conjunction)) return false;
    const about: Described = { tool, name: snakeCase(name), description, root, conjunction, isUnion, isInner };
    if (types === undefined) return weighAny(about) > 0;
    return (
      (types.has('string') && weighText(about) > 0) ||
      (types.has('array') && weighList(about) > 0) ||
      (types.has('object') && weighObject(about) > 0)
    );
  });
}

const members = new WeakMap<JsonObject, ReadonlySet<JsonObject>>();
const MEMBER_DEPTH = 3;

/** Parameters, and members of objects among them, but not of lists' items: those stand in each item. */
function membersOf(root: JsonObject): ReadonlySet<JsonObject> {
  const known = members.get(root);
  if (known) return known;
  const found = new Set<JsonObject>();
  let level: JsonObject[] = [root];
  for (let depth = 0; depth < MEMBER_DEPTH; depth += 1) {
    const inside = level.flatMap((schema) =>
      alternativesOf(root, schema)
        .flat()
        .flatMap(({ properties }) => (isJsonObject(properties) ? Object.values(properties).filter(isJsonObject) : [])),
    );
    level = inside.filter((schema) => !found.has(schema));
    for (const schema of level) found.add(schema);
  }
  members.set(root, found);
  return found;
}

interface Described {
  tool: DescribedTool;
  /** In snake case. */
  name: string;
  description: string;
  root: JsonObject;
  conjunction: Conjunction;
  /** Whether the value may be a text or an object. */
  isUnion: boolean;
  /** Whether it stands in the items of a list. */
  isInner: boolean;
}

/** Whether the schema leaves no room for a file's content. */
const isBounded = (conjunction: Conjunction): boolean =>
  conjunction.some(
    ({ enum: values, maxLength, format, pattern, ...schema }) =>
      values !== undefined ||
      Object.hasOwn(schema, 'const') ||
      (typeof maxLength === 'number' && maxLength < SHORT_CHARS) ||
      (typeof format === 'string' && valueFormats.has(format) && !/\bdata[\s-]ur[il]/i.test(String(schema.description))) ||
      (typeof pattern === 'string' && !/base64|data:|A-Za-z0-9\+|\\s\\S|^\.\*$/.test(pattern)),
  );

/** `account_code` and `custom_fields` are no code and no fields of a document. */
const isQualified = (name: string): boolean => {
  const parts = name.split('_');
  const last = parts.at(-1);
  if (parts.length < 2) return false;
  if (last === 'code') return !PROGRAM.has(parts.at(-2) ?? '');
  return last === 'fields' || last === 'properties';
};

const lastOf = (name: string) => {
  const parts = name.split('_').filter((part) => !/^\d*$/.test(part));
  const last = parts.findLast((part) => part.length > 1) ?? name;
  return /64$/.test(last) ? last : last.replace(/\d+$/, '');
};
/** 2: a content word, 1: one that may be. */
function nameWeight(name: string, strong: ReadonlySet<string>): number {
  const last = lastOf(name);
  if (strong.has(last) || strong.has(name)) return 2;
  return EITHER.has(last) ? 1 : 0;
}

function weighText({ tool, name, description, conjunction, isUnion }: Described): number {
  const purpose = purposeOf(tool);
  const { verb, talks, remarks } = purpose;
  const byName = isQualified(name) ? 0 : nameWeight(name, CONTENT);
  const own = { [name]: { allOf: [...conjunction], description } };
  const beside = purpose.hasMediaType ? { mime_type: { type: 'string' } } : {};
  const evidence = formEvidence({ ...tool, inputSchema: { properties: { ...own, ...beside } } }, [name]);
  const isEncoded = evidence !== undefined && (evidence.form === 'base64' || evidence.form === 'data_uri');
  const hint = 1.5 * Number(FORMATS.test(description)) + Number(WHOLE.test(description)) + 2 * Number(TEXT_TO.test(description));
  let weight = byName === 2 ? 3 : byName === 1 ? 1 : -2;
  weight += Math.min(hint, 2);
  if (byName === 0 && ENTIRE.test(description)) weight += 3;
  if (isEncoded) weight += 2;
  if (byName > 0 && isUnion) weight += 1;
  if (byName > 0 && conjunction.some(({ maxLength }) => typeof maxLength === 'number' && maxLength >= LONG_CHARS)) weight += 1.5;
  if (byName > 0 && conjunction.some(({ minLength }) => typeof minLength === 'number' && minLength >= 50)) weight += 1;
  if (SHORT.test(description) && !TEXT_TO.test(description) && !isEncoded) weight -= 2;
  if (SENTENCE.test(description)) weight -= 1;
  if (/\b(?:file|folder|directory) paths?\b/i.test(description) && hint === 0) weight -= 2;
  if (talks && !isEncoded) weight -= byName === 2 ? 1.5 : 2;
  if (remarks && !isEncoded) weight -= talks ? 0.5 : 2.5;
  if (name.startsWith('old_')) weight -= 2;
  if (verb > 0) weight += 0.5;
  if (verb < 0) weight -= byName === 2 ? 1 : 2;
  return weight - 2;
}

function weighList({ tool, name, description, root, conjunction, isInner }: Described): number {
  const { verb, talks } = purposeOf(tool);
  const items = conjunction.flatMap(({ items: each }) => (isJsonObject(each) ? alternativesOf(root, each) : []));
  const kinds = items.length === 0 ? undefined : typesOf(items);
  const most = Math.min(
    ...conjunction.map(({ maxItems }) => (typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY)),
  );
  if (most < 3) return -1;
  if (kinds !== undefined && (kinds.has('number') || kinds.has('integer')) && kinds.size === 1 && !NUMBERS.has(lastOf(name)))
    return -1;
  const isMatrix = kinds?.has('array') ?? false;
  const ofObjects = kinds === undefined || kinds.has('object');
  let weight =
    RECORDS.has(lastOf(name)) || isNamedBy(tool, lastOf(name)) || nameWeight(name, CONTENT) === 2
      ? 2
      : nameWeight(name, CONTENT) === 1
        ? 1
        : -1;
  if (RECORDS_TO.test(description)) weight += 2;
  weight += isMatrix || ofObjects ? 1 : TEXTS.has(lastOf(name)) ? -0.25 : -1.5;
  if (/\b(?:nested|child(?:ren)? (?:nodes|items)|sub-?\w+)\b/i.test(description)) weight -= 1;
  if (verb > 0) weight += 0.5;
  if (verb < 0) weight -= 3;
  if (talks && !ofObjects) weight -= 1;
  if (isInner) weight -= INNER;
  if (isQualified(name)) weight -= 2;
  if (/\bpaths?\b/i.test(description) && !ofObjects) weight -= 2;
  if (/\b(?:ids?|(?:file)?names?|identifiers|filters?|columns?|conditions?|tags|labels)\b/i.test(description) && !ofObjects)
    weight -= 1;
  return weight - 2;
}

function weighObject({ tool, name, description, root, conjunction, isInner }: Described): number {
  const { verb } = purposeOf(tool);
  const members = conjunction.flatMap(({ properties }) => (isJsonObject(properties) ? Object.values(properties) : []));
  const isDeep = members.some((member) => {
    const types = typesOf(alternativesOf(root, member));
    return types === undefined || types.has('array') || types.has('object');
  });
  const byName = nameWeight(name, CONTENT);
  let weight = DOCUMENTS.has(lastOf(name)) || byName === 2 ? 2 : byName === 1 || RECORDS.has(lastOf(name)) ? 1 : -2;
  if (/\b(?:complete|full|entire|whole|json|yaml|specification|document|data|definition)\b/i.test(description)) weight += 1;
  if (OPTIONS.test(description.slice(0, 60))) weight -= 1.5;
  // An object of a few short members is how a request is written, not what a file holds.
  weight += members.length === 0 ? 0.75 : isDeep ? 0 : -1.5;
  if (verb > 0) weight += 0.5;
  if (verb < 0) weight -= 2;
  if (isInner) weight -= INNER;
  if (isQualified(name) || (name === 'body' && members.length > 1)) weight -= 1.5;
  if (name === 'properties') weight -= 0.5;
  return weight - 2;
}

/** Whether the tool's own name says what the list holds: `create_cases` with `cases`. */
function isNamedBy({ name }: DescribedTool, list: string): boolean {
  const singular = list.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
  return (
    list.length > 3 &&
    !/^(?:ids|urls|names|keys|tags|labels|paths|filters|comments|reminders|sections|attachments)$/.test(list) &&
    snakeCase(name.slice(0, 200))
      .split('_')
      .some((part) => part === list || part === singular)
  );
}

const weighAny = (about: Described): number => Math.max(weighText(about), weighObject(about) - 0.5, weighList(about) - 0.5);
