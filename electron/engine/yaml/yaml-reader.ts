/** Reads YAML 1.2: one document becomes its value, several become an array. */

import type { ParsedNode } from 'yaml';
import { type PayloadKind, type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ElementBuilder } from '../core/byte-builder.ts';
import type { RecordTypes } from '../core/convert-types.ts';
import { type Place, parseFailure } from '../core/failures.ts';
import type { ElementChunk } from '../core/payload.ts';
import type { FormatReader, FormatScan, Utf8Source } from '../core/reader.ts';
import { heldChunks, holdText, PlaceFinder } from '../input/held-text.ts';
import { readPlainYaml, type WrittenItem } from './yaml-plain.ts';
import type { YamlBounds, YamlWriter } from './yaml-writer.ts';

/** The value of a file: its single document, or a list of all documents. */
interface YamlRoot {
  readonly node: ParsedNode | null;
  /** Present if the root is a list, of items or of documents. */
  readonly items: readonly (ParsedNode | null)[] | undefined;
  readonly writer: YamlWriter;
  readonly places: PlaceFinder;
  readonly warnings: Warning[];
}

/**
 * Core schema of YAML 1.2. Anchors, aliases and merge keys (`<<`) are resolved as long as they add at most
 * `maxFileBytes`. Integers beyond 2^53 become strings, dates stay strings, keys are their source text, and tags of other
 * schemas are ignored with a warning. A file without a document is null. `.inf` and `.nan` are refused.
 */
export const readYaml: FormatReader = async (source, { bounds, typeOf, signal }): Promise<FormatScan> =>
  (await readPlain(source, bounds, typeOf, signal)) ?? readWhole(source, bounds, typeOf, signal);

/** Converts files in the plain subset, in a fraction of the time and memory; null for all others. */
async function readPlain(
  source: Utf8Source,
  bounds: YamlBounds,
  typeOf: RecordTypes | undefined,
  signal?: AbortSignal,
): Promise<FormatScan | null> {
  const text = await holdText(source, bounds.maxFileBytes, signal);
  if (UNPRINTABLE.test(text)) return null;
  const plain = readPlainYaml(text, bounds.maxNesting, typeOf);
  if (plain === null) return null;
  const json = Buffer.from('json' in plain ? plain.json : '');
  const chunks = 'items' in plain ? [...chunksOf(plain.items)] : [];
  return scanOf(source, bounds, { kind: 'json' in plain ? 'object' : 'array', json, chunks, warnings: [...plain.warnings] });
}

export async function readWhole(
  source: Utf8Source,
  bounds: YamlBounds,
  typeOf?: RecordTypes,
  signal?: AbortSignal,
): Promise<FormatScan> {
  const { items, node, writer, places, warnings } = await readRoot(source, bounds, signal);
  if (typeOf) writer.records = { depth: items === undefined ? 0 : 1, typeOf };
  let json: Uint8Array = new Uint8Array(0);
  const chunks: ElementChunk[] = [];
  if (items === undefined) json = Buffer.from(writer.text(node));
  else chunks.push(...chunksOf(itemsOf(items, writer, places)));
  const kind = items === undefined ? kindOf(writer.resolved(node), json) : 'array';
  return scanOf(source, bounds, { kind, json, chunks, warnings: [...warnings, ...writer.codes.warnings()] });
}

/** The result of reading a file. */
interface HeldYaml {
  readonly kind: PayloadKind;
  readonly json: Uint8Array;
  readonly chunks: readonly ElementChunk[];
  readonly warnings: readonly Warning[];
}

function scanOf(source: Utf8Source, bounds: YamlBounds, { kind, json, chunks, warnings }: HeldYaml): FormatScan {
  let locating: Promise<YamlRoot> | undefined;
  return {
    kind,
    columns: null,
    delimiter: null,
    warnings,
    json: () => heldChunks(json),
    async *elements() {
      for (const { data, ends, lines } of chunks) {
        yield { data: data.slice(), ends: ends.slice(), ...(lines ? { lines: lines.slice() } : {}) };
      }
    },
    async locate(pointer) {
      // Nodes need many times the memory of the text, so the file is parsed again to locate a value.
      locating ??= readRoot(source, bounds);
      return locate(await locating, pointer);
    },
  };
}

async function readRoot(source: Utf8Source, bounds: YamlBounds, signal?: AbortSignal): Promise<YamlRoot> {
  const [{ parseYaml }, { YamlWriter }, { isSeq }] = await Promise.all([
    import('./yaml-tree.ts'),
    import('./yaml-writer.ts'),
    import('yaml'),
  ]);
  const text = await holdText(source, bounds.maxFileBytes, signal);
  const places = new PlaceFinder(text);
  refuseUnprintable(text, places);
  const tree = await parseYaml(text, places, bounds.maxNesting, signal);
  const writer = new YamlWriter(tree, places, bounds);
  const [first, ...others] = tree.documents.map(({ contents }) => contents as ParsedNode | null);
  const warnings: Warning[] = [];
  if (first === undefined) warnings.push(warning('EMPTY_FILE', say('warning.emptyFile')));
  if (tree.unknownTags > 0) {
    warnings.push(warning('YAML_TAGS_IGNORED', say('warning.tagsIgnored', { tags: tree.unknownTags })));
  }
  if (tree.version !== undefined) warnings.push(warning('YAML_VERSION', say('yaml.version', { version: tree.version })));
  const node = first ?? null;
  const items = others.length > 0 ? [node, ...others] : isSeq(node) ? (node.items as (ParsedNode | null)[]) : undefined;
  return { node, items, writer, places, warnings };
}

/** Characters outside of `c-printable` (YAML 1.2.2, 5.1), which may only appear escaped. */
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The library accepts control characters, so any binary file would be a string. */
function refuseUnprintable(text: string, places: PlaceFinder): void {
  const found = UNPRINTABLE.exec(text);
  if (found === null) return;
  const code = (found[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  throw parseFailure('YAML', say('yaml.unprintable', { codePoint: code }), places.placeAt(found.index));
}

/** The items as the writer produces them. */
function* itemsOf(nodes: readonly (ParsedNode | null)[], writer: YamlWriter, places: PlaceFinder): Generator<WrittenItem> {
  let line = 1;
  for (const node of nodes) {
    // An empty item has no position; it gets that of the item before it.
    line = node?.range ? places.lineAt(node.range[0]) : line;
    yield { json: writer.text(node, 1), line };
  }
}

function* chunksOf(items: Iterable<WrittenItem>): Generator<ElementChunk> {
  const builder = new ElementBuilder({ target: 256 * 1024 });
  for (const { json, line } of items) {
    builder.startElement(line);
    builder.out.bytes(Buffer.from(json));
    builder.endElement();
    const chunk = builder.ready ? builder.take() : undefined;
    if (chunk !== undefined) yield chunk;
  }
  const last = builder.take();
  if (last !== undefined) yield last;
}

function kindOf(node: ParsedNode | null, json: Uint8Array): PayloadKind {
  if (node !== null && 'items' in node) return 'object';
  switch (json[0]) {
    case 0x22:
      return 'string';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

function locate({ node, items, writer, places }: YamlRoot, pointer: readonly (string | number)[]): Place | undefined {
  let at: ParsedNode | null = node;
  let here: ParsedNode | null = node;
  for (const [depth, segment] of pointer.entries()) {
    let next: ParsedNode | null | undefined;
    if (depth === 0 && items !== undefined) next = typeof segment === 'number' ? items[segment] : undefined;
    else if (at !== null) next = writer.child(at, segment);
    if (next === undefined) return undefined;
    // Inside an alias, the position is that of the anchored node.
    here = next ?? here;
    at = writer.resolved(next);
  }
  return here?.range ? places.placeAt(here.range[0]) : undefined;
}
