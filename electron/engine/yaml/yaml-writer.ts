/** Writes YAML nodes as JSON text: scalars, merge keys, and aliases within a limit. */

import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml';
import type { AppError } from '../../../shared/model/errors.ts';
import { say, type Text } from '../../../shared/model/messages/message.ts';
import type { RecordTypes } from '../core/convert-types.ts';
import { parseFailure } from '../core/failures.ts';
import type { PlaceFinder } from '../input/held-text.ts';
import { Codes, JSON_NUMBER } from './yaml-plain-scalars.ts';
import { tooDeep, type YamlTree } from './yaml-tree.ts';

export interface YamlBounds {
  readonly maxNesting: number;
  /** Limit on JSON text that aliases and merge keys add. */
  readonly maxFileBytes: number;
}

const NUMBER_TAG = /^tag:yaml\.org,2002:(?:float|int)$/;

/** A value of a map after merging; merged values count as expansion. */
interface MapEntry {
  readonly value: ParsedNode | null;
  readonly merged: boolean;
}

/** Maps at a depth whose members have types. */
interface TypedRecords {
  readonly depth: number;
  readonly typeOf: RecordTypes;
}

export class YamlWriter {
  readonly codes = new Codes();
  records: TypedRecords | undefined;
  readonly #targets: ReadonlyMap<Alias, ParsedNode>;
  readonly #places: PlaceFinder;
  readonly #bounds: YamlBounds;
  readonly #maps = new Map<YAMLMap, Map<string, MapEntry>>();
  #parts: string[] = [];
  /** Current nesting of aliases and merges. */
  #expanding = 0;
  #expanded = 0;
  #aliasOffset = 0;

  constructor(tree: YamlTree, places: PlaceFinder, bounds: YamlBounds) {
    this.#targets = tree.targets;
    this.#places = places;
    this.#bounds = bounds;
  }

  /** JSON text of a node that is `depth` levels deep. Throws PARSE_FAILED for values that JSON lacks. */
  text(node: ParsedNode | null, depth = 0): string {
    this.#parts = [];
    this.#write(node, depth);
    return this.#parts.join('');
  }

  /** The node that an alias refers to. */
  resolved(node: ParsedNode | null): ParsedNode | null {
    return isAlias(node) ? (this.#targets.get(node) ?? null) : node;
  }

  #put(text: string): void {
    this.#parts.push(text);
    if (this.#expanding > 0) this.#count(text.length);
  }

  #count(length: number): void {
    this.#expanded += length;
    if (this.#expanded <= this.#bounds.maxFileBytes) return;
    throw this.#failure(say('size.aliases', { limit: this.#bounds.maxFileBytes }), this.#aliasOffset, {
      hint: say('size.aliases.hint'),
    });
  }

  #failure(reason: Text, offset: number, options: { hint?: Text } = {}): AppError {
    return parseFailure('YAML', reason, this.#places.placeAt(offset), options);
  }

  #write(node: ParsedNode | null, depth: number): void {
    if (node === null) {
      this.#put('null');
    } else if (isAlias(node)) {
      if (this.#expanding === 0) this.#aliasOffset = offsetOf(node);
      this.#expanding += 1;
      this.#write(this.resolved(node), depth);
      this.#expanding -= 1;
    } else if (isScalar(node)) {
      this.#put(this.#scalar(node));
    } else {
      if (depth >= this.#bounds.maxNesting) throw tooDeep(offsetOf(node), this.#places, this.#bounds.maxNesting);
      if (isMap(node)) this.#writeMap(node, depth);
      else this.#writeList(node.items as (ParsedNode | null)[], depth);
    }
  }

  #writeList(items: readonly (ParsedNode | null)[], depth: number): void {
    this.#put('[');
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#put(',');
      this.#write(item, depth + 1);
    }
    this.#put(']');
  }

  #writeMap(map: YAMLMap, depth: number): void {
    let separator = '{';
    for (const [key, { value, merged }] of this.entries(map)) {
      if (merged) this.#expanding += 1;
      const name = JSON.stringify(key);
      this.#put(`${separator}${name}:`);
      separator = ',';
      this.codes.key = name;
      if (this.records?.depth === depth && this.records.typeOf(key) === 'string') this.#writeText(value, depth + 1);
      else this.#write(value, depth + 1);
      if (merged) this.#expanding -= 1;
    }
    this.#put(separator === '{' ? '{}' : '}');
  }

  /** A scalar that should be a text, as it is written. */
  #writeText(node: ParsedNode | null, depth: number): void {
    const target = this.resolved(node);
    if (!isScalar(target) || typeof target.value === 'string' || target.value === null || target.source === undefined)
      this.#write(node, depth);
    else this.#put(JSON.stringify(target.source));
  }

  /** A map's members with merge keys resolved: direct keys win over merged ones, and of those the first wins. */
  entries(map: YAMLMap): ReadonlyMap<string, MapEntry> {
    const known = this.#maps.get(map);
    if (known !== undefined) return known;
    const entries = new Map<string, MapEntry>();
    for (const { key, value } of map.items as { key: ParsedNode | null; value: ParsedNode | null }[]) {
      if (isMergeKey(key)) {
        this.#merge(entries, value, key);
        continue;
      }
      const name = this.#keyText(key);
      if (entries.get(name)?.merged === false) throw this.#failure(say('yaml.keyTwice', { key: name }), key ? offsetOf(key) : 0);
      entries.set(name, { value, merged: false });
    }
    this.#maps.set(map, entries);
    return entries;
  }

  /** The node that a path segment leads to; undefined if there is none. */
  child(node: ParsedNode, segment: string | number): ParsedNode | null | undefined {
    if (isMap(node)) return this.entries(node).get(String(segment))?.value;
    return isSeq(node) ? (node.items as (ParsedNode | null)[])[Number(segment)] : undefined;
  }

  #merge(entries: Map<string, MapEntry>, value: ParsedNode | null, key: ParsedNode): void {
    const source = this.resolved(value);
    const sources = isSeq(source) ? (source.items as (ParsedNode | null)[]) : [source];
    this.#aliasOffset = offsetOf(key);
    for (const each of sources) {
      const map = this.resolved(each);
      if (!isMap(map)) throw this.#failure(say('yaml.mergeKey'), offsetOf(key));
      for (const [name, entry] of this.entries(map)) {
        // Overridden keys cost time, but no memory.
        this.#count(1);
        if (!entries.has(name)) entries.set(name, { value: entry.value, merged: true });
      }
    }
  }

  #keyText(key: ParsedNode | null): string {
    const node = this.resolved(key);
    if (node === null) return '';
    if (!isScalar(node)) throw this.#failure(say('yaml.keyPlain'), offsetOf(node));
    if (typeof node.value === 'string') return node.value;
    return node.source ?? String(node.value);
  }

  #scalar(node: Scalar): string {
    const { value, source } = node;
    if (value === null || value === undefined) return 'null';
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'bigint') {
      const safe = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
      const json = safe ? String(value) : `"${value}"`;
      if (source !== undefined) this.codes.see(source, json);
      return json;
    }
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) {
        throw this.#failure(say('yaml.notFinite', { number: source ?? String(value) }), offsetOf(node as unknown as ParsedNode), {
          hint: say('yaml.notFinite.hint'),
        });
      }
      // Keeps the source digits if they are valid JSON.
      const json = source !== undefined && JSON_NUMBER.test(source) ? source : String(value);
      if (source !== undefined) this.codes.see(source, json);
      return json;
    }
    // The core schema does not read what such a tag is on.
    if (NUMBER_TAG.test(node.tag ?? '') && JSON_NUMBER.test(String(value))) return String(value);
    return JSON.stringify(typeof value === 'symbol' ? '<<' : String(value));
  }
}

/** `<<` unquoted. */
function isMergeKey(key: ParsedNode | null): key is ParsedNode {
  if (!isScalar(key) || (key.type !== undefined && key.type !== 'PLAIN') || key.tag === 'tag:yaml.org,2002:str') return false;
  const value = key.value as unknown;
  return value === '<<' || (typeof value === 'symbol' && value.description === '<<');
}

const offsetOf = (node: ParsedNode): number => node.range?.[0] ?? 0;
