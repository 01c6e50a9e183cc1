/** What registries and clients take: the npm package, installed alone and used by npx; the MCP bundle; the registry's entry. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from './support/cli.ts';
import { openClient } from './support/mcp-clients.ts';
import { nodeOf } from './support/node-versions.ts';
import { copyProject, type ProjectCopy } from './support/project-copy.ts';
import { skippedFor } from './support/skipping.ts';
import { fixtureServer } from './support/upstreams.ts';

const run = promisify(execFile);
const { version } = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8')) as { version: string };

const oldest = await nodeOf('20.19.0');

let folder: string;
let project: ProjectCopy;
const at = (...names: string[]) => path.join(folder, ...names);
const env = () => ({
  ...(process.env as Record<string, string>),
  FILEBRIDGE_DATA: at('data'),
  FILEBRIDGE_CONFIG: at('config.json'),
  HOME: at('home'),
});

beforeAll(async () => {
  project = await copyProject();
  folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-npm-'));
  await Promise.all([at('release'), at('app'), at('home'), at('files'), at('unpacked')].map((place) => mkdir(place)));
  await run(process.execPath, [path.join(project.root, 'electron/package/npm.mjs'), '--out', at('release')]);
  await writeFile(at('files', 'users.csv'), 'id,zip\n1,01067\n');
  await writeFile(at('app', 'package.json'), '{}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', at('release', `filebridge-${version}.tgz`)], {
    cwd: at('app'),
  });
  const upstream = fixtureServer('echo-arguments.mjs');
  await writeFile(
    at('config.json'),
    JSON.stringify({
      version: 1,
      folders: [{ path: at('files'), access: 'read' }],
      upstreams: { echo: upstream },
    }),
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await project?.remove();
});

/** The main job by an MCP client: a file by its path into the arguments of another server's tool. */
async function sendsFile(command: string, args: string[]): Promise<string> {
  const client = await openClient('v1', { command, args, env: env(), onStderr: () => undefined });
  try {
    const answer = await client.call('call_tool_with_file_content', {
      server: 'echo',
      tool_name: 'anything',
      path: at('files', 'users.csv'),
      data_key: 'records',
    });
    expect(answer.isError, answer.text).toBe(false);
    return answer.text;
  } finally {
    await client.close();
  }
}

describe('the npm package', () => {
  it('is small, and has what runs and nothing else', async () => {
    expect((await stat(at('release', `filebridge-${version}.tgz`))).size).toBeLessThan(5_000_000);
    const installed = at('app', 'node_modules');
    expect((await readdir(installed)).filter((name) => !name.startsWith('.'))).toEqual(['filebridge']);
    const manifest = JSON.parse(await readFile(path.join(installed, 'filebridge', 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'filebridge', version, mcpName: 'io.github.filebridge/filebridge' });
    for (const key of ['private', 'scripts', 'dependencies', 'devDependencies']) expect(manifest).not.toHaveProperty(key);
    const built = await readdir(path.join(installed, 'filebridge', 'dist'));
    expect(built).not.toContain('main.cjs');
  });

  it('runs its commands by npx', async () => {
    const npx = (...args: string[]) => run('npx', ['--offline', 'filebridge', ...args], { cwd: at('app'), env: env() });
    expect((await npx('--version')).stdout.trim()).toBe(version);
    expect((await npx('convert', at('files', 'users.csv'))).stdout).toBe('[{"id":1,"zip":"01067"}]');
    expect((await npx('doctor')).stdout).toContain(at('files'));
  });

  it('does the main job for a client that starts it by npx', async () => {
    expect(await sendsFile('npx', ['--offline', '--prefix', at('app'), 'filebridge', 'serve', '--stdio'])).toContain('01067');
  });

  it.skipIf(oldest.path === undefined)(
    `does it on the oldest Node that it names${skippedFor(oldest.path === undefined ? oldest.missing : undefined)}`,
    async () => {
      const cli = at('app', 'node_modules', 'filebridge', 'dist', 'cli.js');
      expect(await sendsFile(oldest.path ?? '', [cli, 'serve', '--stdio'])).toContain('01067');
    },
  );
});

describe('the MCP bundle', () => {
  it('is what its manifest says, and does the main job', async () => {
    await run('npx', ['--no-install', 'mcpb', 'unpack', at('release', `filebridge-${version}.mcpb`), at('unpacked')], {
      cwd: path.join(repository, 'installers'),
    });
    const manifest = JSON.parse(await readFile(at('unpacked', 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      manifest_version: '0.3',
      version,
      user_config: { folders: { type: 'directory', multiple: true }, servers: { type: 'file', required: false } },
    });
    const { command, args } = manifest.server.mcp_config as { command: string; args: string[] };
    expect(command).toBe('node');
    const started = (servers: string) =>
      args.map((arg) =>
        arg
          .replace('${__dirname}', at('unpacked'))
          .replace('${user_config.folders}', at('files'))
          .replace('${user_config.servers}', servers),
      );
    expect(await sendsFile(process.execPath, started(''))).toContain('01067');
    await writeFile(at('servers.json'), JSON.stringify({ mcpServers: { echo: fixtureServer('echo-arguments.mjs') } }));
    expect(await sendsFile(process.execPath, started(at('servers.json')))).toContain('01067');
  });
});

describe("the registry's entry", () => {
  it('names the package as it is published', async () => {
    const entry = JSON.parse(await readFile(at('release', 'server.json'), 'utf8'));
    expect(entry.$schema).toContain('/2025-12-11/');
    expect(entry).toMatchObject({ name: 'io.github.filebridge/filebridge', version });
    expect(entry.description.length).toBeLessThanOrEqual(100);
    expect(entry.packages).toMatchObject([
      { registryType: 'npm', identifier: 'filebridge', version, transport: { type: 'stdio' } },
    ]);
  });
});
