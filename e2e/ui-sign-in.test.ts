/** The Servers page and a server that wants a sign-in, in both hosts. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProtectedServer, protectedServer } from '../electron/upstream/sign-in/fixtures/protected-server.ts';
import { accessibilityFaults } from './support/axe.ts';
import { addServers, goTo } from './support/steps.ts';
import { eitherHost, type OpenWindow, openWindow } from './support/window-hosts.ts';

describe.each(eitherHost())('Signing in, in %s', (host) => {
  let window: OpenWindow;
  let page: Page;
  let server: ProtectedServer;
  let second: ProtectedServer;

  beforeAll(async () => {
    server = await protectedServer({ expiresIn: 3600 });
    second = await protectedServer({ expiresIn: 3600 });
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
    await second?.close();
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

  it('goes on with the id of an app that the person registered, where the server registers none', async () => {
    server.quirks.metadata = { registration_endpoint: undefined, token_endpoint_auth_methods_supported: ['client_secret_post'] };
    server.forgetClients();
    server.register('my-app', 's3cret');
    await window.app?.evaluate(() => {
      (globalThis as { opened?: string }).opened = '';
    });
    await card().getByRole('button', { name: 'Sign in' }).click();
    await card().getByText('wants a client id').waitFor();
    await card()
      .getByText(/redirect addresses http:\/\/127\.0\.0\.1:/)
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await card().getByRole('textbox', { name: 'Client id' }).fill('my-app');
    const secret = card().getByLabel('Client secret');
    await secret.fill('wr0ng');
    await card().locator('form').getByRole('button', { name: 'Sign in' }).click();
    await card().getByText('Continue in your browser').waitFor();
    await server.visit(await link());
    await card().getByText('refused the client id or its secret').waitFor();
    // The page keeps no secret that was sent.
    await expect.poll(() => secret.inputValue()).toBe('');
    await window.app?.evaluate(() => {
      (globalThis as { opened?: string }).opened = '';
    });
    await secret.fill('s3cret');
    await card().locator('form').getByRole('button', { name: 'Sign in' }).click();
    await card().getByText('Continue in your browser').waitFor();
    expect(await server.visit(await link())).toBe(200);
    await card().getByText('Connected', { exact: true }).waitFor();
    await card().getByRole('button', { name: 'Sign out' }).click();
    await card().getByText('web wants you to sign in').waitFor();
  });

  it('is the last step of adding a server that asks for it', async () => {
    await window.app?.evaluate(() => {
      (globalThis as { opened?: string }).opened = '';
    });
    const dialog = await addServers(page, 'By hand');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
    await dialog.getByRole('radio', { name: /address/i }).check();
    await dialog.getByRole('textbox', { name: 'Address' }).fill(second.url);
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('This server asks you to sign in').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save and sign in' }).click();
    const last = page.getByRole('dialog', { name: 'One more step' });
    await last.getByText('Continue in your browser').waitFor();
    const place = window.app
      ? await link()
      : await last.getByRole('link', { name: 'Open the sign-in page' }).getAttribute('href');
    expect(await second.visit(place ?? '')).toBe(200);
    // Nothing is left to do.
    await last.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Your servers' }).getByText('Connected', { exact: true }).waitFor();
  });
});
