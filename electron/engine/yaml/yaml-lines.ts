/** Splits plain YAML text into lines with content, and finds their indentation and first character. */

/** Thrown if the text goes beyond the plain subset of YAML; it may still be valid. */
export const BEYOND = new Error('beyond plain YAML');

const SPACE = 0x20;
const HASH = 0x23;
const DASH = 0x2d;
const CR = 0x0d;

/** Cursor over lines with content; skips comments and blank lines. */
export class YamlLines {
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
