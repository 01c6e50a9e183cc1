/** Walks the XML of a spreadsheet: sheets, rows, cells and the paragraphs in them. */
import type { XmlAttributes, XmlHandler } from './xml-scanner.ts';

/** Blanks that one element stands for. */
const MOST_BLANKS = 1000;
/** Elements of a cell that are no part of its value. */
const ASIDE: ReadonlySet<string> = new Set(['annotation', 'shapes', 'frame', 'g', 'custom-shape', 'detective']);

/** Calls a method for each part of the sheets; elements outside of them, such as styles, go to `outside`. */
export abstract class SheetWalk implements XmlHandler {
  /** Nested tables: 0 outside of sheets, 1 in one, more in a table within a cell. */
  private tables = 0;
  private inBody = false;
  /** Open elements whose content is left out. */
  private aside = 0;
  private tracked = 0;
  private words: string | undefined;

  protected outside(_name: string, _attributes: XmlAttributes): void {}
  protected startSheet(_attributes: XmlAttributes): void {}
  protected endSheet(): void {}
  protected startRow(_attributes: XmlAttributes): void {}
  protected endRow(): void {}
  protected sheetColumn(_attributes: XmlAttributes): void {}
  protected link(_attributes: XmlAttributes): void {}
  protected startCell(_attributes: XmlAttributes, _covered: boolean): void {}
  protected endCell(): void {}
  protected paragraph(_text: string): void {}

  open(name: string, attributes: XmlAttributes): void {
    // Earlier versions of cells, which LibreOffice keeps on request.
    if (name === 'tracked-changes') this.tracked++;
    if (this.tracked > 0) return;
    if (name === 'spreadsheet') this.inBody = true;
    if (this.tables > 0 && ASIDE.has(name)) this.aside++;
    if (this.aside > 0) return;
    if (name === 'table' && this.inBody) {
      this.tables++;
      if (this.tables === 1) this.startSheet(attributes);
    } else if (this.tables === 0) this.outside(name, attributes);
    if (this.tables !== 1) return;
    if (name === 'table-row') this.startRow(attributes);
    else if (name === 'table-column') this.sheetColumn(attributes);
    else if (name === 'table-cell' || name === 'covered-table-cell') this.startCell(attributes, name !== 'table-cell');
    else if (name === 'p') this.words = '';
    else if (name === 'a') this.link(attributes);
    else if (this.words !== undefined) this.words += blankOf(name, attributes);
  }

  text(part: string): void {
    if (this.words !== undefined && this.aside === 0) this.words += part;
  }

  close(name: string): void {
    if (name === 'tracked-changes') this.tracked--;
    if (this.tracked > 0) return;
    if (this.tables > 0 && this.aside > 0) {
      if (ASIDE.has(name)) this.aside--;
      return;
    }
    if (name === 'table' && this.inBody) {
      this.tables--;
      if (this.tables === 0) this.endSheet();
    }
    if (name === 'spreadsheet') this.inBody = false;
    if (this.tables !== 1) return;
    if (name === 'table-row') this.endRow();
    else if (name === 'table-cell' || name === 'covered-table-cell') this.endCell();
    else if (name === 'p' && this.words !== undefined) {
      this.paragraph(this.words);
      this.words = undefined;
    }
  }
}

function blankOf(name: string, attributes: XmlAttributes): string {
  if (name === 's') return ' '.repeat(Math.min(Math.max(Number(attributes.get('text:c')) || 1, 1), MOST_BLANKS));
  if (name === 'tab') return '\t';
  return name === 'line-break' ? '\n' : '';
}

/** XML Schema's duration of hours, minutes and seconds as a clock, `PT12H30M00S` as `12:30:00`; undefined for any other. */
export function odsTime(duration: string): string | undefined {
  const [, hours, minutes, seconds, fraction = ''] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d+))?S)?$/.exec(duration) ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
  const [h, m, s] = [hours, minutes, seconds].map((part) => (part ?? '0').padStart(2, '0'));
  const rest = fraction.slice(0, 3).replace(/0+$/, '');
  return `${h}:${m}:${s}${rest === '' ? '' : `.${rest}`}`;
}
