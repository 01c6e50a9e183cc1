/** A value as text for a parameter that takes text: its JSON, or a list of records as CSV (RFC 4180) or as a Markdown table. */

import type { Column, ConversionOptions } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Format, isDocument, isOpened } from '../../../shared/model/formats.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import { type Value, valueText } from '../core/payload.ts';
import type { Utf8Source } from '../core/reader.ts';
import { type Member, MemberReader } from '../json/json-members.ts';
import { cellsOf, markdownCell, shareColumns } from '../json/table-cells.ts';
import { wantsText } from '../schema/schema-advice.ts';
import { readers } from './text-content.ts';

type TextForm = 'json' | 'csv' | 'markdown';

/** Columns of an Excel sheet. Records with more names than these share too few of them to form a table. */
const MOST_COLUMNS = 16_384;

/** The form that a request asks for; undefined where the value goes as it is. */
function formAsked({ as, place }: ConvertRequest, { kind }: Value): TextForm | undefined {
  // A text is its own Markdown, as a document is.
  if (kind === 'string') return as === 'csv' ? as : undefined;
  if (as === 'csv' || as === 'markdown') return as;
  return as === 'json' && place !== undefined && wantsText(place.inputSchema, place.segments) ? as : undefined;
}

/** The value in the form that the request asks for; `columns`: those of its header; `format`: the file's. INVALID_REQUEST for CSV or Markdown of anything but a list. */
export async function inTextForm(
  value: Value,
  columns: Column[] | null,
  request: ConvertRequest,
  format: Format | 'binary',
): Promise<Value> {
  const form = formAsked(request, value);
  if (form === undefined) return value;
  const { bounds, signal } = request;
  const text: Utf8Source =
    form === 'json' ? { read: (again) => valueText(value, again) } : await tableText(value, columns, form, request, format);
  const options: ConversionOptions = {};
  return (await readers.text())(text, { options, bounds, signal });
}

async function tableText(
  value: Value,
  known: Column[] | null,
  form: 'csv' | 'markdown',
  { signal, sheet }: ConvertRequest,
  format: Format | 'binary',
): Promise<Utf8Source> {
  const hint = say('table.noList.hint', { hasText: !isOpened(format) || isDocument(format), allSheets: sheet === '*' });
  if (value.kind !== 'array') {
    throw new AppError('INVALID_REQUEST', say('table.noList', { as: form, kind: value.kind }), {
      hint: value.kind === 'string' ? say('table.isText.hint', {}) : hint,
    });
  }
  const columns = await columnsOf(value, known, form, hint, signal);
  const write = form === 'csv' ? csvRow : markdownRow;
  const head = columns && [...columns.keys()];
  return {
    async *read(again) {
      const reader = new MemberReader();
      let first = true;
      for await (const { data, ends } of value.elements(again)) {
        let text = '';
        let start = 0;
        for (const end of ends) {
          const cells = cellsOf(reader, data, start, end, columns);
          if (first) text += heading(head, cells.length);
          first = false;
          text += write(cells);
          start = end + 1;
        }
        yield Buffer.from(text);
      }
      if (first && head && head.length > 0) yield Buffer.from(heading(head, head.length));
    },
  };

  function heading(names: readonly string[] | undefined, width: number): string {
    if (form === 'csv') return names ? csvRow(names) : '';
    const blank = new Array<string>(width).fill('');
    return markdownRow(names ?? blank) + markdownRow(blank.map(() => '---'));
  }
}

/** The names of all records, in order of first appearance; undefined where any of them is no object. */
async function columnsOf(
  value: Value,
  known: Column[] | null,
  as: TextForm,
  hint: Message,
  signal: AbortSignal | undefined,
): Promise<Map<string, number> | undefined> {
  const columns = new Map((known ?? []).map(({ name }, index) => [name, index]));
  const reader = new MemberReader();
  let records = 0;
  let members = 0;
  for await (const { data, ends } of value.elements(signal)) {
    let start = 0;
    for (const end of ends) {
      if (reader.read(data, start, end) !== 'object') return undefined;
      records += 1;
      members += reader.count;
      for (let index = 0; index < reader.count; index += 1) {
        const { name } = reader.members[index] as Member;
        if (!columns.has(name)) columns.set(name, columns.size);
      }
      start = end + 1;
    }
    if (columns.size > MOST_COLUMNS || !shareColumns(records, () => columns.size, members)) {
      throw new AppError('INVALID_REQUEST', say('table.tooWide', { as, most: MOST_COLUMNS }), { hint });
    }
  }
  return columns;
}

const csvRow = (cells: readonly string[]): string => `${cells.map((cell) => csvCell(cell, cells.length === 1)).join(',')}\n`;

/** Quotes keep an empty cell that is alone in its row from being a blank line. */
const csvCell = (cell: string, isAlone: boolean): string =>
  /[",\r\n]|^\s|\s$/.test(cell) || (isAlone && cell === '') ? `"${cell.replaceAll('"', '""')}"` : cell;

const markdownRow = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |\n`;
