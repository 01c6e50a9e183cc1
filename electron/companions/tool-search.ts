/**
 * Ranks tools for a query, by BM25F over names, titles, descriptions and parameters (Robertson and Zaragoza, "The Probabilistic Relevance Framework",
 * 2009), with word stems and the usual synonyms of what tools do. A server that the query names comes first.
 */
import { isJsonObject } from '../engine/core/json-object.ts';
import { namesIn } from '../engine/schema/schema-advice.ts';
import { walkSchema } from '../engine/schema/schema-walk.ts';
import type { UpstreamTool } from '../upstream/types.ts';

export interface SearchedTool {
  server: string;
  tool: UpstreamTool;
}

/** A word of a field counts this many times. This and the figures below were tuned on the building groups of `bench/tool-choice.run.ts`. */
const WEIGHTS = { name: 2.2, title: 3.7, server: 6, purpose: 4.8, description: 0.9, parameters: 1, parameterText: 1 } as const;
type Field = keyof typeof WEIGHTS;
/** Saturation of repeated words, as in BM25. */
const K = 1.5;
/** How much the length of a text counts, as BM25's b, against a text of this many words. */
const LENGTH_SHARE = 0.45;
const USUAL_WORDS = 40;
/** What a word counts that is only a synonym, or only begins like one. */
const SYNONYM = 0.18;
const PARTIAL = 0.23;
/** Shorter beginnings match too many words. */
const MIN_PART = 4;

/** Words that do not distinguish tools. */
const COMMON = new Set(
  'a an and about all any are as at be been by can could do does for from how i if in into is it its me my need of on one or our please should so some that the their them then there this to up use using via want we what which with within would you your'.split(
    ' ',
  ),
);

/** Words that stand for each other in what people ask for and in the names of tools. A word may be of several groups. */
const GROUPS = [
  'create add new make insert write generate register open put file log start draft compose produce build commit publish post store append define set',
  'delete remove drop erase clear trash discard forget empty purge wipe destroy unset',
  'list show all enumerate browse which what every available',
  'get read fetch retrieve view describe load see detail info information open inspect display look check when how',
  'update edit change modify set patch alter rename adjust replace amend revise correct increase decrease fix mark',
  'search find lookup query look seek grep locate match discover which',
  'send post publish tell notify deliver say announce write share broadcast ping',
  'upload attach import ingest put load',
  'download export save backup dump',
  'run execute call invoke perform start launch trigger evaluate',
  'move transfer relocate rename shift',
  'copy duplicate clone fork replicate',
  'stop cancel end abort close terminate kill halt pause disable finish complete',
  'start begin enable resume activate open',
  'issue ticket bug task story todo problem defect',
  'page document doc note article wiki post',
  'post article blog entry content',
  'file document disk',
  'message dm chat text',
  'email mail inbox letter',
  'image picture photo screenshot illustration drawing art',
  'video film clip movie footage',
  'table sheet spreadsheet worksheet workbook excel',
  'database db sql',
  'folder directory path',
  'repository repo project codebase',
  'pr pull merge',
  'user person people member account contact customer profile who',
  'meeting appointment calendar event',
  'speech audio voice sound speak tts aloud narrate spoken',
  'chart graph plot diagram visualization',
  'graph knowledge memory entity fact observation relation node',
  'row record entry item',
  'sum total count number amount calculate compute many',
  'comment reply remark respond answer feedback',
  'web website site url page link',
  'schema structure columns fields',
  'remember memory memorize store',
  'draw sketch render paint',
  'schedule plan',
  'server instance machine host service',
  'code script program source',
  'deploy online release ship live host publish rollout',
  'log output stdout trace console',
  'error crash failure exception fail',
  'size big large length dimension',
  'rephrase reword rewrite paraphrase improve tone',
  'translate translation language',
  'canvas whiteboard board',
  'scale replicas capacity',
  'convert transform unit fahrenheit celsius',
  'history previous past recent version revision',
  'label tag category',
  'status state progress health',
  'permission access role rights',
  'price cost payment invoice charge billing',
  'order purchase sale',
  'assign assigned assignee owner mine',
  'click press tap',
  'navigate visit go browse open',
  'type fill enter input',
  'similar nearest vector embedding semantic',
  'template form layout',
  'summarize summary digest',
  'contrast readable legible',
  'team group workspace organization channel',
  'password secret key token credential',
  'time date clock now today',
  'map place address location geocode',
  'route directions drive distance',
  'thread conversation discussion',
  'reaction emoji',
  'bucket storage blob object',
  'branch tag ref',
  'bookmark favorite star save link later',
  'revert rollback restore undo recover',
  'slow explain performance profile analyze plan',
  'remind reminder task todo alarm',
  'resize encode transcode compress crop',
  'finish complete close archive done clear',
  'drawing diagram sketch canvas flowchart',
  'room channel group chat',
  'cell range value',
  'preview show display render',
  'check validate verify test lint',
  'compare diff difference',
  'count statistic stats metric analytics report usage',
  'sign login authenticate authorize connect',
  'subscribe follow watch',
  'buy purchase checkout pay',
  'book reserve booking reservation',
  'weather forecast temperature',
  'news headline article',
  'stock share market quote price',
  'install setup configure init',
  'ask question answer prompt generate',
  'index collection namespace',
  'group conversation chat thread',
  'automation workflow execution run',
  'crm salesforce lead contact account',
  'resume cv',
  'split divide separate cut',
  'merge combine join concatenate',
  'access permission role policy iam acl',
  'command shell terminal bash restart',
  'loaded running active process',
  'security advisor warning vulnerability',
  'compress shrink smaller reduce optimize',
  'pause suspend hold freeze disable stop',
  'refund reimburse return back money',
  'space storage disk drive usage',
  'mirror sync synchronize align',
  'background fill',
  'layer shape node object',
  'passage selection excerpt paragraph',
  'approve approval approver reviewer review',
  'approved published released status',
  'printable print pdf',
  'dial phone call ring',
  'bottleneck slow profile performance',
  'unread unseen new',
  'crm contact deal lead company engagement',
  'buy bought order purchase cart',
  'product article merchandise shop store',
  'mockup design artboard frame',
  'newsletter campaign broadcast mailing',
  'bot assistant agent',
  'screen ui interface menu',
  'environment variable env setting',
  'tile tilemap',
  'boss colleague someone recipient',
];
const SYNONYMS = new Map<string, Set<number>>();
for (const [index, group] of GROUPS.entries()) {
  for (const word of group.split(' ')) {
    const groups = SYNONYMS.get(stem(word)) ?? new Set();
    SYNONYMS.set(stem(word), groups.add(index));
  }
}
const areSynonyms = (one: string, other: string): boolean => {
  const groups = SYNONYMS.get(other);
  if (groups !== undefined) for (const group of SYNONYMS.get(one) ?? []) if (groups.has(group)) return true;
  return false;
};

/** Enough of a stemmer for nouns and verbs: `entities`, `creating` and `created` are `entity` and `creat`. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  let short = word;
  if (short.endsWith('ies') && short.length > 4) short = `${short.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh)es$/.test(short)) short = short.slice(0, -2);
  else if (/[^su]s$/.test(short)) short = short.slice(0, -1);
  if (short.endsWith('ing') && short.length > 5) short = short.slice(0, -3);
  else if (short.endsWith('ed') && short.length > 4) short = short.slice(0, -2);
  else if (short.endsWith('ation') && short.length > 7) short = short.slice(0, -5);
  if (/(.)\1$/.test(short) && !/(?:ll|ss)$/.test(short)) short = short.slice(0, -1);
  return short.length > 4 && short.endsWith('e') ? short.slice(0, -1) : short;
}

/** Normalized words: `createEntities` and `create_entities` are the same two words. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/\bto-?do(?=s?\b)/g, 'todo')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Searched length of each text and of a query, in characters. */
const SEARCHED_CHARS = 2_000;
const QUERY_WORDS = 32;

type Counts = Map<string, number>;
interface Indexed {
  fields: Record<Field, Counts>;
  name: readonly string[];
  server: readonly string[];
}

const known = new WeakMap<UpstreamTool, Indexed>();

function indexed({ server, tool }: SearchedTool): Indexed {
  const before = known.get(tool);
  if (before) return before;
  const words = (value: unknown) => (typeof value === 'string' ? wordsOf(value.slice(0, SEARCHED_CHARS)) : []).map(stem);
  const description = typeof tool.description === 'string' ? tool.description : '';
  const end = /[.!?](?:\s|$)|\n/.exec(description)?.index ?? description.length;
  const root = walkSchema(tool.inputSchema, []) ?? [];
  const texts = root
    .flat()
    .flatMap(({ properties }) => (isJsonObject(properties) ? Object.values(properties) : []))
    .map((schema) => (isJsonObject(schema) && typeof schema.description === 'string' ? schema.description : ''));
  const serverWords = words(server);
  // A name often begins with its server's.
  const own = words(tool.name);
  const name = own.filter((word) => !serverWords.includes(word));
  const entry: Indexed = {
    fields: {
      name: counted(name.length > 0 ? name : own),
      title: counted(words(tool.title ?? tool.annotations?.title)),
      server: counted(serverWords),
      purpose: counted(words(description.slice(0, end))),
      description: counted(words(description.slice(end))),
      parameters: counted(words(namesIn(root).join(' '))),
      parameterText: counted(words(texts.join(' '))),
    },
    name: name.length > 0 ? name : own,
    server: serverWords,
  };
  known.set(tool, entry);
  return entry;
}

/** Words with how often they occur, less in a long text than in a short one. */
function counted(words: readonly string[]): Counts {
  const counts: Counts = new Map();
  const each = 1 / (1 - LENGTH_SHARE + LENGTH_SHARE * (words.length / USUAL_WORDS));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + Math.min(1, each));
  return counts;
}

/** How often a field holds a word: whole, as a synonym, or as the beginning of another. */
function occurrences(counts: Counts, wanted: string): number {
  const exact = counts.get(wanted);
  if (exact !== undefined) return exact;
  let best = 0;
  for (const [word, count] of counts) {
    if (areSynonyms(wanted, word)) best = Math.max(best, SYNONYM * count);
    else {
      const [short, long] = word.length < wanted.length ? [word, wanted] : [wanted, word];
      if (short.length >= MIN_PART && long.startsWith(short)) best = Math.max(best, PARTIAL * count);
    }
  }
  return best;
}

/** Best matches first, without tools that match no word. A query without words returns all tools in order. */
export function searchTools<T extends SearchedTool>(tools: readonly T[], query: string): T[] {
  const words = [...new Set(wordsOf(query.slice(0, SEARCHED_CHARS)))];
  const telling = words.filter((word) => !COMMON.has(word));
  const wanted = [...new Set((telling.length > 0 ? telling : words).slice(0, QUERY_WORDS).map(stem))];
  if (wanted.length === 0) return [...tools];
  const entries = tools.map(indexed);
  const named = namedServers(entries, wanted);
  const matches = entries.map(({ fields }) =>
    wanted.map((word) =>
      (Object.keys(WEIGHTS) as Field[]).reduce((sum, field) => sum + WEIGHTS[field] * occurrences(fields[field], word), 0),
    ),
  );
  const rarity = wanted.map((_, index) => {
    const holding = matches.filter((weights) => (weights[index] ?? 0) >= 1).length;
    return Math.log(1 + (tools.length - holding + 0.5) / (holding + 0.5));
  });
  return tools
    .map((each, at) => {
      const { name, server } = entries[at] as Indexed;
      const weights = matches[at] ?? [];
      const score = weights.reduce((sum, weight, index) => sum + (rarity[index] ?? 0) * (weight / (weight + K)), 0);
      // Of two names with the words wanted, the shorter one says nothing else.
      const met = name.filter((word) => wanted.some((one) => occurrences(new Map([[word, 1]]), one) > 0)).length;
      const exact = 0.6 + 0.4 * (met / Math.max(1, name.length));
      return { each, at, score: score * exact * (named.has(server.join(' ')) ? 1.6 : 1) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .map(({ each }) => each);
}

/** Servers that the query names: by all words of their names, which are no words for what other servers' tools do. */
function namedServers(entries: readonly Indexed[], wanted: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { server } of entries) {
    const key = server.join(' ');
    if (named.has(key) || server.length === 0 || !server.every((word) => wanted.includes(word))) continue;
    const isCommon = (word: string) => entries.some((other) => other.server.join(' ') !== key && other.name.includes(word));
    if (!server.every(isCommon)) named.add(key);
  }
  return named;
}
