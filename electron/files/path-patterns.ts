/** Lists of path patterns, compiled so that a path is checked against hundreds of them at once. */

import path from 'node:path';
import { readdir } from './disk.ts';

/**
 * A name (`.npmrc`), a name in its directory (`.docker/config.json`), or with a slash at its end a directory and everything in it
 * (`.ssh/`); a slash at the beginning stands for the root of the disk. `*` stands for any characters of one name, `{a,b}` for `a` or `b`. A RegExp is
 * for the name alone, in lower case; as `noCopy`, a name from which the ending of a copy was taken does not count.
 */
export type PathPattern = string | RegExp | { readonly noCopy: RegExp };

interface Segment {
  /** The name, or null for a segment that several names match. */
  readonly text: string | null;
  /** The expression of such a segment. */
  readonly source: string;
  /** Copies do not count as their originals. */
  readonly asIs: boolean;
  matches(name: string): boolean;
}

interface Rule {
  readonly segments: readonly Segment[];
  readonly directory: boolean;
  readonly fromRoot: boolean;
}

export interface PathPatterns {
  /**
   * The name in the path that a pattern matches: the first directory, or else the file. Backups and archives count as what they
   * are copies of. Names for which `passes` holds are no directories of a pattern.
   */
  nameIn(realPath: string, passes?: (name: string) => boolean): string | undefined;
  /**
   * The name of what lies in `directory` and matches a pattern only together with the names above it, as `place` has them:
   * `config.json` of `.docker`. Undefined if there is none.
   */
  straddling(place: string, directory: string): Promise<string | undefined>;
}

export function compilePatterns(patterns: readonly PathPattern[]): PathPatterns {
  const rules = patterns
    .flatMap((pattern): readonly PathPattern[] => (typeof pattern === 'string' ? expanded(pattern) : [pattern]))
    .map(ruleOf);
  const byName = new Map<string, Rule[]>();
  const others = new Map<string, { last: Segment; rules: Rule[] }>();
  for (const rule of rules) {
    const last = rule.segments.at(-1);
    if (last === undefined) continue;
    if (last.text !== null) byName.set(last.text, [...(byName.get(last.text) ?? []), rule]);
    else {
      const same = others.get(last.source) ?? { last, rules: [] };
      same.rules.push(rule);
      others.set(last.source, same);
    }
  }

  function* rulesFor(name: string, isCopy: boolean): Generator<Rule> {
    yield* byName.get(name) ?? [];
    for (const { last, rules } of others.values()) {
      if (!(isCopy && last.asIs) && last.matches(name)) yield* rules;
    }
  }

  function matchesAt(names: readonly (readonly string[])[], at: number, directory: boolean): boolean {
    for (const [copies, name] of (names[at] ?? []).entries()) {
      for (const rule of rulesFor(name, copies > 0)) {
        if (rule.directory !== directory) continue;
        const above = rule.segments.slice(0, -1);
        if (rule.fromRoot && above.length !== at) continue;
        if (above.every((segment, index) => names[at - above.length + index]?.some((each) => segment.matches(each)))) return true;
      }
    }
    return false;
  }

  return {
    nameIn(realPath, passes) {
      const segments = segmentsOf(realPath);
      const names = segments.map((segment) => bareNames(folded(segment)));
      for (const [at, segment] of segments.entries()) {
        if (!passes?.(segment) && matchesAt(names, at, true)) return segment;
      }
      return matchesAt(names, segments.length - 1, false) ? segments.at(-1) : undefined;
    },
    async straddling(place, directory) {
      const names = segmentsOf(place).map(folded);
      for (const { segments, fromRoot } of rules) {
        for (let above = 1; above < segments.length && above <= names.length; above += 1) {
          if (fromRoot && above !== names.length) continue;
          const tail = names.slice(names.length - above);
          if (!tail.every((name, index) => segments[index]?.matches(name))) continue;
          const found = await below(directory, segments.slice(above));
          if (found !== undefined) return found;
        }
      }
      return undefined;
    },
  };
}

/**
 * As disks compare names that take upper and lower case for the same, and without what Windows and macOS drop: invisible
 * characters, and on Windows dots and spaces at the end and a stream's name (`.env::$DATA` is `.env`).
 */
export function folded(name: string): string {
  const text = name.normalize('NFC').replaceAll(invisible, '').toUpperCase().toLowerCase();
  const stream = text.indexOf(':', 1);
  let end = stream < 2 ? text.length : stream;
  while (end > 0 && (text[end - 1] === '.' || text[end - 1] === ' ')) end -= 1;
  return end === 0 ? text : text.slice(0, end);
}

const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** The names that a path consists of. What macOS keeps in `/private` counts as what it is there for: `/private/etc` as `/etc`. */
function segmentsOf(text: string): string[] {
  const names = text.replace(/^\/private(?=\/(?:etc|var|tmp)(?:\/|$))/i, '').split(/[\\/]/);
  return names.filter((segment) => segment !== '');
}

/** A pattern for each choice of its braces, which may stand in each other. */
export function expanded(pattern: string): string[] {
  const [whole, before = '', choices = '', after = ''] = /^(.*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return [...new Set(choices.split(',').flatMap((choice) => expanded(before + choice + after)))];
}

function ruleOf(pattern: PathPattern): Rule {
  if (typeof pattern !== 'string') {
    const [expression, asIs] = pattern instanceof RegExp ? [pattern, false] : [pattern.noCopy, true];
    return { segments: [expressionSegment(expression, asIs)], directory: false, fromRoot: false };
  }
  const segments = segmentsOf(pattern).map((name) => segmentOf(folded(name)));
  return { segments, directory: pattern.endsWith('/'), fromRoot: pattern.startsWith('/') };
}

function segmentOf(text: string): Segment {
  if (!text.includes('*')) return { text, source: text, asIs: false, matches: (name) => name === text };
  const source = text.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return expressionSegment(new RegExp(`^${source.join('.*')}$`), false);
}

const expressionSegment = (expression: RegExp, asIs: boolean): Segment => ({
  text: null,
  source: expression.source,
  asIs,
  matches: (name) => expression.test(name),
});

/** Finds entries of the directory whose names match, level by level. */
async function below(directory: string, [first, ...rest]: readonly Segment[]): Promise<string | undefined> {
  if (first === undefined) return path.basename(directory);
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    if (!first.matches(folded(name))) continue;
    const found = await below(path.join(directory, name), rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Suffixes that editors, backups and archives add. */
const endings = [
  /(?:~|\.~\d+~|\.(?:bak|backup|bkp|old|orig|original|save|saved|copy|tmp|temp|swp|swo|swx|rej|dpkg-(?:old|dist|new)|rpm(?:save|orig|new))\d*)$/,
  /\.(?:gz|tgz|bz2|tbz2?|xz|txz|lz4|lzma|zst|br|zip|7z|rar|tar|cpio|gpg|asc|age|enc)$/,
  /[._ -](?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:[t._ -]?\d\d[-:.h]?\d\d(?:[-:.m]?\d\d)?(?:[.]?\d{3})?z?)?$/,
  /[._ -]\d{10}(?:\d{3})?$/,
  /\.\d{1,3}$/,
  / ?\(\d+\)$/,
  /(?: - |[ ._-])(?:copy|kopie|copie|copia)(?: \(?\d+\)?)?$/,
  /[._ -](?:bak|backup|old|orig|original|save|saved|prev|previous)\d*$/,
  /\.filebridge-backup-.*$/,
  /\.sync-conflict-.*$/,
] as const;

/** Prefixes that they add. */
const beginnings = [
  /^\.#/,
  /^#(?=.*#$)/,
  /^\._/,
  /^(?:copy of|kopie von|copie de|copia de) /,
  /^(?:backup|bak|old)[._ -]/,
] as const;

/** How many nested suffixes are removed; names are untrusted. */
const MAX_NAMES = 24;
/** Longer than any name that a file system holds. */
const MAX_LENGTH = 512;

/** A name without any of these suffixes or prefixes. */
const plain = /^[a-z_-]*(?:\.[a-z]{1,2}|\.(?:csv|tsv|json|jsonl|txt|xml|yaml|yml|md|png|jpe?g|pdf|html|css))?$/;
const marked = /old|bak|copy|kopie|copie|copia|save|backup|orig|prev|tmp|temp|\.(?:gz|br|xz|7z)$/;

/** The name itself and what it may be a copy of: `.env.bak.gz` gives `.env.bak` and `.env` too. In lower case, as the name given. */
export function bareNames(name: string): string[] {
  if (name.length > MAX_LENGTH) return [name];
  if (plain.test(name) && !marked.test(name)) return [name];
  const found = new Set([name]);
  for (const each of found) {
    for (const next of unwrapped(each)) if (next !== '' && next !== '.' && found.size < MAX_NAMES) found.add(next);
  }
  return [...found];
}

function* unwrapped(name: string): Generator<string> {
  for (const ending of endings) if (ending.test(name)) yield name.replace(ending, '');
  for (const beginning of beginnings) if (beginning.test(name)) yield name.replace(beginning, '').replace(/#$/, '');
  // Vim's: `.servers.json.swp` is of `servers.json`.
  if (/^\..+\.sw[pox]$/.test(name)) yield name.slice(1, -4);
  // `credentials (1).json` is a copy as well as `credentials.json.1`.
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return;
  const [stem, extension] = [name.slice(0, dot), name.slice(dot)];
  for (const ending of endings) if (ending.test(stem)) yield stem.replace(ending, '') + extension;
}
