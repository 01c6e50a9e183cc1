/** The types that columns of records get, where the file's format gives its values types of their own. */
import type { ConversionOptions, ConversionReport } from '../../../shared/model/conversion.ts';
import { isArchive } from '../../../shared/model/formats.ts';
import type { ConvertRequest, RecordTypes, SchemaPlace } from '../core/convert-types.ts';
import { columnAdvice, emptyCells, memberAdvice, wantsRows, wantsText } from './schema-advice.ts';

type FileFormat = ConversionReport['format'];

/** Formats in which a value that should be a text is often written without quotes. */
const unquoted: readonly FileFormat[] = ['yaml', 'toml'];
/** Whether a schema makes texts of values of the format. */
const isTypedByValue = (format: FileFormat): boolean => unquoted.includes(format);
/** Whether what a place in a schema makes of a file can be told from its conversion without one: from its columns. */
export const isToldByColumns = (
  { format, kind }: Pick<ConversionReport, 'format' | 'kind'>,
  { transform }: ConversionOptions,
): boolean =>
  // Bytes and texts are the same at every place.
  kind === 'string' || (!isTypedByValue(format) && !isArchive(format) && transform?.expression === undefined);
const typedFormats: readonly FileFormat[] = ['json', 'jsonl', ...unquoted];

/**
 * By the caller's `types`, else a text where the schema wants one; columns go by their names in the file. Undefined where no column has a type.
 * An expression makes new values: the schema sees these, by `typesAfter`.
 */
export function recordTypes(format: FileFormat, { types, transform, place }: ConvertRequest): RecordTypes | undefined {
  if (!typedFormats.includes(format)) return undefined;
  if (types === 'string') return () => 'string';
  const asked = typeof types === 'object' ? new Map(Object.entries(types)) : undefined;
  const advise = isTypedByValue(format) && transform?.expression === undefined ? textColumns(place) : undefined;
  if (asked === undefined && advise === undefined) return undefined;
  return (column) => asked?.get(column) ?? advise?.(transform?.rename?.[column] ?? column);
}

/** Whether the file converted at this place is another payload than without a place, as far as a report without one tells. */
export function placeMatters(report: ConversionReport, options: ConversionOptions, place: SchemaPlace): boolean {
  const { inputSchema, segments } = place;
  if (!isToldByColumns(report, options)) return true;
  if (options.as === 'json' && wantsText(inputSchema, segments)) return true;
  if (wantsRows(place)) return true;
  const advice = columnAdvice(inputSchema, segments);
  const whereEmpty = emptyCells(inputSchema, segments);
  return (report.columns ?? []).some(
    ({ name, empty }) => advice(name) !== undefined || (empty > 0 && whereEmpty(name) === 'absent'),
  );
}

/** What the schema wants of the records that an expression makes. */
export const typesAfter = ({ transform, place }: ConvertRequest): RecordTypes | undefined =>
  transform?.expression === undefined ? undefined : textColumns(place);

function textColumns(place: ConvertRequest['place']): RecordTypes | undefined {
  if (place === undefined) return undefined;
  const { inputSchema, segments } = place;
  const ofRecords = columnAdvice(inputSchema, segments);
  // A file that is one object is a record itself.
  const ofObject = memberAdvice(inputSchema, segments);
  return (column) => {
    const advice = ofRecords(column) ?? ofObject(column);
    return advice === 'string' ? 'string' : undefined;
  };
}
