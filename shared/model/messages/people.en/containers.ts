/** Where persons read other words than those of agents.en/containers.ts. */
import type { containers as agents } from '../agents.en/containers.ts';
import type { Table } from '../message.ts';
import { contents, counted, inPlaces, quotedList } from '../phrases.ts';
import { optionName } from './phrases.ts';

const asText = (as: string): string => (as === 'csv' ? 'CSV' : 'Markdown');

export const containers = {
  'archive.noText.hint': () => 'Choose one of them at “File in the archive”.',
  'archive.broken.hint': 'Get a good copy of the archive, or choose the format that fits its content.',
  'archive.list': ({ files }) =>
    `This is the list of the archive's ${counted(files, 'file', 'files')}. Choose one at “File in the archive” to read it`,
  'archive.listNotSent.hint': ({ names, more }) =>
    `Choose one at “File in the archive”. It has ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  'entry.noArchive.hint': () => 'Choose no file in the archive, or choose ZIP or TAR as the format if the name misleads.',

  'workbook.none.hint': 'If it is one of another kind, choose its format.',
  'workbook.manySheets.hint': 'Choose one sheet.',
  'workbook.noSheet.hint': ({ sheets, more }) =>
    `Its sheets are ${sheets.map((name, index) => `${index + 1} '${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  'workbook.compressed.hint': 'Unpack it first, and open the file itself.',
  'workbook.noText.hint': () =>
    'Pass its records on, as a table in CSV or Markdown if the tool wants text, or send its bytes (Base64).',

  'sheet.titles': ({ first, last, title }) =>
    `${first === last ? `row ${first} above the header was` : `rows ${first} to ${last} above the header were`} skipped${title.trim() === '' ? '' : ` (${title})`}`,
  'sheet.headerBelow': ({ header, row }) =>
    `row ${header} became the header, but row ${row} looks like it. If it is, choose ${row} as the header row`,
  'sheet.total': ({ row, text }) =>
    `row ${row} looks like a total (${text}), and is read as a record; choose the cells without it to leave it out`,
  'sheet.below': ({ row }) =>
    `row ${row} stands below an empty row and looks like a note or another table; choose the cells of one table to read that alone`,
  'sheet.beside': ({ left, right }) =>
    `an empty column stands between ${left} and ${right}, which may be two tables. “Only read ${left}” takes one of them`,
  'sheet.noHeaderRow.hint': () => 'The header row is the number of the row as the sheet shows it.',

  'table.noList': ({ as, kind }) =>
    `Only a list of records can be passed on as ${asText(as)}, but the file holds ${contents[kind]}`,
  'table.tooWide': ({ as, most }) =>
    `A table in ${asText(as)} has at most ${most} columns, and these records have more names, or share too few`,
  'table.isText.hint': () => 'Choose “Automatic” at “Pass it on as” to send the text.',
  'table.noList.hint': ({ hasText, allSheets }) =>
    `Choose ${allSheets ? 'a single sheet, or ' : ''}“Data (JSON)”${hasText ? ' or “Plain text”' : ''}${allSheets || hasText ? ',' : ''} at “Pass it on as”.`,
  'table.others': ({ read, sheets, more }) =>
    `Table '${read}' was read. The database has ${counted(sheets.length + more, 'other table', 'other tables')}: ${quotedList(sheets, 'hidden')}${more > 0 ? ` and ${more} more` : ''}`,

  'document.compressed.hint': 'Unpack it first, and open the document itself.',
  'document.noTable.hint': ({ tables }) =>
    tables === 0 ? 'Read its text' : `It has ${counted(tables, 'table', 'tables')}, counted from 1`,
  'document.needsTable': ({ option }) => `“${optionName(option)}” is for the records of a table, and a document is a text`,
  'document.needsTable.hint': () => 'Choose one of its tables, or set that back to automatic.',
  'document.changes': ({ changes, at }) =>
    `The document has ${counted(changes, 'tracked change', 'tracked changes')}${inPlaces(at)}: insertions are in the text, deletions are left out. Choose “Deleted text” at “Show as well” to see them`,
  'document.comments': ({ comments, at }) =>
    `${counted(comments, 'comment is', 'comments are')} left out${inPlaces(at)}. Choose “Comments” at “Show as well” to see them`,
  'document.hidden': ({ characters, at }) =>
    `Hidden text (${counted(characters, 'character', 'characters')}) is left out${inPlaces(at)}. Choose “Hidden text” at “Show as well” to see it`,
  'document.headers': ({ headers, first }) =>
    `${counted(headers, 'page header or footer is', 'page headers and footers are')} left out${first === '' ? '' : ` ("${first.slice(0, 40)}")`}. Choose “Headers and footers” at “Show as well” to see them`,
  'document.pageAsMarkdown': 'The page went as Markdown. Choose “HTML” at “Pass it on as” to send its source',
  'document.noRecords.hint': () => 'Pass it on as Markdown, plain text or HTML, or read one of its tables.',
  'document.noHtml.hint': () => 'Choose “Automatic” or “Plain text” at “Pass it on as”.',
  'document.pagesMisread': ({ pages }) => `'${pages}' is no choice of pages`,
  'document.pagesBeyond': ({ pages, count }) =>
    `The pages '${pages}' lie beyond the end: the document has ${counted(count, 'page', 'pages')}`,
  'document.pagesMisread.hint': () => 'Give numbers and ranges, such as 3, 3-5, 7- or 1,4-6.',
  'document.unseen': ({ characters, ranges, pages, isShown }) =>
    `${counted(characters, 'character that cannot be seen (white, invisible, tiny or in a hidden layer) is', 'characters that cannot be seen (white, invisible, tiny or in a hidden layer) are')} ${isShown ? 'in the text' : 'left out'} on ${pages === 1 ? 'page' : 'pages'} ${ranges}${isShown ? '' : '. Choose “Hidden text” at “Show as well” to see them'}`,
  'document.attachments': ({ names, more }) =>
    `${counted(names.length + more, 'file is', 'files are')} attached to the document, and not in the text: ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}. Choose one at “File in the archive” to read it`,

  'sqlite.none.hint': 'If it is a file of another kind, choose its format.',
  'sqlite.unfinished.hint': 'Wait until its program is done, or open it in that program, which undoes the change.',
  'sqlite.module.hint':
    'With fts3 or fts4, its texts are in another table, whose name ends in “content”: ask for that with a query.',
  'sqlite.utf16.hint': 'Copy it into a database in UTF-8, with the program that made it.',
  'sqlite.queryAndTable': 'A query names its tables itself: choose no table, or no query',
  'sqlite.tableTwice': 'The table is named twice: name it once',
} satisfies Partial<Table<typeof agents>>;
