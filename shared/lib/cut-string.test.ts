import { describe, expect, it } from 'vitest';
import { cutString } from './cut-string.ts';

describe('a JSON string that is cut', () => {
  const text = 'Ada said "hi"\n\\ and \u0001 left 😀.';
  // Lone halves of pairs are written as escapes.
  const json = `${JSON.stringify(text).slice(0, -1)}\\ud83d\\ude00"`;

  it('is all of it where nothing is cut', () => expect(cutString(JSON.stringify(text))).toBe(text));

  it('is what is there, wherever it is cut', () => {
    const whole = `${text}😀`;
    for (let end = 1; end <= json.length; end += 1) {
      const shown = cutString(json.slice(0, end));
      expect(whole.startsWith(shown), `${json.slice(0, end)} → ${shown}`).toBe(true);
    }
    expect(cutString(json)).toBe(whole);
  });
});
