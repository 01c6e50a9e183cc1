/** Messages about broken workbooks, archives, databases and tables. */
import { formatBytes } from '../../../lib/bytes.ts';

export interface OfEntry {
  entry: string;
}

export interface OfCell {
  place: string;
}

export const containers = {
  'workbook.failed': ({ reason, format }: { reason: string; format: string }) =>
    `Failed to parse ${format.toUpperCase()} file: ${reason}`,
  'workbook.saveAgain': 'Open it in a spreadsheet program and save it again as .xlsx.',
  'workbook.empty': 'it is empty',
  'workbook.protected': 'it is protected with a password, or an old workbook (.xls) by another name',
  'workbook.protected.hint': 'Open it in a spreadsheet program and save it as .xlsx without a password.',
  'workbook.binary': 'it is a binary workbook (.xlsb)',
  'workbook.binary.hint': 'Open it in a spreadsheet program and save it as .xlsx.',
  'workbook.none': 'it is a ZIP archive without a workbook',
  'workbook.none.hint': 'If it is one of another kind, say so with format.',
  'workbook.protectedOds.hint': 'Open it in a spreadsheet program and save it without a password.',
  'workbook.encrypted': 'it is protected with a password',
  'workbook.noSpreadsheet': 'it is no OpenDocument spreadsheet',
  'workbook.manySheets': 'it has more sheets than can be read at once',
  'workbook.manySheets.hint': 'Name one sheet.',
  'sqlite.none': 'it is no SQLite database, or it is encrypted',
  'sqlite.none.hint': 'If it is a file of another kind, say so with format.',
  'sqlite.damaged': 'it is damaged',
  'sqlite.damaged.hint': 'Repair it with the program that made it, or get a good copy.',
  'sqlite.unfinished': 'a change to it is not finished (its journal is beside it), so it may hold half of it',
  'sqlite.unfinished.hint':
    'Wait until its program is done, or open it in that program, or with sqlite3, which undoes the change.',
  'sqlite.module': ({ module }: { module: string }) => `the table needs ${module}, which is not part of SQLite here`,
  'sqlite.module.hint': 'With fts3 or fts4, its texts are in the table whose name ends in _content: ask for that with query.',
  'sqlite.unreadable': ({ table, reason }: { table: string; reason: string }) =>
    `'${table}' could not be read and is left out: ${reason}`,
  'sqlite.noTables': 'it has no tables or views',
  'sqlite.utf16': 'its texts are in UTF-16, which is not read',
  'sqlite.utf16.hint': 'Copy it into a database in UTF-8: sqlite3 old.db .dump | sqlite3 new.db',
  'sqlite.noTable': ({ table }: { table: string }) => `The database has no table or view '${table}'`,
  'sqlite.noTable.hint': ({ tables, more }: { tables: readonly string[]; more: number }) =>
    `It has ${tables.map((table) => `'${table}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  'sqlite.queryAndTable': 'A query names its tables itself: leave out table and sheet, or the query',
  'sqlite.tableTwice': 'table and sheet name the same thing: give one of them',
  'sqlite.noRows': 'The query gives no rows',
  'sqlite.query': ({ reason }: { reason: string }) => `SQLite does not understand the query: ${reason}`,
  'sqlite.denied': 'A query may only read: SELECT, without random values, and nothing else',
  'sqlite.slow': ({ ms }: { ms: number }) => `The query took longer than ${ms / 1000} s`,
  'sqlite.slow.hint': 'Ask for less: fewer rows (WHERE, LIMIT), or a join by columns with an index',
  'sqlite.memory': 'The query needs more memory than it may have',
  'sqlite.manyRows': ({ most }: { most: number }) => `The query gives more than ${most.toLocaleString('en')} rows`,
  'sqlite.columns': ({ table, most }: { table: string; most: number }) => `'${table}' has more than ${most} columns`,
  'sqlite.log':
    'The newest changes are in a second file (…-wal) that could not be read: close the program that uses the database to have them in',
  'sqlite.blobs': ({ cells }: { cells: number }) =>
    `${cells === 1 ? '1 binary value is' : `${cells} binary values are`} given as base64`,
  'parquet.none': 'it is no Parquet file',
  'parquet.encrypted': 'it is encrypted',
  'parquet.cutOff': 'its end is missing, as after a broken download',
  'parquet.damaged': 'it is damaged, or written in a way that is not known',
  'parquet.damaged.hint': 'Get a good copy, or write it again with common settings (Snappy, Zstandard or no compression).',
  'workbook.part': ({ entry, reason }: OfEntry & { reason: string }) => `'${entry}' is broken: ${reason}`,
  'workbook.partEncoding': ({ entry, encoding }: OfEntry & { encoding: string }) => `'${entry}' is broken: it is not ${encoding}`,
  'workbook.row': ({ row }: { row: string }) => `row '${row}' of the sheet is no number`,
  'workbook.cellText': ({ place }: OfCell) => `cell ${place} names a text that the workbook does not have`,
  'workbook.cellNumber': ({ place, text }: OfCell & { text: string }) => `cell ${place} holds '${text}', which is no number`,
  'workbook.noCells': 'The workbook has no sheet with cells',
  'workbook.noCells.hint': 'Charts have no cells.',
  'workbook.noSheet': ({ sheet }: { sheet: string }) => `The workbook has no sheet '${sheet}'`,
  'workbook.noSheet.hint': ({ sheets, more }: { sheets: readonly string[]; more: number }) =>
    `Its sheets are ${sheets.map((name, index) => `${index + 1} '${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}. sheet: "*" takes all of them.`,

  'zip.directoryCut': 'its directory is cut off',
  'zip.directory64': 'its ZIP64 directory is not where it says',
  'zip.none': 'it is not a ZIP archive, or its end is missing',
  'zip.encrypted': ({ entry }: OfEntry) => `'${entry}' in it is encrypted`,
  'zip.encrypted.hint': 'Unpack it with its password first, and name the file that comes out.',
  'zip.method': ({ entry, method }: OfEntry & { method: number }) =>
    `'${entry}' in it is packed by method ${method}, which is not known`,
  'zip.misplaced': ({ entry }: OfEntry) => `'${entry}' is not where its directory says`,
  'zip.size': ({ entry, said }: OfEntry & { said: number }) =>
    `'${entry}' in it is not ${said} bytes long, as the archive's directory says`,
  'zip.checksum': ({ entry }: OfEntry) => `'${entry}' in it is damaged: its checksum is wrong`,
  'zip.damaged': ({ entry }: OfEntry) => `'${entry}' in it cannot be unpacked`,

  'xmlPart.reference': ({ text }: { text: string }) => `'${text}' is no reference`,
  'xmlPart.entity': ({ entity }: { entity: string }) => `the entity '${entity}' is not known`,
  'xmlPart.longTag': 'a tag does not end',
  'xmlPart.cutTag': 'it ends in the middle of a tag',
  'xmlPart.open': ({ element }: { element: string }) => `it ends before <${element}> is closed`,
  'xmlPart.noElement': 'it holds no element',
  'xmlPart.declaration': 'a document type or another declaration is not allowed',
  'xmlPart.text': 'text stands outside of the root element',
  'xmlPart.closes': ({ element, open }: { element: string; open: string | null }) =>
    `</${element}> closes ${open === null ? 'nothing' : `<${open}>`}`,
  'xmlPart.noName': 'a tag has no name',
  'xmlPart.secondRoot': 'it has a second root element',
  'xmlPart.depth': ({ most }: { most: number }) => `elements are nested over ${most} levels deep`,

  'csv.unknownColumn': ({ column }: { column: string }) => `types names the column '${column}', which the file does not have`,
  'csv.unknownColumn.hint': ({ columns, more }: { columns: readonly string[]; more: number }) =>
    `Its columns are: ${columns.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
  'csv.firstRow': ({ bytes, limit }: { bytes: number; limit: number }) =>
    `The first row alone has ${formatBytes(bytes)}, which exceeds the ${formatBytes(limit)} that may be held in memory`,
  'csv.firstRow.hint': 'Check that the file is CSV and has line breaks, or raise limits.maxFileBytes.',
  'csv.notAsScanned': 'The file is not as it was when it was read for the first time',
  'csv.notAsScanned.hint': 'Try again once nothing writes to it any more.',
  'text.notAsRead': 'The text is no longer what it was when it was read for the first time',
  'convert.noMemory': 'There is too little memory to convert the file',
  'convert.noMemory.hint': 'Try again: it is then read in another way',
  'convert.closing': 'Filebridge is being closed',
  'convert.notWanted': 'The hash is no longer wanted',
};
