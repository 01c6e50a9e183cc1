import { describe, expect, it } from 'vitest';
import de from './texts.de.json' with { type: 'json' };
import en from './texts.en.json' with { type: 'json' };
import { textsIn } from './texts.ts';

const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

describe("the shell's texts", () => {
  it('are the same in German, hole for hole', () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
    for (const [key, text] of Object.entries(en)) {
      expect({ key, holes: holes(Reflect.get(de, key)) }).toEqual({ key, holes: holes(text) });
    }
  });

  it('fill in values as they are, and count', () => {
    expect(textsIn('de')('runningAt', { address: 'a<b>&c' })).toBe('Läuft auf a<b>&c');
    expect(textsIn('en')('waiting', { count: 1 })).toBe('1 call needs your approval…');
    expect(textsIn('de')('waiting', { count: 2 })).toBe('2 Aufrufe brauchen Ihre Zustimmung…');
  });
});
