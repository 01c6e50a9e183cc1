/** Converts the plain subset of YAML, which nearly all files use, directly to JSON; stops at anything else. */
import type { Warning } from '../../../shared/model/conversion.ts';
import type { RecordTypes } from '../core/convert-types.ts';
import { Codes, type FlowText, PlainScalars } from './yaml-plain-scalars.ts';

/** Thrown if the text goes beyond the plain subset of YAML; it may still be valid. */
const BEYOND = new Error('beyond plain YAML');

const SPACE = 0x20;
const HASH = 0x23;
const DASH = 0x2d;
const CR = 0x0d;

/** Cursor over lines with content; skips comments and blank lines. */
class YamlLines {
  protected readonly text: string;
  /** Start of the content to read next; for a map or list inside a list item this is within the line. */
  protected at = 0;
  /** End of the line, without its line break. */
  protected end = 0;
  protected nextLine = 0;
  /** Column of `at`; -1 at the end of the text. */
  protected indent = -1;
  protected line = 0;
  /** Whether a line with content was seen: a document marker then begins or ends another document. */
  private started = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next line with content. */
  protected advance(): void {
    const { text } = this;
    for (;;) {
      const start = this.nextLine;
      if (start >= text.length) {
        this.indent = -1;
        return;
      }
      let end = text.indexOf('\n', start);
      this.nextLine = end < 0 ? text.length : end + 1;
      if (end < 0) end = text.length;
      else if (end > start && text.charCodeAt(end - 1) === CR) end -= 1;
      this.line += 1;
      let at = start;
      while (at < end && text.charCodeAt(at) === SPACE) at += 1;
      if (at === end || text.charCodeAt(at) === HASH) continue;
      this.at = at;
      this.end = end;
      this.indent = at - start;
      if (this.indent === 0 && this.started && (this.isMarker('---') || this.isMarker('...'))) throw BEYOND;
      this.started = true;
      return;
    }
  }

  protected isMarker(marker: string): boolean {
    return this.text.startsWith(marker, this.at) && (this.at + 3 >= this.end || this.text.charCodeAt(this.at + 3) === SPACE);
  }

  /** Whether the line contains only blanks and a comment from `from` on. */
  protected isBlankFrom(from: number): boolean {
    let at = from;
    while (at < this.end && this.text.charCodeAt(at) === SPACE) at += 1;
    return at >= this.end || (at > from && this.text.charCodeAt(at) === HASH);
  }

  protected startsItem(): boolean {
    return this.text.charCodeAt(this.at) === DASH && (this.at + 1 === this.end || this.text.charCodeAt(this.at + 1) === SPACE);
  }
}

// The reader.

/** One item of a list, as JSON text, and its first line. */
export interface WrittenItem {
  readonly json: string;
  readonly line: number;
}

/** The single document of a text: a map as JSON, or the items of a list. */
type PlainYaml = ({ readonly json: string } | { readonly items: readonly WrittenItem[] }) & {
  readonly warnings: readonly Warning[];
};

const COLON = 0x3a;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** Longer keys are invalid (YAML 1.2.2, 7.4). Characters. */
const MAX_KEY = 1000;

/**
 * Null for anything outside the plain subset, including errors; otherwise the same JSON as from yaml-tree.ts and
 * yaml-writer.ts. The subset: block maps and lists, scalars on one line (plain or quoted, with or without a comment),
 * literal block scalars without indentation indicator, and flow collections of simple scalars on one line; one document,
 * with or without `---`.
 */
export function readPlainYaml(text: string, maxNesting: number, typeOf?: RecordTypes): PlainYaml | null {
  // Tabs may count as white space or not, and lone CRs as line ends or not.
  if (text.includes('\t') || text.includes('\ufeff') || /\r(?!\n)/.test(text)) return null;
  try {
    return new PlainReader(text, maxNesting, typeOf).document();
  } catch (error) {
    if (error === BEYOND) return null;
    throw error;
  }
}

/** Writes the content of the lines as JSON. */
class PlainReader extends YamlLines {
  private readonly maxNesting: number;
  private readonly codes = new Codes();
  private readonly scalars = new PlainScalars(this.codes);
  private readonly typeOf: RecordTypes | undefined;
  /** Depth of the maps that are records. */
  private recordDepth = 0;
  /** Whether the next value should be a text. */
  private wantsText = false;
  private parts: string[] = [];
  private readonly keys = new Map<string, string>();

  constructor(text: string, maxNesting: number, typeOf: RecordTypes | undefined) {
    super(text);
    this.maxNesting = maxNesting;
    this.typeOf = typeOf;
  }

  document(): PlainYaml {
    this.advance();
    if (this.indent === 0 && this.isMarker('---')) {
      if (!this.isBlankFrom(this.at + 3)) throw BEYOND;
      this.advance();
    }
    if (this.indent < 0 || (this.indent === 0 && this.isMarker('...'))) throw BEYOND;
    if (this.startsItem()) {
      this.recordDepth = 1;
      const items = this.rootItems(this.indent);
      if (this.indent >= 0) throw BEYOND;
      return { items, warnings: this.codes.warnings() };
    }
    this.map(this.indent, 0);
    if (this.indent >= 0) throw BEYOND;
    return { json: this.parts.join(''), warnings: this.codes.warnings() };
  }

  private rootItems(indent: number): WrittenItem[] {
    const items: WrittenItem[] = [];
    while (this.indent === indent) {
      if (!this.startsItem()) throw BEYOND;
      this.parts = [];
      const line = this.item(indent, 1);
      items.push({ json: this.parts.join(''), line });
    }
    return items;
  }

  /** A collection at `indent`, where the cursor is. */
  private block(indent: number, depth: number): void {
    if (depth >= this.maxNesting) throw BEYOND;
    if (this.startsItem()) this.list(indent, depth);
    else this.map(indent, depth);
  }

  private list(indent: number, depth: number): void {
    let separator = '[';
    while (this.indent === indent) {
      // A list inside a map may be followed by the map's next key at the same indent.
      if (!this.startsItem()) break;
      this.parts.push(separator);
      separator = ',';
      this.item(indent, depth + 1);
    }
    if (this.indent > indent) throw BEYOND;
    this.parts.push(']');
  }

  /** The content after a dash. Returns the line on which the value starts, or the dash's line if it is empty. */
  private item(indent: number, depth: number): number {
    const from = this.at + 1;
    const { line } = this;
    if (this.isBlankFrom(from)) {
      this.advance();
      if (this.indent <= indent) {
        this.parts.push('null');
        return line;
      }
      const below = this.line;
      this.block(this.indent, depth);
      return below;
    }
    let at = from;
    while (this.text.charCodeAt(at) === SPACE) at += 1;
    const column = this.indent + (at - this.at);
    const dash = this.at;
    this.at = at;
    this.indent = column;
    if (this.startsItem() || this.keyEnd() >= 0) {
      this.block(column, depth);
      return line;
    }
    this.at = dash;
    this.value(at, indent, depth);
    return line;
  }

  private map(indent: number, depth: number): void {
    if (depth >= this.maxNesting) throw BEYOND;
    const seen = new Set<string>();
    let separator = '{';
    while (this.indent === indent && !(depth > 0 && this.startsItem())) {
      const end = this.keyEnd();
      if (end < 0) throw BEYOND;
      const key = this.key(this.at, end);
      if (seen.has(key)) throw BEYOND;
      seen.add(key);
      this.parts.push(separator, key);
      separator = ',';
      this.codes.key = key;
      this.wantsText =
        this.typeOf !== undefined && depth === this.recordDepth && this.typeOf(JSON.parse(key.slice(0, -1))) === 'string';
      this.mapValue(end + 1, indent, depth);
    }
    if (this.indent > indent || separator === '{') throw BEYOND;
    this.parts.push('}');
  }

  private mapValue(from: number, indent: number, depth: number): void {
    if (!this.isBlankFrom(from)) {
      let at = from;
      while (this.text.charCodeAt(at) === SPACE) at += 1;
      this.value(at, indent, depth + 1);
      return;
    }
    this.advance();
    // A list may have the same indent as its key.
    if (this.indent > indent || (this.indent === indent && this.startsItem())) this.block(this.indent, depth + 1);
    else this.parts.push('null');
  }

  /** Offset of the colon of a key that starts here; -1 if there is no key. */
  private keyEnd(): number {
    const { text, at, end } = this;
    const first = text.charCodeAt(at);
    if (first === QUOTE || first === APOSTROPHE) {
      let after = this.scalars.quotedEnd(text, at, end);
      if (after < 0) throw BEYOND;
      while (after < end && text.charCodeAt(after) === SPACE) after += 1;
      return text.charCodeAt(after) === COLON && (after + 1 >= end || text.charCodeAt(after + 1) === SPACE) ? after : -1;
    }
    const limit = Math.min(end, at + MAX_KEY);
    for (let i = at; i < limit; i += 1) {
      const code = text.charCodeAt(i);
      if (code === COLON && (i + 1 === end || text.charCodeAt(i + 1) === SPACE)) return i;
      if (code === HASH && i > at && text.charCodeAt(i - 1) === SPACE) return -1;
    }
    if (limit < end) throw BEYOND;
    return -1;
  }

  /** The JSON of a key, with its colon. */
  private key(from: number, colon: number): string {
    const { text } = this;
    let end = colon;
    while (end > from && text.charCodeAt(end - 1) === SPACE) end -= 1;
    const source = text.slice(from, end);
    const known = this.keys.get(source);
    if (known !== undefined) return known;
    const first = text.charCodeAt(from);
    const quoted = first === QUOTE || first === APOSTROPHE;
    const value = quoted ? this.scalars.quoted(source) : source;
    if (value === null || (!quoted && (!this.scalars.startsPlain(source) || source === '<<'))) throw BEYOND;
    const json = `${JSON.stringify(value)}:`;
    if (this.keys.size < 10_000) this.keys.set(source, json);
    return json;
  }

  /** A value on the line from `from` on, inside a collection at `indent`. */
  private value(from: number, indent: number, depth: number): void {
    const { text, end, wantsText } = this;
    this.wantsText = false;
    switch (text.charCodeAt(from)) {
      case QUOTE:
      case APOSTROPHE: {
        const after = this.scalars.quotedEnd(text, from, end);
        if (after < 0 || !this.isBlankFrom(after)) throw BEYOND;
        const value = this.scalars.quoted(text.slice(from, after));
        if (value === null) throw BEYOND;
        this.parts.push(JSON.stringify(value));
        break;
      }
      case 0x7c:
        this.literal(from + 1, indent);
        return;
      case 0x5b:
      case 0x7b: {
        // A record on one line; its values may have types.
        if (this.typeOf !== undefined && depth === this.recordDepth) throw BEYOND;
        const flow: FlowText | null = this.scalars.flow(text.slice(from, end), this.maxNesting - depth);
        if (flow === null || !this.isBlankFrom(from + flow.length)) throw BEYOND;
        this.parts.push(flow.json);
        break;
      }
      default: {
        const source = this.plainSource(from);
        const json = !this.scalars.startsPlain(source)
          ? null
          : wantsText
            ? this.scalars.asText(source)
            : this.scalars.plain(source);
        if (json === null) throw BEYOND;
        this.parts.push(json);
      }
    }
    this.advance();
    // More indented lines would continue the scalar.
    if (this.indent > indent) throw BEYOND;
  }

  /** A plain scalar up to its comment. */
  private plainSource(from: number): string {
    const { text, end } = this;
    let stop = end;
    for (let i = from; i < end; i += 1) {
      const code = text.charCodeAt(i);
      if (code === COLON && (i + 1 === end || text.charCodeAt(i + 1) === SPACE)) throw BEYOND;
      if (code === HASH && i > from && text.charCodeAt(i - 1) === SPACE) {
        stop = i;
        break;
      }
    }
    while (stop > from && text.charCodeAt(stop - 1) === SPACE) stop -= 1;
    return text.slice(from, stop);
  }

  /** A literal block scalar (YAML 1.2.2, 8.1.2) after its `|`. */
  private literal(from: number, indent: number): void {
    const { text } = this;
    const mark = text[from];
    const chomping = from < this.end && (mark === '-' || mark === '+') ? mark : '';
    if (!this.isBlankFrom(from + chomping.length)) throw BEYOND;
    const lines: string[] = [];
    let width = -1;
    let leading = 0;
    let start = this.nextLine;
    while (start < text.length) {
      const lf = text.indexOf('\n', start);
      // Readers disagree on the value if the last line of a text has no line break.
      if (lf < 0) throw BEYOND;
      const end = lf > start && text.charCodeAt(lf - 1) === CR ? lf - 1 : lf;
      let at = start;
      while (at < end && text.charCodeAt(at) === SPACE) at += 1;
      const column = at - start;
      if (at === end) {
        if (width < 0) leading = Math.max(leading, column);
        lines.push(width >= 0 && column > width ? text.slice(start + width, end) : '');
      } else {
        if (width < 0) {
          if (column <= indent) break;
          if (leading > column) throw BEYOND;
          width = column;
        }
        if (column < width) break;
        lines.push(text.slice(start + width, end));
      }
      start = lf + 1;
      this.line += 1;
    }
    if (width < 0) throw BEYOND;
    this.nextLine = start;
    let trailing = 0;
    while (trailing < lines.length && lines[lines.length - 1 - trailing] === '') trailing += 1;
    const body = lines.slice(0, lines.length - trailing).join('\n');
    const tail = chomping === '-' || body === '' ? '' : chomping === '+' ? '\n'.repeat(trailing + 1) : '\n';
    if (body === '') throw BEYOND;
    this.parts.push(JSON.stringify(body + tail));
    this.advance();
    if (this.indent > indent) throw BEYOND;
  }
}
