import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { noKeychain } from '../store/secret-store.ts';
import { openSignInStore } from '../store/sign-in-store.ts';
import { argumentsOf, poolOf, remote } from '../upstream/fixtures/support.ts';
import { type ProtectedServer, protectedServer, type Quirks } from '../upstream/sign-in/fixtures/protected-server.ts';
import { openSignIns, type SignIns } from '../upstream/sign-in/sign-ins.ts';
import type { UpstreamPool } from '../upstream/types.ts';

const MINUTE = 60_000;
const cipher = {
  encrypt: (text: string) => Buffer.from(text).toString('base64'),
  decrypt: (sealed: string) => Buffer.from(sealed, 'base64').toString(),
};

let directory: string;
let server: ProtectedServer;
let time: number;
let pools: UpstreamPool[];
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-sign-in-'));
  time = Date.now();
  pools = [];
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

/** As another process on the same directory has it. */
const program = (): SignIns => openSignIns({ records: openSignInStore(directory, () => ({ cipher })), now: () => time });

const started = async (quirks: Quirks = { expiresIn: 3600 }) => {
  server = await protectedServer(quirks);
};

/** Signs in as a person whose browser opens the link and agrees. */
async function signedIn(signIns: SignIns): Promise<SignIns> {
  await signIns.signIn('web', server.url, { onLink: (link) => void server.visit(link) });
  return signIns;
}

function pool({ authorization }: SignIns): UpstreamPool {
  const made = poolOf({ web: remote('http', server.url) }, { authorization });
  pools.push(made);
  return made;
}

const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error(`it did not fail as it should: ${error}`);
};

const refreshes = () => server.tokenRequests.filter((request) => request.get('grant_type') === 'refresh_token');

describe('signing in', () => {
  it('says to an agent that a sign-in is needed, and how; then calls get through', async () => {
    await started();
    const signIns = program();
    const web = pool(signIns);
    const failure = await failureOf(web.tools('web'));
    expect(failure.code).toBe('SIGN_IN_NEEDED');
    expect(failure.hint).toContain('filebridge sign-in web');
    await signedIn(signIns);
    await web.callTool('web', 'echo', argumentsOf({ a: 1 }));
    expect(server.calls).toEqual([{ a: 1 }]);
    expect(signIns.state(server.url)).toEqual({ until: time + 3_600_000, renews: true, kept: 'keychain' });
  });

  it('registers with the refresh grant, every loopback address, and asks for this resource', async () => {
    await started();
    let asked: URL | undefined;
    await program().signIn('web', server.url, {
      onLink: (link) => {
        asked = new URL(link);
        void server.visit(link);
      },
    });
    expect(server.registrations).toHaveLength(1);
    expect(server.registrations[0]?.grant_types).toEqual(['authorization_code', 'refresh_token']);
    expect(server.registrations[0]?.redirect_uris).toContain(asked?.searchParams.get('redirect_uri'));
    expect(asked?.searchParams.get('resource')).toBe(server.url);
    expect(asked?.searchParams.get('code_challenge_method')).toBe('S256');
  });

  it('takes a redirect with its own state only, and goes on waiting after another', async () => {
    await started();
    const statuses: number[] = [];
    const browser = async (link: string) => {
      const back = await server.approve(link);
      const forged = new URL(back);
      forged.searchParams.set('state', 'guessed');
      const twice = new URL(back);
      twice.searchParams.append('state', 'guessed');
      for (const url of [forged, twice, back]) statuses.push((await fetch(url)).status);
    };
    let done: Promise<void> | undefined;
    await program().signIn('web', server.url, {
      onLink: (link) => {
        done = browser(link);
      },
    });
    await done;
    expect(statuses).toEqual([400, 400, 200]);
  });

  it('ends when it is cancelled, and frees its port for the next', async () => {
    await started();
    const ending = new AbortController();
    const failure = failureOf(program().signIn('web', server.url, { onLink: () => ending.abort(), signal: ending.signal }));
    expect((await failure).code).toBe('CANCELLED');
    await signedIn(program());
  });

  it('registers again, once, when its registration was forgotten', async () => {
    await started();
    await signedIn(program());
    server.forgetClients();
    await signedIn(program());
    expect(server.registrations).toHaveLength(2);
    await signedIn(program());
    expect(server.registrations).toHaveLength(2);
  });

  it('asks for a client id where no program is registered, and goes on with the one of the person', async () => {
    const secrets = { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] };
    for (const quirks of [
      { metadata: { ...secrets, registration_endpoint: undefined } },
      { metadata: secrets, registration: 403 },
    ]) {
      await started({ expiresIn: 3600, ...quirks });
      server.register('my-app', 's3cret');
      const signIns = program();
      const signIn = (client?: { id: string; secret: string }) =>
        signIns.signIn('web', server.url, { onLink: (link) => void server.visit(link), client });
      const asked = await failureOf(signIn());
      expect(asked).toMatchObject({ code: 'SIGN_IN_NEEDED', message: expect.stringContaining("'web' wants a client id") });
      expect(asked.hint).toContain('http://127.0.0.1:');
      expect(asked.hint).toContain("sign-in 'web' --client-id ID");
      const wrong = await failureOf(signIn({ id: 'my-app', secret: 'other' }));
      expect(wrong.message).toBe("The sign-in of 'web' refused the client id or its secret");
      await signIn({ id: 'my-app', secret: 's3cret' });
      expect(await pool(signIns).tools('web')).toHaveLength(1);
      // Renewed with it, and known the next time.
      time += 60 * MINUTE;
      expect(await pool(signIns).tools('web')).toHaveLength(1);
      expect(refreshes()).toHaveLength(1);
      await signIn();
      expect(server.registrations).toEqual([]);
      await signIns.signOut(server.url);
      await server.close();
    }
    await started();
  });

  it('says in words that nothing tells where to sign in, or that there is nothing to do', async () => {
    await started({ silent: true });
    const nowhere = await failureOf(program().signIn('web', server.url, { onLink: () => undefined }));
    expect(nowhere.message).toBe("Server 'web' wants credentials, and does not say where to sign in");
    expect(nowhere.hint).toContain('Authorization: Bearer');
    await server.close();
    await started({ silent: true, open: true });
    const open = await failureOf(program().signIn('web', server.url, { onLink: () => undefined }));
    expect(open.message).toBe("Server 'web' answers without a sign-in");
    await server.close();
    // One that greets everyone may still want it for its tools.
    await started({ open: true });
    await signedIn(program());
    expect(program().state(server.url)).not.toBeNull();
  });

  it('asks the next time for the scope that a call lacked, on top of what was granted', async () => {
    await started({ expiresIn: 3600, scope: 'write', resource: { scopes_supported: ['read'] } });
    const signIns = program();
    const links: string[] = [];
    const signIn = () =>
      signIns.signIn('web', server.url, {
        onLink(link) {
          links.push(link);
          void server.visit(link);
        },
      });
    await signIn();
    const failure = await failureOf(pool(signIns).callTool('web', 'echo', argumentsOf({})));
    expect(failure).toMatchObject({
      code: 'SIGN_IN_NEEDED',
      message: "Server 'web' wants more permission for this call: write",
    });
    await signIn();
    const [first, second] = links.map((link) => new URL(link).searchParams.get('scope'));
    expect(first).toBe('read');
    expect(second?.split(' ').sort()).toEqual(['read', 'write']);
    await pool(signIns).callTool('web', 'echo', argumentsOf({}));
    expect(server.calls).toHaveLength(1);
  });

  it('ends the refresh token at the server when it signs out', async () => {
    await started();
    server.quirks.metadata = { revocation_endpoint: `${server.authorizationServer}/revoke` };
    const signIns = await signedIn(program());
    await signIns.signOut(server.url);
    expect(server.revoked.map((asked) => [asked.get('token_type_hint'), asked.get('token')?.startsWith('refresh-')])).toEqual([
      ['refresh_token', true],
    ]);
  });

  it('signs out: nothing is stored, and no token is sent', async () => {
    await started();
    const signIns = await signedIn(program());
    expect(await signIns.signOut(server.url)).toBe(true);
    expect(await signIns.signOut(server.url)).toBe(false);
    expect((await failureOf(pool(signIns).tools('web'))).code).toBe('SIGN_IN_NEEDED');
    expect(server.presented.every((header) => header === undefined)).toBe(true);
  });
});

describe('staying signed in', () => {
  it('renews before the token ends, with the resource, and keeps a refresh token that the answer leaves out', async () => {
    await started({ expiresIn: 3600, keepsRefreshToken: true });
    const signIns = await signedIn(program());
    for (const count of [1, 2]) {
      time += 59 * MINUTE + 30_000;
      await pool(signIns).tools('web');
      expect(refreshes()).toHaveLength(count);
    }
    expect(refreshes().map((request) => request.get('resource'))).toEqual([server.url, server.url]);
  });

  it('renews once where several processes find the token at its end', async () => {
    await started();
    await signedIn(program());
    time += 60 * MINUTE;
    const programs = Array.from({ length: 4 }, program);
    const tokens = await Promise.all(programs.map((each) => each.authorization('web', server.url).token()));
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes()).toHaveLength(1);
  });

  it('renews a token that the server refuses early, and makes the call once', async () => {
    await started();
    const web = pool(await signedIn(program()));
    await web.tools('web');
    server.revokeAccess();
    await web.callTool('web', 'echo', argumentsOf({ text: 'x'.repeat(3_000_000) }));
    expect(refreshes()).toHaveLength(1);
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    ['the refresh token was withdrawn', () => server.revokeRefresh()],
    ['the registration was forgotten', () => server.forgetClients()],
  ])('says that it has expired where %s, and a new sign-in helps', async (_, end) => {
    await started();
    const signIns = await signedIn(program());
    end();
    time += 61 * MINUTE;
    const failure = await failureOf(pool(signIns).tools('web'));
    expect(failure.code).toBe('SIGN_IN_NEEDED');
    expect(failure.message).toBe("The sign-in to 'web' has expired");
    expect(signIns.state(server.url)).toBeNull();
    await signedIn(signIns);
    expect(await pool(signIns).tools('web')).toHaveLength(1);
  });

  it('keeps no token where there is no keychain, beyond this process', async () => {
    await started();
    const open = () => openSignIns({ records: openSignInStore(directory, () => noKeychain) });
    const signIns = await signedIn(open());
    expect(signIns.state(server.url)?.kept).toBe('process');
    expect(open().state(server.url)).toBeNull();
  });
});

describe('traps', () => {
  const refusal = async (quirks: Quirks) => {
    await started({ expiresIn: 3600, ...quirks });
    return failureOf(program().signIn('web', server.url, { onLink: (link) => void server.visit(link) }));
  };

  it('refuses an answer of another issuer, before the code goes anywhere', async () => {
    expect((await refusal({ iss: 'https://elsewhere.example' })).code).toBe('SIGN_IN_NEEDED');
    expect(server.tokenRequests).toEqual([]);
  });

  it.each([[undefined], [['plain']]])('refuses a server that checks no proofs: %j', async (code_challenge_methods_supported) => {
    const failure = await refusal({ metadata: { code_challenge_methods_supported } });
    expect(failure).toMatchObject({ code: 'SIGN_IN_NEEDED' });
    expect(server.tokenRequests).toEqual([]);
  });

  it('refuses metadata of another issuer', async () => {
    expect((await refusal({ issuer: 'https://elsewhere.example' })).code).toBe('SIGN_IN_NEEDED');
    expect(server.registrations).toEqual([]);
  });

  it('refuses tokens for another resource', async () => {
    expect((await refusal({ resource: { resource: 'https://elsewhere.example/mcp' } })).code).toBe('SIGN_IN_NEEDED');
    expect(server.registrations).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'vscode://x'])('does not open %s', async (address) => {
    const links: string[] = [];
    await started({ metadata: { authorization_endpoint: address } });
    const failure = await failureOf(program().signIn('web', server.url, { onLink: (link) => void links.push(link) }));
    expect(failure.code).toBe('SIGN_IN_NEEDED');
    expect(links).toEqual([]);
  });

  it('opens a link with its shell characters encoded', async () => {
    const links: string[] = [];
    const ending = new AbortController();
    await started({ metadata: { authorization_endpoint: 'http://127.0.0.1/a?x=$(id)`id`" -e \'&y' } });
    await failureOf(
      program().signIn('web', server.url, {
        onLink(link) {
          links.push(link);
          ending.abort();
        },
        signal: ending.signal,
      }),
    );
    expect(links).toHaveLength(1);
    expect(links[0]).not.toMatch(/[\s"<>]/);
  });

  it('does not follow a redirect with a code to another origin', async () => {
    const other = await protectedServer();
    await refusal({ tokenRedirect: `${other.authorizationServer}/token` });
    expect(other.tokenRequests).toEqual([]);
    await other.close();
  });
});
