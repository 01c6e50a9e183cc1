/** Texts of tray, dialogs and notifications, in the language of the settings. */
import { createInstance } from 'i18next';
import type { Language } from '../../shared/model/config.ts';
import de from './texts.de.json' with { type: 'json' };
import en from './texts.en.json' with { type: 'json' };

/** The keys of the texts, plural forms as one. */
type Key = keyof typeof en extends infer K ? (K extends `${infer Base}_${'one' | 'other'}` ? Base : K) : never;

export type Text = ((key: Key & string, values?: Readonly<Record<string, string | number>>) => string) & {
  readonly language: Language;
};

const i18n = createInstance();
void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { shell: en }, de: { shell: de } },
  defaultNS: 'shell',
  keySeparator: false,
  nsSeparator: false,
  // Menus and dialogs take plain text.
  interpolation: { escapeValue: false },
});

/** The texts in a language; `count` chooses the plural form. */
export function textsIn(language: Language): Text {
  const t = i18n.getFixedT(language, 'shell');
  const text = (key: Key & string, values?: Readonly<Record<string, string | number>>) => t(key, { ...values });
  return Object.assign(text, { language });
}
