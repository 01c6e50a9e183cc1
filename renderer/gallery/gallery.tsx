/** Shows every component of renderer/ui in every state. */
import './gallery.css';
import { useLayoutEffect, useState } from 'react';
import type { Client } from '../../shared/contract/rpc.ts';
import type { Language } from '../../shared/model/config.ts';
import { ClientContext } from '../api/use-client.ts';
import { setLanguage } from '../i18n/texts.ts';
import { Toasts } from '../ui/feedback.tsx';
import { Toggle } from '../ui/field.tsx';
import { dataStories } from './data-stories.tsx';
import { formStories } from './form-stories.tsx';
import { pageStories } from './page-stories.tsx';
import { type Stories, sampleClient, samples } from './samples.ts';

/** A test compares this list with what renderer/ui exports. */
export const stories: Stories = { ...formStories, ...pageStories, ...dataStories };

/** In the language, colours and text lengths that are chosen above them. `asked` has the first settings: `?theme=dark&language=de&long=1`, and `&only=Button` for one component. */
export function Gallery({ asked, client = sampleClient() }: { asked: URLSearchParams; client?: Client }) {
  const [dark, setDark] = useState(asked.get('theme') === 'dark');
  const [language, setShown] = useState<Language>(asked.get('language') === 'de' ? 'de' : 'en');
  const [long, setLong] = useState(asked.get('long') === '1');
  const only = asked.get('only');
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, [dark]);
  setLanguage(language);
  const words = samples(language, long);
  return (
    <ClientContext value={client}>
      <Toasts>
        <main className="gallery">
          <div className="gallery-settings">
            <Toggle label="Dark" on={dark} onToggle={setDark} />
            <Toggle label="Deutsch" on={language === 'de'} onToggle={(on) => setShown(on ? 'de' : 'en')} />
            <Toggle label="Long texts" on={long} onToggle={setLong} />
          </div>
          {Object.entries(stories)
            .filter(([name]) => only === null || name === only)
            .map(([name, { wide, states }]) => (
              <section key={name} className="gallery-component" aria-label={name}>
                <h2>{name}</h2>
                <div className="gallery-states">
                  {Object.entries(states).map(([state, render]) => (
                    <figure key={`${state} ${language}`} className="gallery-state" data-wide={wide || undefined}>
                      <figcaption>{state}</figcaption>
                      <div className="gallery-frame">{render(words)}</div>
                    </figure>
                  ))}
                </div>
              </section>
            ))}
        </main>
      </Toasts>
    </ClientContext>
  );
}
