/** XML: an object with attributes as `@name`, text as `#text`, and repeated elements as lists. */
import type { EngineBounds } from '../core/convert-types.ts';
import type { Place } from '../core/failures.ts';
import type { FormatReader, FormatScan, Utf8Source } from '../core/reader.ts';
import { heldChunks, holdText, PlaceFinder } from '../input/held-text.ts';
import type { XmlDocument, XmlElement, XmlMember } from './xml-tree.ts';

/**
 * The root element by its name. An element with neither attributes nor elements inside is its text, `""` where that is
 * empty; text beside them is joined in `#text`. Text keeps its white space, but white space alone, between tags, is layout
 * and falls away unless it is CDATA. Values stay strings, names keep their prefixes; comments and processing
 * instructions are dropped, and the encoding that the declaration names has been settled before.
 */
export const readXml: FormatReader = async (source, { bounds, signal }): Promise<FormatScan> => {
  const { parseXml } = await import('./xml-tree.ts');
  const text = await holdText(source, bounds.maxFileBytes, signal);
  const json = Buffer.from(documentText(await parseXml(text, bounds.maxNesting, { signal })));
  return xmlScan(source, bounds, { json: () => heldChunks(json) });
};

/** What any reader of XML says of a document. */
export function xmlScan(source: Utf8Source, bounds: EngineBounds, found: Pick<FormatScan, 'measured' | 'json'>): FormatScan {
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
    warnings: [],
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

/** The element that a pointer into the JSON leads to; for `#text`, the element it is the text of. */
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
      // The list itself is where its first element is.
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
