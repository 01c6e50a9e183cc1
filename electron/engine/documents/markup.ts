/** Walks the XML of documents, as events or as a tree for each part of a document that is read at once. */
import { SaxesParser } from 'saxes';
import { throwIfCancelled } from '../core/failures.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Names have no prefix, because documents use the usual ones only; those of attributes keep it. */
export interface XmlEvents {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

const SLICE_CHARS = 256 * 1024;

/**
 * Reports the elements and texts of well-formed XML; `skipped` elements are left out with all that is in them. Throws an
 * Error at the first fault and at any DOCTYPE.
 */
export function walkXml(xml: string, skipped: ReadonlySet<string>, events: XmlEvents, signal?: AbortSignal): void {
  const parser = new SaxesParser({ position: false, xmlns: false });
  let depth = 0;
  let skippedAt = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new SyntaxError();
  });
  const prefixes = new Map<string, string>();
  parser.on('opentag', ({ name, attributes: given }) => {
    noteUnusual(given, prefixes);
    const attributes = prefixes.size === 0 ? given : usual(given, prefixes);
    depth += 1;
    if (skippedAt > 0) return;
    const local = localName(name);
    if (skipped.has(local)) skippedAt = depth;
    else events.open?.(local, attributes);
  });
  parser.on('closetag', ({ name }) => {
    if (skippedAt === 0) events.close?.(localName(name));
    if (skippedAt === depth) skippedAt = 0;
    depth -= 1;
  });
  const text = (found: string) => {
    if (skippedAt === 0) events.text?.(found);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  for (let at = 0; at < xml.length; at += SLICE_CHARS) {
    throwIfCancelled(signal);
    parser.write(xml.slice(at, at + SLICE_CHARS));
  }
  parser.close();
}

/** The prefixes by which readers know the attributes of namespaces, by the ends of these. */
const PREFIXES: readonly (readonly [end: string, prefix: string])[] = [
  ['/wordprocessingml/2006/main', 'w'],
  ['/wordprocessingml/main', 'w'],
  ['/office/word/2010/wordml', 'w14'],
  ['/officeDocument/2006/relationships', 'r'],
  ['/officeDocument/relationships', 'r'],
  ['/officeDocument/2006/math', 'm'],
  [':xmlns:text:1.0', 'text'],
  [':xmlns:table:1.0', 'table'],
  [':xmlns:style:1.0', 'style'],
  [':xmlns:form:1.0', 'form'],
  [':xmlns:drawing:1.0', 'draw'],
  [':xmlns:xsl-fo-compatible:1.0', 'fo'],
  ['/1999/xlink', 'xlink'],
];

/** Remembers prefixes that a document declares otherwise than usual. */
function noteUnusual(attributes: Attributes, prefixes: Map<string, string>): void {
  for (const name in attributes) {
    if (!name.startsWith('xmlns:')) continue;
    const prefix = name.slice('xmlns:'.length);
    const known = PREFIXES.find(([end]) => attributes[name]?.endsWith(end))?.[1];
    if (known !== undefined && known !== prefix) prefixes.set(prefix, known);
  }
}

const usual = (attributes: Attributes, prefixes: ReadonlyMap<string, string>): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const colon = name.indexOf(':');
      const known = prefixes.get(name.slice(0, colon));
      return [known === undefined ? name : known + name.slice(colon), value];
    }),
  );

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An element of a document. Its name has no prefix; its attributes' names keep theirs. */
export interface Element {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly (Element | string)[];
}

/** Elements are nested at most this deep; more is a RangeError. Readers recurse. */
const DEEPEST = 512;

/**
 * Gives each outermost element that `isUnit` names with all that is in it, in order, so that a document is never a tree as a whole. Throws as
 * `walkXml` does, and a RangeError for elements nested too deep.
 */
export function eachUnit(
  xml: string,
  isUnit: (name: string) => boolean,
  take: (unit: Element) => void,
  signal?: AbortSignal,
): void {
  const open: { name: string; attributes: Attributes; children: (Element | string)[] }[] = [];
  const events: XmlEvents = {
    open(name, attributes) {
      if (open.length === 0 && !isUnit(name)) return;
      if (open.length >= DEEPEST) throw new RangeError();
      open.push({ name, attributes, children: [] });
    },
    close() {
      const done = open.pop();
      if (done === undefined) return;
      const around = open.at(-1);
      if (around) around.children.push(done);
      else take(done);
    },
    text(found) {
      open.at(-1)?.children.push(found);
    },
  };
  walkXml(xml, new Set(), events, signal);
}

export const elementsOf = ({ children }: Element): Element[] =>
  children.filter((each): each is Element => typeof each !== 'string');

/** The first child of that name. */
export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((each): each is Element => typeof each !== 'string' && each.name === name);

/** Elements inside, and of alternatives for older programs the first. */
export const contentOf = (element: Element): Element[] =>
  elementsOf(element).flatMap((each) => {
    if (each.name !== 'AlternateContent') return [each];
    const chosen = childOf(each, 'Choice') ?? childOf(each, 'Fallback');
    return chosen ? contentOf(chosen) : [];
  });

/** Elements of that name, but for those inside one. */
export const outermost = (element: Element, name: string): Element[] =>
  contentOf(element).flatMap((each) => (each.name === name ? [each] : outermost(each, name)));

/** The value of a property, as Office's parts write them: `<w:pStyle w:val="Title"/>`. */
export function settingOf(element: Element | undefined, name: string): string | undefined {
  const { attributes = {} } = childOf(element, name) ?? {};
  return attributes['w:val'] ?? attributes['m:val'] ?? attributes.val;
}

/** The first element of that name inside, at any depth. */
export function descendantOf(element: Element, name: string): Element | undefined {
  for (const each of elementsOf(element)) {
    const found = each.name === name ? each : descendantOf(each, name);
    if (found) return found;
  }
  return undefined;
}

/** All text inside. */
export const textIn = ({ children }: Element): string =>
  children.map((each) => (typeof each === 'string' ? each : textIn(each))).join('');

/** Where a link of a document may lead. */
export const isLink = (target: string): boolean => /^(?:https?|mailto):/i.test(target);

/** All elements of that name inside, but for those inside one. */
export const allOf = (element: Element, name: string): Element[] =>
  elementsOf(element).flatMap((each) => (each.name === name ? [each] : allOf(each, name)));
