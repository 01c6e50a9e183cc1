/** Helpers for readers that write a document's XML as HTML. */
import { SaxesParser } from 'saxes';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] as string);

/** HTML that is written piece by piece. Throws FILE_TOO_LARGE beyond `limit` characters. */
export class Markup {
  private readonly limit: number;
  private readonly pieces: string[] = [];
  private length = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  push(html: string): void {
    this.length += html.length;
    if (this.length > this.limit) throw fileTooLarge(null, this.limit, 'maxFileBytes');
    this.pieces.push(html);
  }

  toString(): string {
    return this.pieces.join('');
  }
}

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
  const parser = new SaxesParser();
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

/** Where a link of a document may lead. */
export const isLink = (target: string): boolean => /^(?:https?|mailto):/i.test(target);
