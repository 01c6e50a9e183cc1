import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './config.ts';

describe('the language', () => {
  it('is the one asked for', () => expect(chooseLanguage('de', ['en-US'])).toBe('de'));

  it("is the first of the system's that is known", () => {
    expect(chooseLanguage('system', ['fr-FR', 'de-AT', 'en'])).toBe('de');
    expect(chooseLanguage('system', ['DE'])).toBe('de');
  });

  it('is English where none is known', () => {
    expect(chooseLanguage('system', ['fr-FR'])).toBe('en');
    expect(chooseLanguage('system', [])).toBe('en');
  });
});
