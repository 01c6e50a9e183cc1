/** Names that a person knows from the window, for options and tests that agents call otherwise. */
import type { ConversionOptions } from '../../conversion.ts';
import { namedIn } from '../phrases.ts';

const optionNames: Readonly<Record<keyof ConversionOptions, string>> = {
  as: 'Pass it on as',
  format: 'Format',
  encoding: 'Encoding',
  types: 'Column types',
  header: 'The table has a header row',
  delimiter: 'Separator',
  header_row: 'Header row',
  skip: 'Lines to skip',
  ragged: 'Rows with extra cells',
  quote: 'Quote',
  escape: 'Escape character',
  comment: 'Lines that are comments',
  trim: 'Drop blanks around cells',
  nulls: 'Text that means no value',
  decimal: 'Decimal comma',
  dates: 'Write dates as 2024-12-31',
  sheet: 'Sheet',
  range: 'Cells',
  table: 'Table',
  query: 'Query (SQL)',
  include: 'Show as well',
  pages: 'Pages',
  entry: 'File in the archive',
  transform: 'Transformation',
};

/** `Header row` for `header_row`. */
export const optionName = (option: string): string => namedIn(optionNames, option);

const tests: Readonly<Record<string, string>> = {
  starts_with: 'starts with',
  is_null: 'is empty',
  not_null: 'is not empty',
};

/** `starts with` for `starts_with`. */
export const testName = (op: string): string => namedIn(tests, op);

/** What a table is read with where nothing else fits, by the option that an agent would give. */
export const dialects: Readonly<Record<string, string>> = {
  escape: 'a backslash before quotes inside cells',
  trim: 'the blanks around cells dropped',
  comment: 'lines that start with # as comments',
  quote: 'single quotes around cells',
};

/** A limit's name on the Settings page. */
export const limitName = (setting: string): string =>
  namedIn(
    {
      maxFileBytes: 'Largest YAML, XML or transformed file',
      maxStreamedFileBytes: 'Largest CSV, JSON or text file',
    },
    setting,
  );
