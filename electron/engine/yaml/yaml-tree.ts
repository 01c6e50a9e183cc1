/** Parses YAML text into documents of nodes, with every alias resolved to its node. */

import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import {
  type Alias,
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
  visit,
  type YAMLError,
} from 'yaml';
import { say } from '../../../shared/model/messages/message.ts';
import { parseFailure, throwIfCancelled } from '../core/failures.ts';
import type { PlaceFinder } from '../input/held-text.ts';

export interface YamlTree {
  readonly documents: Document.Parsed[];
  readonly targets: ReadonlyMap<Alias, ParsedNode>;
  /** Tags without an effect. */
  readonly unknownTags: number;
  /** The version that the file names, if it is another than 1.2. */
  readonly version: string | undefined;
}

/** Lexemes read between two yields to the event loop. */
const LEXEMES_PER_TURN = 20_000;

/**
 * Parses YAML 1.2 with the core schema, even if a `%YAML` directive names another version. Throws PARSE_FAILED with line
 * and column.
 */
export async function parseYaml(text: string, places: PlaceFinder, maxNesting: number, signal?: AbortSignal): Promise<YamlTree> {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: true,
    intAsBigInt: true,
    // YAML 1.1 tags such as `!!timestamp` would produce values that JSON lacks.
    resolveKnownTags: false,
    // The library compares all pairs of keys; the writer checks them faster.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents: Document.Parsed[] = [];
  let unknownTags = 0;
  let version: string | undefined;
  const take = (composed: Iterable<Document.Parsed>): void => {
    for (const document of composed) {
      const [error] = document.errors;
      if (error !== undefined) throw yamlFailure(error, document, text, places);
      unknownTags += document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED').length;
      const { yaml } = document.directives ?? {};
      if (yaml?.explicit && yaml.version !== '1.2') version ??= yaml.version;
      documents.push(document);
    }
  };
  const parser = new Parser();
  const compose = (tokens: Iterable<CST.Token>): void => {
    for (const token of tokens) {
      refuseDepth(token, places, maxNesting);
      take(composer.next(token));
    }
  };
  const lexer = new Lexer();
  const budget = new LexemeBudget(places);
  let lexemes = 0;
  for (const lexeme of lexer.lex(text)) {
    budget.spend(lexeme);
    compose(parser.next(lexeme));
    lexemes += 1;
    if (lexemes % LEXEMES_PER_TURN === 0) {
      await setImmediate();
      throwIfCancelled(signal);
    }
  }
  compose(parser.end());
  take(composer.end(false, text.length));
  const targets = new Map<Alias, ParsedNode>();
  for (const document of documents) if (document.contents !== null) resolveAliases(document.contents, targets, places);
  return { documents, targets, unknownTags, version };
}

/** Memory that the library needs per lexeme, measured on lists, maps and records. Bytes. */
const LEXEME_BYTES = 250;
/** An item between commas needs as much as four lexemes. */
const COMMA_WEIGHT = 4;
/** Minimum budget: enough for files of records up to the default size limit, if the heap has room. */
const MAX_LEXEMES = 8_000_000;
/** The lexer's control characters, which represent no text. */
const MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/**
 * Refuses texts whose values would exhaust the heap, which would crash the whole program. At most half of the free heap
 * may be used.
 */
class LexemeBudget {
  readonly #places: PlaceFinder;
  #left: number;
  #offset = 0;

  constructor(places: PlaceFinder) {
    this.#places = places;
    const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
    this.#left = Math.min(MAX_LEXEMES, (limit - used) / 2 / LEXEME_BYTES);
  }

  spend(lexeme: string): void {
    this.#left -= lexeme === ',' ? COMMA_WEIGHT : 1;
    if (!MARKS.has(lexeme)) this.#offset += lexeme.length;
    if (this.#left >= 0) return;
    throw parseFailure('YAML', say('yaml.tooManyValues'), this.#places.placeAt(this.#offset), {
      hint: say('yaml.tooManyValues.hint'),
    });
  }
}

/** How the library's messages name a character that is missing. */
const MISSING =
  /^Flow .* end with a (.)$|^Missing closing (["'])quote|^Missing (,)|^Implicit map keys need to be followed by map values/;

function yamlFailure(error: YAMLError, document: Document.Parsed, text: string, places: PlaceFinder) {
  const found = MISSING.exec(error.message);
  if (found) {
    // The last one is a key without a colon.
    const character = found[1] ?? found[2] ?? found[3] ?? ':';
    const opened = opening[character] === undefined ? undefined : unclosed(document, text, character);
    const at = places.placeAt(error.pos[0]);
    const missing = {
      character,
      opening: opened === undefined ? null : (opening[character] as string),
      opened: opened === undefined ? null : places.lineAt(opened),
      line: at.line,
    };
    return parseFailure('YAML', say('yaml.missing', missing), at, { hint: say('yaml.missing.hint', missing), cause: error });
  }
  const hint = error.code === 'BLOCK_AS_IMPLICIT_KEY' ? { hint: say('yaml.colon.hint') } : {};
  return parseFailure(
    'YAML',
    say('yaml.fault', { code: error.code, character: places.characterAt(error.pos[0]) }),
    places.placeAt(error.pos[0]),
    { ...hint, cause: error },
  );
}

/** What a closing character closes. */
const opening: Readonly<Record<string, string>> = { ']': '[', '}': '{', '"': '"', "'": "'" };

/** Where the innermost list, map or text begins that lacks this character at its end. */
function unclosed({ contents }: Document.Parsed, text: string, character: string): number | undefined {
  let found: number | undefined;
  visit(contents, {
    Node(_, { range }) {
      if (!range || text[range[0]] !== opening[character]) return;
      const isClosed = range[1] - range[0] > 1 && text[range[1] - 1] === character;
      if (!isClosed) found = range[0];
    },
  });
  return found;
}

/** The composer is recursive; this checks the depth beforehand without recursion. */
function refuseDepth(token: CST.Token, places: PlaceFinder, maxNesting: number): void {
  const open: { token: CST.Token | null | undefined; depth: number }[] = [{ token, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token: at, depth } = next;
    if (at == null) continue;
    if (at.type === 'document') open.push({ token: at.value, depth });
    if (!('items' in at)) continue;
    if (depth >= maxNesting) throw tooDeep(at.offset, places, maxNesting);
    for (const item of at.items) {
      open.push({ token: item.key, depth: depth + 1 }, { token: item.value, depth: depth + 1 });
    }
  }
}

/** PARSE_FAILED for a value nested deeper than allowed. */
export function tooDeep(offset: number, places: PlaceFinder, maxNesting: number) {
  return parseFailure('YAML', say('parse.tooDeep', { levels: maxNesting }), places.placeAt(offset), {
    hint: say('parse.maxNesting'),
  });
}

/**
 * Resolves aliases in document order, because an anchor can be redefined and an alias refers to the last definition
 * before it. The library would search the document for each alias.
 */
function resolveAliases(root: ParsedNode, targets: Map<Alias, ParsedNode>, places: PlaceFinder): void {
  const anchors = new Map<string, ParsedNode>();
  const open = new Set<ParsedNode>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      const place = places.placeAt(node.range?.[0] ?? 0);
      if (target === undefined) throw parseFailure('YAML', say('yaml.aliasUnknown', { alias: node.source }), place);
      if (open.has(target)) throw parseFailure('YAML', say('yaml.aliasInside', { alias: node.source }), place);
      targets.set(node, target);
      return;
    }
    const known = node as ParsedNode;
    if (known === null || typeof known !== 'object') return;
    if ('anchor' in known && known.anchor) anchors.set(known.anchor, known);
    if (!isMap(known) && !isSeq(known)) return;
    open.add(known);
    for (const item of known.items) {
      if (isPair(item)) {
        visit(item.key);
        visit(item.value);
      } else visit(item);
    }
    open.delete(known);
  };
  visit(root);
}
