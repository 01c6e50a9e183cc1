/** Which language the product speaks to this person. */
import { languages } from './config.ts';

export type Language = Exclude<(typeof languages)[number], 'system'>;

const isKnown = (language: string | undefined): language is Language =>
  language !== 'system' && languages.some((known) => known === language);

/** The language asked for, or the first of the system's that is known. Takes tags such as `de-AT`. */
export function chooseLanguage(wanted: string, system: readonly string[]): Language {
  const candidates = wanted === 'system' ? system : [wanted];
  for (const candidate of candidates) {
    const base = candidate.toLowerCase().split('-')[0];
    if (isKnown(base)) return base;
  }
  return 'en';
}
