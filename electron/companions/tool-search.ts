/** Ranks tools for a query: matches in names before titles, descriptions and parameters, rare words before common ones. */
import { namesIn } from '../engine/schema/schema-advice.ts';
import { walkSchema } from '../engine/schema/schema-walk.ts';
import type { UpstreamTool } from '../upstream/types.ts';

export interface SearchedTool {
  server: string;
  tool: UpstreamTool;
}

const WEIGHTS = { name: 8, title: 4, server: 3, parameters: 2, description: 2 } as const;
/** Weight of a partial match, when one word is a prefix of the other. */
const PARTIAL = 0.5;
/** Shorter prefixes match too many words. */
const MIN_PART = 3;

/** Words that do not distinguish tools. */
const COMMON = new Set(
  'a an and about all any are as at be by can do for from how i in into is it its me my of on or some that the their them this to use using want with'.split(
    ' ',
  ),
);

type Field = keyof typeof WEIGHTS;

/** Normalized words: `createEntities` and `create_entities` are the same two words. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Searched length of each text and of a query, in characters. */
const SEARCHED_CHARS = 2_000;
const QUERY_WORDS = 32;

const known = new WeakMap<UpstreamTool, Record<Field, Set<string>>>();

function fieldsOf({ server, tool }: SearchedTool): Record<Field, Set<string>> {
  const before = known.get(tool);
  if (before) return before;
  const text = (value: unknown) => new Set(typeof value === 'string' ? wordsOf(value.slice(0, SEARCHED_CHARS)) : []);
  const parameters = namesIn(walkSchema(tool.inputSchema, []) ?? []).join(' ');
  const fields = {
    name: text(tool.name),
    title: text(tool.title ?? tool.annotations?.title),
    server: text(server),
    parameters: text(parameters),
    description: text(tool.description),
  };
  known.set(tool, fields);
  return fields;
}

function closeness(words: ReadonlySet<string>, wanted: string): number {
  if (words.has(wanted)) return 1;
  for (const word of words) {
    const [short, long] = word.length < wanted.length ? [word, wanted] : [wanted, word];
    if (short.length >= MIN_PART && long.startsWith(short)) return PARTIAL;
  }
  return 0;
}

/** Best matches first, without tools that match no word. A query without words returns all tools in order. */
export function searchTools<T extends SearchedTool>(tools: readonly T[], query: string): T[] {
  const words = [...new Set(wordsOf(query.slice(0, SEARCHED_CHARS)))];
  const telling = words.filter((word) => !COMMON.has(word));
  const wanted = (telling.length > 0 ? telling : words).slice(0, QUERY_WORDS);
  if (wanted.length === 0) return [...tools];
  const matches = tools.map((each) => {
    const fields = fieldsOf(each);
    return wanted.map((word) =>
      (Object.keys(WEIGHTS) as Field[]).reduce(
        (best, field) => Math.max(best, WEIGHTS[field] * closeness(fields[field], word)),
        0,
      ),
    );
  });
  const rarity = wanted.map((_, index) => {
    const holding = matches.filter((scores) => (scores[index] ?? 0) > 0).length;
    return Math.log(1 + tools.length / (1 + holding));
  });
  return tools
    .map((each, at) => ({
      each,
      at,
      score: (matches[at] ?? []).reduce((sum, score, index) => sum + score * (rarity[index] ?? 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .map(({ each }) => each);
}
