import { afterEach, expect, it } from 'vitest';
import { argumentsOf, fixture, fixturePath, poolOf, textOf } from './fixtures/support.ts';
import type { UpstreamPool } from './types.ts';

let pool: UpstreamPool;
afterEach(() => pool.close());

function open(...flags: string[]): void {
  pool = poolOf({ odd: fixture('', { args: [fixturePath('odd-answers.mjs'), ...flags] }) }, { callTimeoutMs: 120_000 });
}
const call = (as: string) => pool.callTool('odd', 'answer', argumentsOf({ as }));

it.each([
  ['both', 'the disk is full'],
  ['neither', 'neither a result nor an error'],
  ['errorText', 'the disk is full'],
  ['errorCode', 'the disk is full'],
  ['idNull', 'the disk is full'],
])('an answer that is none of JSON-RPC ends its call, and says what it said: %s', async (as, said) => {
  open();
  await expect(call(as)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED', message: expect.stringContaining(said) });
  expect(textOf(await call('plainly'))).toBe('done');
});

it.each(['errorNull', 'idText'])('an answer that can be understood is taken: %s', async (as) => {
  open();
  expect(textOf(await call(as))).toBe('done');
});

it('a byte order mark before a line is passed over', async () => {
  open('--bom');
  expect(textOf(await call('plainly'))).toBe('done');
});

it('a greeting of megabytes is taken', async () => {
  open('--long');
  expect(textOf(await call('plainly'))).toBe('done');
});

it('a very long error is cut', async () => {
  open();
  await expect(call('longError')).rejects.toSatisfy((error: Error) => error.message.length < 30_000);
});
