/** Short runs of what `npm run fuzz` does for hours. */
import { expect, it } from 'vitest';
import { fuzzConfiguration, fuzzServerFiles, fuzzSettings } from './fixtures/settings-fuzz.ts';

it.each([
  ['configurations', fuzzConfiguration, 500],
  ['files of servers and pasted text', fuzzServerFiles, 200],
  ["settings of agents' apps", fuzzSettings, 150],
])('%s are taken, refused or changed without loss, whatever they hold', async (_, fuzz, count) => {
  await expect(fuzz(7, count)).resolves.toBeUndefined();
});
