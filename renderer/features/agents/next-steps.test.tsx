// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/contract/rpc.ts';
import { ClientContext } from '../../api/use-client.ts';
import { cleanup, render, screen, waitFor } from '../../ui/fixtures/testing-library.ts';
import { NextSteps, NextStepsNotice } from './next-steps.tsx';

afterEach(cleanup);

/** Cursor and VS Code have Filebridge in their settings; only Cursor got it lately. */
function program(awaited: readonly string[], seen: readonly string[] = []) {
  const app = (id: string, name: string) => ({ id, name, state: 'connected', problem: null, note: `Restart ${name}.` });
  const answers: Record<string, unknown> = {
    'agents.list': [app('cursor', 'Cursor'), app('vscode', 'VS Code')],
    'agents.present': { agents: seen.map((id) => ({ app: id })), awaited },
  };
  const client = {
    call: async (name: string) => answers[name],
    on: () => () => undefined,
    onConnection: () => () => undefined,
  } as unknown as Client;
  return (children: React.ReactNode) => render(<ClientContext value={client}>{children}</ClientContext>);
}

describe('what is still to be done in an app', () => {
  it('is said of each that was never here', async () => {
    program([])(<NextSteps />);
    await screen.findByText('First: Restart Cursor.');
    await screen.findByText('First: Restart VS Code.');
  });

  it('is a notice of those that were set up lately', async () => {
    program(['cursor'])(<NextStepsNotice />);
    await screen.findByText('Cursor: set up, and not here since');
    await screen.findByText('First: Restart Cursor.');
    expect(screen.queryByText('First: Restart VS Code.')).toBe(null);
  });

  it('is nothing once they were here', async () => {
    const { container } = program(
      [],
      ['cursor', 'vscode'],
    )(
      <>
        <NextSteps />
        <NextStepsNotice />
        <p>there</p>
      </>,
    );
    await screen.findByText('there');
    await waitFor(() => expect(container.textContent).toBe('there'));
  });
});
