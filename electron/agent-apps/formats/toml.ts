/** Edits TOML: appends our table as text and finds it by its header, without touching anything else. */
import { parse, stringify, TomlError } from 'smol-toml';
import { plain } from '../plain.ts';
import { applyEdits, type Format, lineEnd } from './types.ts';

export const tomlFormat: Format = {
  async parse(text) {
    if (text.trim() === '') return { ok: true, value: undefined };
    try {
      return { ok: true, value: plain(parse(text, { integersAsBigInt: 'asNeeded' })) };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'not valid TOML';
      return { ok: false, problem: `${reason} at line ${error.line}, column ${error.column}` };
    }
  },
  put(text, keys, entry) {
    const eol = lineEnd(text);
    const value = keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), entry) as Record<string, unknown>;
    const table = stringify(value).trimEnd().replaceAll('\n', eol) + eol;
    const [span, ...others] = spansOf(text, keys);
    if (span) {
      return applyEdits(text, [{ ...span, text: table }, ...others.map((other) => ({ ...other, text: '' }))]);
    }
    if (text === '') return table;
    return `${text}${text.endsWith('\n') ? '' : eol}${eol}${table}`;
  },
  remove(text, keys) {
    const edits = spansOf(text, keys).map(({ start, end }) => {
      // Also remove the empty line before it if another one, or the end, follows.
      const lonely = text.slice(end).trim() === '' || /^[ \t]*\r?\n/.test(text.slice(end));
      const blank = lonely ? (/\n([ \t]*\r?\n)$/.exec(text.slice(0, start))?.[1]?.length ?? 0) : 0;
      return { start: start - blank, end, text: '' };
    });
    return applyEdits(text, edits);
  },
};

interface Span {
  start: number;
  end: number;
}

/** Where the table of this name and those inside it stand, from header to last value. Adjacent ones are one. */
function spansOf(text: string, keys: readonly string[]): Span[] {
  const spans: Span[] = [];
  let isOurs = false;
  for (const { header, start, end } of statements(text)) {
    const wasOurs = isOurs;
    if (header) isOurs = keys.every((key, index) => header[index] === key);
    if (!isOurs) continue;
    const span = spans.at(-1);
    if (wasOurs && span) span.end = end;
    else spans.push({ start, end });
  }
  return spans;
}

/** A header or a key with its value: from the beginning of its line to the beginning of the next. */
interface Statement extends Span {
  /** The keys of a table's header. */
  header: string[] | null;
}

/** Cuts a valid document into its statements; comments and empty lines belong to none. */
function* statements(text: string): Generator<Statement> {
  let position = 0;
  while (position < text.length) {
    const start = position;
    const first = start + (/^[ \t]*/.exec(text.slice(start, start + 1000))?.[0].length ?? 0);
    const isEmpty = first >= text.length || /[#\r\n]/.test(text[first] ?? '');
    const end = isEmpty ? afterLine(text, first) : endOfStatement(text, first);
    position = end;
    if (isEmpty) continue;
    yield { start, end, header: text[first] === '[' ? headerKeys(text.slice(first, end)) : null };
  }
}

function afterLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found === -1 ? text.length : found + 1;
}

/**
 * Strings of each kind, comments and brackets, since a value ends with a line that is in none of them. One without an end is taken as
 * far as it goes, so that none is searched for its end from many beginnings.
 */
const tokens = /"""(?:\\[\s\S]|[^\\])*?(?:"{3,5}|$)|'''[\s\S]*?(?:'{3,5}|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|[[\]{}]|\n/g;

function endOfStatement(text: string, from: number): number {
  tokens.lastIndex = from;
  let depth = 0;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match;
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    else if (token === '\n' && depth <= 0) return tokens.lastIndex;
  }
  return text.length;
}

function headerKeys(header: string): string[] {
  const inner = /^\[\[?(.*?)\]?\][ \t]*(?:#.*)?\r?\n?$/s.exec(header)?.[1] ?? '';
  return [...inner.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    ([, basic, literal, bare]) => literal ?? bare ?? unescaped(basic ?? ''),
  );
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    // Escapes that JSON lacks: a name of ours has none.
    return text;
  }
}
