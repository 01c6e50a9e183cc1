/** Words in the reader's language: of the pages (each feature keeps its own, English beside every other language), and of the program's messages. */
import { createInstance } from 'i18next';
import type { Language } from '../../shared/model/config.ts';
import { personsOption, personsWords, type Worded } from '../../shared/model/messages/people.ts';

/** `../features/home/texts.de.json` → namespace `home`, language `de`. */
const files = import.meta.glob<Record<string, string>>('../**/texts.*.json', { eager: true, import: 'default' });

const resources: Record<string, Record<string, Record<string, string>>> = {};
for (const [file, texts] of Object.entries(files)) {
  const [, namespace, language] = /([^/]+)\/texts\.(\w+)\.json$/.exec(file) ?? [];
  if (namespace === undefined || language === undefined) throw new Error(`${file} is not named like a file of texts`);
  resources[language] = { ...resources[language], [namespace]: texts };
}

const i18n = createInstance();
void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  resources,
  keySeparator: false,
  nsSeparator: false,
  // React escapes.
  interpolation: { escapeValue: false },
});

/** The keys of a file of texts, plural forms as one. */
type Key<T> = keyof T extends infer K ? (K extends `${infer Base}_${'one' | 'other'}` ? Base : K) : never;

export type Text<T> = (key: Key<T> & string, values?: Readonly<Record<string, string | number>>) => string;

/**
 * The texts of one feature. `english` gives the keys their types; the words come from the language in force, so call it while rendering.
 * `count` chooses the plural form.
 */
export function texts<T extends object>(namespace: string, _english: T): Text<T> {
  return (key, values) => i18n.t(key, { ns: namespace, ...values });
}

export const currentLanguage = (): Language => i18n.language as Language;

/** Takes effect at the next rendering of whatever shows texts. */
export function setLanguage(language: Language): void {
  void i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Message and hint of an error, a problem or a warning. Words of others, such as those of a server, stay as they are. Call it while rendering. */
export const words = (said: Worded): { message: string; hint: string | null } => personsWords(said, currentLanguage());

/** What the window calls an option of reading. Call it while rendering. */
export const optionWords = (option: string): string => personsOption(option, currentLanguage());

/** The problem of an agent's app and what to do after connecting, as the person reads them. */
export function agentWords({ problem, note, said }: { problem: string | null; note: string | null; said?: Worded['said'] }) {
  const { message, hint } = words({ message: problem ?? '', hint: note, said });
  return { problem: problem === null ? null : message, note: hint };
}
