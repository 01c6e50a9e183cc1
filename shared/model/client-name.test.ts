import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../lib/fixtures/property-runs.ts';
import { APP_CLIENT, clientName } from './client-name.ts';

describe('the name of an agent', () => {
  it.each([
    ['claude-code', 'claude-code'],
    ['  Cursor\n\tv2 ', 'Cursor v2'],
    ['Ärzte 😀', 'Ärzte 😀'],
    ['evil\u202Etxt.exe', 'eviltxt.exe'],
    ['a\u200Bb\u0000c', 'ab c'],
    ['', null],
    [' \u200B ', null],
    [7, null],
    [undefined, null],
    [APP_CLIENT, null],
    ['filebridge  APP\u200B', null],
  ])('%j is shown as %j', (said, shown) => expect(clientName(said)).toBe(shown));

  it('is one short line, whatever was said, and says the same when it is cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (said) => {
        const shown = clientName(said);
        if (shown === null) return;
        expect([...shown].length).toBeLessThanOrEqual(64);
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\t\n\r]/u);
        expect(clientName(shown)).toBe(shown);
      }),
      { numRuns: runs(100) },
    );
    expect([...(clientName('ab'.repeat(5000)) ?? '')]).toHaveLength(64);
  });
});
