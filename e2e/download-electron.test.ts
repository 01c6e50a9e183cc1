/** What `npm start` says where Electron's runtime cannot be downloaded. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { downloadElectron } from '../electron/launch/download-electron.mjs';
import { repository } from './support/cli.ts';

const electronPackage = path.join(repository, 'node_modules', 'electron');
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'filebridge-electron-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

/** A mirror that has nothing, while `work` runs. */
async function withMirror<T>(work: (url: string, stop: () => Promise<unknown>) => Promise<T>): Promise<T> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  vi.stubEnv('ELECTRON_MIRROR', url);
  vi.stubEnv('electron_config_cache', path.join(directory, 'cache'));
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', path.join(directory, 'none'));
  const stop = () => new Promise((resolve) => server.close(resolve));
  try {
    return await work(url, stop);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("why Electron's runtime could not be had", () => {
  it('is the status that the server answered with', async () => {
    await withMirror(async (url) => {
      expect(await downloadElectron(electronPackage)).toMatch(new RegExp(`^HTTP status 404 \\(Not Found\\) for ${url}.*\\.zip$`));
    });
  });

  it('is the code of what kept it from the server', async () => {
    await withMirror(async (url, stop) => {
      await stop();
      expect(await downloadElectron(electronPackage)).toMatch(new RegExp(`ECONNREFUSED.* for ${url}.*\\.zip$`));
    });
  });

  it('is that it took too long, that it failed without a word, or that nothing is there to download it', async () => {
    const installer = (script: string) => writeFile(path.join(directory, 'install.js'), script);
    expect(await downloadElectron(directory)).toMatch(/run npm install/);
    await installer('setInterval(() => {}, 1000)');
    expect(await downloadElectron(directory, 500)).toBe('the download was ended after 0.5 s');
    await installer('process.exit(3)');
    expect(await downloadElectron(directory)).toBe('its installer ended with code 3');
    await installer('');
    expect(await downloadElectron(directory)).toBeUndefined();
  });
});
