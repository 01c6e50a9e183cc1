/** Streams the XML parts of a workbook, without namespaces and DOCTYPE (XML 1.0), and says what is wrong with one. */
import type { Format } from '../../../shared/model/formats.ts';
import { inAgentsWords, type Message, say } from '../../../shared/model/messages/message.ts';
import { workbookFault } from './sheet.ts';

/** Events of a scan, in document order. Names have no prefix. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  /** Text may arrive in several parts. */
  text(text: string): void;
  close(name: string): void;
}

/** Attributes of an element, parsed on demand. */
export interface XmlAttributes {
  get(name: string): string | undefined;
}

/** Maximum length of a tag, in characters. */
const MOST_TAG = 1024 * 1024;
const MOST_DEPTH = 512;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves character and predefined entity references. Throws `XmlFault` for others. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]{0,32};?)/g, (whole, reference: string) => {
    if (!reference.endsWith(';')) throw new XmlFault(say('xmlPart.reference', { text: whole.slice(0, 12) }));
    const name = reference.slice(0, -1);
    const number = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name);
    const point = number ? Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10) : undefined;
    const text = point === undefined ? entities[name] : point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
    if (text === undefined) throw new XmlFault(say('xmlPart.entity', { entity: whole }));
    return text;
  });
}

/** Reason why a part is not well-formed. */
class XmlFault extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(inAgentsWords(said));
    this.said = said;
  }
}

class Attributes implements XmlAttributes {
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  get(name: string): string | undefined {
    const raw = this.plain(name) ?? this.any(name);
    return raw === undefined ? undefined : unescaped(raw);
  }

  /** Parses the usual form, ` name="value"`; undefined for other forms or a missing attribute. */
  private plain(name: string): string | undefined {
    const { source } = this;
    const start = ` ${name}="`;
    const at = source.indexOf(start);
    if (at < 0 || source.includes("'") || !isOutside(source, at)) return undefined;
    const from = at + start.length;
    return source.slice(from, source.indexOf('"', from));
  }

  private any(name: string): string | undefined {
    const { source } = this;
    if (!source.includes(`${name}=`) && !/\s=/.test(source)) return undefined;
    // Words without a value are taken as well, so that no character is looked at from many beginnings.
    for (const [, key = '', double, single] of source.matchAll(/([^\s=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g)) {
      if ((key === name || localName(key) === name) && (double ?? single) !== undefined) return double ?? single;
    }
    return undefined;
  }
}

/** Whether an offset is outside of attribute values: an even number of quotes precedes it. */
function isOutside(source: string, at: number): boolean {
  let quotes = 0;
  for (let i = source.indexOf('"'); i >= 0 && i < at; i = source.indexOf('"', i + 1)) quotes++;
  return quotes % 2 === 0;
}

const DOUBLE = 0x22;
const SINGLE = 0x27;
const END = 0x3e;

/** End of a tag, after its `>` outside of quotes; 0 if it has not arrived yet. */
function tagEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === END) return at + 1;
    if (code !== DOUBLE && code !== SINGLE) continue;
    at = source.indexOf(code === DOUBLE ? '"' : "'", at + 1);
    if (at < 0) return 0;
  }
  return 0;
}

/** End markers of markup that is skipped or taken verbatim. */
const sections = [
  { start: '<!--', end: '-->', verbatim: false },
  { start: '<![CDATA[', end: ']]>', verbatim: true },
  { start: '<?', end: '?>', verbatim: false },
] as const;
type Section = (typeof sections)[number];

export class XmlScanner {
  private readonly handler: XmlHandler;
  private pending = '';
  private section: Section | undefined;
  private readonly open: string[] = [];
  private roots = 0;

  constructor(handler: XmlHandler) {
    this.handler = handler;
  }

  /** The innermost open element; undefined within markup. */
  get inside(): string | undefined {
    return this.section === undefined && this.pending === '' ? this.open.at(-1) : undefined;
  }

  /** Notes the start, or end, of an element that was read elsewhere. */
  enter(name: string): void {
    this.open.push(name);
  }

  leave(): void {
    this.open.pop();
  }

  /** Takes the next part of the document. Throws `XmlFault`. */
  push(chunk: string): void {
    const source = this.pending + chunk;
    let at = 0;
    while (at < source.length) {
      const next = this.step(source, at);
      if (next === undefined) break;
      at = next;
    }
    this.pending = source.slice(at);
    if (this.pending.length > MOST_TAG) throw new XmlFault(say('xmlPart.longTag'));
  }

  /** Ends the document. Throws `XmlFault` if it is incomplete. */
  end(): void {
    if (this.section || this.pending.startsWith('<')) throw new XmlFault(say('xmlPart.cutTag'));
    if (this.pending !== '') this.textOf(this.pending);
    if (this.open.length > 0) throw new XmlFault(say('xmlPart.open', { element: String(this.open.at(-1)) }));
    if (this.roots === 0) throw new XmlFault(say('xmlPart.noElement'));
  }

  /** Offset at which to continue; undefined if more input is needed. */
  private step(source: string, at: number): number | undefined {
    if (this.section) return this.inSection(source, at, this.section);
    if (source[at] !== '<') return this.inText(source, at);
    if (source[at + 1] === '!' || source[at + 1] === '?') {
      for (const section of sections) {
        if (source.startsWith(section.start, at)) {
          this.section = section;
          return at + section.start.length;
        }
        if (section.start.startsWith(source.slice(at))) return undefined;
      }
      throw new XmlFault(say('xmlPart.declaration'));
    }
    const end = tagEnd(source, at + 1);
    if (end === 0) return undefined;
    this.tag(source, at + 1, end - 1);
    return end;
  }

  private inText(source: string, at: number): number | undefined {
    const next = source.indexOf('<', at);
    if (next >= 0) {
      this.textOf(source.slice(at, next));
      return next;
    }
    // A reference or a line end at the end may be incomplete.
    const reference = source.indexOf('&', Math.max(at, source.length - 40));
    const whole = source.endsWith('\r') ? source.length - 1 : source.length;
    const end = reference < 0 ? whole : reference;
    if (end === at) return undefined;
    this.textOf(source.slice(at, end));
    return end;
  }

  private inSection(source: string, at: number, section: Section): number | undefined {
    const end = source.indexOf(section.end, at);
    // The end marker may be split between chunks.
    const to = end < 0 ? source.length - section.end.length + 1 : end;
    if (section.verbatim && to > at) this.handler.text(source.slice(at, to));
    if (end < 0) return to > at ? to : undefined;
    this.section = undefined;
    return end + section.end.length;
  }

  private textOf(text: string): void {
    if (this.open.length > 0) this.handler.text(unescaped(withLineFeeds(text)));
    else if (text.trim() !== '' && text !== '\uFEFF') throw new XmlFault(say('xmlPart.text'));
  }

  private tag(source: string, from: number, to: number): void {
    if (source[from] === '/') {
      const name = localName(source.slice(from + 1, to).trim());
      const open = this.open.pop();
      if (open !== name) throw new XmlFault(say('xmlPart.closes', { element: name, open: open ?? null }));
      this.handler.close(name);
      return;
    }
    const empty = source[to - 1] === '/';
    const end = empty ? to - 1 : to;
    let nameEnd = from;
    while (nameEnd < end && source.charCodeAt(nameEnd) > 0x20) nameEnd++;
    const name = localName(source.slice(from, nameEnd));
    if (name === '') throw new XmlFault(say('xmlPart.noName'));
    if (this.open.length === 0 && ++this.roots > 1) throw new XmlFault(say('xmlPart.secondRoot'));
    this.handler.open(name, new Attributes(source.slice(nameEnd, end)));
    if (empty) {
      this.handler.close(name);
      return;
    }
    this.open.push(name);
    if (this.open.length > MOST_DEPTH) throw new XmlFault(say('xmlPart.depth', { most: MOST_DEPTH }));
  }
}

/** Line ends as line feeds (XML 1.0, 2.11). */
const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** A truth value of XML Schema, or of VML. */
export const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true' || value === 'on';

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

// A part of a workbook.

export interface WorkbookBounds {
  readonly maxFileBytes: number;
  readonly maxStreamedFileBytes: number;
  readonly keptBytes?: number | undefined;
}

/** A handler that also reads markup of usual form by its bytes, in UTF-8. */
export interface PlainHandler extends XmlHandler {
  /**
   * Reads what is at `at` in the open element `inside`. The offset behind it; 0 where that is the scanner's, -1 where its end is not there
   * yet. It tells the scanner which elements it opened and closed.
   */
  plain(bytes: Uint8Array, at: number, inside: string | undefined, scanner: XmlScanner): number;
}

/** Plain markup is not waited for longer than this. Bytes. */
const MOST_WAITING = 64 * 1024;
const TAG_END = 0x3e;

/** Feeds a part to a scanner, chunk by chunk. PARSE_FAILED if it is broken. */
export async function* scanPart(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  handler: XmlHandler | PlainHandler,
  format: Format = 'xlsx',
): AsyncIterable<void> {
  const scanner = new XmlScanner(handler);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest: Uint8Array = new Uint8Array(0);
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      if ('plain' in handler && decoder.encoding === 'utf-8') {
        rest = pushPlain(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), handler, scanner, decoder);
      } else scanner.push(decoder.decode(chunk, { stream: true }));
      yield;
    }
    scanner.push(decoder?.decode(rest) ?? '');
    scanner.end();
  } catch (error) {
    if (error instanceof XmlFault)
      throw workbookFault(say('workbook.part', { entry: name, reason: error.said }), undefined, format);
    if (error instanceof TypeError)
      throw workbookFault(
        say('workbook.partEncoding', { entry: name, encoding: decoder?.encoding ?? 'UTF-8' }),
        undefined,
        format,
      );
    throw error;
  }
}

/** Takes all but what is incomplete at the end, which it returns. Markup of other forms goes to the scanner, a tag at a time. */
function pushPlain(
  bytes: Uint8Array,
  handler: PlainHandler,
  scanner: XmlScanner,
  decoder: InstanceType<typeof TextDecoder>,
): Uint8Array {
  let at = 0;
  while (at < bytes.length) {
    const end = handler.plain(bytes, at, scanner.inside, scanner);
    if (end > 0) {
      at = end;
      continue;
    }
    if (end < 0 && bytes.length - at < MOST_WAITING) break;
    const tagEnd = bytes.indexOf(TAG_END, at) + 1;
    if (tagEnd === 0 && bytes.length - at < MOST_WAITING) break;
    const to = tagEnd === 0 ? bytes.length : tagEnd;
    scanner.push(decoder.decode(bytes.subarray(at, to), { stream: true }));
    at = to;
  }
  return bytes.slice(at);
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';

/** Decodes characters that XML cannot contain, which workbooks write as `_x000D_` (ECMA-376 part 1, 22.4.2.4). */
export function unescapedText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
