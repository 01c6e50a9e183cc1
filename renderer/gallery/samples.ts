/** Texts for the gallery: what a page would give to a component, in both languages, short and long. */
import type { Language } from '../../shared/model/config.ts';

const english = {
  action: 'Add a folder',
  title: 'Folders',
  lead: 'Agents read and write files in these folders, and nowhere else.',
  detail: 'Read and write',
  label: 'Name of the server',
  hint: 'Letters, digits and hyphens',
  wrong: 'A server of this name exists',
  path: '/home/ada/Documents/sales/orders-2026.csv',
  sentence: 'The server has not answered since 10:42.',
};

const german: typeof english = {
  action: 'Ordner hinzufügen',
  title: 'Ordner',
  lead: 'Agenten lesen und schreiben Dateien in diesen Ordnern, sonst nirgends.',
  detail: 'Lesen und schreiben',
  label: 'Name des Servers',
  hint: 'Buchstaben, Ziffern und Bindestriche',
  wrong: 'Einen Server mit diesem Namen gibt es schon',
  path: '/home/ada/Dokumente/Vertrieb/Bestellungen-2026.csv',
  sentence: 'Der Server hat seit 10:42 Uhr nicht geantwortet.',
};

export type Samples = typeof english;

/** A long name with and without places where a line may break. */
const tail = ' – Donaudampfschifffahrtsgesellschaftskapitänsversicherungsunterlagen, Rindfleischetikettierungsüberwachung';
const longPath = `/${'a-folder-whose-name-is-long/'.repeat(6)}a_file_name_without_any_place_where_a_line_may_break_2026.csv`;

export function samples(language: Language, long: boolean): Samples {
  const words = language === 'de' ? german : english;
  if (!long) return words;
  const lengthened = Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text + tail]));
  return { ...words, ...lengthened, path: longPath };
}
