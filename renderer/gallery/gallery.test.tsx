// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../i18n/texts.ts';
import { cleanup, fireEvent, render, screen, within } from '../ui/fixtures/testing-library.ts';
import { Gallery, stories } from './gallery.tsx';

afterEach(() => {
  cleanup();
  setLanguage('en');
});

const modules = import.meta.glob<Record<string, unknown>>(['../ui/*.tsx', '!../ui/*.test.tsx'], { eager: true });
/** Components and hooks. */
const partsOfOthers = ['useAllowFolder', 'useFolderQuestion', 'useShortPath', 'useToast'];
const shown = Object.values(modules).flatMap((exported) =>
  Object.keys(exported).filter(
    (name) => typeof exported[name] === 'function' && /^(?:[A-Z]|use[A-Z])/.test(name) && !partsOfOthers.includes(name),
  ),
);

describe('the gallery', () => {
  it('has every component of renderer/ui, and no other', () => {
    expect(shown.length).toBeGreaterThan(20);
    expect(Object.keys(stories).sort()).toEqual([...shown].sort());
  });

  it.each([
    ['English', ''],
    ['German, dark, with long texts', 'theme=dark&language=de&long=1'],
  ])('shows every state in %s', (_, query) => {
    render(<Gallery asked={new URLSearchParams(query)} />);
    for (const [name, { states }] of Object.entries(stories)) {
      const captions = screen.getByRole('region', { name }).querySelectorAll('figcaption');
      expect([...captions].map(({ textContent }) => textContent)).toEqual(Object.keys(states));
    }
  });

  it('changes colours, language and lengths', () => {
    render(<Gallery asked={new URLSearchParams('only=Outcome')} />);
    const outcome = () => within(screen.getByRole('region', { name: 'Outcome' }));
    expect(outcome().getByText('Done')).toBeTruthy();
    expect(document.documentElement.dataset.theme).toBe('light');
    for (const label of ['Dark', 'Deutsch']) {
      const input = screen.getByText(label).closest('label')?.querySelector('input');
      fireEvent.click(input as HTMLElement);
    }
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(outcome().getByText('Erledigt')).toBeTruthy();
  });
});
