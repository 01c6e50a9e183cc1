// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/contract/rpc.ts';
import { ClientContext } from '../../api/use-client.ts';
import { Toasts } from '../../ui/feedback.tsx';
import { cleanup, render, screen } from '../../ui/fixtures/testing-library.ts';
import { CallDialog } from './call-dialog.tsx';

afterEach(cleanup);

/** A call that was kept from `/data/a.csv`, and what is so of that file by now. */
async function open(errorCode: string, now: object, saved = 0): Promise<void> {
  const tokens = (count: number) => ({ count, method: 'measured' });
  const entry = {
    id: 'c',
    time: '2026-11-20T10:42:00.000Z',
    client: 'Claude',
    kind: 'file_call',
    server: 'db',
    tool: 'insert',
    paths: ['/data/a.csv'],
    inputBytes: 0,
    sentBytes: 0,
    records: 0,
    calls: 0,
    durationMs: 1,
    outcome: 'blocked',
    errorCode,
    savings: { arguments: tokens(saved), answer: tokens(0) },
    storedPath: null,
  };
  const verdict = { path: '/data/a.csv', folder: null, allowed: false, access: null, allowable: null, toAllow: null, ...now };
  const answers: Record<string, object> = {
    'ledger.get': { entry, message: null, trouble: null },
    'paths.explain': { message: 'now', hint: null, ...verdict },
  };
  const client = {
    call: async (name: string) => answers[name],
    on: () => () => undefined,
    onConnection: () => () => undefined,
  } as unknown as Client;
  render(
    <ClientContext value={client}>
      <Toasts>
        <CallDialog id="c" onClose={() => undefined} />
      </Toasts>
    </ClientContext>,
  );
  await screen.findByRole('heading', { name: 'Files' });
}

describe('a call that was blocked', () => {
  it('can be allowed there, and saved nothing', async () => {
    await open('FILE_OUTSIDE_FOLDERS', { toAllow: '/data' });
    await screen.findByRole('button', { name: 'Allow its folder “data”' });
    await screen.findByText('The file is in none of the folders that you allow.');
    expect(screen.queryByRole('heading', { name: 'Saved' })).toBe(null);
  });

  it('is allowed by now, which is said', async () => {
    await open('FILE_OUTSIDE_FOLDERS', { allowed: true, access: 'read' }, 5);
    await screen.findByText('Agents may read this file now');
    expect(screen.queryByRole('button', { name: /^Allow/ })).toBe(null);
    await screen.findByRole('heading', { name: 'Saved' });
  });

  it('for writing leads to Folders, until writing is allowed', async () => {
    await open('FILE_READ_ONLY', { allowed: true, access: 'read' });
    await screen.findByRole('link', { name: 'Open Folders' });
    cleanup();
    await open('FILE_READ_ONLY', { allowed: true, access: 'read-write' });
    await screen.findByText('Agents may change files here now');
  });
});
