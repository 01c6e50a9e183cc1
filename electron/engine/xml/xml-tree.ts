/** Parses an XML document into a tree, strictly. */

import { setImmediate } from 'node:timers/promises';
import { type SaxesAttributePlain, SaxesParser, type SaxesTagPlain } from 'saxes';
import { say, type Text } from '../../../shared/model/messages/message.ts';
import { type Place, parseFailure, throwIfCancelled } from '../core/failures.ts';
import { PlaceFinder } from '../input/held-text.ts';

/** An element, or an attribute as an element with only text. */
export interface XmlElement {
  /** By name, in order of first occurrence; `@name` for attributes. Undefined for most elements, which have no children. */
  members: Map<string, XmlMember> | undefined;
  text: string;
  /** Source offset of its tag. */
  readonly offset: number;
}

const membersOf = (element: XmlElement): Map<string, XmlMember> => {
  element.members ??= new Map();
  return element.members;
};

export interface XmlMember {
  readonly values: XmlElement[];
  /** An attribute has one value, a string. */
  readonly isAttribute: boolean;
  /** Deepest JSON level inside a single value; several values form a list, one level deeper. */
  deepest: number;
}

interface OpenElement {
  readonly element: XmlElement;
  readonly name: string;
  /** JSON level that it would have as an object. */
  readonly depth: number;
  deepest: number;
  hasText: boolean;
}

export interface XmlDocument {
  readonly name: string;
  readonly root: XmlElement;
}

/** What may hold any ampersand, or an ampersand with the name of what it refers to, if it has one. */
const REFERENCE =
  /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|(&)(?:(?:#\d+|#x[\da-fA-F]+|lt|gt|amp|quot|apos);|([\p{L}_:][\p{L}\p{N}_:.-]*);)?/gu;

/** The parser names neither a bare ampersand nor where an unknown entity stands. */
function refuseReferences(text: string): void {
  for (const { 0: all, 1: ampersand, 2: name, index } of text.matchAll(REFERENCE)) {
    if (ampersand === undefined || (name === undefined && all !== '&')) continue;
    const [reason, hint] =
      name === undefined
        ? [say('xml.ampersand'), say('xml.ampersand.hint')]
        : [say('xml.entity', { name }), say('xml.entity.hint')];
    throw parseFailure('XML', reason, new PlaceFinder(text).placeAt(index), { hint });
  }
}

/** Characters parsed between two yields to the event loop. */
const SLICE_CHARS = 256 * 1024;

/** Matches the text between `<!DOCTYPE` and `>` without an internal subset (XML 1.0 §2.8, productions 28 and 75). */
const DOCTYPE_WITHOUT_SUBSET =
  /^[ \t\r\n]+[^\s[\]'"<>]+(?:[ \t\r\n]+(?:SYSTEM|PUBLIC[ \t\r\n]+(?:"[-\w \r\n'()+,./:=?;!*#@$%]*"|'[-\w \r\n()+,./:=?;!*#@$%]*'))[ \t\r\n]+(?:"[^"]*"|'[^']*'))?[ \t\r\n]*$/;

/**
 * Parses XML 1.0 and 1.1 with saxes. A DOCTYPE without internal subset is skipped, and nothing it refers to is fetched;
 * one with a subset is refused, so only XML's five entities exist. Throws PARSE_FAILED with line and column. `offsets`:
 * also records the elements' offsets, which takes longer.
 */
export async function parseXml(
  text: string,
  maxNesting: number,
  { offsets = false, signal }: { offsets?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<XmlDocument> {
  const parser = new SaxesParser({ xmlns: false });
  const stack: OpenElement[] = [];
  let document: XmlDocument | undefined;
  let attributes: SaxesAttributePlain[] = [];

  const place = (): Place => ({ line: parser.line, column: Math.max(1, parser.column) });
  const fail = (reason: Text, hint?: Text): never => {
    throw parseFailure('XML', reason, place(), hint === undefined ? {} : { hint });
  };
  const checkDepth = (depth: number): void => {
    if (depth > maxNesting) fail(say('parse.elementsTooDeep', { levels: maxNesting }), say('parse.maxNesting'));
  };

  parser.on('error', (error) => {
    fail(error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''));
  });
  parser.on('doctype', (declaration) => {
    if (!DOCTYPE_WITHOUT_SUBSET.test(declaration)) fail(say('xml.doctype'), say('xml.doctype.hint'));
  });
  parser.on('attribute', (attribute) => {
    attributes.push(attribute as SaxesAttributePlain);
  });
  parser.on('opentag', ({ name }: SaxesTagPlain) => {
    const parent = stack.at(-1);
    const offset = offsets ? text.lastIndexOf(`<${name}`, parser.position) : 0;
    const element: XmlElement = { members: undefined, text: '', offset };
    let depth = 2;
    if (parent === undefined) {
      document = { name, root: element };
    } else {
      checkDepth(parent.depth);
      const siblings = parent.element.members?.get(name);
      depth = parent.depth + (siblings === undefined ? 1 : 2);
      if (siblings === undefined) {
        membersOf(parent.element).set(name, { values: [element], isAttribute: false, deepest: 0 });
      } else {
        // A second element of the same name turns both into a list.
        if (siblings.values.length === 1) {
          siblings.deepest += 1;
          parent.deepest = Math.max(parent.deepest, siblings.deepest);
          checkDepth(Math.max(siblings.deepest, parent.depth + 1));
        }
        siblings.values.push(element);
      }
    }
    const open: OpenElement = { element, name, depth, deepest: depth - 1, hasText: false };
    stack.push(open);
    for (const attribute of attributes) {
      checkDepth(depth);
      open.deepest = Math.max(open.deepest, depth);
      const value: XmlElement = { members: undefined, text: attribute.value, offset };
      membersOf(element).set(`@${attribute.name}`, { values: [value], isAttribute: true, deepest: depth });
    }
    attributes = [];
  });
  parser.on('closetag', () => {
    const closed = stack.pop();
    const parent = stack.at(-1);
    if (closed === undefined || parent === undefined) return;
    parent.deepest = Math.max(parent.deepest, closed.deepest, parent.depth);
    const siblings = parent.element.members?.get(closed.name);
    if (siblings !== undefined) siblings.deepest = Math.max(siblings.deepest, closed.deepest);
  });
  parser.on('text', (content) => {
    const open = stack.at(-1);
    // White space between tags.
    if (open !== undefined && /[^ \t\r\n]/.test(content)) open.element.text += content;
  });
  parser.on('cdata', (content) => {
    const open = stack.at(-1);
    if (open !== undefined) open.element.text += content;
  });
  const first = /[^ \t\r\n]/.exec(text);
  if (first !== null && first[0] !== '<') {
    // The parser would report it only at the next tag.
    throw parseFailure('XML', say('xml.textFirst'), new PlaceFinder(text).placeAt(first.index));
  }
  // A declaration of entities is refused as such.
  if (!/<!DOCTYPE[^>]*\[/.test(text)) refuseReferences(text);
  for (let at = 0; at < text.length; at += SLICE_CHARS) {
    parser.write(text.slice(at, at + SLICE_CHARS));
    await setImmediate();
    throwIfCancelled(signal);
  }
  parser.close();
  return document ?? fail('there is no element');
}
