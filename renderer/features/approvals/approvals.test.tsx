// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../../shared/contract/approvals.ts';
import type { Client } from '../../../shared/contract/rpc.ts';
import { ClientContext } from '../../api/use-client.ts';
import { Toasts } from '../../ui/feedback.tsx';
import { cleanup, fireEvent, render, screen, waitFor } from '../../ui/fixtures/testing-library.ts';
import { Approvals } from './approvals.tsx';

const record = (n: number) => `{"n":${n}}`;
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => record(from + at));

const approval: Approval = {
  id: 'q',
  call: 'c',
  asked: '2026-11-20T10:42:00.000Z',
  leftMs: 120_000,
  client: 'Claude',
  server: 'db',
  target: 'db',
  folder: null,
  tool: 'wipe',
  says: 'destroys',
  description: 'Deletes what is in a table.\nFor good.',
  paths: ['/data/many.csv'],
  records: 200,
  bytes: 2_000,
  calls: { count: 1, exact: true },
  arguments: ['{"rows":', 0, '}'],
  payloads: [
    {
      place: 'rows',
      records: 200,
      bytes: 2_000,
      list: true,
      files: [{ path: '/data/many.csv', bytes: 2_000, records: 200 }],
      first: numbers(0, 5),
      last: numbers(195, 5),
    },
  ],
  sentBefore: [],
  lapsed: [],
  changes: [],
};

/** A program with one open question, and what it was told. */
function program() {
  let open = [approval];
  const decisions: string[] = [];
  const listeners = new Map<string, ((payload: never) => void)[]>();
  const tell = (name: string, payload: object) => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never);
  };
  const answers: Record<string, (input: never) => unknown> = {
    'approvals.list': () => open,
    'approvals.records': ({ from, count }: { from: number; count: number }) => numbers(from, count),
    'approvals.answer': ({ decision }: { decision: string }) => {
      decisions.push(decision);
      open = [];
      tell('approvals.changed', {});
      return {};
    },
    'host.get': () => ({ kind: 'console' }),
  };
  const client = {
    call: async (name: string, input: never) => answers[name]?.(input),
    on(name: string, listener: (payload: never) => void) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
      return () => undefined;
    },
    onConnection: () => () => undefined,
  } as unknown as Client;
  render(
    <ClientContext value={client}>
      <Toasts>
        <Approvals />
      </Toasts>
    </ClientContext>,
  );
  return { decisions, tell };
}

const button = (name: string) => screen.findByRole('button', { name });
async function press(name: string): Promise<void> {
  await waitFor(async () => expect((await button(name)).getAttribute('aria-disabled')).toBe(null));
  fireEvent.click(await button(name), { detail: 1 });
}

beforeEach(() => {
  // Everything is on the screen.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #seen: (entries: object[]) => void;
      constructor(seen: (entries: object[]) => void) {
        this.#seen = seen;
      }
      observe() {
        this.#seen([{ isIntersecting: true }]);
      }
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a call that needs approval', () => {
  it('is followed by what the answer did', async () => {
    const { decisions } = program();
    await press('Refuse');
    await screen.findByText('Refused. Nothing was sent. Claude was told.');
    expect(decisions).toEqual(['refuse']);
  });

  it('is followed by what became of the call, once it has ended', async () => {
    const { tell } = program();
    await press('Allow once');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBe(null));
    tell('ledger.appended', { id: 'another', outcome: 'ok' });
    tell('ledger.appended', { id: 'c', outcome: 'failed' });
    await screen.findByText('“wipe” on db did not work');
    expect(screen.queryByText('Done: “wipe” on db')).toBe(null);
    fireEvent.click(await button('See why'));
    expect(location.pathname).toBe('/activity/c');
  });

  it('says what the tool does in the words of its server, and that it destroys', async () => {
    program();
    await screen.findByRole('heading', { name: 'Allow “wipe”, which may delete or replace?' });
    await screen.findByText('The server says of this tool: “Deletes what is in a table. For good.”');
  });

  it('says that it is not known where the call may have been made', async () => {
    const { tell } = program();
    await press('Allow once');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBe(null));
    tell('ledger.appended', { id: 'c', outcome: 'unknown' });
    await screen.findByText('“wipe” on db: it is not known what was done');
  });

  it('leaves the field of a record with Escape before it refuses', async () => {
    const { decisions } = program();
    const field = await screen.findByLabelText(/^From record/);
    await waitFor(async () => expect((await button('Allow once')).getAttribute('aria-disabled')).toBe(null));
    field.focus();
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(decisions).toEqual([]);
  });

  it('is always allowed only at a second word, where the tool destroys', async () => {
    const { decisions } = program();
    await press('Always allow this tool');
    await screen.findByText(/From now on it does so without asking you/);
    // As the second click of a double click.
    fireEvent.click(await button('Yes, always allow'), { detail: 2 });
    // Nor does that of one on “Back” refuse.
    const back = await button('Back');
    await waitFor(() => expect(back.getAttribute('aria-disabled')).toBe(null));
    fireEvent.click(back, { detail: 1 });
    fireEvent.click(await button('Refuse'), { detail: 2 });
    await press('Always allow this tool');
    expect(decisions).toEqual([]);
    await press('Yes, always allow');
    await screen.findByText(/will not be asked about again\. You can change that on the Servers page/);
    expect(decisions).toEqual(['always']);
    fireEvent.click(await button('Open Servers'));
    expect(location.pathname).toBe('/servers');
  });

  it('shows any of its records', async () => {
    program();
    const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent);
    await press('Show the next 50');
    await waitFor(() => expect(rows().slice(5, 8)).toEqual(['4', '5', '6']));
    expect(rows()[56]).toContain('… 140 records between are not shown …');
    fireEvent.change(screen.getByRole('textbox', { name: 'From record (1 to 200)' }), { target: { value: '180' } });
    await press('Show');
    await waitFor(() => expect(rows().slice(7)).toEqual(Array.from({ length: 21 }, (_, at) => `${179 + at}`)));
    await press('Show the 50 before');
    await waitFor(() => expect(rows()[7]).toBe('129'));
    expect(rows()[6]).toContain('… 124 records between');
  });
});
