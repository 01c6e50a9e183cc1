/** What a person can do, with one click, about a warning or an error of a file that is read: other options for reading it. */
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { isMessage, type Message, type MessageCode, type MessageParameters } from '../../../shared/model/messages/message.ts';
import { known, type Said } from '../../../shared/model/messages/received.ts';
import { delimiterName } from './delimiters.ts';
import { t } from './preview-texts.ts';

export interface Fix {
  readonly label: string;
  /** To be added to the options; undefined where the person first has to choose an encoding. */
  readonly options: ConversionOptions | undefined;
}

/** Options that replace one another. */
const noHeaderPlace = { header: undefined, header_row: undefined, skip: undefined } as const;

const to = (label: string, options: ConversionOptions): Fix[] => [{ label, options }];
const ordinaryQuotes = () => to(t('ordinaryQuotes'), { quote: '' });
const chooseEncoding = (): Fix[] => [{ label: t('chooseEncoding'), options: undefined }];
const decimalComma = () => to(t('readDecimalComma'), { decimal: ',' });
const headerAt = (line: number) => to(t('useAsHeader', { line }), { ...noHeaderPlace, header_row: line });
const fromFirst = () => to(t('readThemToo'), { ...noHeaderPlace, skip: 0 });
const separator = (delimiter: string) => to(t('separateAt', { name: delimiterName(delimiter) }), { delimiter });
const asText = () => to(t('asText'), { as: 'text' });
const shown = (part: 'comments' | 'deletions' | 'headers' | 'hidden') => to(t('showThemToo'), { include: [part] });

/** `first`: the row of the header in a sheet, where rows above it were left out. */
const fixes: { readonly [C in MessageCode]?: (params: MessageParameters<C>, first: number) => Fix[] } = {
  'warning.decimalComma': decimalComma,
  'warning.maybeThousands': decimalComma,
  'warning.datesAsText': () => to(t('writeIsoDates'), { dates: 'iso' }),
  'warning.nullMarks': ({ marks }) => to(t('readAsNothing', { marks: marks.join(', ') }), { nulls: [...marks] }),
  'warning.headerLooksLikeTitle': ({ next }) => headerAt(next),
  'warning.headerBelow': ({ next }) => headerAt(next),
  'warning.headerLooksLikeData': () => to(t('noHeader'), { ...noHeaderPlace, header: false }),
  'warning.linesSkipped': fromFirst,
  'warning.footerSkipped': () => to(t('readThemToo'), { ragged: 'error' }),
  'warning.csvDialect': () => to(t('usualQuotes'), { quote: '"' }),
  'warning.delimiterUnused': ({ other }) => separator(other),
  'warning.oneColumn': (params) => separator(params.separator),
  'warning.markdownTable': asText,
  'warning.fixedWidth': asText,
  'warning.rowsLong': () => to(t('cutExtra'), { ragged: 'cut' }),
  'warning.rowsCut': () => to(t('keepExtra'), { ragged: 'keep' }),
  'warning.nulCharacters': chooseEncoding,
  'warning.encodingGuessed': chooseEncoding,
  'warning.encodingUnmarked': chooseEncoding,

  'sheet.titles': fromFirst,
  'sheet.headerBelow': ({ row }) => headerAt(row),
  'sheet.total': ({ row }, first) => to(t('onlyAbove', { row }), { range: `${first}:${row - 1}` }),
  'sheet.below': ({ row }, first) => to(t('onlyAbove', { row }), { range: `${first}:${row - 1}` }),
  'sheet.beside': ({ left, right }, first) =>
    [left, right].flatMap((range) => to(t('onlyColumns', { range }), { range: range.replace(':', `${first}:`) })),

  'document.changes': () => shown('deletions'),
  'document.comments': () => shown('comments'),
  'document.hidden': () => shown('hidden'),
  'document.headers': () => shown('headers'),
  'document.unseen': ({ isShown }) => (isShown ? [] : shown('hidden')),
  'document.pageAsMarkdown': () => to(t('as_html'), { as: 'html' }),

  // Errors.
  'csv.ragged.hint': () => [...to(t('keepExtra'), { ragged: 'keep' }), ...to(t('cutExtra'), { ragged: 'cut' })],
  'csv.noHeader.hint': () => [
    ...to(t('noHeader'), { ...noHeaderPlace, header: false }),
    ...to(t('withHeader'), { ...noHeaderPlace, header: true }),
  ],
  'csv.headerBlank.hint': ({ next }) => headerAt(next),
  'csv.quoteClose.hint': ordinaryQuotes,
  'csv.afterQuote.hint': ordinaryQuotes,
  'csv.misfit': ({ column }) => to(t('treatAsText', { column }), { types: { [column]: 'string' } }),
  'encoding.unsure': ({ readings }) =>
    readings.flatMap(({ encoding }) => to(t('readAs', { encoding: encoding.toUpperCase() }), { encoding })),
  'encoding.jis': () => to(t('readAs', { encoding: 'ISO-2022-JP' }), { encoding: 'iso-2022-jp' }),
  'encoding.none.hint': chooseEncoding,
  'encoding.declared.hint': chooseEncoding,
  'encoding.notUtf8.hint': chooseEncoding,
  'encoding.invalid.hint': chooseEncoding,
};

/** `all`: the warnings of the same reading. A sheet's fix does not apply where all sheets are read. */
export function fixesFor(said: Said | undefined, options: ConversionOptions, all: readonly (Said | undefined)[] = []): Fix[] {
  const isPart = options.sheet !== '*' && options.table !== '*';
  const inside = messagesIn(said).filter(({ code }) => isPart || !code.startsWith('sheet.'));
  const titles = all.flatMap(messagesIn).find(({ code }) => code === 'sheet.titles');
  const first = titles === undefined ? 1 : Number(titles.params.last) + 1;
  return inside.flatMap(({ code, params }) =>
    // The code chooses the parameters.
    ((fixes as Record<string, ((params: object, first: number) => Fix[]) | undefined>)[code]?.(params, first) ?? []).filter(
      (fix) => changes(fix, options),
    ),
  );
}

/** The options with those of a fix: what is a set grows. */
export function withFix(options: ConversionOptions, fix: ConversionOptions): ConversionOptions {
  const { types, include, ...rest } = fix;
  return {
    ...options,
    ...rest,
    ...(types === undefined ? {} : { types: { ...(typeof options.types === 'object' ? options.types : {}), ...Object(types) } }),
    ...(include === undefined ? {} : { include: [...new Set([...(options.include ?? []), ...include])] }),
  };
}

const changes = ({ options: fix }: Fix, options: ConversionOptions): boolean =>
  fix === undefined || JSON.stringify(withFix(options, fix)) !== JSON.stringify(options);

/** Messages that this version knows, with those that are parts of them. */
function messagesIn(said: Said | undefined): Message[] {
  const inside = (value: unknown): Message[] =>
    isMessage(value)
      ? [value, ...Object.values(value.params).flatMap(inside)]
      : Array.isArray(value)
        ? value.flatMap(inside)
        : [];
  return [known(said?.message), known(said?.hint)].flatMap(inside);
}
