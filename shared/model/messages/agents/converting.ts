/** Messages about conversions that fail: sizes, encodings, transforms, expressions. */
import { formatBytes } from '../../../lib/bytes.ts';

const atLine = (line: number | undefined): string => (line === undefined ? '' : ` at line ${line}`);

/** `bytes` is null where reading stopped at the limit, before the whole size was known. */
export interface Size {
  bytes: number | null;
  limit: number;
}

/** As an expression names it. */
const named = (column: string): string => (/^[A-Za-z_]\w*$/.test(column) ? column : `\`${column}\``);

export interface FailedExpression {
  reason: string;
  position: number | undefined;
  /** The first record with which it fails, from 0; the names of its members that are null, and its line in the file. */
  record: number | undefined;
  empty: readonly string[];
  line: number | undefined;
}

export const converting = {
  'size.file': ({ bytes, limit }: Size) => {
    const allowed = formatBytes(limit);
    if (bytes === null) return `File size more than ${allowed} exceeds maximum allowed size of ${allowed}`;
    // For one byte too many the text would otherwise be "10 MB exceeds 10 MB".
    const over = bytes - limit;
    const actual =
      formatBytes(bytes) === allowed
        ? `${allowed} (${over} ${over === 1 ? 'byte' : 'bytes'} more than that)`
        : formatBytes(bytes);
    return `File size ${actual} exceeds maximum allowed size of ${allowed}`;
  },
  'size.file.hint': ({ setting }: { setting: 'maxFileBytes' | 'maxStreamedFileBytes' }) =>
    `${setting === 'maxFileBytes' ? 'Documents, YAML, XML and JSONata expressions need the whole file in memory.' : 'This bounds a file after decompression.'} Raise limits.${setting} in the configuration, or make the file smaller.`,
  'size.expression': ({ limit }: { limit: number }) =>
    `File size as JSON of more than ${formatBytes(limit)} exceeds maximum allowed size of ${formatBytes(limit)}`,
  'size.expression.hint':
    'An expression needs the whole value in memory: narrow it with where, select or limit first, or raise limits.maxFileBytes.',
  'size.zstdWindow': 'Failed to decompress Zstandard file: it needs a window of more than 128 MB',
  'size.zstdWindow.hint': 'Compress it again without --ultra or --long.',
  'size.aliases': ({ limit }: { limit: number }) => `its aliases expand to more than ${formatBytes(limit)}`,
  'size.aliases.hint': 'This is bounded by limits.maxFileBytes',
  'size.workbookTexts': 'The texts of the workbook take too much memory',
  'size.workbookTexts.hint': ({ times }: { times: number }) =>
    `A workbook may hold ${times} times limits.maxFileBytes of text. Raise that setting, or save the sheet as CSV.`,

  'csv.tooManyColumns': ({ columns, limit }: { columns: number; limit: number }) =>
    `The first row has ${columns} cells, more than the ${limit} columns that a table may have`,
  'csv.tooManyColumns.hint': 'Check the delimiter and that the file has line breaks, or raise limits.maxColumns.',
  'encoding.declared': ({ label }: { label: string }) => `The file declares the encoding '${label}', which is unknown`,
  'encoding.declared.hint': 'Name the encoding that it has, e.g. encoding: "utf-8".',
  'encoding.unknown': ({ label }: { label: string }) => `Unknown encoding '${label}'`,
  'encoding.unknown.hint':
    'Leave it out to have it detected, or name one such as utf-8, utf-16le, windows-1252, iso-8859-2, windows-1251, shift_jis, gb18030 or euc-kr.',
  'range.invalid': ({ range }: { range: string }) => `'${range}' is no range of cells`,
  'range.invalid.hint': 'Give it as "A5:Z" (from A5 to column Z), "B2:D20", "B:D" or "2:10".',
  'yaml.notFinite': ({ number }: { number: string }) => `${number} is a number that JSON has no value for`,
  'yaml.notFinite.hint': 'Put it in quotes to pass it as text',

  'file.changedSinceApproval': ({ name, from, to }: { name: string; from: number; to: number }) =>
    `File '${name}' changed after it was read for the approval: bytes ${from} to ${to} are not those that were approved`,
  'file.changedSinceApproval.hint':
    'The call was broken off. Make it again, so that the user is asked about the file as it is now',
  'file.differsNow': 'The file came out longer or shorter than it was when it was read for the first time',
  'file.differsNow.hint': 'Try again; if it happens with this file each time, please report it',
  'thread.ended': ({ reason }: { reason: string }) => `The thread that converts files has ended unexpectedly: ${reason}`,
  'thread.ended.hint': 'Try again: a new one is started. If it happens with this file each time, please report it',

  'transform.selectTwice': ({ column }: { column: string }) => `transform.select names column '${column}' twice`,
  'transform.renameSame': ({ one, other, name }: { one: string; other: string; name: string }) =>
    `transform.rename gives columns '${one}' and '${other}' the same name '${name}'`,
  'transform.renameLeftOut': ({ column }: { column: string }) =>
    `transform.rename names column '${column}', which transform.select leaves out`,
  'transform.renameLeftOut.hint': 'Columns are selected first and renamed then: name them in select as they are in the file',
  'transform.noColumns': ({ record, line }: { record: number; line: number | undefined }) =>
    `Record ${record}${atLine(line)} is neither an object nor a list, so it has no columns`,
  'transform.noColumns.hint': 'Use where, select and rename on tables only, or an expression',
  'transform.unnamed': ({ record, line }: { record: number; line: number | undefined }) =>
    `transform.rename: record ${record}${atLine(line)} is a list, whose columns have no names`,
  'transform.noColumn': ({ step, column, records }: { step: string; column: string; records: number }) =>
    `transform.${step} names column '${column}', which none of ${records === 1 ? 'the one record' : `the ${records} records`} read has`,
  'transform.noColumn.none': 'The records have no columns',
  'transform.noColumn.known': ({ known, more }: { known: readonly string[]; more: boolean }) =>
    `The columns are ${known.map((each) => `'${each}'`).join(', ')}${more ? ', …' : ''}`,
  'where.otherType': ({ column, type, op, value }: { column: string; type: string; op: string; value: string }) =>
    `transform.where: column '${column}' holds values of type ${type}, which '${op}' cannot compare with ${value}`,
  'where.otherType.hint': ({ type }: { type: string }) =>
    type === 'string' ? 'Write the value in quotes' : `Give a ${type} as the value`,
  'transform.collision': ({ record, line, name }: { record: number; line: number | undefined; name: string }) =>
    `transform.rename: record ${record}${atLine(line)} would have two columns '${name}'`,
  'transform.collision.hint': ({ name }: { name: string }) =>
    `Give the new column another name, or leave the old '${name}' out with select`,
  'where.noValue': ({ op, column }: { op: string; column: string }) =>
    `transform.where: '${op}' on column '${column}' needs a value`,
  'where.noList': ({ column }: { column: string }) => `transform.where: 'in' on column '${column}' needs a list as its value`,
  'where.oneValue': ({ op, column }: { op: string; column: string }) =>
    `transform.where: '${op}' on column '${column}' takes one value; use 'in' for a list`,
  'where.noText': ({ column }: { column: string }) => `transform.where: 'starts_with' on column '${column}' needs a text`,
  'where.noOrder': ({ op, column }: { op: string; column: string }) =>
    `transform.where: '${op}' on column '${column}' needs a number or a text`,

  'expression.failed': ({ reason, position, record, empty, line }: FailedExpression) =>
    `The expression failed: ${reason}${position === undefined ? '' : ` at character ${position}`}${record === undefined ? '' : `, with record ${record}${line === undefined ? '' : ` (line ${line})`}`}${empty.length === 0 ? '' : `, in which ${empty.slice(0, 5).join(', ')} ${empty.length === 1 ? 'is' : 'are'} null`}`,
  'expression.empty.hint': ({ column }: { column: string }) =>
    `Say in the expression what becomes of null, as in ${named(column)} = null ? … : …, or leave such records out with transform.where: [{"column": ${JSON.stringify(column)}, "op": "not_null"}]`,
  'expression.failed.hint': 'Expressions are written in JSONata and name columns as they are after rename',
  'expression.ended': ({ how }: { how: string }) => `its process ended early (${how})`,
  'expression.slow': ({ seconds }: { seconds: number }) => `The expression took longer than ${seconds} s`,
  'expression.slow.hint': 'Raise limits.expressionTimeoutMs, or make the expression do less',
  'expression.noStart': ({ reason }: { reason: string }) => `The expression could not be run: ${reason}`,
  'expression.memory': ({ bytes }: { bytes: number }) => `The expression needed more than ${formatBytes(bytes)} of memory`,
  'expression.memory.hint': 'Raise limits.expressionMemoryBytes, or make the expression do less',
};
