/** The settings, known before anything is drawn and kept fresh, and what follows from them: language and appearance. */
import { type ReactNode, useEffect, useState } from 'react';
import { type AppSettings, chooseLanguage, type Language } from '../../shared/model/config.ts';
import { SettingsContext, useAnswer } from '../api/use-client.ts';
import { setLanguage } from '../i18n/texts.ts';

const nothing = {};
const events = ['status.changed'] as const;

/** Sets language and appearance. Gives the language, so that a change can redraw the page. */
export function adopt(app: Pick<AppSettings, 'language' | 'appearance'>): Language {
  const language = chooseLanguage(app.language, navigator.languages);
  setAppearance(app.appearance);
  setLanguage(language);
  return language;
}

export function SettingsProvider({ children }: { children: (language: Language) => ReactNode }) {
  const settings = useAnswer('settings.get', nothing, events);
  const app = settings.value?.app;
  const [language, setShown] = useState<Language>(() => adopt({ language: 'system', appearance: 'system' }));
  useEffect(() => {
    if (app) setShown(adopt(app));
  }, [app]);
  if (settings.value === undefined && settings.error === undefined) return null;
  return <SettingsContext value={settings.value}>{children(language)}</SettingsContext>;
}

// Light or dark: the user's setting, or the system's.

const dark = matchMedia('(prefers-color-scheme: dark)');
let wanted: AppSettings['appearance'] = 'system';

function apply(): void {
  document.documentElement.dataset.theme = wanted === 'system' ? (dark.matches ? 'dark' : 'light') : wanted;
}

dark.addEventListener('change', apply);

function setAppearance(appearance: AppSettings['appearance']): void {
  wanted = appearance;
  apply();
}
