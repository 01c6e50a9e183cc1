/** Secrets of servers with a real keyring, and without one. Linux only: the keyring is the test's own. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UpstreamDraft } from '../shared/contract/upstreams.ts';
import { askProgram } from './support/ask-program.ts';
import { type Home, openHome } from './support/filebridge.ts';
import { type SessionBus, startKeyring, startSessionBus } from './support/session-bus.ts';
import { skippedFor } from './support/skipping.ts';
import { everything } from './support/upstreams.ts';
import { launchApp } from './support/window-hosts.ts';

const notLinux = process.platform === 'linux' ? undefined : 'the keychain of this system belongs to its user';
const SECRET = 'a-secret-that-must-not-be-seen';

const draft = ({ command, args } = everything()): UpstreamDraft => ({
  name: 'keyed',
  type: 'stdio',
  command,
  args,
  cwd: null,
  url: '',
  variables: [{ name: 'API_KEY', secret: true, value: SECRET }],
  timeoutMs: null,
  maxMessageBytes: null,
  confirm: 'never',
});

/** Everything the program has written into its configuration and data. */
async function written({ configFile, dataDirectory }: Home): Promise<string> {
  const names = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.path, entry.name));
  return (await Promise.all([configFile, ...files].map((file) => readFile(file, 'utf8')))).join('\n');
}

/** What a server that was started sees in its environment. */
async function environmentOf(page: Page): Promise<string> {
  const sent = await askProgram(page, 'preview.send', {
    path: '/etc/hostname',
    options: {},
    server: 'keyed',
    tool: 'get-env',
    dataKey: 'unused',
  });
  return `${sent.answer}${sent.error?.message ?? ''}`;
}

describe.skipIf(notLinux)(`secrets with a keyring${skippedFor(notLinux)}`, () => {
  let bus: SessionBus;
  let keyring: { close(): Promise<void> };
  let home: Home;
  let app: ElectronApplication;
  let page: Page;

  const open = async () => {
    app = await launchApp(home, { switches: ['--password-store=gnome-libsecret'], env: bus.env, untouched: true });
    page = await app.firstWindow();
  };

  beforeAll(async () => {
    bus = await startSessionBus();
    home = await openHome({ upstreams: {}, port: 0 });
    keyring = await startKeyring(bus, home.workspace.at('keyring'));
    await open();
  });
  afterAll(async () => {
    await app?.close();
    await keyring?.close();
    await bus?.close();
    await home?.workspace.remove();
  });

  it('are sealed on disk, reach the server, and never come back to the page', async () => {
    expect((await askProgram(page, 'host.get', {})).secrets).toEqual({ available: true, reason: null });
    await askProgram(page, 'upstreams.save', { draft: draft(), previousName: null });
    expect(await written(home)).not.toContain(SECRET);
    expect(await written(home)).toContain('$' + '{secret:');
    expect(JSON.stringify(await askProgram(page, 'upstreams.get', { name: 'keyed' }))).not.toContain(SECRET);
    expect(await environmentOf(page)).toContain(SECRET);
  });

  it('are there after a restart', async () => {
    await app.close();
    await open();
    expect(await environmentOf(page)).toContain(SECRET);
    expect(await written(home)).not.toContain(SECRET);
  });

  it('say so where another keyring is open, which cannot unseal them', async () => {
    await app.close();
    const otherBus = await startSessionBus();
    const other = await startKeyring(otherBus, home.workspace.at('other-keyring'));
    try {
      app = await launchApp(home, { switches: ['--password-store=gnome-libsecret'], env: otherBus.env, untouched: true });
      const check = await askProgram(await app.firstWindow(), 'upstreams.check', { name: 'keyed' });
      expect(check.lastFailure?.message).toContain("needs the stored secret for env 'API_KEY'");
      expect(JSON.stringify(check)).not.toContain(SECRET);
    } finally {
      await app.close();
      await other.close();
      await otherBus.close();
      await open();
    }
  });

  it('go with their server', async () => {
    await askProgram(page, 'upstreams.remove', { name: 'keyed' });
    const sealed = JSON.parse(await readFile(path.join(home.dataDirectory, 'secrets.json'), 'utf8'));
    expect(sealed.secrets).toEqual({});
  });
});

describe.skipIf(notLinux)(`secrets without a keyring${skippedFor(notLinux)}`, () => {
  it('are refused in plain words, and nothing is written', async () => {
    const home = await openHome({ upstreams: {}, port: 0 });
    const app = await launchApp(home, { switches: ['--password-store=basic'], untouched: true });
    try {
      const page = await app.firstWindow();
      const { secrets } = await askProgram(page, 'host.get', {});
      expect(secrets).toEqual({
        available: false,
        reason: expect.stringMatching(/keyring|keychain/i),
        said: { message: { code: 'secret.noKeyring', params: {} } },
      });
      await expect(askProgram(page, 'upstreams.save', { draft: draft(), previousName: null })).rejects.toMatchObject({
        code: 'SECRET_UNAVAILABLE',
        hint: expect.stringContaining('environment variable'),
      });
      expect(await written(home)).not.toContain(SECRET);
      expect(await askProgram(page, 'upstreams.list', {})).toEqual([]);
    } finally {
      await app.close();
      await home.workspace.remove();
    }
  });
});
