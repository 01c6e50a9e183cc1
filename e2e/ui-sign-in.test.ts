/** The Servers page and a server that wants a sign-in, in both hosts. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProtectedServer, protectedServer } from '../electron/upstream/sign-in/fixtures/protected-server.ts';
import { accessibilityFaults } from './support/axe.ts';
import { goTo } from './support/steps.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

describe.each(eitherHost())('Signing in, in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  let server: ProtectedServer;

  beforeAll(async () => {
    server = await protectedServer({ expiresIn: 3600 });
    window = await openWindow(host, { upstreams: { web: { type: 'http', url: server.url } } });
    page = window.page;
    // The system's browser has no part in a test: what it would show is kept.
    await window.app?.evaluate(({ shell }) => {
      shell.openExternal = async (link) => {
        (globalThis as { opened?: string }).opened = link;
      };
    });
    await goTo(page, 'Servers');
  });
  afterAll(async () => {
    await window?.close();
    await server?.close();
  });

  const card = () => page.getByRole('list', { name: 'Your servers' }).getByRole('listitem').first();
  const link = async (): Promise<string> => {
    if (!window.app) return (await card().getByRole('link', { name: 'Open the sign-in page' }).getAttribute('href')) ?? '';
    const opened = () => window.app?.evaluate(() => (globalThis as { opened?: string }).opened ?? '') ?? Promise.resolve('');
    await expect.poll(opened).toContain('/authorize');
    return opened();
  };

  it('says that a sign-in is needed', async () => {
    await card().getByRole('button', { name: 'More for web' }).click();
    await page.getByRole('menuitem', { name: 'Test' }).click();
    await card().getByText('Needs sign-in').waitFor();
    await card().getByText('web wants you to sign in').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('can be cancelled', async () => {
    await card().getByRole('button', { name: 'Sign in' }).click();
    await card().getByText('Continue in your browser').waitFor();
    await card().getByRole('button', { name: 'Cancel' }).click();
    await card().getByText('web wants you to sign in').waitFor();
    await window.app?.evaluate(() => {
      (globalThis as { opened?: string }).opened = '';
    });
  });

  it('is signed in once the browser came back, and signs out', async () => {
    await card().getByRole('button', { name: 'Sign in' }).click();
    await card().getByText('Continue in your browser').waitFor();
    expect(await server.visit(await link())).toBe(200);
    await card().getByText('Connected', { exact: true }).waitFor();
    await card()
      .getByText(/^Signed in until /)
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await card().getByRole('button', { name: 'Sign out' }).click();
    await card().getByText('web wants you to sign in').waitFor();
  });
});
