/** Reference reader of XML: an object with attributes as `@name`, text as `#text`, and repeated elements as lists. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import type { Place } from '../core/failures.ts';
import type { FormatReader, FormatScan, Utf8Source } from '../core/reader.ts';
import { heldChunks, holdText, PlaceFinder } from '../input/held-text.ts';
import { decodeString, valueEnd } from '../json/json-members.ts';
import type { XmlDocument, XmlElement, XmlMember } from './xml-tree.ts';

/**
 * The root element by its name. An element without attributes and child elements becomes its text, `""` if empty; other
 * text is joined in `#text`. Text keeps its white space, but text of only white space between tags is dropped unless it
 * is CDATA. Values stay strings, names keep their prefixes; comments and processing instructions are dropped. The
 * declared encoding was applied before.
 */
export const readXml: FormatReader = async (source, { bounds, signal }): Promise<FormatScan> => {
  const { parseXml } = await import('./xml-tree.ts');
  const text = await holdText(source, bounds.maxFileBytes, signal);
  const json = Buffer.from(documentText(await parseXml(text, bounds.maxNesting, { signal })));
  return xmlScan(source, bounds, { warnings: mixedWarnings(json), json: () => heldChunks(json) });
};

/** Results that every XML reader returns. */
export function xmlScan(
  source: Utf8Source,
  bounds: EngineBounds,
  found: Pick<FormatScan, 'measured' | 'json' | 'warnings'>,
): FormatScan {
  let located: Promise<(pointer: readonly (string | number)[]) => Place | undefined> | undefined;
  const startLocating = async () => {
    const { parseXml } = await import('./xml-tree.ts');
    const again = await holdText(source, bounds.maxFileBytes);
    const document = await parseXml(again, bounds.maxNesting, { offsets: true });
    const places = new PlaceFinder(again);
    return (pointer: readonly (string | number)[]) => {
      const element = follow(document, pointer);
      return element && places.placeAt(element.offset);
    };
  };
  return {
    ...found,
    kind: 'object',
    columns: null,
    delimiter: null,
    async *elements() {
      yield* [];
    },
    async locate(pointer) {
      located ??= startLocating();
      return (await located)(pointer);
    },
  };
}

function documentText({ name, root }: XmlDocument): string {
  const parts = [`{${JSON.stringify(name)}:`];
  writeElement(root, parts);
  parts.push('}');
  return parts.join('');
}

function writeElement({ members, text }: XmlElement, parts: string[]): void {
  if (members === undefined) {
    parts.push(JSON.stringify(text));
    return;
  }
  let separator = '{';
  for (const [name, member] of members) {
    parts.push(separator, JSON.stringify(name), ':');
    separator = ',';
    writeMember(member, parts);
  }
  if (text !== '') parts.push(',"#text":', JSON.stringify(text));
  parts.push('}');
}

function writeMember({ values }: XmlMember, parts: string[]): void {
  const [only] = values;
  if (only !== undefined && values.length === 1) {
    writeElement(only, parts);
    return;
  }
  for (const [index, value] of values.entries()) {
    parts.push(index === 0 ? '[' : ',');
    writeElement(value, parts);
  }
  parts.push(']');
}

/** The element for a pointer into the JSON; for `#text`, the element that contains the text. */
function follow({ name, root }: XmlDocument, pointer: readonly (string | number)[]): XmlElement | undefined {
  if (pointer.length === 0) return root;
  if (pointer[0] !== name) return undefined;
  let at: XmlElement = root;
  for (let depth = 1; depth < pointer.length; depth += 1) {
    const segment = pointer[depth];
    if (segment === '#text' && depth === pointer.length - 1 && at.text !== '' && at.members !== undefined) return at;
    const member = typeof segment === 'string' ? at.members?.get(segment) : undefined;
    if (member === undefined) return undefined;
    let index = 0;
    if (member.values.length > 1) {
      const asked = pointer[depth + 1];
      // A list's position is that of its first element.
      if (asked === undefined) return member.values[0];
      if (typeof asked !== 'number') return undefined;
      index = asked;
      depth += 1;
    }
    const next = member.values[index];
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

// Text between elements: an object has no place for its order.

const TEXT_MEMBER = Buffer.from(',"#text":');
const SHOWN = 40;
const [QUOTE, BACKSLASH, COLON, COMMA, AT] = [0x22, 0x5c, 0x3a, 0x2c, 0x40] as const;

/** Warns if elements in a document's JSON have both text and child elements. */
export function mixedWarnings(json: Uint8Array): Warning[] {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length);
  let elements = 0;
  let first = '';
  for (let at = text.indexOf(TEXT_MEMBER); at >= 0; at = text.indexOf(TEXT_MEMBER, at + 1)) {
    if (!hasElementBefore(json, at)) continue;
    const start = at + TEXT_MEMBER.length;
    if (elements++ === 0) first = decodeString(json, start, valueEnd(json, start)).trim();
  }
  if (elements === 0) return [];
  const shown = first.length > SHOWN ? `${first.slice(0, SHOWN)}…` : first;
  return [warning('XML_MIXED', say('xml.mixed', { elements, first: shown }))];
}

/** Whether a member before the comma at `comma`, in the same object, is no attribute. Attributes are strings. */
function hasElementBefore(json: Uint8Array, comma: number): boolean {
  for (let end = comma; ; ) {
    if (json[end - 1] !== QUOTE) return true;
    const value = stringStart(json, end - 1);
    if (json[value - 1] !== COLON) return true;
    const name = stringStart(json, value - 2);
    if (json[name + 1] !== AT) return true;
    if (json[name - 1] !== COMMA) return false;
    end = name - 1;
  }
}

/** The opening quote of the string that ends with the quote at `at`. */
function stringStart(json: Uint8Array, at: number): number {
  for (let to = at - 1; to >= 0; to--) {
    if (json[to] !== QUOTE) continue;
    let escapes = 0;
    while (json[to - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return to;
  }
  return 0;
}
