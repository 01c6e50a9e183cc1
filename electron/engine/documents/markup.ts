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
  parser.on('opentag', ({ name, attributes }) => {
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
