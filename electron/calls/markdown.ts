/** Values as Markdown and HTML: arrays of objects become tables. */
import { markdownCell } from '../engine/json/table-cells.ts';
import { answerRecords, cellsOf, cellText, columnsOf } from './answer.ts';

/** A table for records, a bullet list for an object or array, the text itself otherwise. */
export function toMarkdown(value: unknown): string {
  if (typeof value === 'string') return value;
  const records = answerRecords(value);
  if (records) {
    const columns = columnsOf(records);
    const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
    const table = [
      row(columns.map(markdownCell)),
      row(columns.map(() => '---')),
      ...records.map((record) => row(cellsOf(record, columns).map(markdownCell))),
    ].join('\n');
    const rest = Array.isArray(value) ? [] : Object.entries(value as object).filter(([, member]) => member !== records);
    return rest.length === 0 ? table : `${bullets(rest)}\n\n${table}`;
  }
  if (Array.isArray(value)) return value.map((item) => `- ${oneLine(item)}`).join('\n');
  if (typeof value === 'object' && value !== null) return bullets(Object.entries(value));
  return String(value);
}

const oneLine = (value: unknown) => cellText(value).replaceAll(/\r\n|\r|\n/g, ' ');
const bullets = (entries: [string, unknown][]) => entries.map(([key, value]) => `- **${key}**: ${oneLine(value)}`).join('\n');

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A whole HTML document: a table for records, preformatted text otherwise. */
export function toHtml(value: unknown, title: string): string {
  const records = answerRecords(value);
  let body: string;
  if (records) {
    const columns = columnsOf(records);
    const cells = (tag: string, texts: string[]) => texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('');
    const rows = records.map((record) => `<tr>${cells('td', cellsOf(record, columns))}</tr>`);
    body = `<table>\n<thead><tr>${cells('th', columns)}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
  } else {
    body = `<pre>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>`;
  }
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>\n<body>\n${body}\n</body>\n</html>\n`;
}
