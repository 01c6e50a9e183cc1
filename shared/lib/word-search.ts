/** Finds things by words that a person types: in any order, mistyped, inflected, with or without hyphens and accents. */
import { distance } from './near-misses.ts';

export interface Found<T> {
  /** Everything that has all the words, the best first. */
  found: T[];
  /** Only where nothing is found: what has similar words, or most of them. */
  near: T[];
}

/** Longer input is no search. */
const MAX_TYPED = 200;
const MAX_NEAR = 6;

/** Words that say nothing of what is looked for, English and German. */
const fillers = new Set(
  (
    'a an and any the some my our your for from in into of on or to with that which i we want need have is do can how use send read write make create edit ' +
    'manage open find get add new list server servers tool tools app apps program software service ' +
    'ein eine einen einem einer der die das den dem des und oder mein meine meinen unser unsere fur mit von vom zu zum zur im auf aus ich wir will brauche ' +
    'senden schicken lesen schreiben machen erstellen bearbeiten verwalten offnen finden werkzeug werkzeuge programm dienst'
  ).split(' '),
);

/** Without case, accents and hyphens: `E-Mail` → `email`, `Käse` → `kase`. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '');

const split = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words with hyphens also as one: `To-do` → `to`, `do`, `todo`. */
const wordsOf = (text: string): string[] => [...new Set([...split(text), ...split(text.replaceAll(/[-‐‑]/g, ''))])];

/** `fields` gives an item's texts, those that count most first. Without a word, everything is found as it is. */
export function searchWords<T>(items: readonly T[], typed: string, fields: (item: T) => readonly string[]): Found<T> {
  const indexed = items.map((item) => ({ item, fields: fields(item).map(wordsOf) }));
  const known = new Set(indexed.flatMap((entry) => entry.fields.flat()));
  const wanted = typedWords(typed.slice(0, MAX_TYPED), known);
  if (wanted.length === 0) return { found: [...items], near: [] };
  const scored = indexed.map((entry) => ({ ...entry, scores: wanted.map((word) => score(word, entry.fields)) }));
  const found = scored.filter(({ scores }) => scores.every(Number.isFinite));
  if (found.length > 0) return { found: byScore(found), near: [] };
  // The best of those that miss the fewest words.
  const near = scored.map((entry) => {
    const scores = entry.scores.map((exact, at) => Math.min(exact, mistypedScore(wanted[at] ?? '', entry.fields)));
    return { ...entry, scores, missed: scores.filter((each) => !Number.isFinite(each)).length };
  });
  const fewest = Math.min(...near.map(({ missed }) => missed));
  if (fewest > wanted.length / 2) return { found: [], near: [] };
  const best = near.filter(({ missed }) => missed === fewest);
  return { found: [], near: byScore(best).slice(0, MAX_NEAR) };
}

function typedWords(typed: string, known: ReadonlySet<string>): string[] {
  const parts = split(typed.replaceAll(/(?<=\S)[-‐‑](?=\S)/g, ''));
  const words: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [one = '', next] = [parts[at], parts[at + 1]];
    // `power point`, `to do`
    const joined = next !== undefined && known.has(one + next);
    words.push(joined ? one + next : one);
    if (joined) at += 1;
  }
  const telling = words.filter((word) => !fillers.has(word));
  // One that is all fillers is looked for as it is.
  return telling.length > 0 ? telling : words;
}

const total = (scores: readonly number[]): number => scores.reduce((sum, each) => sum + (Number.isFinite(each) ? each : 0), 0);

const byScore = <T>(entries: readonly { item: T; scores: readonly number[] }[]): T[] =>
  [...entries].sort((one, other) => total(one.scores) - total(other.scores)).map(({ item }) => item);

/** Lower is better; infinite where no field has the word. */
function score(word: string, fields: readonly (readonly string[])[]): number {
  return Math.min(...fields.flatMap((words, field) => words.map((other) => 2 * field + likeness(word, other))));
}

function likeness(typed: string, word: string): number {
  if (typed === word) return 0;
  if (word.startsWith(typed)) return 1;
  // `Tabellen`, `invoices`, `Rechnungsprogramm`
  if (word.length >= 5 && typed.startsWith(word)) return 2;
  return typed.length >= 3 && word.includes(typed) ? 5 : Number.POSITIVE_INFINITY;
}

function mistypedScore(word: string, fields: readonly (readonly string[])[]): number {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  const of = (other: string, field: number): number => {
    if (Math.abs(other.length - word.length) > most + 1) return Number.POSITIVE_INFINITY;
    const wrong = edits(word, other);
    return wrong <= most ? 10 * wrong + field : Number.POSITIVE_INFINITY;
  };
  return Math.min(...fields.flatMap((words, field) => words.map((other) => of(other, field))));
}

/** Two letters that changed places are one mistake. */
function edits(one: string, other: string): number {
  const count = distance(one, other);
  const letters = (text: string) => [...text].sort().join('');
  return count === 2 && one.length === other.length && letters(one) === letters(other) ? 1 : count;
}
