import { afterEach, describe, expect, it } from 'vitest';
import { createNetwork } from '../../wire/network.ts';
import { type HttpFixture, listen } from '../fixtures/http-servers.ts';
import { guardFor } from './guarded-fetch.ts';

const { route } = createNetwork({ env: {} });

const names: Record<string, string[]> = {
  'mcp.example': ['93.184.216.34'],
  'auth.example': ['93.184.216.35'],
  'half.example': ['93.184.216.36', '10.0.0.8'],
  'intranet.example': ['10.0.0.8'],
  'lan.example': ['192.168.1.5'],
  'metadata.google.internal': ['169.254.169.254'],
};
const addresses = async (host: string) => names[host] ?? [];
const guard = (server: string) => guardFor(new URL(server), { addresses, route });

describe('what the metadata of a public server may name', () => {
  it('is public', async () => {
    await expect(
      (await guard('https://mcp.example/mcp')).assertAllowed(new URL('https://auth.example/')),
    ).resolves.toBeUndefined();
  });

  it.each([
    'https://intranet.example/',
    'https://half.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://192.168.0.1:8443/',
    'https://2130706433/',
    'https://169.254.169.254/latest/meta-data',
    'https://metadata.google.internal/',
    'http://auth.example/',
    'file:///etc/passwd',
  ])('is not %s', async (address) => {
    const { assertAllowed, fetch } = await guard('https://mcp.example/mcp');
    await expect(assertAllowed(new URL(address))).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
    await expect(fetch(address)).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
  });
});

describe('what the metadata of a server in the own network may name', () => {
  it.each(['http://127.0.0.1/', 'https://auth.example/', 'http://intranet.example/'])('is %s', async (address) => {
    await expect((await guard('http://lan.example/mcp')).assertAllowed(new URL(address))).resolves.toBeUndefined();
  });

  it.each(['http://169.254.169.254/', 'http://metadata.google.internal/', 'http://100.100.100.200/', 'http://[fd00:ec2::254]/'])(
    "is no cloud's metadata service: %s",
    async (address) => {
      await expect((await guard('http://lan.example/mcp')).fetch(address)).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
    },
  );
});

describe('its fetch', () => {
  let server: HttpFixture | undefined;
  afterEach(() => server?.close());

  it('connects to the address that was checked, and returns redirects unfollowed', async () => {
    server = await listen((request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end(request.headers.host);
    });
    const { port } = new URL(server.url);
    const { fetch } = await guardFor(new URL(server.url), { addresses: async () => ['127.0.0.1'], route });
    const answer = await fetch(`http://named.example:${port}/`);
    expect(answer.status).toBe(302);
    expect(await answer.text()).toBe(`named.example:${port}`);
    expect(server.requests).toHaveLength(1);
  });

  it('gives up on answers that are far too long', async () => {
    server = await listen((_, response) => {
      response.end(Buffer.alloc(3_000_000));
    });
    const { fetch } = await guardFor(new URL(server.url), { route });
    await expect(fetch(server.url)).rejects.toThrow('too much');
  });
});
