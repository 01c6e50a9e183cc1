import { afterEach, describe, expect, it } from 'vitest';
import { type ProtectedServer, protectedServer } from '../../upstream/sign-in/fixtures/protected-server.ts';
import { type RunningApi, sealingHost, startApi } from '../fixtures/api.ts';

let api: RunningApi;
let server: ProtectedServer;
afterEach(async () => {
  await api.close();
  await server.close();
});

async function started(opened?: string[]) {
  server = await protectedServer({ expiresIn: 3600 });
  const host = opened ? { ...sealingHost, openSignIn: async (link: string) => void opened.push(link) } : sealingHost;
  const keyed = { type: 'http', url: server.url, headers: { authorization: 'Bearer own' } };
  api = await startApi({ host, config: () => ({ upstreams: { web: { type: 'http', url: server.url }, keyed } }) });
}
const web = { name: 'web' };
const problems = async () => (await api.ask('status.get', {})).problems.map(({ id }) => id);

describe('signing in from the window', () => {
  it('goes from needed to connected, and back by signing out', async () => {
    const opened: string[] = [];
    await started(opened);
    expect(await api.ask('upstreams.check', web)).toMatchObject({ state: 'needs_sign_in', signIn: null });
    expect(await problems()).toContain('upstream:web');
    const { link } = await api.ask('upstreams.signIn', web);
    expect(opened).toEqual([link]);
    await server.visit(link);
    expect(await api.ask('upstreams.finishSignIn', web)).toMatchObject({
      state: 'ready',
      toolCount: 1,
      lastFailure: null,
      signIn: { until: expect.stringMatching(/^\d{4}-/), renews: true, kept: 'keychain' },
    });
    expect(await problems()).not.toContain('upstream:web');
    expect(await api.ask('upstreams.signOut', web)).toMatchObject({ state: 'needs_sign_in', signIn: null });
  });

  it('can be cancelled and started again', async () => {
    await started();
    expect(await api.ask('upstreams.signIn', web)).toMatchObject({ opened: false });
    const finished = expect(api.ask('upstreams.finishSignIn', web)).rejects.toMatchObject({ code: 'CANCELLED' });
    await api.ask('upstreams.endSignIn', web);
    await finished;
    const { link } = await api.ask('upstreams.signIn', web);
    await server.visit(link);
    expect(await api.ask('upstreams.finishSignIn', web)).toMatchObject({ state: 'ready' });
  });

  it('says at once why there is no link', async () => {
    await started();
    server.quirks.metadata = { authorization_endpoint: 'file:///etc/passwd' };
    await expect(api.ask('upstreams.signIn', web)).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
  });

  it('is not for a server with credentials of its own', async () => {
    await started();
    await expect(api.ask('upstreams.signIn', { name: 'keyed' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is forgotten with the last server at the address', async () => {
    await started();
    const { link } = await api.ask('upstreams.signIn', web);
    await server.visit(link);
    await api.ask('upstreams.finishSignIn', web);
    const { signIns } = api.services.runtime;
    await api.ask('upstreams.remove', web);
    expect(signIns.state(server.url)).not.toBeNull();
    await api.ask('upstreams.remove', { name: 'keyed' });
    expect(signIns.state(server.url)).toBeNull();
  });
});
