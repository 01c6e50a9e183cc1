/** The app as a person gets it: packaged, installed by Debian's tools, started by an ordinary user, used by agents, removed. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stdioLaunch } from '../electron/agent-apps/agent-launch.ts';
import type { Snippet } from '../shared/contract/agents.ts';
import type { Bridge } from '../shared/contract/rpc.ts';
import { openWorkspace, repository, type Workspace } from './support/cli.ts';
import { asarFiles } from './support/electron-runtime.ts';
import {
  addUser,
  apt,
  buildPackage,
  dist,
  FOLDER,
  type InstalledApp,
  installedVersion,
  type OrdinaryUser,
  openInstalled,
  openSystem,
  PACKAGE,
  processesOf,
  type System,
  whyNotInstall,
} from './support/installed-app.ts';
import { type McpClient, openClient, type Way } from './support/mcp-clients.ts';
import { copyProject, type ProjectCopy } from './support/project-copy.ts';
import { skippedFor } from './support/skipping.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const pinned: string = require('electron/package.json').version;

describe('a release build', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openWorkspace();
  });
  afterAll(() => workspace?.remove());

  it('refuses a runtime that package.json does not pin, and says what to do', async () => {
    await workspace.file('version', '25.1.1');
    const { code, output } = await dist([], workspace.root);
    expect(code).toBe(1);
    expect(output).toContain(`ELECTRON_OVERRIDE_DIST_PATH points at Electron 25.1.1, and package.json pins Electron ${pinned}`);
    expect(output).toContain('npm run dist -- --test-runtime');
    expect(output).not.toContain('Building');
  });

  it('refuses to be talked into another runtime', async () => {
    await workspace.file('version', pinned);
    const { code, output } = await dist(['--linux', '--config.electronVersion=25.1.1'], workspace.root);
    expect(code).toBe(1);
    expect(output).toContain("'--config.electronVersion=25.1.1' asks for another runtime");
  });

  it('refuses a folder without a runtime', async () => {
    const { code, output } = await dist([], workspace.at('nothing'));
    expect(code).toBe(1);
    expect(output).toContain('names no Electron runtime');
  });
});

describe('the icons', () => {
  const icons = path.join(repository, 'electron', 'package', 'icons');
  const isPng = (bytes: Buffer) => bytes.toString('latin1', 1, 4) === 'PNG';
  const pngSize = (bytes: Buffer) => `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;

  it('for Linux are what their names say', async () => {
    const names = await readdir(path.join(icons, 'linux'));
    expect(names).toEqual(expect.arrayContaining(['16x16.png', '48x48.png', '256x256.png', '1024x1024.png']));
    for (const name of names) expect(`${pngSize(await readFile(path.join(icons, 'linux', name)))}.png`).toBe(name);
  });

  it('for Windows and macOS hold a picture of each size', async () => {
    const ico = await readFile(path.join(icons, 'icon.ico'));
    const inIco = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
      const entry = 6 + 16 * index;
      const size = ico.readUInt8(entry) || 256;
      const offset = ico.readUInt32LE(entry + 12);
      const picture = ico.subarray(offset, offset + ico.readUInt32LE(entry + 8));
      expect(isPng(picture) && pngSize(picture)).toBe(`${size}x${size}`);
      return size;
    });
    expect(inIco).toEqual(expect.arrayContaining([16, 32, 48, 256]));

    const icns = await readFile(path.join(icons, 'icon.icns'));
    expect(icns.readUInt32BE(4)).toBe(icns.byteLength);
    const inIcns = [];
    for (let at = 8; at < icns.byteLength; at += icns.readUInt32BE(at + 4)) {
      const picture = icns.subarray(at + 8, at + icns.readUInt32BE(at + 4));
      expect(isPng(picture)).toBe(true);
      inIcns.push(pngSize(picture));
    }
    expect(inIcns).toEqual(expect.arrayContaining(['32x32', '256x256', '1024x1024']));
  });
});

const whyNot = await whyNotInstall();

describe.skipIf(whyNot)(`the Debian package${skippedFor(whyNot)}`, () => {
  const executable = path.join(FOLDER, 'filebridge');
  const resources = path.join(FOLDER, 'resources');
  let project: ProjectCopy;
  let system: System;
  let user: OrdinaryUser;
  let variables: Record<string, string>;
  let dataFile: string;
  let heavyFile: string;
  let app: InstalledApp;
  let snippet: Snippet;

  beforeAll(async () => {
    project = await copyProject();
    const file = await buildPackage(project);
    system = await openSystem();
    await apt(system, 'install', '--no-install-recommends', file);
    user = await addUser(system);
    const folder = path.join(user.home, 'data');
    dataFile = path.join(folder, 'people.csv');
    const config = path.join(user.home, 'config.json');
    await mkdir(system.at(folder), { recursive: true });
    await writeFile(system.at(dataFile), 'name,zip\nAda,01234\nZoë,99999\n');
    await writeFile(
      system.at(config),
      JSON.stringify({ version: 1, folders: [{ path: folder, access: 'read' }], upstreams: {}, server: { port: 0 } }),
    );
    heavyFile = path.join(folder, 'people.yaml');
    await writeFile(system.at(heavyFile), '- { name: Ada, zip: "01234" }\n'.repeat(4_321));
    await user.ownHome();
    variables = { FILEBRIDGE_CONFIG: config, FILEBRIDGE_DATA: path.join(user.home, 'state') };
    app = await openInstalled(system, user, variables);
  });

  afterAll(async () => {
    for (const { pid } of await processesOf(executable)) process.kill(pid, 'SIGKILL');
    await system?.close();
    await project?.remove();
  });

  it('brings a launcher, icons, a command and the licences of what it contains', async () => {
    const launcher = await readFile(system.at(`/usr/share/applications/${PACKAGE}.desktop`), 'utf8');
    expect(launcher).toMatch(/^Name=Filebridge$/m);
    expect(launcher).toMatch(/^StartupWMClass=filebridge$/m);
    expect(launcher).not.toMatch(/^MimeType=/m);
    for (const size of ['16x16', '48x48', '256x256']) {
      expect(existsSync(system.at(`/usr/share/icons/hicolor/${size}/apps/filebridge.png`))).toBe(true);
    }
    expect(await readlink(system.at('/usr/bin/filebridge'))).toBe(path.join(resources, 'bin', 'filebridge'));
    const [command, ...args] = user.as('filebridge', ['convert', dataFile], variables);
    const { stdout } = await run(command, args);
    expect(JSON.parse(stdout)).toEqual([
      { name: 'Ada', zip: '01234' },
      { name: 'Zoë', zip: '99999' },
    ]);
    const notices = await readFile(system.at(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toMatch(/^Lucide icons\n\nISC License/m);
    for (const name of ['react', 'zod', '@modelcontextprotocol/server']) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(await readFile(system.at('/usr/share/doc/filebridge/copyright'), 'utf8')).toContain('MIT License');
  });

  it('contains what is built and nothing it is built from', async () => {
    const files = asarFiles(await readFile(system.at(resources, 'app.asar')));
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'dist/main.cjs', 'dist/cli.cjs', 'dist/preload.cjs', 'dist/renderer/index.html']),
    );
    expect(files.filter((file) => !/^(package\.json$|dist\/)/.test(file))).toEqual([]);
    expect(files.filter((file) => /^dist\/[^/]*\.js$/.test(file))).toEqual([]);
    expect(files.filter((file) => /\.map$|\.tsx?$|\.test\.|node_modules|fixtures/.test(file))).toEqual([]);
    expect(existsSync(system.at(resources, 'default_app.asar'))).toBe(false);
    expect(existsSync(system.at(resources, 'app.asar.unpacked'))).toBe(false);
  });

  it('has its fuses set, as read back from the program', async () => {
    const wire = await getCurrentFuseWire(system.at(executable));
    const state = (fuse: FuseV1Options) => String.fromCharCode(Number(wire[fuse]));
    expect({
      on: [FuseV1Options.RunAsNode, FuseV1Options.OnlyLoadAppFromAsar, FuseV1Options.EnableEmbeddedAsarIntegrityValidation].map(
        state,
      ),
      off: [
        FuseV1Options.EnableNodeOptionsEnvironmentVariable,
        FuseV1Options.EnableNodeCliInspectArguments,
        FuseV1Options.EnableCookieEncryption,
      ].map(state),
    }).toEqual({ on: ['1', '1', '1'], off: ['0', '0', '0'] });
  });

  it('opens its window for an ordinary user, in the sandbox', async () => {
    await app.page.getByText('Filebridge').first().waitFor();
    expect(await app.page.title()).toMatch(/\bFilebridge$/);
    await app.page.screenshot({ path: path.join(repository, 'test-results', 'installed.png') });
    const renderers = await app.renderers();
    expect(renderers.length).toBeGreaterThan(0);
    for (const pid of renderers) {
      expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s2$/m);
      expect(await readlink(`/proc/${pid}/ns/pid`)).not.toBe(await readlink('/proc/self/ns/pid'));
    }
    const { mode, uid } = await stat(system.at(FOLDER, 'chrome-sandbox'));
    expect([uid, (mode & 0o7777).toString(8)]).toEqual([0, '4755']);
  });

  /** What an agent gets for an expression, which is evaluated in a Node of its own, and for a file that is heavy to convert. */
  async function askFor(client: McpClient): Promise<string> {
    const texts = [];
    for (const args of [{ path: dataFile, transform: { expression: '$join(zip, "+")' } }, { path: heavyFile }]) {
      const answer = await client.call('preview_file', args);
      if (answer.isError) throw new Error(answer.text);
      texts.push(answer.text);
    }
    return texts.join('\n');
  }

  it('serves agents over HTTP', async () => {
    snippet = await app.page.evaluate(async () => {
      const bridge: Bridge = Reflect.get(window, 'filebridge');
      const reply = (await bridge.request('agent.snippet', { reveal: true })) as { value: Snippet };
      return reply.value;
    });
    const { url, headers } = JSON.parse(snippet.http?.config ?? '').mcpServers.filebridge;
    const client = await openClient('v2 negotiating', { url, token: headers.Authorization.replace('Bearer ', '') });
    try {
      expect(await askFor(client)).toMatch(/01234\+99999.*4321/s);
    } finally {
      await client.close();
    }
  });

  /** A stdio server started as an agent's app of the same user would start it. */
  function wayOf(launch: { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> }): Way {
    const [command, ...args] = user.as(launch.command, launch.args, { ...variables, ...launch.env });
    return { command, args, env: {}, onStderr: (text) => process.stderr.write(text) };
  }

  it('serves agents over stdio, by the command it shows', async () => {
    const client = await openClient('v1', wayOf(JSON.parse(snippet.stdio).mcpServers.filebridge));
    try {
      expect(await askFor(client)).toMatch(/01234\+99999.*4321/s);
    } finally {
      await client.close();
    }
  });

  it('would serve them from an AppImage, wherever that is mounted, and where it has to do without namespaces', async () => {
    const image = path.join(user.home, 'AppRun');
    const ofBuilder = createRequire(path.join(repository, 'installers/node_modules/electron-builder/package.json'));
    const { generateAppRunScript } = ofBuilder('app-builder-lib/out/targets/appimage/appImageUtil.js');
    const names = { ExecutableName: 'filebridge', ProductName: 'Filebridge', ProductFilename: 'Filebridge' };
    await writeFile(
      system.at(image),
      generateAppRunScript({ ...names, DesktopFileName: 'filebridge.desktop', ResourceName: 'filebridge' }),
    );
    await chmod(system.at(image), 0o755);
    const withoutNamespaces = path.join(user.home, 'bin');
    await mkdir(system.at(withoutNamespaces), { recursive: true });
    await writeFile(system.at(withoutNamespaces, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });

    const launch = stdioLaunch(
      path.join(resources, 'app.asar', 'dist'),
      {},
      { execPath: executable, inElectron: true, appImage: image, appDirectory: FOLDER },
    );
    expect(launch.args.join(' ')).not.toContain(FOLDER);
    const env = { ...launch.env, APPDIR: FOLDER, PATH: `${withoutNamespaces}:/usr/bin:/bin` };
    const client = await openClient('v1', wayOf({ ...launch, env }));
    try {
      expect(await askFor(client)).toMatch(/01234\+99999.*4321/s);
    } finally {
      await client.close();
    }
  });

  it('is ended in order and removed without a trace', async () => {
    expect(await app.close()).toBe(0);
    await expect.poll(() => processesOf(executable)).toEqual([]);
    await apt(system, 'remove', PACKAGE);
    expect(await installedVersion(system)).toBeUndefined();
    const places = [FOLDER, '/usr/bin/filebridge', `/usr/share/applications/${PACKAGE}.desktop`, '/usr/share/doc/filebridge'];
    expect(places.filter((place) => existsSync(system.at(place)))).toEqual([]);
    // What is the user's stays the user's.
    expect(existsSync(system.at(user.home, 'state', 'tokens.json'))).toBe(true);
  });
});
