import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toAppError } from '../../shared/model/errors.ts';
import type { ZipPart } from '../engine/input/zip-fixture.ts';
import { manifest, writeBundle } from './bundle-fixture.ts';
import { draftOfManifest, readManifest, unpackBundle, usualBounds } from './bundles.ts';
import { filledOffer, outlined } from './filled.ts';
import type { Offer } from './offer.ts';
import { readPasted } from './pasted.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-bundles-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const at = (...parts: string[]) => path.join(root, ...parts);
const read = async (text: string): Promise<Offer> => {
  const [offer, ...others] = await readPasted(text, { folder: at('data', 'bundles') });
  expect(others).toEqual([]);
  return offer as Offer;
};
const server: ZipPart = { name: 'server/index.mjs', content: 'console.log(1)' };
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('nothing failed'),
    (error: unknown) => toAppError(error).message,
  );

describe('a bundle', () => {
  it('is read by its path in any form, and unpacked only when it is added', async () => {
    const file = await writeBundle(at('the weather.mcpb'), manifest(), [server]);
    for (const text of [file, `"${file}"`, pathToFileURL(file).href]) {
      expect(await read(text)).toMatchObject({ name: 'weather', title: 'The Weather', description: 'Says what the weather is' });
    }
    expect(await readdir(root)).toEqual(['the weather.mcpb']);
    const offer = await read(file);
    const { upstream } = filledOffer(offer, {});
    if (upstream?.type !== 'stdio') throw new Error('it is no command');
    expect(upstream.command).toBe('node');
    const [script = ''] = upstream.args;
    expect(path.relative(at('data', 'bundles'), script)).toMatch(/^weather-[0-9a-f]{16}[\\/]server[\\/]index\.mjs$/);
    await offer.prepare?.();
    expect(await readFile(script, 'utf8')).toBe('console.log(1)');
    // A second time it is there already.
    await offer.prepare?.();
    expect(await readdir(at('data', 'bundles'))).toHaveLength(1);
  });

  it('asks for what its manifest asks for', async () => {
    const user_config = {
      key: { type: 'string', title: 'API key', description: 'From your account', sensitive: true, required: true },
      folders: { type: 'directory', title: 'Folders', multiple: true, required: true, default: ['${HOME}/Desktop'] },
      most: { type: 'number', title: 'Most', min: 1, default: 5 },
      loud: { type: 'boolean', title: 'Loud', default: false },
      log: { type: 'file', title: 'Log' },
    };
    const run = {
      command: 'node',
      args: ['${__dirname}/server/index.mjs', '--most=${user_config.most}', '${user_config.folders}', '${user_config.log}'],
      env: { KEY: '${user_config.key}', LOUD: '${user_config.loud}', LOG: '${user_config.log}', AT: '${DOCUMENTS}${/}x' },
      platform_overrides: { [process.platform]: { env: { HERE: 'yes' } } },
    };
    const file = await writeBundle(at('a.mcpb'), manifest({ user_config, server: { type: 'node', mcp_config: run } }), [server]);
    const offer = await read(file);
    expect(
      offer.inputs.map(({ id, label, kind, secret, required, multiple, preset }) => [
        id,
        label,
        kind,
        secret,
        required,
        multiple,
        preset,
      ]),
    ).toEqual([
      ['key', 'API key', 'text', true, true, false, null],
      ['folders', 'Folders', 'folder', false, true, true, [`${os.homedir()}/Desktop`]],
      ['most', 'Most', 'number', false, false, false, '5'],
      ['loud', 'Loud', 'boolean', false, false, false, 'false'],
      ['log', 'Log', 'file', false, false, false, null],
    ]);
    const { upstream, secrets } = filledOffer(offer, { key: 'k', folders: ['/a', '/b c'] });
    expect(upstream).toMatchObject({
      args: [expect.stringContaining('index.mjs'), '--most=5', '/a', '/b c'],
      env: { KEY: 'k', LOUD: 'false', AT: path.join(os.homedir(), 'Documents', 'x'), HERE: 'yes' },
    });
    expect(upstream?.type === 'stdio' && Object.keys(upstream.env)).not.toContain('LOG');
    expect(secrets).toEqual(['KEY']);
    expect(() => filledOffer(offer, {})).toThrow("needs a value for 'API key'");
    expect(() => filledOffer(offer, { key: 'k', most: 'many' })).toThrow("'Most' is a number");
  });

  it.each([
    ['node', 'node', ['/b/main']],
    ['python', 'python3', ['/b/main']],
    ['uv', 'uv', ['run', '--directory', '/b', 'main']],
    ['binary', '/b/main', []],
  ])('of the kind %s runs without saying how', (type, command, args) => {
    const given = readManifest(manifest({ server: { type, entry_point: 'main' } }));
    expect(draftOfManifest(given, '/b', 'linux').entry).toMatchObject({ command, args });
  });

  it('for another system is refused', async () => {
    const file = await writeBundle(at('a.mcpb'), manifest({ compatibility: { platforms: ['amiga'] } }), [server]);
    expect(outlined(await read(file)).refusal?.message).toBe('The bundle is not made for this system');
  });

  it('that has changed since it was shown is not unpacked', async () => {
    const file = await writeBundle(at('a.mcpb'), manifest(), [server]);
    const offer = await read(file);
    await writeBundle(file, manifest(), [{ ...server, content: 'worse()' }]);
    expect(await faultOf(offer.prepare?.() ?? Promise.resolve())).toBe('The bundle has changed since it was shown');
    await expect(stat(at('data', 'bundles'))).rejects.toThrow('ENOENT');
  });
});

describe('a hostile or broken bundle', () => {
  it.each<[what: string, name: string]>([
    ['a parent', 'server/../../escaped'],
    ['a parent at the end', 'server/..'],
    ['a Windows parent', '..\\escaped'],
    ['a drive', 'C:/escaped'],
    ['a stream', 'a.txt:hidden'],
    ['an empty part', 'a//b'],
    ['a NUL', 'a\0b'],
  ])('with %s in a name leaves nothing behind', async (_what, name) => {
    const offer = await read(await writeBundle(at('a.mcpb'), manifest(), [server, { name, content: 'x' }]));
    expect(await faultOf(offer.prepare?.() ?? Promise.resolve())).toBe(
      'The bundle has files that would be unpacked outside its folder',
    );
    expect(await readdir(root)).toEqual(['a.mcpb']);
  });

  it('with a file in the place of a folder, or one file twice, leaves nothing behind', async () => {
    const parts = [
      { name: 'x', content: '1' },
      { name: 'x/y', content: '2' },
    ];
    const offer = await read(await writeBundle(at('a.mcpb'), manifest(), [server, ...parts]));
    expect(await faultOf(offer.prepare?.() ?? Promise.resolve())).toContain("two of its files are called 'x/y'");
    expect(await readdir(at('data', 'bundles'))).toEqual([]);
  });

  it('makes no links', async () => {
    // An absolute path loses its beginning, as with every unpacker.
    const offer = await read(await writeBundle(at('a.mcpb'), manifest(), [server, { name: '/etc/passwd', content: 'x' }]));
    await offer.prepare?.();
    const [own = ''] = await readdir(at('data', 'bundles'));
    expect(await readFile(at('data', 'bundles', own, 'etc', 'passwd'), 'utf8')).toBe('x');
  });

  it('is bounded in size, packed and unpacked, and in its number of files', async () => {
    const file = await writeBundle(at('a.mcpb'), manifest(), [server, { name: 'big', content: Buffer.alloc(100_000) }]);
    const { hash = '' } = await read(file);
    const unpack = (bounds: object) => unpackBundle(file, hash, at('out', 'a'), { ...usualBounds, ...bounds });
    for (const bounds of [{ unpacked: 50_000 }, { file: 100 }, { entries: 2 }, { manifest: 10 }]) {
      expect(await faultOf(unpack(bounds))).toBe('The bundle is larger than bundles may be');
    }
    expect(await readdir(at('out')).catch(() => [])).toEqual([]);
    await unpack({});
    expect((await stat(at('out', 'a', 'big'))).size).toBe(100_000);
  });

  it('whose directory lies about sizes is damaged', async () => {
    const file = await writeBundle(at('a.mcpb'), manifest(), [{ ...server, size: 3 }]);
    const offer = await read(file);
    expect(await faultOf(offer.prepare?.() ?? Promise.resolve())).toContain('The bundle is damaged');
  });

  it.each<[what: string, write: (file: string) => Promise<unknown>, message: string]>([
    ['that is no archive', (file) => writeFile(file, 'hello'), 'The bundle is damaged: it is not a ZIP archive'],
    ['that is empty', (file) => writeFile(file, ''), 'The bundle is damaged'],
    ['without a manifest', (file) => writeBundle(file, null, [server]), 'it has no manifest.json'],
    [
      'with a manifest that is no JSON',
      (file) => writeBundle(file, '{"name": ', [server]),
      'its manifest.json is not valid JSON',
    ],
    ['with a manifest without a server', (file) => writeBundle(file, { name: 'a' }), "not valid at 'server'"],
    ['that is a folder', (file) => symlink(path.dirname(file), file), 'it is not a file'],
    ['that is not there', async () => undefined, 'does not exist or is not readable'],
  ])('%s is an error that says so', async (_what, write, message) => {
    await write(at('a.mcpb'));
    expect(await faultOf(read(at('a.mcpb')))).toContain(message);
  });

  it('needs a full path', async () => {
    expect(await faultOf(read('bundle.mcpb'))).toBe('The path of the bundle is not a full path');
  });
});
