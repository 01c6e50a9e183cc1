/** A short run of what `npm run fuzz` does for hours. */
import { expect, it } from 'vitest';
import { fuzzUpstream } from './fixtures/upstream-fuzz.ts';

it('messages of servers are taken or passed over, whatever they hold', async () => {
  await expect(fuzzUpstream(7, 60)).resolves.toBeUndefined();
});
