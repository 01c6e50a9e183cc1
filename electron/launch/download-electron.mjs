/** Downloads Electron's runtime as the electron package does on first use, with a time limit and the reason of a failure. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const DOWNLOAD_MS = 180_000;
const tellCauses = fileURLToPath(new URL('tell-fetch-causes.cjs', import.meta.url));

/** Resolves with the reason where the package's installer failed; with undefined where it says that all is well. */
export function downloadElectron(electronPackage, timeout = DOWNLOAD_MS) {
  const installer = path.join(electronPackage, 'install.js');
  if (!existsSync(installer)) return Promise.resolve("the package 'electron' is not installed: run npm install");
  return new Promise((resolve) => {
    let stderr = '';
    const child = spawn(process.execPath, ['--require', tellCauses, installer], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(undefined);
      if (signal === 'SIGKILL') return resolve(`the download was ended after ${timeout / 1000} s`);
      // The first line of the error's stack.
      const said = /^\w*Error: (.+)$/m.exec(stderr)?.[1];
      resolve(said?.replace('Response code', 'HTTP status') ?? `its installer ended with ${signal ?? `code ${code}`}`);
    });
  });
}
