import { describe, expect, it } from 'vitest';
import { filledOffer, outlined } from './filled.ts';
import type { InputValues, Offer } from './offer.ts';
import { readPasted } from './pasted.ts';

const server = (parts: object) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'io.github.someone/weather',
  title: 'Weather',
  description: 'Says what the weather is',
  version: '1.2.0',
  ...parts,
});
const pack = (parts: object) => server({ packages: [{ transport: { type: 'stdio' }, version: '1.2.0', ...parts }] });
const read = (value: unknown): Promise<Offer[]> => readPasted(JSON.stringify(value, null, 2), { folder: '/data' });
const line = (offer: Offer, values: InputValues = {}): string => {
  const { upstream, refusal } = filledOffer(offer, values);
  if (!upstream || refusal) throw refusal ?? new Error('no server');
  return upstream.type === 'stdio' ? [upstream.command, ...upstream.args].join(' ') : `${upstream.type} ${upstream.url}`;
};

describe('a package', () => {
  it.each<[what: string, parts: object, line: string]>([
    ['of npm', { registryType: 'npm', identifier: '@a/weather' }, 'npx -y @a/weather@1.2.0'],
    ['of PyPI', { registryType: 'pypi', identifier: 'weather' }, 'uvx weather@1.2.0'],
    [
      'in an image',
      { registryType: 'oci', identifier: 'docker.io/a/weather:1.2.0' },
      'docker run -i --rm docker.io/a/weather:1.2.0',
    ],
    ['of NuGet', { registryType: 'nuget', identifier: 'Weather' }, 'dnx Weather@1.2.0 --yes'],
    ['with another program', { registryType: 'npm', identifier: 'weather', runtimeHint: 'bunx' }, 'bunx weather@1.2.0'],
    [
      'with arguments',
      {
        registryType: 'npm',
        identifier: 'weather',
        runtimeArguments: [{ type: 'named', name: '-y' }],
        packageArguments: [
          { type: 'positional', value: 'serve' },
          { type: 'named', name: '--port', value: '80' },
          { type: 'named', name: '--region', default: 'eu', description: 'Where' },
          { type: 'named', name: '--log', description: 'A file', format: 'filepath' },
          { type: 'named', name: '--fast', format: 'boolean', default: 'true' },
          { type: 'named', name: '--slow', format: 'boolean' },
        ],
      },
      'npx -y weather@1.2.0 serve --port 80 --region eu --fast',
    ],
    [
      'with variables for a container',
      {
        registryType: 'oci',
        identifier: 'a/w:1',
        environmentVariables: [
          { name: 'KEY', isSecret: true },
          { name: 'LEVEL', value: 'info' },
        ],
      },
      'docker run -i --rm -e KEY -e LEVEL a/w:1',
    ],
  ])('%s', async (_what, parts, expected) => {
    const [offer] = await read(pack(parts));
    expect(offer).toMatchObject({ name: 'weather', title: 'Weather', description: 'Says what the weather is' });
    expect(line(offer as Offer)).toBe(expected);
  });

  it('asks for its inputs, and passes them on', async () => {
    const [offer] = await read(
      pack({
        registryType: 'npm',
        identifier: 'weather',
        packageArguments: [
          {
            type: 'positional',
            valueHint: 'folders',
            description: 'Folders to serve',
            format: 'filepath',
            isRequired: true,
            isRepeated: true,
          },
          { type: 'named', name: '--unit', choices: ['C', 'F'], default: 'C' },
        ],
        environmentVariables: [
          { name: 'API_KEY', description: 'From your account', isRequired: true, isSecret: true },
          { name: 'URL', value: 'https://{host}/v1', variables: { host: { description: 'Your host', isRequired: true } } },
          { name: 'EXTRA' },
        ],
      }),
    );
    expect(
      offer?.inputs.map(({ id, label, kind, secret, required, multiple, choices }) => [
        id,
        label,
        kind,
        secret,
        required,
        multiple,
        choices,
      ]),
    ).toEqual([
      ['API_KEY', 'API_KEY', 'text', true, true, false, []],
      ['host', 'Host', 'text', false, true, false, []],
      ['EXTRA', 'EXTRA', 'text', false, false, false, []],
      ['folders', 'Folders', 'folder', false, true, true, []],
      ['unit', '--unit', 'text', false, false, false, ['C', 'F']],
    ]);
    const filled = filledOffer(offer as Offer, { API_KEY: 'k', host: 'h.example', folders: ['/a', '/b'] });
    expect(filled).toMatchObject({
      upstream: { args: ['-y', 'weather@1.2.0', '/a', '/b', '--unit', 'C'], env: { API_KEY: 'k', URL: 'https://h.example/v1' } },
      secrets: ['API_KEY'],
    });
  });

  it.each<[what: string, parts: object, message: string]>([
    [
      'that waits for connections',
      { registryType: 'npm', identifier: 'w', transport: { type: 'streamable-http', url: 'http://localhost:1/mcp' } },
      'waits for connections',
    ],
    ['that is a bundle to download', { registryType: 'mcpb', identifier: 'https://a.example/a.mcpb' }, 'can be downloaded'],
    ['of another kind', { registryType: 'crates', identifier: 'w' }, "the kind 'crates'"],
  ])('%s is refused with a reason', async (_what, parts, message) => {
    const [offer] = await read(pack(parts));
    expect(outlined(offer as Offer).refusal?.message).toContain(message);
  });
});

describe('a description', () => {
  it('offers every way to run or reach the server', async () => {
    const offers = await read({
      server: server({
        remotes: [
          {
            type: 'streamable-http',
            url: 'https://{tenant}.example/mcp',
            variables: { tenant: { isRequired: true } },
            headers: [{ name: 'X-Key', isSecret: true, isRequired: true }],
          },
          { type: 'sse', url: 'https://w.example/sse' },
        ],
        packages: [{ registryType: 'npm', identifier: 'w', version: '1', transport: { type: 'stdio' } }],
      }),
      _meta: {},
    });
    expect(offers.map(({ way }) => way)).toEqual(['remote', 'remote', 'npm']);
    const [first, second] = offers as [Offer, Offer];
    expect(filledOffer(first, { tenant: 't', 'X-Key': 'k' })).toMatchObject({
      upstream: { type: 'http', url: 'https://t.example/mcp', headers: { 'X-Key': 'k' } },
      secrets: ['X-Key'],
    });
    expect(line(second)).toBe('sse https://w.example/sse');
  });

  it('comes in lists of the registry, too', async () => {
    const one = { server: pack({ registryType: 'npm', identifier: 'w' }) };
    expect(await read({ servers: [one, one], metadata: { count: 2 } })).toHaveLength(2);
  });

  it('that does not hold to the schema is an error that names the place', async () => {
    await expect(read(server({ packages: [{ registryType: 'npm' }] }))).rejects.toThrow("not valid at 'packages.0.identifier'");
  });
});
