/** Reference reader of XML: an object with attributes as `@name`, text as `#text`, and repeated elements as lists. */
import type { EngineBounds } from '../core/convert-types.ts';
import type { Place } from '../core/failures.ts';
import type { FormatReader, FormatScan, Utf8Source } from '../core/reader.ts';
import { heldChunks, holdText, PlaceFinder } from '../input/held-text.ts';
import { mixedWarnings } from './xml-mixed.ts';
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
