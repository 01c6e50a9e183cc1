/** Workbooks, documents, databases and archives: what is wrong with them, and what was left out. */
import { contents, counted, type InCompanion, inOptions, inPlaces, type Places, quotedList } from '../phrases.ts';

export interface OfEntry {
  entry: string;
}

export interface OfCell {
  place: string;
}

/** Pages of a document, how many and which. */
export interface OnPages {
  pages: number;
  ranges: string;
}

export const containers = {
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

  'archive.failed': ({ compression, reason }: { compression: string; reason: string }) =>
    `Failed to decompress ${compression} file: ${reason}`,
  'archive.failed.hint': 'Get a good copy of the file, or give it the extension that fits its content.',
  'archive.broken.hint': 'Get a good copy of the archive, or give the format that fits its content.',
  'archive.noText': 'An archive has files and no text',
  'archive.noText.hint': ({ options }: InCompanion) => `Name one of them with entry.${inOptions(options)}`,
  'archive.noFiles': 'The archive has no files',
  'archive.list': ({ files, first }: { files: number; first: string }) =>
    `This is the list of the archive's ${counted(files, 'file', 'files')}; entry: ${JSON.stringify(first)} reads one of them`,
  'archive.onlyFile': ({ file }: { file: string }) => `The archive's only file was read: ${file}`,
  'archive.listNotSent': ({ name, files }: { name: string; files: number }) =>
    `'${name}' is an archive of ${counted(files, 'file', 'files')}, and a tool gets one of them, not their list`,
  'archive.listNotSent.hint': ({ names, more, options }: InCompanion & { names: readonly string[]; more: number }) =>
    `Name one with entry, as entry: ${JSON.stringify(names[0])}. It has ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}.${inOptions(options)}`,
  'archive.empty': 'it is empty',
  'archive.cutOff': 'it ends too early, as after a broken download',
  'archive.trailing': 'other data follows after its end',
  'archive.other': ({ compression }: { compression: string }) => `its content is not ${compression} data`,
  'archive.damaged': ({ reason }: { reason: string }) => `it is damaged (${reason})`,

  'entry.noArchive': ({ name }: { name: string }) => `'${name}' is no archive, so it has no entries`,
  'entry.noArchive.hint': ({ options }: InCompanion) =>
    `Leave entry out, or give format: "zip" or "tar" if the name misleads.${inOptions(options)}`,
  'entry.absent': ({ entry }: { entry: string }) => `The archive has no file '${entry}'`,
  'entry.several': ({ entry }: { entry: string }) => `Several files of the archive are called '${entry}'`,
  'entry.names': ({ names, more }: { names: readonly string[]; more: number }) =>
    names.length === 0
      ? 'It has no files'
      : `It has ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,

  'tar.none': 'it is no tar archive',
  'tar.damaged': 'it is damaged',

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
  'workbook.misfit': ({
    column,
    type,
    cell,
    place: at,
    sheet,
    format,
  }: {
    column: string;
    type: 'number' | 'boolean';
    cell: string;
    place: string;
    sheet: string;
    format: string;
  }) =>
    `Failed to parse ${format.toUpperCase()} file: column '${column}' is not ${type === 'number' ? 'a number' : 'true or false'} (${cell}) at cell ${at} of sheet '${sheet}'`,
  'workbook.compressed': 'A compressed workbook or database is not read',
  'workbook.compressed.hint': 'Unpack it first, and name the file itself.',
  'workbook.noText': 'A workbook has records and no text',
  'workbook.noText.hint': ({ options }: InCompanion) =>
    `A parameter for a list or object takes its records, without "as". For a parameter that takes text, ask for as: "csv", "markdown" or "json", or send the bytes with as: "base64"${inOptions(options)}`,

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

  'sheet.warning': ({ sheet, warning }: { sheet: string; warning: string }) => `Sheet '${sheet}': ${warning}`,
  'sheet.errors': ({ cells, first }: { cells: number; first: string }) =>
    `${counted(cells, 'cell holds an error', 'cells hold errors')} and became null; the first is ${first}`,
  'sheet.merged': ({ ranges }: { ranges: number }) =>
    `${counted(ranges, 'range is', 'ranges are')} merged; the value stands in the first cell, the others are null`,
  'sheet.hiddenRows': ({ rows }: { rows: number }) =>
    `${counted(rows, 'row is', 'rows are')} hidden in the workbook, and read all the same`,
  'sheet.hiddenColumns': ({ names }: { names: readonly string[] }) =>
    `columns are hidden in the workbook, and read all the same: ${names.join(', ')}`,
  'sheet.uncalculated': ({ cells, first }: { cells: number; first: string }) =>
    `${counted(cells, 'formula has', 'formulas have')} no stored result and became null; the first is ${first}. Open the workbook in Excel and save it`,
  'sheet.blankRows': ({ rows }: { rows: number }) =>
    `${counted(rows, 'row', 'rows')} of nothing but empty cells ${rows === 1 ? 'was' : 'were'} left out`,
  'sheet.links': ({ cells, first }: { cells: number; first: string }) =>
    `${counted(cells, 'cell has a link', 'cells have links')}, of which the text is given and not the address; the first is ${first}`,
  'sheet.units': ({ column, units }: { column: string; units: readonly string[] }) =>
    `numbers of column '${column}' are shown with different currencies or units (${units.join(', ')}), which the numbers do not tell`,
  'sheet.titles': ({ first, last, title }: { first: number; last: number; title: string }) =>
    `${first === last ? `row ${first} above the header was` : `rows ${first} to ${last} above the header were`} skipped${title.trim() === '' ? '' : ` (${title})`}; ask for skip: 0 to read every row`,
  'sheet.headerBelow': ({ header, row }: { header: number; row: number }) =>
    `row ${header} became the header, but row ${row} looks like it; ask for header_row: ${row} if it is`,
  'sheet.total': ({ row, text }: { row: number; text: string }) =>
    `row ${row} looks like a total (${text}), and is read as a record; a range leaves it out`,
  'sheet.below': ({ row }: { row: number }) =>
    `row ${row} stands below an empty row and looks like a note or another table; a range reads one table`,
  'sheet.beside': ({ left, right }: { left: string; right: string }) =>
    `an empty column stands between ${left} and ${right}, which may be two tables; range: "${left}" reads one`,
  'sheet.noHeaderRow': ({ row, sheet }: { row: number; sheet: string }) =>
    `Row ${row} of sheet '${sheet}' is empty or outside of the range`,
  'sheet.noHeaderRow.hint': ({ options }: InCompanion) =>
    `header_row is the number of the row as the sheet shows it.${inOptions(options)}`,
  'sheet.columnNames': ({ names }: { names: readonly string[] }) =>
    `columns without a name, or with one that stands there twice, are called ${names.join(', ')}`,
  'sheet.headerOnly': 'it has a header and no records',
  'sheet.empty': 'it is empty',
  'sheet.nothingAsked': ({ data }: { data: string }) => `nothing is in the range asked for; the data is in ${data}`,
  'sheet.others': ({
    read,
    sheets,
    more,
  }: {
    read: string;
    sheets: readonly { name: string; hidden: boolean }[];
    more: number;
  }) =>
    `Sheet '${read}' was read. The workbook has ${counted(sheets.length + more, 'other sheet', 'other sheets')}: ${quotedList(sheets, 'hidden')}${more > 0 ? ` and ${more} more` : ''}`,

  'table.noList': ({ as, kind }: { as: string; kind: keyof typeof contents }) =>
    `as: "${as}" needs a list of records, but the file holds ${contents[kind]}`,
  'table.tooWide': ({ as, most }: { as: string; most: number }) =>
    `as: "${as}" writes a table of at most ${most} columns, and these records have more names, or share too few`,
  'table.isText.hint': ({ options }: InCompanion) => `Leave as out to pass the text${inOptions(options)}`,
  'table.noList.hint': ({ hasText, allSheets, options }: InCompanion & { hasText: boolean; allSheets: boolean }) =>
    `${allSheets ? 'Name one sheet, as with sheet: 1, or ask' : 'Ask'} for as: "json" to pass the value as JSON text${hasText ? ', or as: "text" for the file as it is' : ''}${inOptions(options)}`,
  'table.others': ({
    read,
    sheets,
    more,
  }: {
    read: string;
    sheets: readonly { name: string; hidden: boolean }[];
    more: number;
  }) =>
    `Table '${read}' was read. The database has ${counted(sheets.length + more, 'other table', 'other tables')}: ${quotedList(sheets, 'hidden')}${more > 0 ? ` and ${more} more` : ''}; table names the one to read`,

  'document.failed': ({ format, reason }: { format: string; reason: string }) =>
    `Failed to parse ${format.toUpperCase()} file: ${reason}`,
  'document.empty': 'it is empty',
  'document.protected': ({ format }: { format: string }) =>
    `it is protected with a password, or an old Office document by another name; only .${format} is read`,
  'document.protected.hint': ({ format }: { format: string }) =>
    `Open it in the program that made it, and save it as .${format} without a password.`,
  'document.damaged': ({ format }: { format: string }) => `it is damaged, or not a .${format} file`,
  'document.broken.hint': ({ format }: { format: string }) =>
    `Open it in the program that made it, and save it again as .${format}.`,
  'document.missingPart': ({ part: name }: { part: string }) => `its part '${name}' is missing`,
  'document.nesting': 'its parts are nested too deep',
  'document.compressed': 'A compressed document is not read',
  'document.compressed.hint': 'Unpack it first, and name the document itself.',
  'document.noTable': ({ table, tables }: { table: string; tables: number }) =>
    tables === 0 ? 'The document has no tables' : `The document has no table ${table}`,
  'document.noTable.hint': ({ tables }: { tables: number }) =>
    tables === 0
      ? 'Leave table out to get its text'
      : `It has ${counted(tables, 'table', 'tables')}, counted from 1: give table a number`,
  'document.needsTable': ({ option }: { option: string }) => `${option} is for the records of a table, and a document is a text`,
  'document.needsTable.hint': ({ options }: InCompanion) =>
    `Ask for one of its tables, as with table: "1", or leave the option out.${inOptions(options)}`,
  'document.merged': ({ cells, tables }: { cells: number; tables: string | null }) =>
    `${counted(cells, 'cell', 'cells')} of ${tables === null ? 'the table' : /^\d+$/.test(tables) ? `table ${tables}` : `tables ${tables}`} ${cells === 1 ? 'is' : 'are'} merged; the words stand in the first place that ${cells === 1 ? 'it takes' : 'each takes'}, and the others are empty`,
  'document.chunks': ({ chunks, at }: { chunks: number; at: Places }) =>
    `${counted(chunks, 'file that is embedded in the document is', 'files that are embedded in the document are')} left out${inPlaces(at)}`,
  'document.changes': ({ changes, at }: { changes: number; at: Places }) =>
    `The document has ${counted(changes, 'tracked change', 'tracked changes')}${inPlaces(at)}: insertions are in the text, deletions are left out; include: ["deletions"] shows them`,
  'document.comments': ({ comments, at }: { comments: number; at: Places }) =>
    `${counted(comments, 'comment is', 'comments are')} left out${inPlaces(at)}; include: ["comments"] shows them`,
  'document.hidden': ({ characters, at }: { characters: number; at: Places }) =>
    `Hidden text (${counted(characters, 'character', 'characters')}) is left out${inPlaces(at)}; include: ["hidden"] shows it`,
  'document.headers': ({ headers, first }: { headers: number; first: string }) =>
    `${counted(headers, 'page header or footer is', 'page headers and footers are')} left out${first === '' ? '' : ` ("${first.slice(0, 40)}")`}; include: ["headers"] shows them`,
  'document.numbers': ({ numbers, at, format }: { numbers: number; at: Places; format: string }) =>
    `${counted(numbers, 'number of a list is', 'numbers of lists are')} in digits, and written otherwise on the page (as ${format})${inPlaces(at)}`,
  'document.pageAsMarkdown': 'The page went as Markdown; as: "html" sends its source',
  'document.noRecords': 'A document has text and no records',
  'document.noRecords.hint': ({ options }: InCompanion) =>
    `Leave "as" out for its text as Markdown, or ask for as: "text" or "html"; table: "1" gives the records of its first table.${inOptions(options)}`,
  'document.noHtml': 'Only documents are read as HTML',
  'document.noHtml.hint': ({ options }: InCompanion) =>
    `Leave "as" out, or ask for as: "text" to pass the file as it is.${inOptions(options)}`,
  'document.images': ({ images, at }: { images: number; at: Places }) =>
    `The document has ${images} ${images === 1 ? 'image, which is' : 'images, which are'} left out${inPlaces(at)}`,
  'document.drawings': ({ drawings, at }: { drawings: number; at: Places }) =>
    `The document has ${drawings} ${drawings === 1 ? 'chart or diagram, which is' : 'charts or diagrams, which are'} left out${inPlaces(at)}`,
  'document.hiddenSlides': ({ slides, at }: { slides: number; at: Places }) =>
    `The text has ${slides} hidden ${slides === 1 ? 'slide' : 'slides'} too${inPlaces(at)}`,
  'document.noText': 'The document has no text',
  'document.noTextInPages': ({ pages }: { pages: number }) =>
    pages === 1
      ? 'The page has no text: it may be a scanned image, which needs OCR'
      : 'The pages have no text: they may be scanned images, which need OCR',
  'document.pagesWithoutText': ({ pages, ranges }: { pages: number; ranges: string }) =>
    `${pages === 1 ? 'Page' : 'Pages'} ${ranges} ${pages === 1 ? 'has' : 'have'} no text (perhaps scanned images, which need OCR)`,
  'document.pagesMisread': ({ pages }: { pages: string }) => `pages: "${pages}" is no choice of pages`,
  'document.pagesBeyond': ({ pages, count }: { pages: string; count: number }) =>
    `pages: "${pages}" lies beyond the end: the document has ${counted(count, 'page', 'pages')}`,
  'document.pagesMisread.hint': ({ options }: InCompanion) =>
    `Give numbers and ranges, such as "3", "3-5", "7-" or "1,4-6".${inOptions(options)}`,
  'document.unseen': ({ characters, ranges, pages, isShown }: OnPages & { characters: number; isShown: boolean }) =>
    `${counted(characters, 'character that cannot be seen (white, invisible, tiny or in a hidden layer) is', 'characters that cannot be seen (white, invisible, tiny or in a hidden layer) are')} ${isShown ? 'in the text' : 'left out'} on ${pages === 1 ? 'page' : 'pages'} ${ranges}${isShown ? '' : '; include: ["hidden"] shows them'}`,
  'document.recognised': ({ ranges, pages }: OnPages) =>
    `The text of ${pages === 1 ? 'page' : 'pages'} ${ranges} was recognised in a scanned image (OCR), and may have errors`,
  'document.unmapped': ({ characters, ranges, pages }: OnPages & { characters: number }) =>
    `${counted(characters, 'character', 'characters')} on ${pages === 1 ? 'page' : 'pages'} ${ranges} cannot be read, and ${characters === 1 ? 'is' : 'are'} given as \ufffd: the fonts do not say which letters they show. OCR of the pages reads them`,
  'document.fontMaps': ({ maps }: { maps: readonly string[] }) =>
    `Text in fonts with the character maps ${maps.join(', ')} may be left out: the maps are not known. Print the file to a new PDF with its fonts embedded, or use OCR`,
  'document.xfa':
    'The file has an XFA form, which only Adobe programs show: what stands in the form may be missing from the text. Open it in Adobe Acrobat or Reader, and print it to a new PDF',
  'document.attachments': ({ names, more }: { names: readonly string[]; more: number }) =>
    `${counted(names.length + more, 'file is', 'files are')} attached to the document, and not in the text: ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}; entry reads one, as with entry: "${names[0] ?? ''}"`,
  'mail.encoding': ({ encodings }: { encodings: readonly string[] }) =>
    `The mail has text in ${encodings.length === 1 ? 'the encoding' : 'the encodings'} ${encodings.join(', ')}, which ${encodings.length === 1 ? 'is' : 'are'} not known: letters in it may be wrong`,
  'document.password': 'it is protected with a password',
  'document.password.hint': 'Open it in a PDF program, and save or print it to a PDF without a password.',
  'document.slow': ({ seconds }: { seconds: number }) => `reading it took more than ${seconds} seconds`,
  'document.slow.hint': 'Open it in a PDF program, and print the pages you need to a new PDF.',

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
  'parquet.notText': ({ columns }: { columns: readonly string[] }) =>
    `Texts hold bytes that are no UTF-8, given as \ufffd (${columns.join(', ')})`,
  'parquet.bytes': ({ columns }: { columns: readonly string[] }) => `Binary values are given as base64 (${columns.join(', ')})`,
};
