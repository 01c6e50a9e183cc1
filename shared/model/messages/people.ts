/** The wordings that people read, by language. */
import { formatBytes } from '../../lib/bytes.ts';
import type { Language } from '../config.ts';
import { inWords, type Text, type Wordings } from './message.ts';
import { german } from './people.de/index.ts';
import { optionName as germanOption, inBytes } from './people.de/phrases.ts';
import { english } from './people.en/index.ts';
import { optionName as englishOption } from './people.en/phrases.ts';
import { known, type Said } from './received.ts';

/** A language without a complete table does not compile. */
export const persons: Readonly<Record<Language, Wordings>> = { en: english, de: german };

/** Words as they come with an error, a problem or a warning: ours as data too, with the agents' wording beside it. */
export interface Worded {
  readonly message: string;
  readonly hint?: string | null | undefined;
  readonly said?: Said | undefined;
}

/** Returns an error, problem or warning in a person's language. Foreign text stays as it is. */
export function personsWords({ message, hint, said }: Worded, language: Language): { message: string; hint: string | null } {
  const words = (text: Text) => inWords(text, persons[language]);
  return { message: words(known(said?.message) ?? message), hint: hint ? words(known(said?.hint) ?? hint) : null };
}

/** What the window calls an option of reading. */
export const personsOption = (option: string, language: Language): string =>
  (language === 'de' ? germanOption : englishOption)(option);

/** A size in the language's way: `1.5 MB`, `1,5 MB`, `1 byte`. */
export const personsBytes = (bytes: number, language: Language): string =>
  language === 'de' ? inBytes(bytes) : formatBytes(bytes, bytes === 1 ? { unit: 'byte' } : {});
