/** Sizes, kinds of values, and names of the window, as German sentences have them. */
import { formatBytes } from '../../../lib/bytes.ts';
import type { ConversionOptions } from '../../conversion.ts';
import { namedIn } from '../phrases.ts';

/** `1,5 MB`, `12 Byte`. */
export const inBytes = (bytes: number): string => formatBytes(bytes, { decimal: ',', unit: 'Byte' });

export const contents = {
  array: 'eine Liste',
  object: 'ein Objekt',
  string: 'einen Text',
  number: 'eine Zahl',
  boolean: 'true oder false',
  null: 'null',
};

const optionNames: Readonly<Record<keyof ConversionOptions, string>> = {
  as: 'Weitergeben als',
  format: 'Format',
  encoding: 'Zeichensatz',
  types: 'Spaltentypen',
  header: 'Die Tabelle hat eine Kopfzeile',
  delimiter: 'Trennzeichen',
  header_row: 'Kopfzeile',
  skip: 'Zeilen überspringen',
  ragged: 'Zeilen mit überzähligen Zellen',
  quote: 'Anführungszeichen',
  escape: 'Maskierungszeichen',
  comment: 'Kommentarzeilen',
  trim: 'Leerzeichen um Zellen weglassen',
  nulls: 'Text, der für keinen Wert steht',
  decimal: 'Dezimalkomma',
  dates: 'Datumsangaben als 2024-12-31 schreiben',
  sheet: 'Tabellenblatt',
  range: 'Zellen',
  table: 'Tabelle',
  query: 'Abfrage (SQL)',
  include: 'Auch zeigen',
  pages: 'Seiten',
  entry: 'Datei im Archiv',
  transform: 'Umformung',
};

/** `Kopfzeile` for `header_row`. */
export const optionName = (option: string): string => namedIn(optionNames, option);

/** `beginnt mit` for `starts_with`. */
export const testName = (op: string): string =>
  namedIn({ contains: 'enthält', starts_with: 'beginnt mit', is_null: 'ist leer', not_null: 'ist nicht leer' }, op);

/** What a table is read with where nothing else fits, by the option that an agent would give. */
export const dialects: Readonly<Record<string, string>> = {
  escape: 'einem Schrägstrich vor Anführungszeichen in Zellen',
  trim: 'weggelassenen Leerzeichen um Zellen',
  comment: 'Kommentarzeilen, die mit # beginnen,',
  quote: 'einfachen Anführungszeichen um Zellen',
};

/** A limit's name on the Settings page. */
export const limitName = (setting: string): string =>
  namedIn(
    {
      maxFileBytes: 'Größte YAML-, XML- oder umgeformte Datei',
      maxStreamedFileBytes: 'Größte CSV-, JSON- oder Textdatei',
    },
    setting,
  );
